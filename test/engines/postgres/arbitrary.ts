/** Random archives and conditions in which everything that a search can read occurs and collides. */
import {
  counts,
  type ArchivedList,
  type ArchivedPlace,
  type ArchivedTweet,
  type ArchiveRecord,
} from '../../../server/domain/records.ts';
import type { Area } from '../../../server/domain/geo.ts';
import type { Condition } from '../../../server/search/language/condition.ts';
import { tokensOf } from '../../../server/search/language/tokenizer.ts';
import fc from '../../support/property.ts';

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const known = <Thing extends object>(thing: object): Thing =>
  Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== undefined)) as Thing;

/** Words, signs, scripts without blanks, and what needs quotes or a hash in PostgreSQL. */
const pieces = [
  'coffee',
  'beans',
  'of',
  'the',
  'a_b',
  '日本',
  'กาแฟ',
  '☕',
  '?',
  "o'neill",
  'c:\\d',
  ':)',
  'nul\0',
  '\ud800',
];
const longToken = 'x'.repeat(2_500);
const word = fc.constantFrom('coffee', 'beans', 'of');
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 1, arbitrary: fc.constantFrom(...pieces, longToken, '#coffee', '@mira', '$BTC', 'RT @mira') },
    ),
    { maxLength: 7 },
  )
  .map((parts) => parts.join(' '));
/** Texts with more positions than PostgreSQL stores, in all and of one word. */
const longText = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: fc.constant(520) }, { weight: 1, arbitrary: fc.constant(17_000) }),
    text,
    text,
  )
  .map(([count, before, after]) => `${before} ${'beans of '.repeat(count / 2)} ${after}`);
const token = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom(...new Set(pieces.flatMap(tokensOf)), longToken) },
);

const ids = {
  tweet: ['1', '7', '2000000000000000000', '9223372036854775808', '9999999999999999999', '55', '56', '57', '58'],
};
const tweetId = fc.constantFrom(...ids.tweet);
const userId = fc.constantFrom('1', '2', '3', '9999999999999999998');
const username = fc.constantFrom('mira', 'tom', 'Alice.Example.com', 'coffee_of');
const placeId = fc.constantFrom('p1', 'p2', 'P1');
const listId = fc.constantFrom('801', '802');
const moment = fc.integer({ min: 0, max: 5 }).map((day) => Date.UTC(2026, 4, 27 + day));
const degrees = (limit: number) => fc.oneof(fc.constantFrom(0, limit, -limit), fc.integer({ min: -limit, max: limit }));
const point = fc.record({ longitude: degrees(180), latitude: degrees(90) });
const box = fc
  .tuple(degrees(180), degrees(90), degrees(180), degrees(90))
  .map(([west, a, east, b]): [number, number, number, number] => [west, Math.min(a, b), east, Math.max(a, b)]);

