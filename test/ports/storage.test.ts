// Not in `npm run test:fast`: it opens many stores.
// Tests server/engines/sqlite/sqlite-journal.ts.
import { emptyDisk, memoryStore, type MemoryStore } from './reference/store.ts';
import { sqliteStorage } from './sqlite.ts';
import { describeStorage } from './storage.ts';

describeStorage('the store in a SQLite file', () => sqliteStorage(false));
describeStorage('the store in a SQLite file with a thread that writes', () => sqliteStorage(true), 5);

describeStorage('the store in memory', async () => {
  const disk = emptyDisk();
  let store: MemoryStore;
  return {
    open: async () => (store = memoryStore(disk)),
    failWrites: () => store.fail(),
    repairWrites: () => store.repair(),
    dispose: async () => {},
  };
});
