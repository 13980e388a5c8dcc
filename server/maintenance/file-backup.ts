/**
 * Copies a data directory with a database file, which a service may use meanwhile: SQLite copies the pages of one moment, then come the
 * documents. The database gets its name last, so that a copy that was interrupted is not taken for a whole one.
 */
import { copyFile, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SqliteDatabase } from '../engines/sqlite/sqlite-database.ts';
import { StoreError } from '../ports/storage.ts';
import { databaseFile, partialDatabaseFile } from '../storage/database-file.ts';
import { syncFolder } from '../storage/lowdb/durable-file.ts';
import { copyMark } from '../engines/sqlite/copy-mark.ts';
import { codeOf } from '../text/error-text.ts';
import { createEmptyFolder } from './empty-folder.ts';

export interface FileBackup {
  readonly bytes: number;
  readonly tweets: number;
  readonly users: number;
  /** The removed tweets and the withdrawn accounts. */
  readonly removals: number;
}

export interface FileBackupOptions {
  /** Gets the copied and the total number of pages of the database. */
  readonly onProgress?: (copied: number, total: number) => void;
  /** Copies what else belongs to the data, such as media files, before the copy is complete. */
  readonly copyMore?: (folder: string) => Promise<void>;
}

/** The pages of one step: 4 MB. */
const pagesOfStep = 1_000;

/**
 * Copies a data directory to a folder that does not exist or is empty, and checks the copy. Rejects with StoreError. The event log of the
 * copy begins a new epoch at its first start: the original goes on and gives numbers that the copy would give again.
 */
export async function backUpFile(
  directory: string,
  to: string,
  { onProgress = () => {}, copyMore = async () => {} }: FileBackupOptions = {},
): Promise<FileBackup> {
  await createEmptyFolder(to);
  const partial = join(to, partialDatabaseFile);
  // SQLite would create it readable for others.
  await writeFile(partial, '', { mode: 0o600 });
  const source = new SqliteDatabase(join(directory, databaseFile), { readOnly: true });
  try {
    await source.copyTo(partial, { pages: pagesOfStep, onProgress });
  } finally {
    source.close();
  }
  const counts = checkCopy(partial, { isMarked: true });
  for (const name of await documentsIn(directory)) await copyDurably(join(directory, name), join(to, name));
  await copyMore(to);
  return { ...counts, bytes: await completeCopy(to) };
}

/** Gives the database of a copy its name when everything else is there. Returns the size of the copy in bytes. */
export async function completeCopy(folder: string): Promise<number> {
  const partial = join(folder, partialDatabaseFile);
  await sync(partial);
  await rename(partial, join(folder, databaseFile));
  await syncFolder(folder);
  return sizeOf(folder);
}

/** Checks a copy. `isMarked`: marks it too; its event log then begins a new epoch at its first start. Throws StoreError. */
export function checkCopy(path: string, { isMarked }: { readonly isMarked: boolean }): Omit<FileBackup, 'bytes'> {
  const copy = new SqliteDatabase(path);
  try {
    if (isMarked) copy.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', copyMark, new Date().toISOString());
    const faults = copy.all<{ quick_check: string }>('PRAGMA quick_check(1)');
    if (faults[0]?.quick_check !== 'ok')
      throw new StoreError(`the copy is damaged, as the original is (${faults[0]?.quick_check}): run npm run doctor`);
    const row = copy.first<Omit<FileBackup, 'bytes'>>(
      `SELECT (SELECT count(*) FROM tweet_count) AS tweets, (SELECT count(*) FROM person WHERE described_at IS NULL) AS users,
        (SELECT count(*) FROM tombstone) + (SELECT count(*) FROM withdrawn) AS removals`,
    );
    // A file without a log beside it: the copy is one file.
    copy.script('PRAGMA wal_checkpoint(TRUNCATE)');
    return { tweets: row?.tweets ?? 0, users: row?.users ?? 0, removals: row?.removals ?? 0 };
  } finally {
    copy.close();
  }
}

async function documentsIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json')).map(({ name }) => name);
}

async function copyDurably(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    // A document that a service has removed meanwhile.
    if (codeOf(error) === 'ENOENT') return await rm(to, { force: true });
    throw error;
  }
  await sync(to);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
