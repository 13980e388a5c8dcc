/**
 * A kernel lock, so that only one process uses a data directory. The kernel releases the lock when the process ends in
 * any way.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { createFolder } from './durable-file.ts';
import { notFolder } from '../../process/file-fault.ts';
import { StoreError } from '../../ports/storage.ts';
import { messageOf } from '../../text/error-text.ts';

/**
 * Locks the directory, which it creates if missing, and returns the function that releases the lock. Throws StoreError
 * where another process, or an earlier call in this process, holds the lock.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  // A plain file descriptor: the garbage collector closes an unreferenced FileHandle, which would release the lock.
  let file: number | undefined;
  const release = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  try {
    await createFolder(directory);
    file = openSync(join(directory, 'lock'), 'a+', 0o600);
    if (tryLock(file)) {
      ftruncateSync(file);
      writeSync(file, String(process.pid));
      return release;
    }
    const owner = readFileSync(file, 'utf8').trim();
    throw new StoreError(
      `data directory ${directory} is in use by process ${owner || '(unknown)'}: stop it, or choose another DATA_DIR`,
    );
  } catch (error) {
    release();
    if (error instanceof StoreError) throw error;
    const fileInPath = notFolder(directory);
    const reason = fileInPath === undefined ? messageOf(error) : `${fileInPath} is not a folder`;
    throw new StoreError(`data directory ${directory} cannot be used: ${reason}`, { cause: error });
  }
}
