/** Storage in a SQLite file in a temporary folder, whose writes a test can make fail. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import { openSqliteStore, type SqliteStore } from '../../server/engines/sqlite/sqlite-store.ts';
import { databaseFile } from '../../server/storage/database-file.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import type { StorageUnderTest } from './storage.ts';

/** `isThread`: the store writes in a thread of its own, as that of a service. */
export async function sqliteStorage(isThread = false): Promise<StorageUnderTest> {
  const folder = await temporaryFolder();
  const handle = await open(process.execPath);
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  let store: SqliteStore | undefined;
  let other: SqliteDatabase | undefined;
  const onEnded = (reason: string): never => {
    throw new Error(reason);
  };
  return {
    async open() {
      store = await openSqliteStore(folder.path, {
        busyMs: 5,
        ...(isThread ? { thread: { onEnded } } : {}),
      });
      return store;
    },
    async failWrites() {
      // The documents.
      for (const operation of ['appendFile', 'sync', 'datasync'])
        jest.spyOn(prototype, operation).mockRejectedValue(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
      // Another program that holds the lock of the file.
      other = new SqliteDatabase(join(folder.path, databaseFile));
      other.script('BEGIN IMMEDIATE');
    },
    async repairWrites() {
      jest.restoreAllMocks();
      other?.close();
      other = undefined;
      // An attempt each second finds out that the lock is gone.
      await until(() => store?.health.failed === undefined);
    },
    dispose: folder.dispose,
  };
}
