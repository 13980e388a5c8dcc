/** Random histories of an archive in which everything that a change can reach occurs and collides. */
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import fc from '../../support/property.ts';

const known = <Thing extends object>(thing: object): Thing =>
  Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== undefined)) as Thing;
const optional = <Value>(arbitrary: fc.Arbitrary<Value>, freq = 2) => fc.option(arbitrary, { nil: undefined, freq });

const userIds = ['1', '2', '3', '4', '9999999999999999999'];
const userId = fc.constantFrom(...userIds);
const tweetIds = [...Array.from({ length: 12 }, (_, index) => String(100 + index)), '9223372036854775808'];
const tweetId = fc.constantFrom(...tweetIds);
const communityId = fc.constantFrom('901', '902');
const listId = fc.constantFrom('801', '802', '803');
const spaceId = fc.constantFrom('s1', 's2');
const placeId = fc.constantFrom('p1', 'p2');
const moment = fc.integer({ min: 1, max: 9 }).map((step) => new Date(1_770_000_000_000 + step * 60_000).toISOString());
export const usernames = ['Mira', 'tom', 'alice.example.com', 'u1'];
const username = fc.constantFrom(...usernames);
const count = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(63, 64, 80, 127, 300));

const mention = fc.record({ username, name: optional(fc.constantFrom('Mira', 'Tom')), id: optional(userId, 3) });
const mentions = fc.array(
  mention.map((each) => known<{ username: string }>(each)),
  { maxLength: 2 },
);

const tweet: fc.Arbitrary<Change> = fc
  .record({
    id: tweetId,
    text: fc.constantFrom(
      'coffee and code',
      'new beans #coffee',
      '@mira hello',
      'nul \0 and \ud800',
      "o'neill \\ 日本",
    ),
    created_at: moment,
    author_id: userId,
    like_count: optional(count),
    retweet_count: optional(count),
    view_count: optional(count),
    media: optional(fc.constant([{ type: 'photo' as const, url: 'https://images.example/a.jpg' }])),
    in_reply_to_id: optional(tweetId),
    in_reply_to_username: optional(username),
    quoted_tweet_id: optional(tweetId, 4),
    retweeted_tweet_id: optional(tweetId),
    community_id: optional(communityId, 4),
    place_id: optional(placeId, 4),
    place: optional(fc.constantFrom('Town', 'Village'), 4),
    coordinates: optional(fc.constant({ longitude: 12.5, latitude: 41.9 }), 4),
    observed_at: optional(moment),
    uri: optional(fc.constantFrom('at://did:plc:a/app.bsky.feed.post/1', 'at://did:plc:b/app.bsky.feed.post/1'), 9),
    mentions: optional(mentions),
  })
  .map(({ mentions: named, ...rest }) => ({
    kind: 'tweet',
    tweet: known<ArchivedTweet>({
      ...rest,
      ...(named === undefined ? {} : { entities: { mentions: named, hashtags: [], cashtags: [], urls: [] } }),
    }),
  }));

const user: fc.Arbitrary<Change> = fc
  .record({
    id: userId,
    username,
    name: optional(fc.constantFrom('Mira', 'coffee lover')),
    verified: optional(fc.boolean()),
    followers_count: optional(count),
    did: optional(fc.constantFrom('did:plc:a', 'did:plc:b'), 5),
    observed_at: optional(moment),
  })
  .map((profile) => ({ kind: 'user', user: known(profile) }));

