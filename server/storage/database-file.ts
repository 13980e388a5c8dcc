/** The file of an archive in SQLite, and the folder of one in journals: a data directory has one of them. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../ports/storage.ts';

/** The name of the file in the data directory. */
export const databaseFile = 'archive.db';
/** The name of the copy in a backup until it is whole. */
export const partialDatabaseFile = `${databaseFile}.partial`;
/** The folder for the journals of version 1.2 after an upgrade. It has texts: the first purge removes it. */
export const oldJournalFolder = 'journal-1.2';

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Rejects with StoreError for a data directory with a file of SQLite, which the caller does not read. */
export async function requireNoDatabaseFile(dataDir: string): Promise<void> {
  const path = join(dataDir, databaseFile);
  if (await exists(path))
    throw new StoreError(`${path} is an archive of PLATFORM=sqlite: start its service, which commands then use`);
}
