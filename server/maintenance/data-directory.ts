/** The data directory: a check before a command opens it without a server, and the damaged files in it. */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../ports/storage.ts';
import { databaseFile } from '../storage/database-file.ts';

/** Throws StoreError if there is no such folder: a command that only reads must not create one. */
export async function requireDataDirectory(directory: string): Promise<void> {
  const stats = await stat(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StoreError(`data directory ${directory} cannot be read: ${error.message}`, { cause: error });
  });
  if (stats?.isDirectory() !== true)
    throw new StoreError(`${directory} is not a data directory: DATA_DIR names the folder of the service`);
}

/** As `requireDataDirectory`; also throws StoreError for a directory of version 1.2, which no service has upgraded yet. */
export async function requireUpgraded(directory: string): Promise<void> {
  await requireDataDirectory(directory);
  if (existsSync(join(directory, databaseFile)) || !existsSync(join(directory, 'archive', 'catalogue.json'))) return;
  throw new StoreError(`${directory} is of version 1.2: start the service once, which upgrades it`);
}

/** The number of uploaded files that are not imported yet, or were never completed. */
export async function uploadedFiles(directory: string): Promise<number> {
  const names = await readdir(join(directory, 'uploads')).catch(() => []);
  return names.filter((name) => !name.endsWith('.json')).length;
}

/** The names of the folders in which a repair has kept damaged files. */
export const damagedFolders = async (directory: string): Promise<string[]> =>
  (await readdir(directory).catch(() => [])).filter((name) => name.startsWith('damaged-'));
