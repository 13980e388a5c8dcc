/** A tweet is the same after it was stored in columns. */
import { describe, expect, test } from '@jest/globals';
import { counts, type ArchivedTweet } from '../../../server/domain/records.ts';
import { toDatabaseId } from '../../../server/archive/content/database-id.ts';
import { documentOf, tweetOf, type TweetRow } from '../../../server/archive/content/tweet-record.ts';

const optionalId = (id: string | undefined): string | null => (id === undefined ? null : toDatabaseId(id));

/** The row of a tweet as PostgreSQL returns it. */
const rowOf = (tweet: ArchivedTweet): TweetRow => ({
  id: toDatabaseId(tweet.id),
  created_at: String(Date.parse(tweet.created_at)),
  author_id: toDatabaseId(tweet.author_id),
  in_reply_to_id: optionalId(tweet.in_reply_to_id),
  quoted_id: optionalId(tweet.quoted_tweet_id),
  retweeted_id: optionalId(tweet.retweeted_tweet_id),
  community_id: optionalId(tweet.community_id),
  document: documentOf(tweet),
  ...(Object.fromEntries(counts.map((name) => [name, String(tweet[name] ?? 0)])) as Record<
    (typeof counts)[number],
    string
  >),
  known: counts.reduce((bits, name, bit) => (tweet[name] === undefined ? bits : bits | (1 << bit)), 0),
  observed_at: String(tweet.observed_at === undefined ? 0 : Date.parse(tweet.observed_at)),
});

const plain: ArchivedTweet = {
  id: '1870000000000000000',
  author_id: '9999999999999999999',
  text: 'coffee',
  created_at: '2026-01-01T00:00:00.000Z',
};
const references = { in_reply_to_id: '2', quoted_tweet_id: '3', retweeted_tweet_id: '4', community_id: '5' };

describe('the record of a tweet in columns', () => {
  test.each<[string, ArchivedTweet]>([
    ['without optional members', plain],
    ['with references', { ...plain, ...references }],
    [
      'with ids that a number does not keep',
      { ...plain, id: '0012', author_id: '07', in_reply_to_id: '00', ...{ lang: 'en' } },
    ],
    ['with the id 0', { ...plain, id: '0', in_reply_to_id: '0' }],
    ['with a time in another form', { ...plain, created_at: '2026-01-01T01:00:00.123456+01:00' }],
    ['with empty entities', { ...plain, entities: { mentions: [], hashtags: [], cashtags: [], urls: [] } }],
    [
      'with some entities',
      { ...plain, entities: { mentions: [{ username: 'Mira' }], hashtags: [], cashtags: ['A'], urls: [] } },
    ],
    ['with known and unknown counts', { ...plain, like_count: 0, view_count: 9_007_199_254_740_991 }],
    ['with the time of its observation', { ...plain, observed_at: '2026-01-02T00:00:00.000Z' }],
  ])('is the same %s', (_case, tweet) => {
    expect(tweetOf(rowOf(tweet))).toEqual(tweet);
  });

  test('the document does not repeat what columns hold', () => {
    expect(JSON.parse(documentOf({ ...plain, ...references, like_count: 1 }))).toEqual({ text: 'coffee' });
  });
});
