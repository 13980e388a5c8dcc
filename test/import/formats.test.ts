// Tests server/formats/bluesky.ts, server/formats/v1.ts and server/formats/v2.ts.
import { describe, expect, test } from '@jest/globals';
import type { ArchivedTweet, ArchivedUser, ArchiveRecord } from '../../server/domain/records.ts';
import { linksIn } from '../../server/formats/twitter-text.ts';
import { recognise } from '../../server/import/recognise.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

/** The tweets and users that a value holds. */
function taken(value: unknown): { tweets: ArchivedTweet[]; users: ArchivedUser[] } {
  const records = recognise(value).flatMap((element) => ('records' in element ? element.records : []));
  return {
    tweets: records.flatMap((record) => (record.kind === 'tweet' ? [record.tweet] : [])),
    users: records.flatMap((record) => (record.kind === 'user' ? [record.user] : [])),
  };
}
const reasons = (value: unknown): string[] =>
  recognise(value).flatMap((element) => ('reason' in element ? [element.reason] : []));

const author = {
  id_str: '7',
  screen_name: 'ann',
  name: 'Ann &amp; Co',
  followers_count: 12,
  friends_count: 3,
  statuses_count: 9,
  favourites_count: 4,
  verified: false,
};
const status = {
  id: 1234567890123456800,
  id_str: '1234567890123456789',
  created_at: 'Wed Aug 27 13:08:45 +0000 2008',
  full_text: 'Fish &amp; chips &lt;3 #food &amp;amp;',
  user: author,
  entities: {
    hashtags: [{ text: 'food' }],
    symbols: [{ text: 'FISH' }],
    user_mentions: [{ screen_name: 'bob', name: 'Bob', id_str: '8' }],
    urls: [{ url: 'https://t.co/a', expanded_url: 'https://example.org/fish', display_url: 'example.org/fish' }],
  },
  retweet_count: 2,
  favorite_count: 5,
  source: '<a href="https://app.example" rel="nofollow">The App</a>',
  lang: 'en',
  in_reply_to_status_id_str: '99',
  in_reply_to_screen_name: 'bob',
};

