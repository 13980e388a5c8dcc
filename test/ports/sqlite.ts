/** Storage in a SQLite file in a temporary folder, whose writes a test can make fail. */
import { openSqliteStore, type SqliteStore } from '../../server/database/sqlite/sqlite-store.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { lowdbStorage } from './lowdb.ts';
import type { StorageUnderTest } from './storage.ts';

export async function sqliteStorage(): Promise<StorageUnderTest> {
  const folder = await temporaryFolder();
  const files = await lowdbStorage();
  let store: SqliteStore;
  const setReadOnly = (isReadOnly: boolean): Promise<void> =>
    // Outside of a transaction, in which the setting has no effect.
    store.writer.maintain((database) => database.script(`PRAGMA query_only = ${Number(isReadOnly)}`));
  return {
    open: async () => (store = openSqliteStore(folder.path, await openLowdbStore(folder.path))),
    async failWrites() {
      await files.failWrites();
      await setReadOnly(true);
    },
    async repairWrites() {
      await files.repairWrites();
      await setReadOnly(false).catch(() => {});
    },
    async dispose() {
      await files.dispose();
      await folder.dispose();
    },
  };
}
