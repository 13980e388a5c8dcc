/** Storage in a temporary folder, whose disk a test can make fail. */
import { open } from 'node:fs/promises';
import { jest } from '@jest/globals';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import type { StorageUnderTest } from './storage.ts';

export async function lowdbStorage(): Promise<StorageUnderTest> {
  const folder = await temporaryFolder();
  const handle = await open(process.execPath);
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  return {
    open: () => openLowdbStore(folder.path),
    failWrites() {
      for (const operation of ['appendFile', 'sync', 'datasync'])
        jest.spyOn(prototype, operation).mockRejectedValue(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
    },
    repairWrites: () => void jest.restoreAllMocks(),
    dispose: folder.dispose,
  };
}
