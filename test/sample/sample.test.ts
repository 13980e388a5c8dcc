import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { sampleRecords } from '../../scripts/sample.ts';
import type { ArchiveRecord, ArchivedTweet } from '../../server/archive/records.ts';
import { recognise } from '../../server/import/recognise.ts';

const records = sampleRecords();
const of = <Kind extends ArchiveRecord['kind']>(kind: Kind): Extract<ArchiveRecord, { kind: Kind }>[] =>
  records.filter((record): record is Extract<ArchiveRecord, { kind: Kind }> => record.kind === kind);
const tweets = of('tweet').map(({ tweet }) => tweet);
const ids = new Set(tweets.map(({ id }) => id));
const people = new Set(of('user').map(({ user }) => user.id));
const communities = new Set(of('community').map(({ community }) => community.id));

test('the sample is the same every time, and the bundled file is up to date', () => {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  expect(sampleRecords().map((record) => `${JSON.stringify(record)}\n`).join('')).toBe(text);
  expect(gunzipSync(readFileSync(new URL('../../generated/sample.jsonl.gz', import.meta.url))).toString()).toBe(text);
});

test('every record is one of the native format', () => {
  const refused = records.flatMap((record) => recognise(structuredClone(record))).filter((element) => 'reason' in element);
  expect(refused).toEqual([]);
});

test('whatever a record names is there', () => {
  const missing: string[] = [];
  const need = (known: Set<string>, id: string | undefined, what: string): void => {
    if (id !== undefined && !known.has(id)) missing.push(`${what} ${id}`);
  };
  for (const tweet of tweets) {
    need(people, tweet.author_id, 'author');
    need(ids, tweet.in_reply_to_id, 'replied');
    need(ids, tweet.quoted_tweet_id, 'quoted');
    need(ids, tweet.retweeted_tweet_id, 'retweeted');
    need(ids, tweet.conversation_id, 'conversation');
    need(communities, tweet.community_id, 'community');
  }
  for (const { user } of of('user')) for (const id of user.pinned_tweet_ids ?? []) need(ids, id, 'pinned');
  for (const { follower_id, following_id } of of('follow')) for (const id of [follower_id, following_id]) need(people, id, 'follow');
  for (const { tweet_id, user_id } of [...of('retweet'), ...of('highlight')]) {
    need(ids, tweet_id, 'tweet');
    need(people, user_id, 'user');
  }
  for (const { tweet_id } of of('like')) need(ids, tweet_id, 'liked');
  for (const { community_id, user_id } of of('membership')) {
    need(communities, community_id, 'community');
    need(people, user_id, 'member');
  }
  for (const { space } of of('space')) for (const id of [space.host_id, ...space.speaker_ids!]) need(people, id, 'speaker');
  expect(missing).toEqual([]);
  expect(ids.size).toBe(tweets.length);
});

describe('the sample has', () => {
  const having = (passes: (tweet: ArchivedTweet) => unknown): number => tweets.filter(passes).length;
  test.each<[string, number, () => number]>([
    ['tweets', 3000, () => tweets.length],
    ['authors', 80, () => new Set(tweets.map(({ author_id }) => author_id)).size],
    ['languages', 10, () => new Set(tweets.map(({ lang }) => lang)).size],
    ['replies', 700, () => having((tweet) => tweet.in_reply_to_id)],
    ['quotes', 60, () => having((tweet) => tweet.quoted_tweet_id)],
    ['retweets that are tweets', 200, () => having((tweet) => tweet.retweeted_tweet_id)],
    ['photos', 150, () => having((tweet) => tweet.media?.some(({ type }) => type === 'photo'))],
    ['videos', 50, () => having((tweet) => tweet.media?.some(({ type, video_url }) => type === 'video' && video_url))],
    ['animations', 25, () => having((tweet) => tweet.media?.some(({ type }) => type === 'animated_gif'))],
    ['cards', 50, () => having((tweet) => tweet.card)],
    ['articles', 20, () => having((tweet) => tweet.article)],
    ['cashtags', 60, () => having((tweet) => tweet.entities!.cashtags.length > 0)],
    ['mentions', 500, () => having((tweet) => tweet.entities!.mentions.length > 0)],
    ['community tweets', 300, () => having((tweet) => tweet.community_id)],
    ['different texts of first posts', 1000, () => new Set(tweets.filter((tweet) => !tweet.in_reply_to_id && !tweet.retweeted_tweet_id).map(({ text }) => text)).size],
    ['communities', 12, () => communities.size],
    ['join policies', 3, () => new Set(of('community').map(({ community }) => community.join_policy)).size],
    ['roles', 3, () => new Set(of('membership').map(({ role }) => role)).size],
    ['states of spaces', 3, () => new Set(of('space').map(({ space }) => space.state)).size],
    ['likes', 50, () => of('like').length],
  ])('%s: at least %i', (_what, least, count) => {
    expect(count()).toBeGreaterThanOrEqual(least);
  });

  test('no count below what its own records say', () => {
    const count = (key: (tweet: ArchivedTweet) => string | undefined): Map<string, number> => {
      const counted = new Map<string, number>();
      for (const tweet of tweets) {
        const id = key(tweet);
        if (id !== undefined) counted.set(id, (counted.get(id) ?? 0) + 1);
      }
      return counted;
    };
    const repliesTo = count((tweet) => tweet.in_reply_to_id);
    const quotesOf = count((tweet) => tweet.quoted_tweet_id);
    for (const tweet of tweets) {
      expect(tweet.reply_count).toBeGreaterThanOrEqual(repliesTo.get(tweet.id) ?? 0);
      expect(tweet.quote_count).toBeGreaterThanOrEqual(quotesOf.get(tweet.id) ?? 0);
    }
  });
});
