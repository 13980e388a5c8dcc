/** The store of a service on one SQLite file: journals as rows of the file, and documents as JSON files beside it. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError, type Journal, type Store } from '../../ports/storage.ts';
import { databaseFile, partialDatabaseFile } from '../../storage/database-file.ts';
import { openDocuments, type Documents } from '../../storage/lowdb/documents.ts';
import { requireLocalDisk } from '../../storage/network-file-system.ts';
import { endCopyOf } from './copy-mark.ts';
import type { FileWriter } from './file-writer.ts';
import { FileHealth, type FileHealthObserver } from './file-health.ts';
import { isNewFile, upgradeFile } from './file-version.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { SqliteJournal } from './sqlite-journal.ts';
import { createTables } from './sqlite-search-rows.ts';
import { ThreadWriter, type WriterSettings } from './thread-writer.ts';

export interface SqliteStore extends Store {
  readonly hasArchive: true;
  readonly writer: FileWriter;
  /** A connection for reads outside of transactions. */
  readonly reader: SqliteDatabase;
  readonly journals: ReadonlyMap<string, Journal>;
  readonly health: FileHealth;
  /** Whether a thread writes, and others search, as in a service. */
  readonly hasThreads: boolean;
}

export interface SqliteStoreOptions {
  readonly observer?: FileHealthObserver;
  /**
   * Writes in a thread of its own, for a service; otherwise in this thread, for a command. `onEnded`: the thread has ended by a fault, and
   * nothing can be written any more.
   */
  readonly thread?: { readonly onEnded: (reason: string) => void } | undefined;
  /** How long a transaction waits for a lock of another program, in milliseconds. */
  readonly busyMs?: number;
}

/** Creates the tables of a new file, and upgrades those of a schema before. Throws StoreError. */
function requireTables(path: string): void {
  // A service that has run in the folder has written this document: without its data, an empty archive would look as if all was well.
  if (sizeOf(path) === 0 && existsSync(join(dirname(path), partialDatabaseFile)))
    throw new StoreError(`${dirname(path)} is a backup that was interrupted: make another one`);
  if (sizeOf(path) === 0 && sizeOf(join(dirname(path), 'events', 'log.json')) > 0)
    throw new StoreError(
      `${path} is missing or empty although a service has run in this folder: restore it, or remove ${join(dirname(path), 'events')} to begin with an empty archive`,
    );
  // SQLite gives the files beside it the same permissions.
  closeSync(openSync(path, 'a', 0o600));
  // Before anything is changed: the file may be of another program.
  const looking = new SqliteDatabase(path, { readOnly: true });
  let isNew: boolean;
  try {
    isNew = isNewFile(looking, path);
  } finally {
    looking.close();
  }
  const database = new SqliteDatabase(path);
  try {
    if (isNew) database.transaction(() => createTables(database));
    else upgradeFile(database);
  } finally {
    database.close();
  }
}

/** The size of a file in bytes; 0 without one. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Opens a data directory, which it creates if missing, and locks it; creates the tables of a new file. Rejects with StoreError if it is in
 * use or its file cannot be read.
 */
export async function openSqliteStore(folder: string, options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  const documents = await openDocuments(folder);
  try {
    return await openFile(folder, documents, options);
  } catch (error) {
    await documents.close();
    throw error;
  }
}

async function openFile(
  folder: string,
  documents: Documents,
  { observer = {}, thread, busyMs }: SqliteStoreOptions,
): Promise<SqliteStore> {
  requireLocalDisk(folder);
  const path = join(folder, databaseFile);
  const health = new FileHealth(observer);
  const onError = (error: unknown): void => health.note(error);
  requireTables(path);
  const reader = new SqliteDatabase(path, { onError });
  const writer =
    thread === undefined
      ? await localWriter({ path, busyMs }, health, documents)
      : new ThreadWriter({ path, busyMs }, health, thread.onEnded);
  const journals = new Map<string, SqliteJournal>();
  let isClosed = false;
  return {
    shared: false,
    hasArchive: true,
    now: documents.now,
    writer,
    reader,
    journals,
    health,
    hasThreads: thread !== undefined,
    endCopy: endCopyOf(reader, writer),
    document: documents.document,
    async journal(name) {
      if (journals.has(name)) throw new StoreError(`the journal ${name} is already open: open it once`);
      const journal = new SqliteJournal(name, reader, writer);
      journals.set(name, journal);
      return journal;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      health.stop();
      for (const journal of journals.values()) await journal.close();
      await writer.close();
      reader.close();
      await documents.close();
    },
  };
}

/** A service does not load what writes the archive. */
async function localWriter(
  { path, busyMs }: WriterSettings,
  health: FileHealth,
  { now }: Documents,
): Promise<FileWriter> {
  const { LocalWriter } = await import('./local-writer.ts');
  const onError = (error: unknown): void => health.note(error);
  // An import into a large archive changes pages all over the file.
  return new LocalWriter(new SqliteDatabase(path, { cacheMb: 256, busyMs, onError }), { now, health, isAlone: true });
}
