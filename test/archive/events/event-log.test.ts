// Not in `npm run test:fast`: it writes hundreds of thousands of events.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { requireSqliteStore } from '../../../server/engines/sqlite/open-engine.ts';
import type { LogEntry, Retention } from '../../../server/ports/event-log.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { openArchiveIn, openServiceArchive, type ServiceArchive } from '../../support/stored-archive.ts';

const day = 86_400_000;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let archive: ServiceArchive;
/** How far the clock of the retention is ahead. */
let ahead: number;

async function open(retention?: Retention): Promise<void> {
  const now = (): number => Date.now() + ahead;
  archive = await openServiceArchive(folder.path, { ...(retention === undefined ? {} : { retention }), now });
}
async function reopen(retention?: Retention): Promise<void> {
  await archive.close();
  await open(retention);
}
/** Imports as a command does while no server runs. */
async function importAlone(...records: ArchiveRecord[]): Promise<void> {
  const { sink, close } = await openArchiveIn(folder.path);
  await sink.apply('other', { values: records.length, done: true }, records);
  await close();
}
beforeEach(async () => {
  folder = await temporaryFolder();
  ahead = 0;
  await open();
});
afterEach(async () => {
  await archive.close();
  await folder.dispose();
});

const tweet = (id: number | string, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1', ...more },
});
const take = (...records: ArchiveRecord[]): Promise<unknown> =>
  archive.sink.apply('file', { values: 1, done: false }, records);
const entries = async (from = archive.log.floor): Promise<readonly LogEntry[]> =>
  archive.log.read(from, archive.log.head + 1);
const delivered = async (from?: number): Promise<string[]> =>
  (await entries(from)).map((entry) => `${entry.event}${'id' in entry ? ` ${entry.id}` : ''}`);

test('records the events of each change, in order: new tweets, edits, counts, a removed like, a membership', async () => {
  const began = Date.now();
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
  expect([await archive.platform.unlike('1'), await archive.platform.unlike('1')]).toEqual([true, false]);
  await archive.log.append([{ event: 'pool.status' }]);
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
  const found = await entries();
  expect(found[5]).toMatchObject({ userId: '1' });
  expect(found[5]?.at).toBeGreaterThanOrEqual(began);
  expect(found.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('stores a deletion by its id only; it is there after a restart, and after one without a server', async () => {
  await take(tweet(1, { text: 'secret' }), tweet(2));
  await take({ kind: 'delete', tweet_id: '1' });
  await archive.close();
  await importAlone({ kind: 'delete', tweet_id: '2' });
  await open();
  expect(await delivered()).toEqual(['tweet.created 1', 'tweet.created 2', 'tweet.deleted 1', 'tweet.deleted 2']);
  expect((await entries())[2]).toEqual({ event: 'tweet.deleted', id: '1', seq: 3, at: expect.any(Number) });
});

test('continues after a restart, with the same epoch and numbers', async () => {
  await take(tweet(1), tweet(2));
  const { epoch } = archive.log;
  await reopen();
  expect([archive.log.epoch, archive.log.head, archive.log.floor]).toEqual([epoch, 2, 0]);
  await take(tweet('9223372036854775807'));
  expect(await delivered()).toEqual(['tweet.created 1', 'tweet.created 2', 'tweet.created 9223372036854775807']);
});

test('has the events of an import without a server at the next start, and once', async () => {
  await take(tweet(1));
  const { epoch } = archive.log;
  await archive.close();
  await importAlone(tweet(2), tweet(1, { like_count: 3 }));
  await open();
  const all = ['tweet.created 1', 'tweet.created 2', 'tweet.engagement 1'];
  expect([archive.log.epoch, await delivered()]).toEqual([epoch, all]);
  await reopen();
  expect([archive.log.epoch, await delivered()]).toEqual([epoch, all]);
  await take(tweet(3));
  expect((await delivered()).at(-1)).toBe('tweet.created 3');
});

test('the events of an import are there when the call ends, and not before its data', async () => {
  const seen: boolean[] = [];
  archive.log.onHead(() => void archive.platform.tweet('1').then(({ id }) => seen.push(id === '1')));
  await take({ kind: 'user', user: { id: '1', username: 'mira' } }, tweet(1));
  expect(archive.log.head).toBe(1);
  while (seen.length === 0) await new Promise(setImmediate);
  expect(seen).toEqual([true]);
});

test('has a new epoch after its document was removed', async () => {
  await take(tweet(1));
  const { epoch } = archive.log;
  await archive.close();
  await rm(join(folder.path, 'events'), { recursive: true });
  await open();
  expect(archive.log.epoch).not.toBe(epoch);
  // No hyphen: a command takes an argument that begins with one for an option.
  const form = expect.stringMatching(/^[\da-f]{12}$/);
  expect([epoch, archive.log.epoch]).toEqual([form, form]);
  await take(tweet(2));
  expect((await delivered()).at(-1)).toBe('tweet.created 2');
});

test('removes the events that are too old also where a start has left them in the journal', async () => {
  const retention = { ageMs: day, events: 1_000_000 };
  const append = (from: number): Promise<number> =>
    archive.log.append(
      Array.from({ length: 20_000 }, (_, place) => ({ event: 'tweet.created', id: `${from + place}` })),
    );
  await reopen(retention);
  await append(1);
  ahead += day / 2;
  await append(20_001);
  await reopen(retention);
  expect([archive.log.floor, archive.log.head]).toEqual([0, 40_000]);
  const read = await archive.log.read(19_998, 4);
  expect(read.map((entry) => [entry.seq, 'id' in entry && entry.id])).toEqual(
    [19_999, 20_000, 20_001, 20_002].map((seq) => [seq, String(seq)]),
  );
  ahead += day / 2 + 60_000;
  await until(() => archive.log.floor > 0);
  expect(archive.log.floor).toBe(20_000);
  expect((await archive.log.read(0, 1))[0]).toMatchObject({ seq: 20_001, id: '20001' });
  ahead += day / 4;
  await reopen(retention);
  expect(archive.log.floor).toBe(20_000);
  ahead += day / 4;
  expect(archive.log.floor).toBe(40_000);
});

test('retains events within the limits of number and age, and removes old ones', async () => {
  const retention = { ageMs: day, events: 50_000 };
  await reopen(retention);
  for (let id = 1; id <= 150_000; id += 1000)
    await archive.log.append(
      Array.from({ length: 1000 }, (_, place) => ({ event: 'tweet.created', id: String(id + place) })),
    );
  expect([archive.log.floor, archive.log.head]).toEqual([100_000, 150_000]);
  expect((await archive.log.read(100_000, 1))[0]).toMatchObject({ event: 'tweet.created', id: '100001' });
  await take(tweet(200_000));
  await archive.close();
  const { store, close } = await openArchiveIn(folder.path);
  const oldest = requireSqliteStore(store).reader.first<{ seq: number }>(
    "SELECT min(seq) AS seq FROM change WHERE log = 'events'",
  );
  await close();
  expect(oldest?.seq).toBeGreaterThan(30_000);
  await open(retention);
  expect([archive.log.floor, archive.log.head]).toEqual([100_001, 150_001]);
  expect((await archive.log.read(100_001, 1))[0]).toMatchObject({ event: 'tweet.created', id: '100002' });

  ahead += day / 2;
  expect(archive.log.floor).toBe(100_001);
  ahead += day / 2 + 60_000;
  expect([archive.log.floor, archive.log.head]).toEqual([150_001, 150_001]);
});
