/** File systems of one's own, for disks that are full or read-only. They need root: see `canMount`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0;

export interface Mounted {
  readonly path: string;
  /** Takes or gives the right to write, as a disk does that the kernel no longer trusts. */
  readOnly(is: boolean): void;
  dispose(): void;
}

/** Whether this process may mount a file system. */
export function canMount(): boolean {
  try {
    mountSmall(4096).dispose();
    return true;
  } catch {
    return false;
  }
}

/** A file system in memory of so many bytes. Throws where none may be mounted. */
export function mountSmall(bytes: number): Mounted {
  const path = mkdtempSync(join(tmpdir(), 'social-data-disk-'));
  if (!mount('-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', path)) {
    rmdirSync(path);
    throw new Error('no file system may be mounted here');
  }
  return {
    path,
    readOnly(is) {
      if (!mount('-o', `remount,${is ? 'ro' : 'rw'}`, path)) throw new Error(`${path} cannot be mounted anew`);
    },
    dispose() {
      spawnSync('umount', ['-l', path]);
      rmdirSync(path);
    },
  };
}
