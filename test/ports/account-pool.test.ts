// Tests server/assistant/pool-state.ts.
import { openAccountPool } from '../../server/assistant/journal-account-pool.ts';
import type { Store } from '../../server/ports/storage.ts';
import { describeAccountPool, describeSharedAccountPool, type CreatePoolStorage } from './account-pool.ts';
import { sqliteStorage } from './sqlite.ts';
import { ReferenceAccountPool, SharedAccounts } from './reference/account-pool.ts';
import { emptyDisk, memoryStore, type MemoryStore } from './reference/store.ts';

/** A journal in memory, whose writes can be held. */
const onMemory: CreatePoolStorage = async ({ held }) => {
  const disk = emptyDisk();
  let store: MemoryStore | undefined;
  return {
    async open(options) {
      const opened = memoryStore(disk, { held });
      store = opened;
      return {
        pool: await openAccountPool({ store: opened, ...options }),
        flush: () => opened.flush(),
        crash: async (survivors) => opened.kill(survivors),
        close: () => opened.close(),
      };
    },
    failWrites: () => store?.fail(),
    repairWrites: () => store?.repair(),
    dispose: async () => {},
  };
};

/** The journal that the server uses. A crash is a close here: `test/e2e/assistant-kill.test.ts` kills processes. */
const onLowdb: CreatePoolStorage = async () => {
  const storage = await sqliteStorage();
  return {
    ...storage,
    async open(options) {
      const store: Store = await storage.open();
      const close = () => store.close();
      return { pool: await openAccountPool({ store, ...options }), flush: () => {}, crash: close, close };
    },
  };
};

/** Storage that several processes share; every write is durable at once. */
const shared: CreatePoolStorage = async () => {
  const accounts = new SharedAccounts();
  return {
    async open(options) {
      const pool = new ReferenceAccountPool(accounts, options);
      const close = async (): Promise<void> => pool.close();
      return { pool, flush: () => {}, crash: close, close };
    },
    failWrites: () => void (accounts.isFailing = true),
    repairWrites: () => void (accounts.isFailing = false),
    dispose: async () => {},
  };
};

describeAccountPool('the account pool on a journal in memory', onMemory, 300);
describeAccountPool('the account pool on the SQLite store', onLowdb, 8);
describeAccountPool('the account pool in memory', shared, 50);
describeSharedAccountPool('the account pool in memory', shared);
