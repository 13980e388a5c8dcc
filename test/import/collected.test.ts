// Tests server/formats/collected.ts.
/** Tweets in the own formats of collectors, and answers in HAR files. */
import { expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { parseExactly } from '../../server/import/exact-json.ts';
import { recognise } from '../../server/import/recognise.ts';

const recordsOf = (value: unknown): ArchiveRecord[] =>
  recognise(value).flatMap((element) => ('records' in element ? element.records : []));
const reasonsOf = (value: unknown): string[] =>
  recognise(value).flatMap((element) => ('reason' in element ? [element.reason] : []));

test('a tweet of twscrape', () => {
  const user = {
    id: 7,
    id_str: '7',
    username: 'ann',
    displayname: 'Ann',
    rawDescription: 'a &amp; b',
    followersCount: 3,
  };
  const value = {
    ...{ id: 1, id_str: '1340540000000000001', date: '2026-01-02 03:04:05+00:00', lang: 'en', user },
    rawContent: 'see https://t.co/a &amp;',
    ...{ replyCount: 1, retweetCount: 2, likeCount: 3, quoteCount: 4, bookmarkedCount: 5, viewCount: 6 },
    ...{
      conversationIdStr: '9',
      hashtags: ['h'],
      cashtags: [],
      mentionedUsers: [{ id_str: '8', username: 'bob', displayname: 'Bob' }],
    },
    links: [{ url: 'https://news.example/', text: 'news.example', tcourl: 'https://t.co/a' }],
    media: { photos: [{ url: 'https://i.example/p.jpg' }], videos: [], animated: [] },
    quotedTweet: { id_str: '5', date: '2026-01-01 00:00:00+00:00', rawContent: 'quoted', user },
    _type: 'snscrape.modules.twitter.Tweet',
  };
  const records = recordsOf(value);
  expect(records.map((record) => (record.kind === 'tweet' ? record.tweet.id : record.kind))).toEqual([
    'user',
    'user',
    '5',
    '1340540000000000001',
  ]);
  expect(records[0]).toEqual({
    kind: 'user',
    user: { id: '7', username: 'ann', name: 'Ann', description: 'a &amp; b', followers_count: 3 },
  });
  expect(records.at(-1)).toMatchObject({
    tweet: {
      ...{ text: 'see https://t.co/a &amp;', created_at: '2026-01-02T03:04:05.000Z', author_id: '7', like_count: 3 },
      ...{ view_count: 6, conversation_id: '9', quoted_tweet_id: '5', expanded_urls: ['https://news.example/'] },
      entities: { hashtags: ['h'], mentions: [{ username: 'bob', id: '8' }] },
      media: [{ type: 'photo', url: 'https://i.example/p.jpg' }],
    },
  });
  expect(recordsOf(user)).toEqual([records[0]]);
});

test('the metadata of gallery-dl, also in its messages', () => {
  const author = { id: 7, name: 'ann', nick: 'Ann', date: '2010-01-01 00:00:00', followers_count: 3 };
  const text = (more: object = {}): string =>
    JSON.stringify({
      ...{
        tweet_id: 1,
        retweet_id: 0,
        reply_id: 0,
        conversation_id: 9,
        date: '2026-01-02 03:04:05',
        author,
        lang: 'en',
      },
      ...{ content: 'a & b', favorite_count: 3, view_count: 0, source: 'App' },
      ...more,
    }).replace('"tweet_id":1', '"tweet_id":1340540000000000001');
  const value = parseExactly(`[[2,${text()}],[3,"https://i.example/p.jpg",${text()}]]`).value;
  const records = recordsOf(value);
  expect(records.slice(0, 2)).toEqual([
    {
      kind: 'user',
      user: { id: '7', username: 'ann', name: 'Ann', created_at: '2010-01-01T00:00:00.000Z', followers_count: 3 },
    },
    {
      kind: 'tweet',
      tweet: {
        ...{ id: '1340540000000000001', text: 'a & b', created_at: '2026-01-02T03:04:05.000Z', author_id: '7' },
        ...{ like_count: 3, conversation_id: '9', lang: 'en', source: 'App' },
        entities: { mentions: [], hashtags: [], cashtags: [], urls: [] },
      },
    },
  ]);
  expect([records.length, reasonsOf(value)]).toEqual([4, []]);
  expect(reasonsOf(JSON.parse(text({ retweet_id: 5 })))).toEqual([expect.stringContaining('a retweet as gallery-dl')]);
});

const web = {
  rest_id: '2',
  legacy: { full_text: 'web', created_at: 'Fri Jul 31 21:34:08 +0000 2026', user_id_str: '7' },
};

test('a row of twitter-web-exporter, with and without all metadata', () => {
  const row = {
    ...{ id: '1', created_at: '2026-01-02 03:04:05 +08:00', full_text: 'RT @bob: hi', screen_name: 'ann', name: 'Ann' },
    ...{ profile_image_url: 'https://i.example/a.png', favorite_count: 3, retweeted_status: '5', views_count: 7 },
  };
  expect(recordsOf({ ...row, user_id: '7' })).toMatchObject([
    { kind: 'user', user: { id: '7', username: 'ann' } },
    {
      kind: 'tweet',
      tweet: {
        id: '1',
        text: 'RT @bob: hi',
        author_id: '7',
        created_at: '2026-01-01T19:04:05.000Z',
        retweeted_tweet_id: '5',
        view_count: 7,
      },
    },
  ]);
  expect(recordsOf({ ...row, metadata: web })).toMatchObject([{ kind: 'tweet', tweet: { id: '2', author_id: '7' } }]);
  // The id of a tweet must not become that of a user.
  expect([recordsOf(row), reasonsOf(row)]).toEqual([[], [expect.stringContaining('export it with all metadata')]]);
});

test('a HAR file of a browser: its answers with tweets are taken, also in base 64, and others are named', () => {
  const exchange = (text: string, more: object = {}): object => ({
    request: { method: 'GET', url: 'https://x.com/i/api/graphql/a/UserTweets' },
    response: { status: 200, content: { mimeType: 'application/json', text, ...more } },
  });
  const answer = JSON.stringify({ data: { tweetResult: { result: web } } });
  const base64 = Buffer.from(answer.replace('"2"', '"3"')).toString('base64');
  const entries = [
    exchange('<html>'),
    exchange(answer),
    exchange(base64, { encoding: 'base64' }),
    exchange('{"ok":true}'),
  ];
  const har = { log: { version: '1.2', pages: [{ id: 'p' }], entries } };
  expect(recordsOf(har)).toMatchObject([{ tweet: { id: '2' } }, { tweet: { id: '3' } }]);
  expect(reasonsOf(har)).toEqual(Array(2).fill('a recorded exchange without tweets or users'));
  expect(recordsOf(entries[1])).toMatchObject([{ tweet: { id: '2' } }]);
});
