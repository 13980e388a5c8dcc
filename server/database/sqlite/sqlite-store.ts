/** The store of a service on one SQLite file: journals as rows of the file, and documents as JSON files beside it. */
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError, type Journal, type Store } from '../../ports/storage.ts';
import { createFolder } from '../../storage/lowdb/durable-file.ts';
import { databaseFile } from '../../storage/database-file.ts';
import type { LowdbStore } from '../../storage/lowdb/lowdb-store.ts';
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
}

/** Opens the file in a data directory, which `documents` has locked, and creates its tables. Throws StoreError. */
export function openSqliteStore(folder: string, documents: LowdbStore): SqliteStore {
  const path = join(folder, databaseFile);
  // SQLite gives the files beside it the same permissions.
  closeSync(openSync(path, 'a', 0o600));
  const database = new SqliteDatabase(path, { cacheMb: 64 });
  if (database.first("SELECT 1 AS found FROM sqlite_schema WHERE name = 'meta'") === undefined)
    database.transaction(() => createTables(database));
  const reader = new SqliteDatabase(path);
  const writer = new SqliteWriter(database);
  const journals = new Map<string, SqliteJournal>();
  let isClosed = false;
  return {
    shared: false,
    hasArchive: true,
    now: documents.now,
    writer,
    reader,
    journals,
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
      for (const journal of journals.values()) await journal.close();
      await writer.settled();
      reader.close();
      database.close();
      await documents.close();
    },
  };
}
