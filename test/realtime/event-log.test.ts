// Not in `npm run test:fast`: it writes hundreds of thousands of events.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DurableArchive } from '../../server/platforms/archive/durable-archive.ts';
import { openArchive, openArchiveSink } from '../../server/platforms/archive/open-archive.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { LogEntry, Retention } from '../../server/ports/event-log.ts';
import { openExistingEventLog, openEventLog, type JournalEventLog } from '../../server/realtime/journal-event-log.ts';
import { openLowdbStore, type LowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { appendHistory } from '../support/journal-history.ts';

const day = 86_400_000;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: LowdbStore;
let log: JournalEventLog;
let durable: DurableArchive;
let clock = Date.UTC(2026, 0, 1);

async function open(retention: Retention = { ageMs: day, events: 1_000_000 }): Promise<void> {
  store = await openLowdbStore(folder.path);
  log = await openEventLog(store, retention, () => clock);
  durable = await openArchive(store, log);
}
async function reopen(retention?: Retention): Promise<void> {
  await store.close();
  await open(retention);
}
beforeEach(async () => {
  folder = await temporaryFolder();
  await open();
});
afterEach(async () => {
  await store.close();
  await folder.dispose();
});

const progress = { line: 1 } as never;
const tweet = (id: number | string, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1', ...more },
});
const take = (...records: ArchiveRecord[]): Promise<unknown> => durable.apply('file', progress, records);
const entries = async (from = log.floor): Promise<readonly LogEntry[]> => log.read(from, log.head + 1);
const delivered = async (from?: number): Promise<string[]> =>
  (await entries(from)).map((entry) => `${entry.event}${'id' in entry ? ` ${entry.id}` : ''}`);

