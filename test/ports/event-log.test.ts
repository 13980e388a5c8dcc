import { expect, test } from '@jest/globals';
import { openEventLog } from '../../server/realtime/journal-event-log.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import type { Store } from '../../server/ports/storage.ts';
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
  let store = await openLowdbStore(folder.path);
  return {
    log: await openEventLog(store, retention, now),
    async reopen() {
      await store.close();
      store = await openLowdbStore(folder.path);
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
async function withStore(steps: (store: Store, reopen: () => Promise<Store>) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  let store = await openLowdbStore(folder.path);
  const reopen = async (): Promise<Store> => {
    await store.close();
    return (store = await openLowdbStore(folder.path));
  };
  try {
    await steps(store, reopen);
  } finally {
    await store.close();
    await folder.dispose();
  }
}

test('opens a log of version 1.1 with its checkpoint, and stores it with the new name', () =>
  withStore(async (store, reopen) => {
    await store.journal('events');
    const old = await store.document<Record<string, unknown>>('events/log', { epoch: '' });
    await old.update((data) => Object.assign(data, { epoch: 'kept', told_up_to: 41 }));
    const log = await openEventLog(await reopen(), retention);
    expect([log.epoch, log.checkpoint]).toEqual(['kept', 41]);
    await log.advanceCheckpoint(43);
    const again = await reopen();
    await again.journal('events');
    expect((await again.document('events/log', {})).data).toEqual({ epoch: 'kept', checkpoint: 43 });
  }));

test('the checkpoint is the last change whose events are all recorded', () =>
  withStore(async (store, reopen) => {
    const log = await openEventLog(store, retention);
    expect(log.checkpoint).toBe(undefined);
    await log.publish([
      { event: 'tweet.updated', id: '1', change: 5 },
      { event: 'tweet.engagement', id: '1', change: 5 },
      { event: 'tweet.created', id: '2', change: 7 },
    ]);
    await log.settle();
    expect((await openEventLog(await reopen(), retention)).checkpoint).toBe(7);
    const journal = await (await reopen()).journal('events');
    const lines: unknown[] = [];
    await journal.replay((json) => void lines.push(JSON.parse(json.toString())));
    // After a crash between the events of a change, the change is published again.
    expect(lines.map((line) => (line as { change?: number }).change)).toEqual([undefined, 5, 7]);
  }));

test('shows the events of a change at once, and waits for the write of an event that a start cannot derive', () =>
  withStore(async (store, reopen) => {
    const log = await openEventLog(store, retention);
    void log.publish([{ event: 'tweet.created', id: '1', change: 5 }]);
    expect(log.head).toBe(1);
    const recorded = log.append([{ event: 'pool.status' }]);
    void log.publish([{ event: 'tweet.created', id: '2', change: 6 }]);
    expect(log.head).toBe(1);
    expect(await recorded).toBe(2);
    await log.settle();
    void log.publish([{ event: 'tweet.created', id: '3', change: 7 }]);
    expect(log.head).toBe(4);
    await log.settle();
    const names = ['tweet.created', 'pool.status', 'tweet.created', 'tweet.created'];
    const entries = await log.read(0, 10);
    expect(entries.map(({ event, seq }) => [event, seq])).toEqual(names.map((name, index) => [name, index + 1]));
    expect(await (await openEventLog(await reopen(), retention)).read(0, 10)).toEqual(entries);
  }));

test('keeps the number of each event where a crash has left out the last events of a change', () =>
  withStore(async (store, reopen) => {
    const log = await openEventLog(store, retention);
    const change = [
      { event: 'tweet.updated', id: '1', change: 5 },
      { event: 'tweet.engagement', id: '1', change: 5 },
    ] as const;
    await log.publish([{ event: 'tweet.created', id: '1', change: 4 }]);
    await log.settle();
    const journal = await (await reopen()).journal('events');
    await journal.replay(() => {});
    await journal.append([JSON.stringify({ event: 'tweet.updated', id: '1', at: 5 })]);
    const again = await openEventLog(await reopen(), retention);
    expect(again.checkpoint).toBe(4);
    await again.publish(change);
    await again.publish([{ event: 'tweet.updated', id: '1', change: 6 }]);
    await again.settle();
    const names = ['tweet.created', 'tweet.updated', 'tweet.engagement', 'tweet.updated'];
    expect((await again.read(0, 10)).map(({ event }) => event)).toEqual(names);
    const last = await openEventLog(await reopen(), retention);
    expect([last.head, last.checkpoint]).toEqual([4, 6]);
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
