import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import { ViewCache } from '../../../server/platforms/archive/view-cache.ts';
import { tweetFull } from '../../../server/platforms/archive/views.ts';
import { compileQuery } from '../../../server/search/language/compile.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { rounds } from '../../support/rounds.ts';
import { RemovalModel } from './removal-model.ts';
import { nightlyTest } from '../../support/nightly.ts';

const userIds = ['1', '2', '3', '4'];
const tweetIds = Array.from({ length: 16 }, (_, index) => String(100 + index));
const moment = fc.integer({ min: 1, max: 8 }).map((step) => new Date(1_770_000_000_000 + step * 60_000).toISOString());
const userId = fc.constantFrom(...userIds);
const tweetId = fc.constantFrom(...tweetIds);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });
const known = <Thing extends object>(thing: Thing): Thing =>
  Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== undefined)) as Thing;

const photos: ArchivedTweet['media'] = [{ type: 'photo', url: 'https://images.example/a.jpg' }];
/** One fixed tweet for each id, so that every import of it is the same. */
const tweets: fc.Arbitrary<ArchivedTweet[]> = fc.tuple(
  ...tweetIds.map((id, index) =>
    fc
      .record({
        text: fc.constantFrom('night coffee', 'coffee and code', 'new beans #coffee', 'hello @u2', 'RT @u1: hello'),
        created_at: moment,
        author_id: userId,
        like_count: fc.integer({ min: 0, max: 5 }),
        in_reply_to_id: maybe(tweetId),
        quoted_tweet_id: maybe(tweetId),
        // An earlier tweet, so that there are no cycles.
        retweeted_tweet_id: index === 0 ? fc.constant(undefined) : maybe(fc.constantFrom(...tweetIds.slice(0, index))),
        community_id: maybe(fc.constant('901')),
        coordinates: maybe(fc.constant({ longitude: 1, latitude: 2 })),
        place_id: maybe(fc.constant('p1')),
        media: maybe(fc.constant(photos)),
        mention: maybe(userId),
      })
      .map(({ mention, ...rest }) => ({
        ...known({ id, ...rest }),
        entities: {
          mentions: mention === undefined ? [] : [{ username: `u${mention}` }],
          hashtags: rest.text.includes('#') ? ['coffee'] : [],
          cashtags: [],
          urls: [],
        },
      })),
  ),
) as fc.Arbitrary<ArchivedTweet[]>;

const lists = ['1', '2', '3'].map((owner_id) => ({ id: `80${owner_id}`, owner_id, slug: 'friends' }));
const removal: fc.Arbitrary<ArchiveRecord> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), tweet_id: tweetId, at: moment }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), tweet_id: tweetId }) },
  fc.record({ kind: fc.constant('withdraw' as const), user_id: userId, at: moment }),
  fc.record({
    kind: fc.constant('withdraw' as const),
    user_id: userId,
    list_ids: fc.subarray(lists.map(({ id }) => id)),
  }),
  fc.record({ kind: fc.constant('reinstate' as const), user_id: userId }),
);
const relation: fc.Arbitrary<ArchiveRecord> = fc.oneof(
  fc.record({ kind: fc.constant('follow' as const), follower_id: userId, following_id: userId, created_at: moment }),
  fc.record({ kind: fc.constant('unfollow' as const), follower_id: userId, following_id: userId, at: moment }),
  fc.record({ kind: fc.constant('retweet' as const), tweet_id: tweetId, user_id: userId, created_at: moment }),
  fc.record({ kind: fc.constant('unretweet' as const), tweet_id: tweetId, user_id: userId, at: moment }),
  fc.constantFrom(...lists).map((list) => ({ kind: 'list' as const, list })),
  fc.record({
    kind: fc.constant('list_member' as const),
    list_id: fc.constantFrom(...lists.map(({ id }) => id)),
    user_id: userId,
    created_at: moment,
  }),
  fc.constant({ kind: 'place', place: { id: 'p1', name: 'Town', country_code: 'ZA' } }),
  fc.record({ kind: fc.constant('like' as const), tweet_id: tweetId, created_at: moment }),
  fc.record({ kind: fc.constant('unlike' as const), tweet_id: tweetId, at: moment }),
);
const profile: fc.Arbitrary<ArchiveRecord> = userId.map((id) => ({ kind: 'user', user: { id, username: `u${id}` } }));
/** Batches of records: imports of the tweets in any order and again, removals, relations and profiles. */
const history: fc.Arbitrary<ArchiveRecord[][]> = tweets.chain((all) => {
  const tweet = fc.constantFrom(...all).map((each): ArchiveRecord => ({ kind: 'tweet', tweet: each }));
  const record = fc.oneof(
    { weight: 10, arbitrary: tweet },
    { weight: 5, arbitrary: removal },
    { weight: 4, arbitrary: relation },
    { weight: 2, arbitrary: profile },
  );
  return fc.array(fc.array(record, { maxLength: 12 }), { maxLength: 10 });
});

