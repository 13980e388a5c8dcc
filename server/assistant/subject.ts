/** Collects the context of a tweet from the platform. */
import type { Subject } from '../ports/assistant-provider.ts';
import type { CallOptions, PlatformLookups } from '../ports/platform.ts';

/** Limits of the context: ancestors, replies and other posts of the author. */
const maxThreadLength = 20;
const maxReplies = 20;
const maxAuthored = 50;

/** A tweet with its thread, its most engaging replies and its author's other posts. Throws ServiceError 404. */
export async function subjectOf(
  platform: Pick<PlatformLookups, 'tweet' | 'thread' | 'topReplies' | 'comparableTweets'>,
  tweetId: string,
  options: CallOptions,
): Promise<Subject> {
  const [tweet, thread, replies, authored] = await Promise.all([
    platform.tweet(tweetId, options),
    platform.thread(tweetId, maxThreadLength, options),
    platform.topReplies(tweetId, maxReplies, options),
    platform.comparableTweets(tweetId, maxAuthored, options),
  ]);
  return { tweet, thread, replies, authored };
}
