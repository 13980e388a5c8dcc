/** Checks of a data directory before a command opens it without a server. */
import { stat } from 'node:fs/promises';
import { StoreError } from '../ports/storage.ts';

/** Throws StoreError if there is no such folder: a command that only reads must not create one. */
export async function requireDataDirectory(directory: string): Promise<void> {
  const stats = await stat(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StoreError(`data directory ${directory} cannot be read: ${error.message}`, { cause: error });
  });
  if (stats?.isDirectory() !== true)
    throw new StoreError(`${directory} is not a data directory: DATA_DIR names the folder of the service`);
}
