import { expect, test } from '@jest/globals';
import { openEventLog } from '../../server/archive/events/journal-event-log.ts';
import { openSqliteStore, type SqliteStore } from '../../server/engines/sqlite/sqlite-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { describeEventLog } from './event-log.ts';
import { MemoryEventLog, type StoredEvents } from './reference/event-log.ts';

describeEventLog('in memory (reference)', async (retention, now) => {
  const stored: StoredEvents = { epoch: 'reference', entries: [] };
  const log = new MemoryEventLog(stored, retention, now);
  return { log, reopen: async () => new MemoryEventLog(stored, retention, now), close: async () => {} };
});

describeEventLog('on a journal', async (retention, now) => {
  const folder = await temporaryFolder();
  let store = await openSqliteStore(folder.path);
  return {
    log: await openEventLog(store, retention, now),
    async reopen() {
      await store.close();
      store = await openSqliteStore(folder.path);
      return openEventLog(store, retention, now);
    },
    async close() {
      await store.close();
      await folder.dispose();
    },
  };
});

const retention = { ageMs: 86_400_000, events: 1_000 };
/** Runs steps on a store in a new folder. */
async function withStore(
  steps: (store: SqliteStore, reopen: () => Promise<SqliteStore>) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  let store = await openSqliteStore(folder.path);
  const reopen = async (): Promise<SqliteStore> => {
    await store.close();
    return (store = await openSqliteStore(folder.path));
  };
  try {
    await steps(store, reopen);
  } finally {
    await store.close();
    await folder.dispose();
  }
}

test('shows the events of a change after its commit is known, and what follows them after them', () =>
  withStore(async (store) => {
    const log = await openEventLog(store, retention);
    const transaction = (change: number): Promise<unknown> =>
      store.writer.append('events', [
        {
          batch: `change ${change}`,
          records: [JSON.stringify({ event: 'tweet.created', id: String(change), at: Date.now(), change })],
        },
      ]);
    await transaction(1);
    await transaction(2);
    const appended = log.append([{ event: 'pool.status' }]);
    expect(await appended).toBe(3);
    expect([log.head, await log.read(0, 10)]).toEqual([0, []]);
    log.applied(1);
    expect(log.head).toBe(1);
    log.applied(2);
    expect((await log.read(0, 10)).map(({ event }) => event)).toEqual([
      'tweet.created',
      'tweet.created',
      'pool.status',
    ]);
  }));

test('opens a log with an event of a later version, which keeps its number and is not delivered', () =>
  withStore(async (store, reopen) => {
    const log = await openEventLog(store, retention);
    await log.append([{ event: 'tweet.created', id: '1' }]);
    const journal = await (await reopen()).journal('events');
    await journal.replay(() => {});
    await journal.append([
      JSON.stringify({ event: 'tweet.translated', id: '2', at: 5 }),
      JSON.stringify({ event: 'tweet.created', id: 'no id', at: 6 }),
    ]);
    const reopened = await openEventLog(await reopen(), retention, () => 7);
    expect(await reopened.read(1, 10)).toEqual([
      { event: 'unknown', seq: 2, at: 5 },
      { event: 'tweet.created', id: '0', seq: 3, at: 6 },
    ]);
  }));
