/** An eviction reads the oldest tweets page by page: requests run, and the archive changes, between two pages. */
import { expect, test } from '@jest/globals';
import { RetainedDurableArchive, type Retention } from '../../server/maintenance/retention/retained-archive.ts';
import { Archive } from '../../server/platforms/archive/archive.ts';

const size = 5_000;
const start = Date.UTC(2026, 0, 1);
const at = '2026-06-01T00:00:00.000Z';
/** Tweets that arrive in another order than that of their times. */
const timeOf = (id: number): number => start + ((id * 7919) % 100_000) * 1000;

function add(archive: Archive, id: number, retweeted?: number): void {
  const retweet = retweeted === undefined ? {} : { retweeted_tweet_id: String(retweeted) };
  const created_at = new Date(timeOf(id)).toISOString();
  archive.apply({ kind: 'tweet', tweet: { id: String(id), text: 'hello', author_id: '1', created_at, ...retweet } });
}

function filled(): { archive: Archive; retained: RetainedDurableArchive } {
  const archive = new Archive();
  for (let id = 0; id < size; id++) add(archive, 100_000 + id);
  const retained = new RetainedDurableArchive({
    archive,
    evict: async ({ tweet_ids = [] }) =>
      void archive.apply({ kind: 'evict', tweet_ids, user_ids: [], tombstone_ids: [], at }),
  });
  return { archive, retained };
}
const oldestFirst = (archive: Archive): string[] =>
  [...archive.ordinals()].toSorted(archive.order).map((ordinal) => String(archive.id(ordinal)));

async function pages({ retained }: ReturnType<typeof filled>, retention: Pick<Retention, 'retain' | 'now'>) {
  const found: (readonly string[])[] = [];
  for await (const ids of retained.evictable({ keep: '', ...retention })) found.push(ids);
  return found;
}

test('an eviction finds the oldest tweets beyond the retention, in pages', async () => {
  const trial = filled();
  const expected = oldestFirst(trial.archive);
  const byNumber = await pages(trial, { retain: { tweets: 1_300 }, now: 0 });
  expect(byNumber.flat()).toEqual(expected.slice(0, size - 1_300));
  const byAge = await pages(trial, { retain: { ageMs: 1_000 }, now: start + 40_000_000 });
  expect(byAge.flat()).toEqual(expected.filter((id) => timeOf(Number(id)) < start + 40_000_000 - 1_000));
  for (const ids of [...byNumber, ...byAge]) expect(ids.length).toBeLessThanOrEqual(1_000);
  expect(await pages(trial, { retain: { tweets: size }, now: 0 })).toEqual([]);
});

test('an eviction to a number of tweets leaves that number and what arrives, although native retweets go with it', async () => {
  const trial = filled();
  const { archive, retained } = trial;
  const [oldest] = oldestFirst(archive);
  for (let id = 0; id < 50; id++) add(archive, 900_000 + id, Number(oldest));
  let added = 0;
  for await (const tweet_ids of retained.evictable({ retain: { tweets: 2_000 }, keep: '', now: 0 })) {
    await retained.evict({ tweet_ids });
    // Other tweets get the ordinals of evicted ones.
    Array.from(archive.sweepIndex());
    for (let id = 0; id < 5; id++, added++) add(archive, 500_000 + added);
  }
  // The next eviction removes as many as arrived meanwhile.
  expect([archive.size >= 2_000, archive.size <= 2_000 + added]).toEqual([true, true]);
});

test('an eviction keeps what a query matches', async () => {
  const trial = filled();
  const found: string[] = [];
  for await (const ids of trial.retained.evictable({ retain: { tweets: 10 }, keep: 'hello', now: 0 }))
    found.push(...ids);
  expect(found).toEqual([]);
});
