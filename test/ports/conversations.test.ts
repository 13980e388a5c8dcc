// Tests server/assistant/purge-schedule.ts.
import { openConversations } from '../../server/assistant/journal-conversations.ts';
import type { Store } from '../../server/ports/storage.ts';
import { describeConversations, type ConversationStorage } from './conversations.ts';
import { sqliteStorage } from './sqlite.ts';
import { ReferenceConversations, SharedConversations } from './reference/conversations.ts';
import { emptyDisk, memoryStore, type MemoryStore } from './reference/store.ts';
import type { StorageUnderTest } from './storage.ts';

/** Conversations on the journal of a store. */
async function onStore(storage: StorageUnderTest): Promise<ConversationStorage> {
  let store: Store;
  return {
    ...storage,
    async open(options) {
      store = await storage.open();
      return openConversations({ store, secret: Buffer.alloc(32, 7), ...options });
    },
    close: () => store.close(),
  };
}

function memoryStorage(): StorageUnderTest {
  const disk = emptyDisk();
  let store: MemoryStore;
  return {
    open: async () => (store = memoryStore(disk)),
    failWrites: () => store.fail(),
    repairWrites: () => store.repair(),
    dispose: async () => {},
  };
}

async function shared(): Promise<ConversationStorage> {
  const conversations = new SharedConversations();
  return {
    open: async (options) => new ReferenceConversations(conversations, options),
    close: async () => {},
    failWrites: () => void (conversations.isFailing = true),
    repairWrites: () => void (conversations.isFailing = false),
    dispose: async () => {},
  };
}

describeConversations('conversations on a journal in memory', () => onStore(memoryStorage()));
describeConversations('conversations on the SQLite store', async () => onStore(await sqliteStorage()));
describeConversations('conversations in memory', shared);
