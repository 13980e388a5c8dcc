/** An archive that evicts what it holds again and again must stay equal to a new one, and must not grow. */
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import { ViewCache } from '../../../server/platforms/archive/view-cache.ts';
import { tweetFull } from '../../../server/platforms/archive/views.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { openLowdbStore, type LowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../../support/folder.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { answers, content, page, step } from './answers.ts';
import { world } from './arbitrary.ts';
import { nightlyTest } from '../../support/nightly.ts';

nightlyTest('after evictions in any order, an archive answers as a new one with the same content', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 40, maxLength: 160 }), (steps) => {
      const archive = new Archive();
      const views = new ViewCache(archive);
      for (const each of world) archive.apply(structuredClone(each));
      let evicted = 0;
      for (const each of steps) {
        if (each.kind === 'evict') evicted += Number(archive.apply(each).outcome === 'updated');
        else for (const change of archive.changesFor(structuredClone(each))) archive.apply(change);
        for (const ordinal of archive.ordinals()) {
          const [cached, built] = [views.tweetFull(ordinal), tweetFull(archive, ordinal)];
          // Jest compares, and describes the difference, ten times as slowly.
          if (!isDeepStrictEqual(cached, built)) expect(cached).toEqual(built);
        }
      }
      const copy = new Archive();
      for (const change of archive.changes()) copy.apply(structuredClone(change), { snapshot: true });
      expect(content(copy)).toEqual(content(archive));
      expect(answers(copy)).toEqual(answers(archive));
      return evicted >= 0;
    }),
    { numRuns: rounds(400, 10), endOnFailure: true },
  );
});

const at = (index: number): string => new Date(Date.parse('2026-01-01T00:00:00Z') + index * 1000).toISOString();
/** A tweet with a word, a mention and a reply that no other tweet has. */
const tweet = (index: number) => ({
  kind: 'tweet' as const,
  tweet: {
    ...{ id: String(1_000_000 + index), text: `coffee word${index}`, created_at: at(index) },
    ...{ author_id: String(10 + (index % 500) + Math.floor(index / 1000)), in_reply_to_id: String(5_000_000 + index) },
    uri: `at://did:plc:author/app.bsky.feed.post/${index}`,
    entities: {
      mentions: [{ username: `m${index}`, id: String(9_000_000 + index) }],
      hashtags: [],
      cashtags: [],
      urls: [],
    },
  },
});

nightlyTest('the ordinals and the lists of evicted tweets are used again', () => {
  const archive = new Archive();
  const held = 400;
  let most = 0;
  let timelines = 0;
  for (let index = 0; index < 5000; index++) {
    archive.apply(tweet(index));
    if (index < held) continue;
    const tweet_ids = [String(1_000_000 + index - held)];
    archive.apply({ kind: 'evict', tweet_ids, user_ids: [], tombstone_ids: [], at: at(0) });
    if (index === 2500) [most, timelines] = [archive.ordinalCount, archive.timelineCount];
  }
  expect(most).toBeLessThan(2 * held);
  expect(archive.ordinalCount).toBeLessThanOrEqual(most + 10);
  expect(archive.size).toBe(held);
  // Each tweet left lists of its own behind.
  expect(archive.timelineCount).toBe(timelines);
  expect(archive.index.authorCount).toBe(
    new Set(Array.from(archive.ordinals(), (each) => archive.tweet(each).author_id)).size,
  );
  expect(archive.findUser({ username: 'm5' })).toBeUndefined();
  expect(archive.index.search(parse('word5'), 'Latest', page).items).toEqual([]);
  expect(archive.index.search(parse('coffee'), 'Latest', { ...page, limit: 1000 }).items.length).toBe(held);
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: LowdbStore;
let durable: DurableArchive;
beforeEach(async () => {
  folder = await temporaryFolder();
  await open();
});
afterEach(async () => {
  await store.close();
  await folder.dispose();
});

async function open(): Promise<void> {
  store = await openLowdbStore(folder.path);
  durable = await openArchive(store);
}

const progress = { values: 1, done: true };
const deleted = (index: number) => ({ kind: 'delete' as const, tweet_id: String(1_000_000 + index), at: at(index) });

test('an eviction leaves nothing on the disk after a purge, and a restart brings nothing back', async () => {
  const all = Array.from({ length: 600 }, (_, index) => tweet(index));
  const user = { kind: 'user' as const, user: { id: '7', username: 'stranger.example.com', did: 'did:plc:stranger' } };
  await durable.apply('f', progress, [user, ...all]);
  await durable.apply('f', progress, [deleted(0), deleted(500)]);
  const tweet_ids = all.slice(1, 400).map((each) => each.tweet.id);
  await durable.evict({ tweet_ids, user_ids: ['7'], tombstone_ids: ['1000000'] });
  const expected = content(durable.archive);
  expect(durable.archive.removals.tombstones).toBe(1);
  expect(expected.some((line) => line.includes('stranger'))).toBe(false);

  await store.close();
  await open();
  expect(content(durable.archive)).toEqual(expected);

  await durable.purge();
  const { bytes } = await store.journal('archive').catch(() => ({ bytes: 0 }));
  expect(content(durable.archive)).toEqual(expected);
  await store.close();
  await open();
  expect(content(durable.archive)).toEqual(expected);
  expect(bytes).toBeLessThan(600 * 400);

  // What comes again is new.
  await durable.apply('f', progress, [user, ...all.slice(0, 3)]);
  expect(durable.archive.ordinal('1000000')).toBeDefined();
  expect(durable.archive.users.get('7')).toBeDefined();
});

nightlyTest('evictions start the compaction of the journal by their size', async () => {
  const text = 'coffee '.repeat(1000);
  const purged: number[] = [];
  await store.close();
  store = await openLowdbStore(folder.path);
  durable = await openArchive(store, undefined, undefined, { onPurged: ({ bytes }) => void purged.push(bytes) });
  for (let first = 0; first < 1600; first += 400) {
    const part = Array.from({ length: 400 }, (_, index) => tweet(first + index));
    await durable.apply(
      'f',
      progress,
      part.map((each) => ({ ...each, tweet: { ...each.tweet, text } })),
    );
    await durable.evict({ tweet_ids: part.map((each) => each.tweet.id) });
  }
  while (purged.length === 0) await new Promise((resolve) => void setTimeout(resolve, 5));
  expect(purged[0]).toBeGreaterThan(7_000_000);
});
