/** Storage in a SQLite file in a temporary folder, whose writes a test can make fail. */
import { join } from 'node:path';
import { SqliteDatabase } from '../../server/database/sqlite/sqlite-database.ts';
import { openSqliteStore, type SqliteStore } from '../../server/database/sqlite/sqlite-store.ts';
import { databaseFile } from '../../server/storage/database-file.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { lowdbStorage } from './lowdb.ts';
import type { StorageUnderTest } from './storage.ts';

/** `isThread`: the store writes in a thread of its own, as that of a service. */
export async function sqliteStorage(isThread: boolean): Promise<StorageUnderTest> {
  const folder = await temporaryFolder();
  const files = await lowdbStorage();
  let store: SqliteStore | undefined;
  let other: SqliteDatabase | undefined;
  const onEnded = (reason: string): never => {
    throw new Error(reason);
  };
  return {
    async open() {
      store = await openSqliteStore(folder.path, await openLowdbStore(folder.path), {
        busyMs: 5,
        ...(isThread ? { thread: { onEnded } } : {}),
      });
      return store;
    },
    async failWrites() {
      await files.failWrites();
      // Another program that holds the lock of the file.
      other = new SqliteDatabase(join(folder.path, databaseFile));
      other.script('BEGIN IMMEDIATE');
    },
    async repairWrites() {
      await files.repairWrites();
      other?.close();
      other = undefined;
      // An attempt each second finds out that the lock is gone.
      await until(() => store?.health.failed === undefined);
    },
    async dispose() {
      await files.dispose();
      await folder.dispose();
    },
  };
}