describe('a v1.1 status', () => {
  test('keeps its exact id, its text decoded once, its time in UTC, its entities and only the counts that it has', () => {
    const { tweets, users } = taken(status);
    expect(tweets).toEqual([
      {
        id: '1234567890123456789',
        text: 'Fish & chips <3 #food &amp;',
        created_at: '2008-08-27T13:08:45.000Z',
        author_id: '7',
        retweet_count: 2,
        like_count: 5,
        entities: {
          mentions: [{ username: 'bob', name: 'Bob', id: '8' }],
          hashtags: ['food'],
          cashtags: ['FISH'],
          urls: [{ url: 'https://t.co/a', display_url: 'example.org/fish' }],
        },
        expanded_urls: ['https://example.org/fish'],
        in_reply_to_id: '99',
        in_reply_to_username: 'bob',
        lang: 'en',
        source: 'The App',
      },
    ]);
    expect(users).toMatchObject([{ id: '7', username: 'ann', name: 'Ann & Co', following_count: 3, like_count: 4 }]);
  });

  test('of a retweet includes the original, and uses its complete text', () => {
    const retweet = {
      ...status,
      id_str: '2000',
      full_text: 'RT @bob: cut of…',
      retweeted_status: {
        ...status,
        id_str: '1999',
        full_text: 'cut off no more',
        user: { ...author, id_str: '8', screen_name: 'bob' },
      },
    };
    const { tweets, users } = taken(retweet);
    expect(
      tweets.map(({ id, text, author_id, retweeted_tweet_id }) => [id, text, author_id, retweeted_tweet_id]),
    ).toEqual([
      ['1999', 'cut off no more', '8', undefined],
      ['2000', 'cut off no more', '7', '1999'],
    ]);
    expect(users.map(({ username }) => username).toSorted()).toEqual(['ann', 'bob']);
  });

  test('with a truncated text is imported completely, with the best video', () => {
    const variants = [
      { content_type: 'video/mp4', bitrate: 320000, url: 'https://v.example/low.mp4' },
      { content_type: 'application/x-mpegURL', url: 'https://v.example/x.m3u8' },
      { content_type: 'video/mp4', bitrate: 2176000, url: 'https://v.example/high.mp4' },
    ];
    const long = {
      full_text: 'the whole text',
      entities: { hashtags: [], urls: [], user_mentions: [] },
      extended_entities: {
        media: [
          {
            type: 'video',
            media_url_https: 'https://i.example/t.jpg',
            expanded_url: 'https://x.example/1',
            ext_alt_text: 'A cat & a dog',
            video_info: { variants },
          },
        ],
      },
    };
    const { tweets } = taken({
      ...status,
      full_text: undefined,
      text: 'the whole…',
      truncated: true,
      extended_tweet: long,
    });
    expect(tweets[0]).toMatchObject({
      text: 'the whole text',
      media: [
        {
          ...{ type: 'video', url: 'https://i.example/t.jpg', video_url: 'https://v.example/high.mp4' },
          alt_text: 'A cat & a dog',
        },
      ],
    });
  });

  test('without a user is skipped with a reason', () => {
    expect(reasons({ ...status, user: { id_str: '' } })).toEqual([expect.stringContaining('the author is unknown')]);
  });

  test('with an empty description stores it, and with an unknown one does not', () => {
    expect(taken({ ...status, user: { ...author, description: '' } }).users[0]).toHaveProperty('description', '');
    expect(taken({ ...status, user: { ...author, description: null } }).users[0]).not.toHaveProperty('description');
  });

  test.each<[string, string | undefined]>([
    ['Sun, 03 Jan 2010 20:01:02 +0000', '2010-01-03T20:01:02.000Z'],
    ['Wed Aug 27 13:08:45 +0200 2008', '2008-08-27T11:08:45.000Z'],
    ['2013-01-31 23:26:12 +0000', '2013-01-31T23:26:12.000Z'],
    ['2013-01-31 23:26:12', '2013-01-31T23:26:12.000Z'],
    ['2026-02-30T01:02:03Z', undefined],
    ['2026-02-28T24:00:00Z', undefined],
    ['Mon Feb 30 13:08:45 +0000 2026', undefined],
    ['Sun, 31 Apr 2010 20:01:02 +0000', undefined],
    ['Sun Feb 29 13:08:45 +0000 2026', undefined],
    ['Thu Feb 29 13:08:45 +0000 2024', '2024-02-29T13:08:45.000Z'],
    ['about 5 hours ago', undefined],
    ['2008-08-27 13:08', undefined],
  ])('with the time %s is stored as %s', (created_at, kept) => {
    expect(taken({ ...status, created_at }).tweets[0]?.created_at).toBe(kept);
  });

  test('with unknown counts has none, and with an invalid username is skipped', () => {
    const { tweets } = taken({ ...status, retweet_count: '100+', favorite_count: null });
    expect(tweets[0]).not.toHaveProperty('retweet_count');
    expect(tweets[0]).not.toHaveProperty('like_count');
    expect(reasons({ ...status, user: { ...author, screen_name: 'no name' } })).toEqual([
      expect.stringContaining('user.username must be a username: 1–30 letters, digits or _'),
    ]);
  });

  test('nested in itself without end does not stop the import', () => {
    const deep = Array.from({ length: 50_000 }).reduce<object>(
      (inner) => ({ ...status, retweeted_status: inner }),
      status,
    );
    expect(taken(deep).tweets).toHaveLength(3);
    const lists = Array.from({ length: 50_000 }).reduce<unknown>((inner) => [inner], status);
    expect(reasons(lists)).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['under any name', { tweets: [status, { ...status, id_str: '5' }] }],
    [
      'in a recorded exchange',
      { request: { uri: 'https://api.example/1.1/x.json' }, status: 200, body: [status, { ...status, id_str: '5' }] },
    ],
    ['under its id', { id: { 4: status, 5: { ...status, id_str: '5' } } }],
    ['as data', { data: [status, { ...status, id_str: '5' }] }],
  ])('inside a wrapper %s counts one by one', (_name, wrapper) => {
    expect(taken(wrapper).tweets.map(({ id }) => id)).toEqual(['1234567890123456789', '5']);
  });

  test('inside a search result counts one by one', () => {
    expect(recognise({ statuses: [status, { ...status, id_str: '5' }], search_metadata: {} })).toHaveLength(2);
  });
});

