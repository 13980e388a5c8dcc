/** The store of a service on one SQLite file: journals as rows of the file, and documents as JSON files beside it. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError, type Journal, type Store } from '../../ports/storage.ts';
import { createFolder } from '../../storage/lowdb/durable-file.ts';
import { databaseFile, partialDatabaseFile } from '../../storage/database-file.ts';
import type { LowdbStore } from '../../storage/lowdb/lowdb-store.ts';
import { requireLocalDisk } from '../../storage/network-file-system.ts';
import { endCopyOf } from './copy-mark.ts';
import { FileHealth, type FileHealthObserver } from './file-health.ts';
import { isNewFile } from './file-version.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { SqliteJournal } from './sqlite-journal.ts';
import { createTables } from './sqlite-search-rows.ts';
import { SqliteWriter } from './sqlite-writer.ts';

export interface SqliteStore extends Store {
  readonly hasArchive: true;
  readonly writer: SqliteWriter;
  /** A connection for reads outside of transactions. */
  readonly reader: SqliteDatabase;
  readonly journals: ReadonlyMap<string, Journal>;
  readonly health: FileHealth;
}

/** Opens the connection that writes, and creates the tables of a new file. Throws StoreError, and closes the file then. */
function openWriter(path: string, onError: (error: unknown) => void): SqliteDatabase {
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
  const database = new SqliteDatabase(path, { cacheMb: 64, onError });
  try {
    if (isNew) database.transaction(() => createTables(database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The size of a file in bytes; 0 without one. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Opens the file in a data directory, which `documents` has locked, and creates its tables. Throws StoreError. */
export function openSqliteStore(folder: string, documents: LowdbStore, observer: FileHealthObserver = {}): SqliteStore {
  requireLocalDisk(folder);
  const path = join(folder, databaseFile);
  const health = new FileHealth(observer);
  const onError = (error: unknown): void => health.note(error);
  const database = openWriter(path, onError);
  const reader = new SqliteDatabase(path, { onError });
  const writer = new SqliteWriter(database, health);
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
    endCopy: endCopyOf(reader, writer),
    async document(name, initial) {
      // Such as `events/log`: the folder is not that of a journal in files.
      await createFolder(dirname(join(folder, name)));
      return documents.document(name, initial);
    },
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
      await writer.settled();
      reader.close();
      database.close();
      await documents.close();
    },
  };
}