const queries = [
  'coffee',
  '-coffee include:nativeretweets',
  'from:u1 OR from:2',
  '"coffee and"',
  '#coffee',
  '@u2',
  'filter:replies include:nativeretweets',
  'filter:nativeretweets',
  'geocode:2,1,5km',
  'min_faves:2',
  'quoted_user_id:1 OR quoted_user_id:2 OR quoted_user_id:3',
  'retweets_of:u1 OR retweets_of:u2',
  'filter:self_threads include:nativeretweets',
  'list:801 include:nativeretweets',
  'list:801 OR list:802',
  'list:u2/friends OR list:u3/friends',
  'place:p1',
  'place_country:ZA',
];

const idsOf = (archive: Archive, ordinals: Iterable<number> | undefined): string[] =>
  Array.from(ordinals ?? [], (ordinal) => archive.tweet(ordinal).id);
const all = { after: undefined, limit: 100 };

/** Compares every list, search and count of an archive with the model. */
function expectSame(archive: Archive, model: RemovalModel): void {
  const newestFirst = (ordinals: Iterable<number> | undefined): string[] => idsOf(archive, ordinals).reverse();
  const ids = (test: (tweet: ArchivedTweet) => boolean): string[] => model.list(test).map(({ id }) => id);
  expect(archive.size).toBe(model.tweets.size);
  expect(new Set(idsOf(archive, archive.ordinals()))).toEqual(new Set(model.tweets.keys()));
  for (const id of tweetIds) {
    expect(archive.isRemoved(id)).toBe(model.isRemoved(id));
    expect(archive.tombstone(id)?.tweet?.author_id).toBe(model.graves.get(id)?.tweet?.author_id);
    expect(archive.liked(id)).toBe(model.likes.get(id)?.liked ?? false);
    expect(newestFirst(archive.replies.get(id)?.sorted(archive.order))).toEqual(
      ids((tweet) => tweet.in_reply_to_id === id),
    );
    expect(new Set([...(archive.retweeters.get(id)?.members() ?? [])].map((each) => each.id))).toEqual(
      new Set(model.members(model.retweets, id)),
    );
  }
  for (const id of userIds) {
    expect(archive.user(id)?.username).toBe(model.profiles.get(id));
    const own = (tweet: ArchivedTweet): boolean => tweet.author_id === id;
    expect(newestFirst(archive.byAuthor.get(id)?.sorted(archive.order))).toEqual(ids(own));
    expect(newestFirst(archive.postsByAuthor.get(id)?.sorted(archive.order))).toEqual(
      ids((tweet) => own(tweet) && tweet.in_reply_to_id === undefined),
    );
    const mentioned = archive.mentionsOf({ id: model.profiles.has(id) ? id : undefined, username: `U${id}` });
    expect(mentioned.flatMap((timeline) => newestFirst(timeline.sorted(archive.order)))).toEqual(
      ids((tweet) => tweet.entities!.mentions.some(({ username }) => username === `u${id}`)),
    );
    expect(new Set([...(archive.follows.get(id)?.newestFirst() ?? [])].map((each) => each.id))).toEqual(
      new Set(model.members(model.follows, id)),
    );
  }
  expect(newestFirst(archive.communityTweets.get('901')?.sorted(archive.order))).toEqual(
    ids((tweet) => tweet.community_id === '901'),
  );
  expect(newestFirst(archive.communityMedia.get('901')?.sorted(archive.order))).toEqual(
    ids((tweet) => tweet.community_id === '901' && tweet.media !== undefined),
  );
  expect(new Set(Array.from(archive.lists.values(), ({ id }) => id))).toEqual(new Set(model.lists.keys()));
  for (const query of queries) {
    const condition = compileQuery(parse(query));
    const found = model.list((tweet) => matches(condition, model.document(tweet), 0));
    expect([query, idsOf(archive, archive.index.search(parse(query), 'Latest', all).items)]).toEqual([
      query,
      found.map(({ id }) => id),
    ]);
    const best = found.toSorted((a, b) => (b.like_count ?? 0) - (a.like_count ?? 0)).map(({ id }) => id);
    expect(idsOf(archive, archive.index.search(parse(query), 'Top', all).items)).toEqual(best);
  }
  const documents = model.list(() => true).map((tweet) => model.document(tweet));
  for (const term of ['coffee', '#coffee', 'hello', 'filter:quote', 'has:coordinates'])
    expect([term, archive.index.frequency(term)]).toEqual([
      term,
      documents.filter(({ tokens, terms }) => tokens.has(term) || terms.has(term)).length,
    ]);
}

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'removal-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