const tweet = fc
  .record({
    id: tweetId,
    text: fc.oneof({ weight: 8, arbitrary: text }, { weight: 1, arbitrary: longText }),
    article: optional(fc.record({ title: text, text })),
    created_at: moment.map((time) => new Date(time).toISOString()),
    author_id: userId,
    counts: fc.dictionary(fc.constantFrom(...counts), fc.integer({ min: 0, max: 3 })),
    expanded_urls: optional(
      fc.array(
        fc.constantFrom(
          'https://www.coffee.example/of/the?x=1',
          'https://of.the/coffee-beans',
          'https://cnn.com/日本',
          "https://a.b/'\\",
        ),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    ),
    possibly_sensitive: optional(fc.boolean()),
    lang: optional(fc.constantFrom('en', 'ja')),
    place: optional(fc.constantFrom('Cape Town, South Africa')),
    place_id: optional(placeId),
    coordinates: optional(point),
    in_reply_to_id: optional(tweetId),
    in_reply_to_username: optional(username),
    quoted_tweet_id: optional(tweetId),
    retweeted_tweet_id: optional(tweetId),
    conversation_id: optional(tweetId),
  })
  .map(({ counts: knownCounts, ...rest }): ArchiveRecord => ({
    kind: 'tweet',
    tweet: known<ArchivedTweet>({ ...rest, ...knownCounts }),
  }));

const user = fc
  .record({
    id: userId,
    username,
    name: fc.oneof(text, fc.constant('beans '.repeat(300))),
    verified: fc.boolean(),
    is_blue_verified: fc.boolean(),
  })
  .map((record): ArchiveRecord => ({ kind: 'user', user: record }));
const place = fc
  .record({
    id: placeId,
    name: optional(fc.constantFrom('Cape Town', 'Coffee of the Cape')),
    country_code: optional(fc.constantFrom('ZA', 'FJ')),
    bounding_box: optional(box),
  })
  .map((record): ArchiveRecord => ({ kind: 'place', place: known<ArchivedPlace>(record) }));
const list = fc
  .record({ id: listId, owner_id: userId, slug: optional(fc.constantFrom('Friends', 'press')) })
  .map((record): ArchiveRecord => ({ kind: 'list', list: known<ArchivedList>(record) }));
const member = fc
  .record({ list_id: listId, user_id: userId })
  .map((record): ArchiveRecord => ({ kind: 'list_member', ...record }));

export const searchableWorld: fc.Arbitrary<ArchiveRecord[]> = fc
  .tuple(
    fc.array(user, { maxLength: 4 }),
    fc.array(place, { maxLength: 4 }),
    fc.array(fc.oneof(list, member), { maxLength: 5 }),
    fc.array(tweet, { minLength: 1, maxLength: 12 }),
  )
  .map((parts) => parts.flat());

const term = fc.oneof(
  fc.constantFrom(
    ...['#coffee', '@mira', '$btc', 'sign:?', 'sign:\0', 'sign:\\', "sign:'", 'filter:retweets', 'filter:sensitive'],
    ...['filter:nativeretweets', 'filter:self_threads', 'filter:news', 'lang:ja', 'has:coordinates', 'has:geo'],
    ...['near:cape town', 'near:coffee', 'place_country:za', 'place:p1', 'list:801', 'list:mira/friends'],
    ...['to:mira', 'conversation_id:7', 'in_reply_to_tweet_id:7', 'quoted_tweet_id:1'],
  ),
);
const area: fc.Arbitrary<Area> = fc.oneof(
  box.map((each): Area => ({ shape: 'box', box: each })),
  fc.record({ shape: fc.constant('circle' as const), centre: point, metres: fc.integer({ min: 0, max: 20_100_000 }) }),
);
const tokens = fc
  .array(fc.oneof({ weight: 5, arbitrary: token }, { weight: 1, arbitrary: fc.constant('*') }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((each) => {
    const [first, last] = [each.findIndex((one) => one !== '*'), each.findLastIndex((one) => one !== '*')];
    return first < 0 ? ['beans'] : each.slice(first, last + 1);
  });
const bigId = tweetId.map(BigInt);

/** Random conditions, with names of things in `searchableWorld`. */
export const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    {
      weight: 4,
      arbitrary: fc.record({
        is: fc.constant('words' as const),
        within: fc.constantFrom('text' as const, 'link' as const),
        tokens,
      }),
    },
    { weight: 2, arbitrary: term.map((each): Condition => ({ is: 'term', term: each })) },
    fc.record({
      is: fc.constant('person' as const),
      role: fc.constantFrom('author' as const, 'retweeted' as const, 'answered' as const),
      name: fc.oneof(
        userId,
        username.map((each) => each.toLowerCase()),
      ),
    }),
    fc.record({ is: fc.constantFrom('verified' as const, 'blue_verified' as const) }),
    fc.record({
      is: fc.constant('count' as const),
      count: fc.constantFrom(...counts),
      min: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({
      is: fc.constant('created' as const),
      since: fc.oneof(moment, fc.constant(Number.NEGATIVE_INFINITY)),
      until: fc.oneof(moment, fc.constant(Number.POSITIVE_INFINITY)),
    }),
    fc.record({ is: fc.constant('recent' as const), ms: fc.integer({ min: 0, max: 5 * 86_400_000 }) }),
    fc.record({ is: fc.constant('area' as const), area }),
    fc.record({
      is: fc.constant('near' as const),
      term: fc.constantFrom('near:cape town', 'near:coffee'),
      metres: fc.integer({ min: 0, max: 20_100_000 }),
    }),
    fc.record({
      is: fc.constant('ids' as const),
      above: fc.oneof(bigId, fc.constant(-1n)),
      upTo: fc.oneof(bigId, fc.constant(2n ** 64n - 1n)),
    }),
    {
      weight: 4,
      arbitrary: fc.record({
        is: fc.constantFrom('all' as const, 'any' as const),
        parts: fc.array(tie('condition'), { maxLength: 3 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('not' as const), part: tie('condition') }) },
  ),
})).condition;
