/** One process owns a data directory, by a lock of the kernel: it is free again when the process is gone, however it went. */
import { createRequire } from 'node:module';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './durable-file.ts';
import { notFolder } from './file-fault.ts';
import { StoreError } from '../../ports/storage.ts';

// The package ships no types.
const { tryLock } = createRequire(import.meta.url)('fs-native-extensions') as { tryLock(fd: number): boolean };

/**
 * Takes the directory, made when it is missing, and returns what lets it go. Throws StoreError when another process, or an earlier
 * call in this one, has it.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  // A bare descriptor: a FileHandle that nobody holds any more is closed by the garbage collector, and the lock with it.
  let file: number | undefined;
  const release = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  try {
    await makeFolder(directory);
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
    const other = notFolder(directory);
    const reason = other === undefined ? (error as Error).message : `${other} is not a folder`;
    throw new StoreError(`data directory ${directory} cannot be used: ${reason}`, { cause: error });
  }
}