const entity: fc.Arbitrary<Change> = fc.oneof(
  fc
    .record({ id: communityId, name: fc.constantFrom('First', 'Second'), member_count: optional(count) })
    .map((community): Change => ({ kind: 'community', community: known(community) })),
  fc
    .record({
      id: spaceId,
      title: fc.constantFrom('Talk', 'Walk'),
      state: fc.constant('live' as const),
      host_id: userId,
      speaker_ids: optional(fc.array(userId, { maxLength: 2 })),
      created_at: moment,
    })
    .map((space): Change => ({ kind: 'space', space: known(space) })),
  fc
    .record({ id: placeId, name: optional(fc.constantFrom('Town', 'Village')), observed_at: optional(moment) })
    .map((place): Change => ({ kind: 'place', place: known(place) })),
  fc
    .record({
      id: listId,
      owner_id: userId,
      slug: optional(fc.constantFrom('Friends', 'press')),
      observed_at: optional(moment),
    })
    .map((list): Change => ({ kind: 'list', list: known(list) })),
);

const start = { created_at: optional(moment, 4) };
const relation: fc.Arbitrary<Change> = fc
  .oneof(
    fc.record({ kind: fc.constant('follow' as const), follower_id: userId, following_id: userId, ...start }),
    fc.record({ kind: fc.constant('retweet' as const), tweet_id: tweetId, user_id: userId, ...start }),
    fc.record({ kind: fc.constant('highlight' as const), user_id: userId, tweet_id: tweetId, ...start }),
    fc.record({ kind: fc.constant('list_member' as const), list_id: listId, user_id: userId, ...start }),
    fc.record({ kind: fc.constant('like' as const), tweet_id: tweetId, ...start }),
    fc.record({
      kind: fc.constant('membership' as const),
      community_id: communityId,
      user_id: userId,
      role: fc.constantFrom('member' as const, 'moderator' as const, 'admin' as const),
      ...start,
    }),
  )
  .map((each) => known<Change>(each));

const removal: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), tweet_id: tweetId, at: moment }) },
  fc.record({
    kind: fc.constant('delete' as const),
    tweet_id: tweetId,
    author_id: userId,
    retweeted_tweet_id: tweetId,
    reason: fc.constantFrom('deleted' as const, 'withheld' as const, 'retweet' as const, 'account' as const),
    at: moment,
  }),
  fc.record({ kind: fc.constant('restore' as const), tweet_id: tweetId }),
  fc.record({ kind: fc.constant('withdraw' as const), user_id: userId, at: moment }),
  fc.record({ kind: fc.constant('withdraw' as const), user_id: userId, list_ids: fc.array(listId, { maxLength: 2 }) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reinstate' as const), user_id: userId }) },
  fc.record({ kind: fc.constant('unfollow' as const), follower_id: userId, following_id: userId, at: moment }),
  fc.record({ kind: fc.constant('unretweet' as const), tweet_id: tweetId, user_id: userId, at: moment }),
  fc.record({ kind: fc.constant('unlike' as const), tweet_id: tweetId, at: moment }),
  fc.record({ kind: fc.constant('scrub_geo' as const), tweet_id: tweetId, at: moment }),
  fc.record({ kind: fc.constant('scrub_geo' as const), tweet_id: tweetId, user_id: userId, at: moment }),
  fc.record({
    kind: fc.constant('evict' as const),
    tweet_ids: fc.array(tweetId, { maxLength: 2 }),
    user_ids: fc.array(userId, { maxLength: 2 }),
    tombstone_ids: fc.array(tweetId, { maxLength: 2 }),
    at: moment,
  }),
);

const unusable: fc.Arbitrary<Change> = fc.constant({
  kind: 'tweet',
  tweet: { id: '100', text: 'no time', author_id: '1', created_at: 'yesterday' },
});

const change = fc.oneof(
  { weight: 12, arbitrary: tweet },
  { weight: 3, arbitrary: user },
  { weight: 3, arbitrary: entity },
  { weight: 5, arbitrary: relation },
  { weight: 5, arbitrary: removal },
  { weight: 1, arbitrary: unusable },
);

/** Batches of changes. Each batch is one transaction. */
export const history: fc.Arbitrary<Change[][]> = fc.array(fc.array(change, { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 8,
});
export const users = userIds;
export const tweets = tweetIds;
