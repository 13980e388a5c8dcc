/** Files and folders that nobody can change any more, root and who has them open included: the attribute `i` of ext4, XFS and btrfs. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const chattr = (flag: '+i' | '-i', paths: readonly string[]): boolean =>
  spawnSync('chattr', [flag, ...paths]).status === 0;

/** A folder, and all folders and files below it. */
const all = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name)),
];

/** Whether a file below this folder can be closed to changes, also for who has it open. */
export function canBeImmutable(within: string): boolean {
  const folder = mkdtempSync(join(within, 'immutable-'));
  const path = join(folder, 'file');
  appendFileSync(path, 'a');
  const file = openSync(path, 'a');
  try {
    if (!chattr('+i', [path])) return false;
    writeSync(file, 'b');
    return false;
  } catch {
    return true;
  } finally {
    chattr('-i', [path]);
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

/** Closes a folder with all below it to changes, or opens it again. Both throw where `canBeImmutable` is false. */
export function immutable(folder: string): { close(): void; open(): void } {
  const set = (flag: '+i' | '-i'): void => {
    if (!chattr(flag, all(folder))) throw new Error(`${folder} does not take the attribute ${flag}`);
  };
  return { close: () => set('+i'), open: () => set('-i') };
}
