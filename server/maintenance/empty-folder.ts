/** The folder that a copy is written to. */
import { readdir } from 'node:fs/promises';
import { StoreError } from '../ports/storage.ts';
import { partialDatabaseFile } from '../storage/database-file.ts';
import { createFolder } from '../storage/lowdb/durable-file.ts';
import { codeOf } from '../text/error-text.ts';

/** Creates the folder. Rejects with StoreError for a folder with content, so that a copy never mixes with other files. */
export async function createEmptyFolder(folder: string): Promise<void> {
  const existing: readonly string[] = await readdir(folder).catch((error: unknown) =>
    codeOf(error) === 'ENOENT' ? [] : Promise.reject(error),
  );
  if (existing.includes(partialDatabaseFile))
    throw new StoreError(`${folder} has a copy that was interrupted: remove it, or name another folder`);
  if (existing.length > 0) throw new StoreError(`${folder} is not empty: name a folder that does not exist yet`);
  await createFolder(folder);
}
