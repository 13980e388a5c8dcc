/** Random archives for property tests: small worlds in which everything collides. */
import fc from '../../support/property.ts';
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';

const userId = fc.integer({ min: 1, max: 6 }).map(String);
const communityId = fc.constantFrom('901', '902');
const tweetId = fc.integer({ min: 1, max: 60 }).map(String);
/** Few moments, so that many things happen at the same time. */
const moment = fc
  .integer({ min: 0, max: 20 })
  .map((step) => new Date(1_770_000_000_000 + step * 3_600_000).toISOString());
const count = fc.integer({ min: 0, max: 50 });
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const known = <Thing extends object>(thing: Thing): Thing =>
  Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== undefined)) as Thing;

const placeId = fc.constantFrom('p1', 'p2');
const listId = fc.constantFrom('801', '802');
const place = fc.record({
  id: placeId,
  name: optional(fc.constantFrom('Town', 'Village')),
  country_code: optional(fc.constantFrom('ZA', 'FJ')),
  bounding_box: optional(fc.constantFrom([1, 2, 3, 4], [179, -1, -179, 1])),
  observed_at: optional(moment),
});
const list = fc.record({
  id: listId,
  owner_id: userId,
  slug: optional(fc.constantFrom('friends', 'press')),
  observed_at: optional(moment),
});

const tweet: fc.Arbitrary<ArchivedTweet> = fc
  .record({
    id: tweetId,
    text: fc.constantFrom('coffee and code', 'night run', 'new beans #coffee', 'hello @u2', '$BTC is up'),
    created_at: moment,
    author_id: userId,
    like_count: optional(count),
    retweet_count: optional(count),
    reply_count: optional(count),
    quote_count: optional(count),
    media: optional(
      fc.constantFrom(
        [{ type: 'photo' as const, url: 'https://images.example/a.jpg' }],
        [{ type: 'photo' as const, url: 'https://images.example/a.jpg', alt_text: 'A harbour' }],
      ),
    ),
    in_reply_to_id: optional(tweetId),
    quoted_tweet_id: optional(tweetId),
    retweeted_tweet_id: optional(tweetId),
    community_id: optional(communityId),
    mention: optional(userId),
    place_id: optional(placeId),
    coordinates: optional(fc.constantFrom({ longitude: 1, latitude: 2 }, { longitude: -180, latitude: 90 })),
    poll: optional(fc.constantFrom({ id: '5' }, { options: [{ label: 'yes', votes: 1 }, { label: 'no' }] })),
    card_name: optional(fc.constant('poll2choice_text_only')),
    observed_at: optional(moment),
  })
  .map(
    ({ mention, ...rest }) =>
      known<object>({
        ...rest,
        entities: {
          mentions: mention === undefined ? [] : [{ username: `U${mention}` }],
          hashtags: [],
          cashtags: [],
          urls: [],
        },
      }) as ArchivedTweet,
  );

export const record: fc.Arbitrary<ArchiveRecord> = fc.oneof(
  { weight: 6, arbitrary: tweet.map((tweet) => ({ kind: 'tweet' as const, tweet })) },
  fc
    .record({ follower_id: userId, following_id: userId, created_at: optional(moment) })
    .map((r) => known({ kind: 'follow' as const, ...r }) as ArchiveRecord),
  fc
    .record({ tweet_id: tweetId, user_id: userId, created_at: optional(moment) })
    .map((r) => known({ kind: 'retweet' as const, ...r }) as ArchiveRecord),
  fc
    .record({ user_id: userId, tweet_id: tweetId, created_at: optional(moment) })
    .map((r) => known({ kind: 'highlight' as const, ...r }) as ArchiveRecord),
  place.map((place) => ({ kind: 'place', place: known<object>(place) }) as ArchiveRecord),
  list.map((list) => ({ kind: 'list', list: known<object>(list) }) as ArchiveRecord),
  fc
    .record({ list_id: listId, user_id: userId, created_at: optional(moment) })
    .map((r) => known({ kind: 'list_member' as const, ...r }) as ArchiveRecord),
  fc.record({ tweet_id: tweetId }).map((r) => ({ kind: 'like' as const, ...r })),
  fc
    .record({
      community_id: communityId,
      user_id: userId,
      role: fc.constantFrom('member' as const, 'admin' as const),
      created_at: optional(moment),
    })
    .map((r) => known({ kind: 'membership' as const, ...r }) as ArchiveRecord),
);

/** The six users and two communities that random records speak of. */
export const world: ArchiveRecord[] = [
  ...['1', '2', '3', '4', '5', '6'].map((id) => ({
    kind: 'user' as const,
    user: { id, username: `u${id}`, name: `User ${id}` },
  })),
  { kind: 'community', community: { id: '901', name: 'First' } },
  { kind: 'community', community: { id: '902', name: 'Second' } },
];
