import { expect, test } from '@jest/globals';
import { Tweets } from '../../../server/archive/rules/tweets.ts';
import type { ArchivedTweet } from '../../../server/domain/records.ts';

const tweet = (id: string, day: number, more: Partial<ArchivedTweet> = {}): ArchivedTweet => ({
  ...{ id, text: id, created_at: `2026-01-0${day}T00:00:00Z`, author_id: '1' },
  ...more,
});
const ids = (tweets: Iterable<ArchivedTweet>): string[] => Array.from(tweets, ({ id }) => id);

test('the tweets of an author and the retweets of a tweet are in the order of their times, then of their ids', () => {
  const tweets = new Tweets();
  for (const each of [tweet('9', 2), tweet('10', 2), tweet('30', 1), tweet('5', 3, { author_id: '2' })])
    tweets.set(each);
  for (const each of [tweet('40', 3, { retweeted_tweet_id: '9' }), tweet('39', 2, { retweeted_tweet_id: '9' })])
    tweets.set({ ...each, author_id: '3' });
  expect([ids(tweets.ofAuthor('1')), ids(tweets.ofAuthor('2')), ids(tweets.ofAuthor('4'))]).toEqual([
    ...[['30', '9', '10'], ['5'], []],
  ]);
  expect([ids(tweets.retweetsOf('9')), ids(tweets.retweetsOf('10'))]).toEqual([['39', '40'], []]);
  expect(ids(tweets.values())).toHaveLength(6);
});

test('a tweet that is replaced has only its new author and its new retweeted tweet', () => {
  const tweets = new Tweets();
  tweets.set(tweet('9', 1, { retweeted_tweet_id: '7' }));
  tweets.set(tweet('9', 1, { author_id: '2', retweeted_tweet_id: '8' }));
  expect([ids(tweets.ofAuthor('1')), ids(tweets.ofAuthor('2'))]).toEqual([[], ['9']]);
  expect([ids(tweets.retweetsOf('7')), ids(tweets.retweetsOf('8'))]).toEqual([[], ['9']]);
  expect([tweets.hasAuthor('1'), tweets.hasAuthor('2'), tweets.get('9')?.author_id]).toEqual([false, true, '2']);
});

test('a tweet that is deleted is in no list, and an unknown one changes nothing', () => {
  const tweets = new Tweets();
  for (const each of [tweet('9', 1, { retweeted_tweet_id: '7' }), tweet('10', 1)]) tweets.set(each);
  for (const id of ['9', '11']) tweets.delete(id);
  expect([tweets.has('9'), tweets.get('9'), tweets.has('10'), ids(tweets.ofAuthor('1'))]).toEqual([
    ...[false, undefined, true, ['10']],
  ]);
  expect(ids(tweets.retweetsOf('7'))).toEqual([]);
  tweets.delete('10');
  expect([tweets.hasAuthor('1'), tweets.hasAuthor('none')]).toEqual([false, false]);
});
