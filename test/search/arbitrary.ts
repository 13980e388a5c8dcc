/** Random records and queries about them, as text. */
import type { ArchivedList, ArchivedPlace, ArchivedTweet, ArchiveRecord } from '../../server/domain/records.ts';
import { parse } from '../../server/search/language/parse.ts';
import fc from '../support/property.ts';

/** What a platform finds in a text. */
export const entitiesOf = (text: string): NonNullable<ArchivedTweet['entities']> => ({
  mentions: [...text.matchAll(/@([\w.-]*\w)/g)].map(([, username]) => ({ username: username! })),
  hashtags: [...text.matchAll(/#([\p{L}\p{M}\p{N}_]+)/gu)].map(([, tag]) => tag!),
  cashtags: [...text.matchAll(/\$([A-Z]+)/g)].map(([, symbol]) => symbol!),
  urls: [],
});

const words = fc.array(
  fc.constantFrom(
    'coffee',
    'tea',
    'Run',
    '#run',
    '$BTC',
    '@tom',
    '@alice.example.com',
    '東京',
    '京',
    'cold',
    'brew',
    'what?',
    ':)',
    'Tom',
    'https://a.example/x-y',
  ),
  { minLength: 1, maxLength: 6 },
);
const moment = fc.integer({ min: 0, max: 6 }).map((day) => new Date(Date.UTC(2026, 2, 1 + day)).toISOString());
const id = fc.integer({ min: 1, max: 60 }).map(String);
const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
/** Counts of many sizes. */
const engagement = fc.constantFrom(31, 63, 64, 79, 80, 255, 300, 5_000, 70_000, 400_000, 3_000_000, 20_000_000);
const tweetRecord = fc
  .record({
    id,
    words,
    created_at: moment,
    author_id: fc.constantFrom('1', '2', '3'),
    like_count: fc.oneof(fc.nat(5), engagement),
    retweet_count: sometimes(engagement),
    lang: sometimes(fc.constantFrom('en', 'ja')),
    media: sometimes(fc.constant([{ type: 'photo' as const, url: 'x' }])),
    retweeted_tweet_id: fc.option(id, { nil: undefined, freq: 5 }),
    quoted_tweet_id: sometimes(id),
    in_reply_to_id: sometimes(id),
    in_reply_to_username: sometimes(fc.constantFrom('tom', 'mira_codes', 'mira')),
    conversation_id: sometimes(id),
    place: sometimes(fc.constantFrom('Cape Town, South Africa', 'Town')),
    place_id: sometimes(fc.constantFrom('p1', 'p2', 'p3')),
    coordinates: fc.option(
      fc.constantFrom(
        { longitude: 18.4, latitude: -33.9 },
        { longitude: 18.6, latitude: -33.9 },
        { longitude: -179.9, latitude: 0 },
      ),
      { nil: undefined, freq: 4 },
    ),
    poll: fc.option(fc.constantFrom({}, { options: [{ label: 'a' }, { label: 'b' }] }), { nil: undefined, freq: 4 }),
    card_name: fc.option(fc.constantFrom('poll2choice_image', 'summary'), { nil: undefined, freq: 4 }),
    expanded_urls: sometimes(fc.constantFrom(['https://edition.cnn.com/cold-brew'], ['https://youtu.be/run'])),
    article: sometimes(fc.constant({ title: 'Cold tea', text: 'brew coffee' })),
    observed_at: sometimes(moment),
  })
  .map(({ words: parts, ...rest }): ArchiveRecord => {
    const text = parts.join(' ');
    const known = JSON.parse(JSON.stringify(rest)) as Omit<ArchivedTweet, 'text'>;
    return { kind: 'tweet', tweet: { ...known, text, entities: entitiesOf(text) } };
  });
const userRecord = fc
  .record({
    id: fc.constantFrom('1', '2', '3'),
    username: fc.constantFrom('tom', 'mira_codes', 'mira', 'third'),
    name: fc.constantFrom('Tom Coffee', 'Mira Holt', 'Cold Brew'),
    verified: fc.boolean(),
    observed_at: moment,
  })
  .map((user): ArchiveRecord => ({ kind: 'user', user }));
const placeRecord = fc
  .record({
    id: fc.constantFrom('p1', 'p2', 'p3'),
    name: sometimes(fc.constantFrom('Town', 'Cape Town', 'Isle')),
    full_name: sometimes(fc.constantFrom('Cape Town, South Africa', 'Isle of Town')),
    country_code: sometimes(fc.constantFrom('ZA', 'FJ')),
    bounding_box: sometimes(
      fc.constantFrom([18.35, -33.95, 18.45, -33.85], [18, -35, 19, -33], [179.8, -0.1, -179.8, 0.1], [0, 0, 0, 0]),
    ),
    observed_at: sometimes(moment),
  })
  .map((place): ArchiveRecord => ({ kind: 'place', place: JSON.parse(JSON.stringify(place)) as ArchivedPlace }));
const listRecord = fc
  .record({
    id: fc.constantFrom('7', '8'),
    owner_id: fc.constantFrom('1', '2'),
    slug: sometimes(fc.constantFrom('friends', 'Other')),
    observed_at: moment,
  })
  .map((list): ArchiveRecord => ({ kind: 'list', list: JSON.parse(JSON.stringify(list)) as ArchivedList }));
const listMember = fc
  .record({ list_id: fc.constantFrom('7', '8'), user_id: fc.constantFrom('1', '2', '3') })
  .map((member): ArchiveRecord => ({ kind: 'list_member', ...member }));
/** Tweets. */
export const tweets = fc.array(tweetRecord, { maxLength: 60 });
/** A tweet, or a user, a place, a list or a member of one. */
export const record = fc.oneof(
  { arbitrary: tweetRecord, weight: 9 },
  { arbitrary: fc.oneof(userRecord, placeRecord, listRecord, listMember), weight: 3 },
);
/** Records that change an archive one after another. */
export const changes = fc.array(record, { maxLength: 80 });
/** The text of a query about them. Not each can be parsed: some have too many parts. */
export const query = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'coffee',
      'tea',
      'run',
      '#run',
      '$BTC',
      '@tom',
      '@alice.example.com',
      'from:alice.example.com',
      '東京',
      '京',
      '"cold brew"',
      '"cold * run"',
      '"tom coffee"',
      '"a example"',
      '?',
      ':) ',
      'from:tom',
      'from:mira',
      'from:2',
      'to:tom',
      'since:2026-03-03',
      'until:2026-03-05',
      'holt',
      'filter:media',
      'lang:ja',
      'min_faves:3',
      'min_faves:80',
      'min_retweets:300',
      'filter:has_engagement',
      'filter:verified',
      'max_id:40',
      'since_id:20',
      'conversation_id:7',
      'in_reply_to_tweet_id:8',
      'filter:replies',
      'filter:self_threads',
      'filter:quote',
      'quoted_user_id:2',
      'retweets_of:tom',
      'filter:nativeretweets',
      'include:nativeretweets',
      '(near:"cape town" within:20km)',
      '(near:town OR tea) within:300km',
      'geocode:-33.9,18.4,30km',
      'point_radius:[179.9 0 50km]',
      'bounding_box:[179 -1 -179 1]',
      'bounding_box:[18 -35 19 -33]',
      'place_country:za',
      'place:p1',
      'place:town',
      'has:geo',
      'card_name:poll',
      'card_name:poll2choice_text_only',
      'card_name:poll2choice_image',
      'list:7',
      'list:tom/friends',
      'list:mira/friends',
      'to:mira',
      'to:2',
      'url:cnn.com',
      'url:cold',
      'https://a.example/x-y',
      'filter:news',
      'filter:videos',
      'near:town',
      'near:"cape town"',
      'within_time:1d',
    ),
    tie('query').map((inner) => `-(${inner})`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a} ${b})`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `((${a}) OR (${b}))`),
    fc
      .array(tie('query'), { minLength: 9, maxLength: 12 })
      .map((many) => `(${many.map((one) => `(${one})`).join(' OR ')})`),
  ),
})).query;

/** Whether a query can be parsed. */
export const readable = (text: string): boolean => {
  try {
    return parse(text) !== undefined;
  } catch {
    return false;
  }
};
