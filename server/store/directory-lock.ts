/** One process owns a data directory, by a lock of the kernel: it is free again when the process is gone, however it went. */
import { createRequire } from 'node:module';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from './store.ts';

// The package ships no types.
const { tryLock } = createRequire(import.meta.url)('fs-native-extensions') as { tryLock(fd: number): boolean };

/** Takes the directory, made when it is missing; the handle, closed, lets it go. Throws StoreError when another process has it. */
export async function lockDirectory(directory: string): Promise<FileHandle> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const handle = await open(join(directory, 'lock'), 'a+', 0o600);
  if (tryLock(handle.fd)) {
    await handle.truncate();
    await handle.write(String(process.pid));
    return handle;
  }
  const owner = (await handle.readFile('utf8')).trim();
  await handle.close();
  throw new StoreError(`data directory ${directory} is in use by process ${owner || '(unknown)'}: stop it, or choose another DATA_DIR`);
}
