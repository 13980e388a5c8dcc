/** What is asked of a tweet and cannot be looked up: it depends on its author, on other tweets, or on counts that change. */
import type { Test } from './query.ts';
import type { TweetSource } from './search.ts';
import { fold, tokensOf } from './tokens.ts';

type Check = (source: TweetSource, ordinal: number, value: string) => boolean;

const isUser = (source: TweetSource, id: string | undefined, name: string): boolean =>
  id !== undefined && (id === name || source.user(id)?.username.toLowerCase() === name);

const other = (source: TweetSource, id: string | undefined) => {
  const ordinal = id === undefined ? undefined : source.ordinal(id);
  return ordinal === undefined ? undefined : source.tweet(ordinal);
};

export const tests: Readonly<Record<Test, Check>> = {
  has_engagement: (source, ordinal) => {
    const { like_count = 0, reply_count = 0, retweet_count = 0 } = source.tweet(ordinal);
    return like_count + reply_count + retweet_count > 0;
  },
  self_thread: (source, ordinal) => {
    const { in_reply_to_id, in_reply_to_username, author_id } = source.tweet(ordinal);
    if (in_reply_to_id === undefined) return false;
    return other(source, in_reply_to_id)?.author_id === author_id || isUser(source, author_id, (in_reply_to_username ?? '').toLowerCase());
  },
  verified: (source, ordinal) => source.author(ordinal)?.verified === true,
  blue_verified: (source, ordinal) => source.author(ordinal)?.is_blue_verified === true,
  near: (source, ordinal, value) => ` ${tokensOf(source.tweet(ordinal).place ?? '').join(' ')} `.includes(` ${value} `),
  quoted_user: (source, ordinal, value) => isUser(source, other(source, source.tweet(ordinal).quoted_tweet_id)?.author_id, value),
  retweets_of: (source, ordinal, value) => isUser(source, other(source, source.tweet(ordinal).retweeted_tweet_id)?.author_id, value),
  contains: (source, ordinal, value) => fold(source.tweet(ordinal).text).includes(value),
};