describe.each([
  [
    'tweets',
    'tweets',
    {
      referenced_tweets: [{ type: 'quoted', id: '51' }],
      note_tweet: { text: 'the long text &amp; more' },
      public_metrics: {
        retweet_count: 4,
        like_count: 9,
        reply_count: 1,
        quote_count: 0,
        bookmark_count: 2,
        impression_count: 700,
      },
    },
  ],
  [
    'posts',
    'posts',
    {
      referenced_posts: [{ type: 'quoted', id: '51' }],
      note_post: { text: 'the long text &amp; more' },
      public_metrics: {
        repost_count: 4,
        like_count: 9,
        reply_count: 1,
        quote_count: 0,
        bookmark_count: 2,
        impression_count: 700,
      },
    },
  ],
])('an X API v2 answer in the dialect of %s', (_dialect, included, differences) => {
  const answer = {
    data: [
      {
        id: '50',
        text: 'the long…',
        author_id: '7',
        created_at: '2026-01-02T03:04:05.000Z',
        conversation_id: '49',
        lang: 'en',
        attachments: { media_keys: ['3_1'] },
        entities: {
          urls: [
            {
              url: 'https://t.co/a',
              expanded_url: 'https://example.org/a',
              display_url: 'example.org/a',
              title: 'A title',
              description: 'What',
              images: [{ url: 'https://i.example/c.jpg' }],
            },
            { url: 'https://t.co/m', media_key: '3_1', expanded_url: 'https://x.example/photo/1' },
          ],
          mentions: [{ username: 'bob', id: '8' }],
          cashtags: [{ tag: 'BTC' }],
        },
        ...differences,
      },
    ],
    includes: {
      users: [
        { id: '7', username: 'ann', name: 'Ann', verified_type: 'blue', public_metrics: { followers_count: 3 } },
        { id: '8', username: 'bob', name: 'Bob' },
      ],
      media: [{ media_key: '3_1', type: 'photo', url: 'https://i.example/p.jpg', alt_text: 'Two\nlines' }],
      [included]: [{ id: '51', text: 'quoted', author_id: '8', created_at: '2026-01-01T00:00:00.000Z' }],
    },
    __twarc: { retrieved_at: '2026-02-01T00:00:00+00:00' },
  };

  test('has the long text, counts, card, media, quoted tweet and observation time', () => {
    const { tweets, users } = taken(answer);
    expect(tweets.find(({ id }) => id === '50')).toEqual({
      id: '50',
      text: 'the long text & more',
      created_at: '2026-01-02T03:04:05.000Z',
      author_id: '7',
      retweet_count: 4,
      reply_count: 1,
      like_count: 9,
      quote_count: 0,
      bookmark_count: 2,
      view_count: 700,
      media: [
        {
          ...{ type: 'photo', url: 'https://i.example/p.jpg', expanded_url: 'https://x.example/photo/1' },
          alt_text: 'Two\nlines',
        },
      ],
      card: {
        url: 'https://example.org/a',
        title: 'A title',
        description: 'What',
        image: 'https://i.example/c.jpg',
        domain: 'example.org',
      },
      entities: {
        mentions: [{ username: 'bob', name: 'Bob', id: '8' }],
        hashtags: [],
        cashtags: ['BTC'],
        urls: [{ url: 'https://t.co/a', display_url: 'example.org/a' }],
      },
      expanded_urls: ['https://example.org/a', 'https://x.example/photo/1'],
      conversation_id: '49',
      quoted_tweet_id: '51',
      lang: 'en',
      observed_at: '2026-02-01T00:00:00.000Z',
    });
    expect(tweets.map(({ id }) => id)).toContain('51');
    expect(users).toContainEqual(
      expect.objectContaining({ username: 'ann', is_blue_verified: true, followers_count: 3 }),
    );
  });
});

