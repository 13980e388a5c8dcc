// Tests server/engines/open-storage.ts, server/engines/postgres/store/connections.ts,
// server/engines/postgres/store/log-writer.ts, server/engines/postgres/store/postgres-document.ts,
// server/engines/postgres/store/postgres-instances.ts and server/engines/postgres/store/postgres-journal.ts.
/** The ports on PostgreSQL. Their suites need a database: `TEST_PG=1 npm test`. */
import { expect, jest, test } from '@jest/globals';
import { openAccountPool } from '../../server/assistant/journal-account-pool.ts';
import { openConversations } from '../../server/assistant/journal-conversations.ts';
import { DocumentKeys, type KeyFile } from '../../server/keys/keys.ts';
import { openArchiveAt } from '../support/stored-archive.ts';
import type { Keys } from '../../server/ports/keys.ts';
import type { LiveSink } from '../../server/ports/live-sink.ts';
import { openEventLog } from '../../server/archive/events/journal-event-log.ts';
import { openSecrets } from '../../server/storage/document-secrets.ts';
import { Database } from '../../server/engines/postgres/store/database.ts';
import { PostgresRateLimiter } from '../../server/engines/postgres/store/postgres-rate-limiter.ts';
import { openPostgresStore, type PostgresStore } from '../../server/engines/postgres/store/postgres-store.ts';
import { describeAccountPool, describeSharedAccountPool, type CreatePoolStorage } from './account-pool.ts';
import { describeConversations, type ConversationStorage } from './conversations.ts';
import { describeEventLog } from './event-log.ts';
import { describeImportSink, type SinkStorage } from './import-sink.ts';
import { describeKeys, type OpenedKeys } from './keys.ts';
import { describeLiveSink } from './live-sink.ts';
import { postgresStorage, testDatabaseUrl } from './postgres.ts';
import { describeRateLimiter } from './rate-limiter.ts';
import { describeSecrets, describeSharedSecrets, type SecretStorage } from './secrets.ts';
import { describeSharedStorage, describeStorage } from './storage.ts';

test('no error contains the password of the database', async () => {
  const url = 'postgres://app:secret-word@127.0.0.1:1/app';
  const error: unknown = await openPostgresStore({ url }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'StoreError', message: expect.stringMatching(/the database cannot be used/) });
  expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain('secret-word');
});

/** Storage whose stores are all closed at its end; several can be open at the same time. */
async function sharedStorage() {
  const storage = await postgresStorage();
  const stores: PostgresStore[] = [];
  return {
    ...storage,
    async open(): Promise<PostgresStore> {
      const store = await storage.open();
      stores.push(store);
      return store;
    },
    /** Other processes may still use the storage: `dispose` closes all stores. */
    close: async (): Promise<void> => {},
    async dispose(): Promise<void> {
      for (const store of stores) await store.close();
      await storage.dispose();
    },
  };
}

const onPool: CreatePoolStorage = async () => {
  const storage = await sharedStorage();
  return {
    ...storage,
    async open(options) {
      const store = await storage.open();
      const close = () => store.close();
      const pool = await openAccountPool({ store, ...options });
      // A decision waits for all decisions before it.
      const settled = async (): Promise<void> => void (await store.journals.get('pool')?.decide(() => []));
      return { pool, flush: () => {}, settled, crash: close, close };
    },
  };
};

async function onConversations(): Promise<ConversationStorage> {
  const storage = await sharedStorage();
  return {
    ...storage,
    open: async (options) =>
      openConversations({ store: await storage.open(), secret: Buffer.alloc(32, 7), ...options }),
  };
}

async function onSecrets(): Promise<SecretStorage> {
  const storage = await sharedStorage();
  return { ...storage, open: async () => openSecrets(await storage.open()) };
}

async function onKeys(): Promise<OpenedKeys> {
  const storage = await sharedStorage();
  const open = async (): Promise<Keys> =>
    new DocumentKeys(await (await storage.open()).document<KeyFile>('keys', { keys: [] }));
  const keys = await open();
  return {
    keys,
    elsewhere: await open(),
    reopen: open,
    cutOff() {
      const now = performance.now();
      jest.spyOn(performance, 'now').mockImplementation(() => now + 20_000);
    },
    close: () => storage.dispose(),
  };
}

async function onTables(): Promise<SinkStorage<LiveSink>> {
  const storage = await postgresStorage();
  const open: (() => Promise<void>)[] = [];
  return {
    ...storage,
    async open() {
      const opened = await openArchiveAt(`${storage.url}?schema=${storage.schema}`);
      open.push(opened.close);
      return opened.sink;
    },
    close: async (): Promise<void> => {},
    async dispose() {
      for (const close of open) await close();
      await storage.dispose();
    },
  };
}

if (testDatabaseUrl !== undefined) {
  const url = testDatabaseUrl;
  describeStorage('the PostgreSQL store', () => postgresStorage(), 10);
  describeSharedStorage('the PostgreSQL store', sharedStorage);
  describeAccountPool('the account pool on PostgreSQL', onPool, 4);
  describeSharedAccountPool('the account pool on PostgreSQL', onPool);
  describeConversations('conversations on PostgreSQL', onConversations);
  describeSecrets('secrets on PostgreSQL', onSecrets);
  describeSharedSecrets('secrets on PostgreSQL', onSecrets);
  describeKeys('keys on PostgreSQL', onKeys);
  describeImportSink('tables of PostgreSQL', onTables);
  describeLiveSink('tables of PostgreSQL', onTables);
  describeEventLog('on PostgreSQL', async (retention, now) => {
    const storage = await sharedStorage();
    return {
      log: await openEventLog(await storage.open(), retention, now),
      async reopen() {
        await storage.close();
        return openEventLog(await storage.open(), retention, now);
      },
      close: () => storage.dispose(),
    };
  });
  const schemas: (() => Promise<void>)[] = [];
  describeRateLimiter('the limiter on PostgreSQL', async (defaultLimit) => {
    const storage = await sharedStorage();
    const store = await storage.open();
    schemas.push(() => storage.dispose());
    const options = {
      database: store.database,
      defaultLimit,
      others: () => 1,
      now: () => Date.UTC(2026, 0, 1) + performance.now(),
    };
    return [new PostgresRateLimiter(options), new PostgresRateLimiter(options)];
  });
  test('the schemas of the limiters are removed', async () => {
    for (const dispose of schemas) await dispose();
    const database = new Database({ url });
    await database.run({ text: 'SELECT 1' });
    await database.close();
  });
}
