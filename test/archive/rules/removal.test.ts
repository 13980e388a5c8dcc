// Tests server/archive/rules/removal-changes.ts and server/archive/rules/removals.ts.
/** Removals and restores, compared with a plain model. */
import { expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { SnapshotChange } from '../../../server/archive/rules/change.ts';
import { rounds } from '../../support/rounds.ts';
import { RemovalModel } from './removal-model.ts';

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

/** The members of a relation in content, as `OWNER MEMBER`. */
const pairsOf = (content: readonly SnapshotChange[], kind: 'follow' | 'retweet' | 'list_member'): Set<string> =>
  new Set(
    content.flatMap((each) => {
      if (each.kind !== kind) return [];
      if (each.kind === 'follow') return `${each.follower_id} ${each.following_id}`;
      return `${each.kind === 'retweet' ? each.tweet_id : each.list_id} ${each.user_id}`;
    }),
  );

/** Compares the content of an archive with the model. */
function expectSame(archive: Archive, model: RemovalModel): void {
  const content = [...archive.changes()];
  const found = content.flatMap((each) => (each.kind === 'tweet' ? each.tweet : []));
  expect(new Map(found.map(({ id, like_count: likes }) => [id, likes]))).toEqual(
    new Map(Array.from(model.tweets.values(), ({ id, like_count: likes }) => [id, likes])),
  );
  for (const id of tweetIds) expect([id, archive.isRemoved(id)]).toEqual([id, model.isRemoved(id)]);
  const tombstones = content.flatMap((each) =>
    each.kind === 'delete' ? [[each.tweet_id, 'tombstone' in each ? each.tombstone?.author_id : undefined]] : [],
  );
  expect(Object.fromEntries(tombstones)).toEqual(
    Object.fromEntries(Array.from(model.graves, ([id, { tweet }]) => [id, tweet?.author_id])),
  );
  expect(content.flatMap((each) => (each.kind === 'like' ? each.tweet_id : [])).toSorted()).toEqual(
    Array.from(model.likes, ([id, { liked }]) => (liked ? [id] : []))
      .flat()
      .toSorted(),
  );
  for (const id of userIds) expect(archive.profile(id)?.username).toBe(model.profiles.get(id));
  expect(new Set(content.flatMap((each) => (each.kind === 'list' ? each.list.id : [])))).toEqual(
    new Set(model.lists.keys()),
  );
  for (const [kind, ties] of [
    ['follow', model.follows],
    ['retweet', model.retweets],
    ['list_member', model.listMembers],
  ] as const) {
    const owners = new Set(Array.from(ties.keys(), (key) => key.split(' ')[0] ?? ''));
    const expected = [...owners].flatMap((owner) => model.members(ties, owner).map((member) => `${owner} ${member}`));
    expect([kind, pairsOf(content, kind)]).toEqual([kind, new Set(expected)]);
  }
}

test('imports, removals and restores in any order give what a plain model gives', () => {
  fc.assert(
    fc.property(history, (batches) => {
      const archive = new Archive();
      const model = new RemovalModel();
      for (const record of batches.flat()) {
        archive.apply(record);
        model.apply(record);
        expectSame(archive, model);
      }
    }),
    { numRuns: rounds(150) },
  );
});

test('the removal of a tweet in a cycle of native retweets ends, and removes the cycle', () => {
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
    if (removal.kind === 'delete') expect(archive.removedBy(removal).toSorted()).toEqual(['101', '102', '103']);
    expect(archive.apply(removal).outcome).not.toBe('unchanged');
    const kinds = Array.from(archive.changes(), ({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'tweet')).toEqual([]);
    expect(kinds.filter((kind) => kind === 'delete')).toHaveLength(3);
    if (removal.kind === 'delete') expect(archive.removedBy(removal)).toEqual([]);
  }
});

test('tombstones of native retweets in a cycle exclude nothing', () => {
  const archive = new Archive();
  const author_id = '1';
  const retweet = (tweet_id: string, retweeted_tweet_id: string): ArchiveRecord => ({
    ...{ kind: 'delete', tweet_id, author_id, retweeted_tweet_id, reason: 'retweet' },
  });
  for (const record of [retweet('100', '101'), retweet('101', '102'), retweet('102', '101')]) archive.apply(record);
  for (const id of ['100', '101', '102']) expect(archive.isRemoved(id)).toBe(false);
});

test('the content of an archive creates the same archive, by changes of a snapshot and at once', () => {
  fc.assert(
    fc.property(history, (batches) => {
      const [archive, copy, restored, model] = [new Archive(), new Archive(), new Archive(), new RemovalModel()];
      for (const record of batches.flat()) {
        archive.apply(record);
        model.apply(record);
      }
      for (const change of archive.changes()) copy.apply(change, { snapshot: true });
      restored.restore(archive.changes());
      expectSame(copy, model);
      expectSame(restored, model);
    }),
    { numRuns: rounds(100) },
  );
});