test('records the events of each change, in order: new tweets, edits, counts, a removed like, a membership', async () => {
  await take(tweet(1, { like_count: 1 }), { kind: 'user', user: { id: '1', username: 'mira' } }, tweet(2), {
    kind: 'like',
    tweet_id: '1',
  });
  await take(tweet(1, { like_count: 5, observed_at: '2026-01-02T00:00:00Z' }));
  await take(tweet(2, { text: 'edited', view_count: 3, observed_at: '2026-01-02T00:00:00Z' }));
  await take(tweet(2, { text: 'edited', view_count: 3, observed_at: '2026-01-03T00:00:00Z' }));
  await take(
    { kind: 'membership', community_id: '7', user_id: '1', role: 'member' },
    { kind: 'membership', community_id: '7', user_id: '1', role: 'admin' },
  );
  await durable.unlike('1');
  await durable.unlike('1');
  await log.append([{ event: 'pool.status' }]);
  expect(await delivered()).toEqual([
    'tweet.created 1',
    'tweet.created 2',
    'tweet.engagement 1',
    'tweet.updated 2',
    'tweet.engagement 2',
    'community.joined 7',
    'tweet.unliked 1',
    'pool.status',
  ]);
  expect((await entries())[5]).toMatchObject({ userId: '1', at: clock });
  expect((await entries()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('stores a deletion by its id only; it is there after a restart, and after a kill before it was published', async () => {
  await take(tweet(1, { text: 'secret' }), tweet(2));
  await take({ kind: 'delete', tweet_id: '1' });
  await store.close();
  store = await openLowdbStore(folder.path);
  await (await openArchive(store)).apply('other', progress, [{ kind: 'delete', tweet_id: '2' }]);
  await reopen();
  expect(await delivered()).toEqual(['tweet.created 1', 'tweet.created 2', 'tweet.deleted 1', 'tweet.deleted 2']);
  expect((await entries())[2]).toEqual({ event: 'tweet.deleted', id: '1', seq: 3, at: clock });
});

test('continues after a restart, with the same epoch and numbers', async () => {
  await take(tweet(1), tweet(2));
  const { epoch } = log;
  await reopen();
  expect([log.epoch, log.head, log.floor]).toEqual([epoch, 2, 0]);
  await take(tweet('9223372036854775807'));
  expect(await delivered()).toEqual(['tweet.created 1', 'tweet.created 2', 'tweet.created 9223372036854775807']);
});

test('publishes at the next start the changes of an import without a server, or of a kill between the two journals', async () => {
  await take(tweet(1));
  await store.close();
  store = await openLowdbStore(folder.path);
  await (await openArchive(store)).apply('other', progress, [tweet(2), tweet(1, { like_count: 3 })]);
  await reopen();
  expect(await delivered()).toEqual(['tweet.created 1', 'tweet.created 2', 'tweet.engagement 1']);
  await reopen();
  expect(log.head).toBe(3);
});

test('an import without a server publishes its events, so that the next start needs only its tables', async () => {
  await take(tweet(1));
  const { epoch } = log;
  await store.close();
  clock += 10 * day;
  const { sink, close } = await openArchiveSink(await openLowdbStore(folder.path), openExistingEventLog, {
    save: { minRecords: 1 },
  });
  await sink.apply('file', { values: 2, done: true }, [tweet(2), tweet(1, { like_count: 3 })]);
  await close();
  store = await openLowdbStore(folder.path);
  log = await openEventLog(store, { ageMs: 365 * day, events: 1_000_000 }, () => clock);
  const all = ['tweet.created 1', 'tweet.created 2', 'tweet.engagement 1'];
  expect([log.epoch, await delivered()]).toEqual([epoch, all]);
  durable = await openArchive(store, log);
  expect([durable.restoredSeq, await delivered()]).toEqual([log.checkpoint! + 1, all]);
  await reopen();
  await take(tweet(3));
  expect((await delivered()).at(-1)).toBe('tweet.created 3');
});

test('an import into a folder that no server has used begins no log', async () => {
  const other = join(folder.path, 'other');
  const { sink, close } = await openArchiveSink(await openLowdbStore(other), openExistingEventLog);
  await sink.apply('file', { values: 1, done: true }, [tweet(1)]);
  await close();
  expect(await readdir(other)).not.toContain('events');
});

test('publishes no events for data from before the log existed', async () => {
  await store.close();
  await rm(join(folder.path, 'events'), { recursive: true });
  store = await openLowdbStore(folder.path);
  await (await openArchive(store)).apply('other', progress, [tweet(1)]);
  await reopen();
  expect(await delivered()).toEqual([]);
  await take(tweet(2));
  expect(await delivered()).toEqual(['tweet.created 2']);
});

test('has a new epoch and starts at 1 after its folder was removed', async () => {
  await take(tweet(1));
  const { epoch } = log;
  await store.close();
  await rm(join(folder.path, 'events'), { recursive: true });
  await open();
  expect(log.epoch).not.toBe(epoch);
  // No hyphen: a command takes an argument that begins with one for an option.
  expect([epoch, log.epoch]).toEqual([expect.stringMatching(/^[\da-f]{12}$/), expect.stringMatching(/^[\da-f]{12}$/)]);
});

test('publishes nothing when the journal of the archive is compacted', async () => {
  const count = 2_000;
  await take(...Array.from({ length: count }, (_, likes) => tweet(1, { like_count: likes + 1 })));
  await appendHistory(store);
  const { head } = log;
  expect(head).toBe(count);
  await reopen();
  await reopen();
  expect(log.head).toBe(head);
  await take(tweet(1, { like_count: 500_000 }));
  expect(await delivered(head)).toEqual(['tweet.engagement 1']);
});

test('retains events within the limits of number and age, and removes old files', async () => {
  await reopen({ ageMs: day, events: 50_000 });
  for (let id = 1; id <= 150_000; id += 1000)
    await log.append(Array.from({ length: 1000 }, (_, place) => ({ event: 'tweet.created', id: String(id + place) })));
  expect([log.floor, log.head]).toEqual([100_000, 150_000]);
  expect((await log.read(100_000, 1))[0]).toMatchObject({ event: 'tweet.created', id: '100001' });
  await take(tweet(200_000));
  const kept = (await readdir(join(folder.path, 'events'))).filter((name) => name.endsWith('.jsonl'));
  expect(Number.parseInt(kept.toSorted()[0]!, 10)).toBeGreaterThan(30_000);
  await reopen({ ageMs: day, events: 50_000 });
  expect([log.floor, log.head]).toEqual([100_001, 150_001]);
  expect((await log.read(100_001, 1))[0]).toMatchObject({ event: 'tweet.created', id: '100002' });

  clock += day / 2;
  await take(tweet(300_000));
  clock += day / 2 + 1;
  expect([log.floor, log.head]).toEqual([150_001, 150_002]);
});