describe('an X API v2 answer', () => {
  const kept = { id: '50', text: 'kept', author_id: '7', created_at: '2026-01-02T03:04:05.000Z' };

  test('without a required field names it, and keeps the other tweets', () => {
    const elements = recognise({
      data: [{ id: '49', text: 'lacks' }, kept],
      includes: { users: [{ id: '7', username: 'ann', name: 'Ann' }] },
    });
    expect(elements).toMatchObject([
      { reason: expect.stringContaining('without author_id and created_at: request tweet.fields') },
      { records: [expect.objectContaining({ kind: 'user' }), expect.objectContaining({ kind: 'tweet' })] },
    ]);
  });

  test.each<[object, string]>([
    [{ data: { liked: false } }, 'not a tweet'],
    [{ data: [{ start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z', tweet_count: 4 }] }, 'a count of tweets'],
    [{ errors: [{ title: 'Not Found Error' }] }, 'only errors'],
    [{ data: [{ id: '1x', state: 'live' }] }, 'space without its creator_id'],
  ])('%j is skipped: %s', (answer, reason) => {
    expect(reasons(answer)).toEqual([expect.stringContaining(reason)]);
  });

  test('of a retweet uses the complete text of the original, and separate counts', () => {
    const { tweets } = taken({
      data: [
        {
          ...kept,
          text: 'RT @bob: cut…',
          referenced_tweets: [{ type: 'retweeted', id: '51' }],
          public_metrics: { retweet_count: 3, like_count: 0 },
        },
      ],
      includes: {
        tweets: [
          {
            ...kept,
            id: '51',
            author_id: '8',
            text: 'cut no more',
            public_metrics: { retweet_count: 3, like_count: 9 },
          },
        ],
      },
    });
    expect(tweets).toMatchObject([
      { id: '51', text: 'cut no more', like_count: 9 },
      { id: '50', text: 'cut no more', retweeted_tweet_id: '51', like_count: 0 },
    ]);
  });

  test('flattened on one line includes its author, referenced tweets and mentioned users', () => {
    const user = (id: string, username: string): object => ({
      id,
      username,
      name: username,
      public_metrics: { followers_count: 1 },
    });
    const { tweets, users } = taken({
      ...kept,
      author: user('7', 'ann'),
      in_reply_to_user_id: '9',
      in_reply_to_user: user('9', 'cat'),
      entities: { mentions: [{ start: 0, end: 4, ...user('8', 'bob') }] },
      referenced_tweets: [
        { type: 'replied_to', id: '48', text: 'hello', author_id: '9', created_at: '2026-01-01T00:00:00.000Z' },
      ],
      __twarc: { retrieved_at: '2026-02-01T00:00:00+00:00' },
    });
    expect(users.map(({ username }) => username)).toEqual(['ann', 'cat', 'bob']);
    expect(tweets).toMatchObject([
      { id: '48' },
      { id: '50', in_reply_to_id: '48', in_reply_to_username: 'cat', observed_at: '2026-02-01T00:00:00.000Z' },
    ]);
  });

  test('of a space and of a community stores them', () => {
    const records = (value: object): unknown[] =>
      recognise(value).flatMap((element) => ('records' in element ? element.records : []));
    expect(
      records({
        data: {
          id: '1abcXYZ',
          state: 'ended',
          title: 'Talk',
          creator_id: '7',
          created_at: '2026-01-01T00:00:00Z',
          speaker_ids: ['8'],
          participant_count: 5,
        },
      }),
    ).toEqual([
      {
        kind: 'space',
        space: {
          id: '1abcXYZ',
          title: 'Talk',
          state: 'ended',
          host_id: '7',
          created_at: '2026-01-01T00:00:00.000Z',
          speaker_ids: ['8'],
          participant_count: 5,
        },
      },
    ]);
    expect(records({ data: [{ id: '3', name: 'Tea', member_count: 12, join_policy: 'Open' }] })).toEqual([
      { kind: 'community', community: { id: '3', name: 'Tea', member_count: 12, join_policy: 'open' } },
    ]);
  });
});

describe('a native record', () => {
  const native = {
    kind: 'tweet',
    tweet: {
      id: '1',
      text: 'Tea &amp; #cake with @ann for $BTC at example.org',
      created_at: '2026-01-01T00:00:00Z',
      author_id: '7',
    },
  };

  test('keeps its text, and extracts missing entities from it', () => {
    const [tweet] = taken(native).tweets;
    expect(tweet!.text).toBe(native.tweet.text);
    expect(tweet!.entities).toEqual({
      mentions: [{ username: 'ann' }],
      hashtags: ['cake'],
      cashtags: ['BTC'],
      urls: [{ url: 'example.org', display_url: 'example.org' }],
    });
  });

  const { entities: _, ...bare } = { entities: undefined, ...native.tweet };
  const entitiesOf = (text: string) => taken({ kind: 'tweet', tweet: { ...bare, text } }).tweets[0]!.entities!;

  test.each(['a.', '日.', 'a-'])('with %s many times is imported with the entities of its start', (unit) => {
    expect(entitiesOf(`#start ${unit.repeat(49_990)} #end`).hashtags).toEqual(['start']);
  });

  test('names a domain of at most 127 parts', () => {
    const longest = `${'a.'.repeat(126)}com`;
    expect(entitiesOf(`see ${longest} here`).urls).toEqual([{ url: longest, display_url: longest }]);
    expect(entitiesOf(`see a.${longest} here`).urls).toEqual([]);
  });

  const pieces = [
    '.',
    '..',
    ' ',
    '\n',
    'a',
    'b.c',
    'example',
    'org',
    '.org',
    '/x?y=1',
    'https://',
    '-',
    '@',
    '日本.jp',
    'пример.рф',
    'b.中国',
    '、',
    '(',
    '…',
    '\u00a0',
  ];
  test('has the links that the extractor of the platform finds', () => {
    let links = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const expected = linksIn(text).map(({ text: url }) => url);
        expect(entitiesOf(text).urls.map(({ url }) => url)).toEqual(expected);
        links += expected.length;
      }),
      { numRuns: rounds(5000, 500) },
    );
    expect(links).toBeGreaterThan(0);
  });

  test('stores times in UTC with milliseconds', () => {
    const [tweet] = taken({
      kind: 'tweet',
      tweet: { ...native.tweet, created_at: '2026-01-01t02:00:00+02:00', observed_at: '2026-01-01T00:00:00.5Z' },
    }).tweets;
    expect(tweet).toMatchObject({ created_at: '2026-01-01T00:00:00.000Z', observed_at: '2026-01-01T00:00:00.500Z' });
    expect(
      recognise({ kind: 'follow', follower_id: '1', following_id: '2', created_at: '2026-01-01T00:00:00Z' }),
    ).toEqual([
      { records: [{ kind: 'follow', follower_id: '1', following_id: '2', created_at: '2026-01-01T00:00:00.000Z' }] },
    ]);
  });

  test.each<[object, string]>([
    [
      { kind: 'tweet', tweet: { ...native.tweet, created_at: '2016-12-31T23:59:60Z' } },
      'tweet.created_at of a tweet is not a valid time',
    ],
    [
      { kind: 'tweet', tweet: { ...native.tweet, created_at: 'yesterday' } },
      "tweet.created_at must be a time such as '2026-03-04T05:06:07.000Z' (RFC 3339)",
    ],
    [
      { kind: 'tweet', tweet: { id: '1', text: 'x', created_at: '2026-01-01T00:00:00Z' } },
      'tweet.author_id is missing',
    ],
    [{ kind: 'tweet', tweet: { ...native.tweet, likes: 3 } }, 'tweet.likes is not known'],
    [{ kind: 'tweet', tweet: { ...native.tweet, id: 12 } }, 'tweet.id must be a string'],
    [
      { kind: 'tweet', tweet: { ...native.tweet, id: '012' } },
      'tweet.id must be an id: 1–19 digits without leading zeros',
    ],
    [
      { kind: 'follow', follower_id: '1', following_id: '007' },
      'following_id must be an id: 1–19 digits without leading zeros',
    ],
    [{ kind: 'twet' }, "unknown kind 'twet': expected one of user, tweet"],
  ])('that is invalid is skipped with its location: %j', (value, reason) => {
    expect(reasons(value)).toEqual([expect.stringContaining(reason)]);
  });
});

describe('stores the location and the poll of a tweet', () => {
  const records = (value: unknown): ArchiveRecord[] =>
    recognise(value).flatMap((element) => ('records' in element ? element.records : []));
  const places = (value: unknown): unknown[] =>
    records(value).flatMap((record) => (record.kind === 'place' ? [record.place] : []));
  const ring = (...corners: [number, number][]): object => ({ type: 'Polygon', coordinates: [corners] });
  const chicago = {
    id: '1d9a5370a355ab0c',
    name: 'Chicago',
    full_name: 'Chicago, IL',
    country: 'United States',
    country_code: 'US',
    place_type: 'city',
  };
  const v1Place = { ...chicago, bounding_box: ring([-88, 41], [-88, 42], [-87, 42], [-87, 41]) };
  const kept = { ...chicago, bounding_box: [-88, 41, -87, 42] };

  test('of a v1.1 status, also from the older member with the latitude first', () => {
    const posted = {
      ...status,
      place: v1Place,
      coordinates: { type: 'Point', coordinates: [-87.5, 41.5] },
      geo: { type: 'Point', coordinates: [41.5, -87.5] },
    };
    for (const value of [posted, { ...posted, coordinates: null }, { ...posted, geo: null }]) {
      expect(taken(value).tweets).toMatchObject([
        { place: 'Chicago, IL', place_id: chicago.id, coordinates: { longitude: -87.5, latitude: 41.5 } },
      ]);
      expect(places(value)).toEqual([kept]);
    }
  });

  test.each<[string, object, number[] | undefined]>([
    ['begins at another corner', ring([1, 2], [1, 1], [0, 1], [0, 2]), [0, 1, 1, 2]],
    [
      'spans nearly the whole earth',
      ring([-179.2, 13], [-179.2, 71], [179.8, 71], [179.8, 13]),
      [-179.2, 13, 179.8, 71],
    ],
    ['crosses the antimeridian', ring([177, -20], [-178, -20], [-178, -12], [177, -12]), [177, -20, -178, -12]],
    ['is one point', ring([3, 4], [3, 4], [3, 4], [3, 4]), [3, 4, 3, 4]],
    ['is out of range', ring([200, 0], [201, 0], [201, 1], [200, 1]), undefined],
    ['has texts for numbers', { coordinates: [[['1', '2']]] }, undefined],
    ['is empty', { coordinates: [] }, undefined],
  ])('with the box of a place whose ring %s', (_name, bounding_box, box) => {
    const [place] = places({ ...status, place: { ...chicago, bounding_box } });
    expect(place).toEqual(box === undefined ? chicago : { ...chicago, bounding_box: box });
  });

  test.each<[string, object]>([
    ['is out of range', { coordinates: { coordinates: [200, 0] }, geo: { coordinates: [95, 0] } }],
    ['is no number', { coordinates: { coordinates: ['1', '2'] } }],
    ['is empty', { coordinates: { coordinates: [] }, geo: {}, place: {} }],
  ])('imports the tweet without a point that %s', (_name, more) => {
    expect(taken({ ...status, ...more }).tweets[0]).not.toHaveProperty('coordinates');
    expect(taken({ ...status, ...more }).tweets).toHaveLength(1);
  });

  const tweet = { id: '60', text: 'x', author_id: '7', created_at: '2026-01-01T00:00:00.000Z' };
  const v2Place = { ...chicago, geo: { type: 'Feature', bbox: [-88, 41, -87, 42], properties: {} } };
  const geo = { place_id: chicago.id, coordinates: { type: 'Point', coordinates: [-87.5, 41.5] } };

  test('of both dialects of v2, with places from the response or from the tweet', () => {
    const seen = { __twarc: { retrieved_at: '2026-02-01T00:00:00Z' } };
    for (const value of [
      { data: [{ ...tweet, geo }], includes: { places: [v2Place] } },
      { data: { ...tweet, geo }, includes: { posts: [], places: [v2Place] } },
      { ...tweet, geo: { ...v2Place, ...geo, geo: v2Place.geo } },
    ]) {
      expect(taken(value).tweets).toMatchObject([
        { place: 'Chicago, IL', place_id: chicago.id, coordinates: { longitude: -87.5, latitude: 41.5 } },
      ]);
      expect(places(value)).toEqual([kept]);
      expect(places({ ...value, ...seen })).toEqual([{ ...kept, observed_at: '2026-02-01T00:00:00.000Z' }]);
    }
    expect(places({ ...tweet, geo: { place_id: chicago.id } })).toEqual([]);
  });

  const poll = {
    id: '77',
    options: [
      { position: 2, label: 'No &amp; never', votes: 5 },
      { position: 1, label: 'Yes', votes: 3 },
    ],
    voting_status: 'closed',
    duration_minutes: 60,
    end_datetime: '2026-01-02T00:00:00.000Z',
  };
  const keptPoll = {
    id: '77',
    options: [
      { label: 'Yes', votes: 3 },
      { label: 'No & never', votes: 5 },
    ],
    duration_minutes: 60,
    ends_at: '2026-01-02T00:00:00.000Z',
  };
  test.each<[string, object, unknown]>([
    [
      'that an answer includes',
      { data: [{ ...tweet, attachments: { poll_ids: ['77'] } }], includes: { polls: [poll] } },
      keptPoll,
    ],
    [
      'of a post of the newer dialect',
      { data: [{ ...tweet, attachments: { poll_ids: ['77'] } }], includes: { posts: [], polls: [poll] } },
      keptPoll,
    ],
    ['that a collector has put into the tweet', { ...tweet, attachments: { poll_ids: ['77'], poll } }, keptPoll],
    ['of which only the id is known', { ...tweet, attachments: { poll_ids: ['77'] } }, { id: '77' }],
    [
      'of which an option was lost',
      { ...tweet, attachments: { poll_ids: ['77'], poll: { id: '77', options: [{ label: 'Yes' }] } } },
      { id: '77' },
    ],
    [
      'in the entities of a v1.1 status',
      {
        ...status,
        entities: {
          ...status.entities,
          polls: [
            {
              options: [
                { position: 1, text: 'Yes' },
                { position: 2, text: 'No' },
              ],
              duration_minutes: 60,
              end_datetime: 'Fri Jan 02 00:00:00 +0000 2026',
            },
          ],
        },
      },
      { options: [{ label: 'Yes' }, { label: 'No' }], duration_minutes: 60, ends_at: keptPoll.ends_at },
    ],
  ])('a poll %s', (_name, value, expected) => {
    expect(taken(value).tweets[0]).toHaveProperty('poll', expected);
  });

  test('a card of a v1.1 status by its name, with its poll', () => {
    const values = {
      choice1_label: { string_value: 'Yes', type: 'STRING' },
      choice1_count: { string_value: '3' },
      choice2_label: { string_value: 'No' },
      end_datetime_utc: { string_value: '2026-01-02T00:00:00Z' },
      duration_minutes: { string_value: '60' },
    };
    for (const binding_values of [values, Object.entries(values).map(([key, value]) => ({ key, value }))]) {
      expect(taken({ ...status, card: { name: 'poll2choice_text_only', binding_values } }).tweets[0]).toMatchObject({
        card_name: 'poll2choice_text_only',
        poll: {
          options: [{ label: 'Yes', votes: 3 }, { label: 'No' }],
          duration_minutes: 60,
          ends_at: keptPoll.ends_at,
        },
      });
    }
    const [other] = taken({ ...status, card: { name: '3260518932:moment' } }).tweets;
    expect([other!.card_name, other!.poll]).toEqual(['3260518932:moment', undefined]);
  });

  test('of native records, with lists and their members', () => {
    const given = [
      {
        kind: 'tweet',
        tweet: {
          ...tweet,
          coordinates: { longitude: -180, latitude: 90 },
          poll: keptPoll,
          card_name: 'poll2choice_text_only',
          entities: { mentions: [], hashtags: [], cashtags: [], urls: [] },
        },
      },
      { kind: 'place', place: { ...kept, observed_at: '2026-02-01T00:00:00.000Z' } },
      { kind: 'list', list: { id: '70', owner_id: '7', slug: 'coffee-people', name: 'Coffee people' } },
      { kind: 'list_member', list_id: '70', user_id: '8', created_at: '2026-02-01T00:00:00.000Z' },
    ];
    expect(given.flatMap(records)).toEqual(given);
  });

  test.each<[object, string]>([
    [
      { kind: 'tweet', tweet: { ...tweet, coordinates: { longitude: 181, latitude: 0 } } },
      'tweet.coordinates.longitude must be from -180 to 180',
    ],
    [
      { kind: 'tweet', tweet: { ...tweet, poll: { options: [{ label: 'one' }] } } },
      'tweet.poll.options must have 2 to 4 items, not 1',
    ],
    [{ kind: 'place', place: { id: 'p', bounding_box: [0, 2, 1, 1] } }, 'south is greater than north'],
    [{ kind: 'place', place: { id: 'p', bounding_box: [0, 0, 1] } }, 'place.bounding_box must have 4 items, not 3'],
    [{ kind: 'list', list: { id: '70' } }, 'list.owner_id is missing'],
    [{ kind: 'list_member', list_id: '70' }, 'list_member record: user_id is missing'],
  ])('not of an invalid native record: %j', (value, reason) => {
    expect(reasons(value)).toEqual([expect.stringContaining(reason)]);
  });
});

test.each([
  [17],
  ['text'],
  [null],
  [{ hello: 'world' }],
  [{ data: { liked: false } }],
  [{ meta: { result_count: 0 } }],
])('%j is skipped with a reason', (value) => {
  expect(reasons(value)).toHaveLength(1);
});
