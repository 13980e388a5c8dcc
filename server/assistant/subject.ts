/** Collects the context of a tweet from the platform. */
import type { Subject } from '../ports/assistant-provider.ts';
import type { CallOptions, PlatformLookups, TweetBackground } from '../ports/platform.ts';

/** Limits of the context: ancestors, replies, other posts of the author, and later posts of the author's thread. */
const maxThreadLength = 20;
const maxReplies = 20;
const maxAuthored = 50;
const maxContinuation = 20;

type SubjectSource = Pick<
  PlatformLookups,
  'tweet' | 'thread' | 'topReplies' | 'comparableTweets' | 'continuation' | 'backgrounds'
>;

/** A tweet with its thread, its most engaging replies and its author's other posts. Throws ServiceError 404. */
export async function subjectOf(platform: SubjectSource, tweetId: string, options: CallOptions): Promise<Subject> {
  const [tweet, thread, replies, authored, continuation] = await Promise.all([
    platform.tweet(tweetId, options),
    platform.thread(tweetId, maxThreadLength, options),
    platform.topReplies(tweetId, maxReplies, options),
    platform.comparableTweets(tweetId, maxAuthored, options),
    platform.continuation(tweetId, maxContinuation, options),
  ]);
  const nested = [tweet.quoted_tweet, tweet.retweeted_tweet].filter((each) => each !== null);
  const tweets = [tweet, ...nested, ...thread, ...replies, ...authored, ...continuation];
  const backgrounds = await backgroundsOf(
    platform,
    tweets.map(({ id }) => id),
    options,
  );
  return { tweet, thread, replies, authored, continuation, backgrounds };
}

/** The backgrounds of tweets by id; none for a tweet that the platform does not have. */
export async function backgroundsOf(
  platform: Pick<SubjectSource, 'backgrounds'>,
  given: readonly string[],
  options: CallOptions,
): Promise<Map<string, TweetBackground>> {
  const ids = [...new Set(given)];
  const found = await platform.backgrounds(ids, options);
  return new Map(ids.flatMap((id, index) => (found[index] === undefined ? [] : [[id, found[index]] as const])));
}