async function withArchive<Result>(use: (durable: DurableArchive) => Promise<Result> | Result): Promise<Result> {
  const store = await openLowdbStore(directory, { segmentBytes: 5000 });
  try {
    return await use(await openArchive(store));
  } finally {
    await store.close();
  }
}

test('imports, removals and restores in any order give what a plain model gives, in memory', () => {
  fc.assert(
    fc.property(history, (batches) => {
      const archive = new Archive();
      const model = new RemovalModel();
      const views = new ViewCache(archive);
      for (const batch of batches) {
        for (const record of batch) {
          const would = archive.wouldChange(record);
          expect(archive.apply(record).outcome !== 'unchanged').toBe(would);
          model.apply(record);
        }
        expectSame(archive, model);
        for (const ordinal of archive.ordinals()) {
          const view = views.tweetFull(ordinal);
          expect(view).toEqual(tweetFull(archive, ordinal));
          for (const inner of [view.quoted_tweet, view.retweeted_tweet])
            if (inner !== null) expect(model.tweets.has(inner.id)).toBe(true);
        }
      }
    }),
    { numRuns: rounds(150) },
  );
});

nightlyTest('the removal of a tweet in a cycle of native retweets ends, and removes the cycle', () => {
  for (const removal of [
    { kind: 'delete', tweet_id: '102' },
    { kind: 'withdraw', user_id: '2' },
  ] as const) {
    const archive = new Archive();
    for (const [id, author_id, retweeted_tweet_id] of [
      ['101', '1', '103'],
      ['102', '2', '101'],
      ['103', '3', '102'],
    ] as const) {
      const created_at = '2026-01-01T00:00:00.000Z';
      archive.apply({ kind: 'tweet', tweet: { id, author_id, retweeted_tweet_id, created_at, text: 'hello' } });
    }
    expect(archive.changesFor(removal)).toHaveLength(removal.kind === 'delete' ? 3 : 4);
    expect(archive.apply(removal).outcome).not.toBe('unchanged');
    expect([archive.size, archive.removals.tombstones]).toEqual([0, 3]);
  }
});

nightlyTest('tombstones of native retweets in a cycle exclude nothing', () => {
  const archive = new Archive();
  const author_id = '1';
  const retweet = (tweet_id: string, retweeted_tweet_id: string): ArchiveRecord => ({
    ...{ kind: 'delete', tweet_id, author_id, retweeted_tweet_id, reason: 'retweet' },
  });
  for (const record of [retweet('100', '101'), retweet('101', '102'), retweet('102', '101')]) archive.apply(record);
  for (const id of ['100', '101', '102']) expect(archive.isRemoved(id)).toBe(false);
});

nightlyTest('a snapshot of an archive with removals creates the same archive', () => {
  fc.assert(
    fc.property(history, (batches) => {
      const [archive, copy, model] = [new Archive(), new Archive(), new RemovalModel()];
      for (const record of batches.flat()) {
        archive.apply(record);
        model.apply(record);
      }
      for (const change of archive.changes()) copy.apply(change, { snapshot: true });
      expectSame(copy, model);
      expect(Array.from(copy.changes(), (each) => JSON.stringify(each)).sort()).toEqual(
        Array.from(archive.changes(), (each) => JSON.stringify(each)).sort(),
      );
    }),
    { numRuns: rounds(100) },
  );
});

test('the durable archive is the same after it is opened again', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (batches) => {
      await rm(directory, { recursive: true, force: true });
      const model = new RemovalModel();
      for (const record of batches.flat()) model.apply(record);
      await withArchive(async (durable) => {
        for (const [index, batch] of batches.entries())
          await durable.apply('file', { values: index, done: false }, batch);
        expectSame(durable.archive, model);
      });
      await withArchive((durable) => expectSame(durable.archive, model));
    }),
    { numRuns: rounds(25) },
  );
});

const contents = (archive: Archive): string[] => Array.from(archive.changes(), (each) => JSON.stringify(each)).sort();

nightlyTest('a purge between the changes removes nothing that the archive needs', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.array(fc.boolean(), { maxLength: 10 }), async (batches, purges) => {
      await rm(directory, { recursive: true, force: true });
      const model = new RemovalModel();
      for (const record of batches.flat()) model.apply(record);
      const before = await withArchive(async (durable) => {
        for (const [index, batch] of batches.entries()) {
          const purging = purges[index] === true ? durable.purge() : undefined;
          await durable.apply('file', { values: index, done: false }, batch);
          await purging;
        }
        await durable.purge();
        expectSame(durable.archive, model);
        return contents(durable.archive);
      });
      await withArchive(async (durable) => {
        expectSame(durable.archive, model);
        expect(contents(durable.archive)).toEqual(before);
        // What one purge leaves, the next one leaves too.
        expect(await durable.purge()).toMatchObject({ records: 0 });
      });
    }),
    { numRuns: rounds(10) },
  );
});
