/** Folders for tests. */
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file system in memory of Linux, and the free space there that a test can need, in bytes. */
const memory = '/dev/shm';
const minFreeBytes = 2 * 1024 ** 3;

function hasMemory(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    // Containers often forbid to execute its files, which are hooks of git here.
    const [, options = 'noexec'] =
      new RegExp(` ${memory} \\S+ (\\S+)`).exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    return bavail * bsize >= minFreeBytes && !options.split(',').includes('noexec');
  } catch {
    return false;
  }
}

/**
 * The parent of the folders of tests, which need not survive a crash: in memory where that is possible, because a disk takes several times
 * the time for copies of the repository, and for each write that has to be durable. `setup.js` makes it the temporary folder of a run.
 */
export const fastParent = hasMemory() ? memory : tmpdir();

/** A folder of one's own that `dispose` removes. */
export async function temporaryFolder(parent = tmpdir()): Promise<{ path: string; dispose(): Promise<void> }> {
  const path = await mkdtemp(join(parent, 'social-data-'));
  return { path, dispose: () => rm(path, { recursive: true, force: true }) };
}
