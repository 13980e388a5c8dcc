/** Collects the context of a tweet from the archive. */
import type { Archive } from '../platforms/archive/archive.ts';
import { tweetFull } from '../platforms/archive/views.ts';
import type { TimelineReader } from '../collections/timeline.ts';
import type { Subject } from '../ports/assistant-provider.ts';

/** Limits of the context: ancestors, replies and other posts of the author. */
const maxThreadLength = 20;
const maxReplies = 20;
const maxAuthored = 50;
/** The number of newest replies that are ranked and of newest posts that are scanned, which bounds the cost. */
const maxRankedReplies = 2000;
const maxScannedPosts = 500;

/**
 * A tweet with its thread, its most engaging replies and its author's other posts; undefined if the archive does not
 * have the tweet.
 */
export function subjectOf(archive: Archive, tweetId: string): Subject | undefined {
  const ordinal = archive.ordinal(tweetId);
  if (ordinal === undefined) return undefined;
  const full = (each: number) => tweetFull(archive, each);
  return {
    tweet: full(ordinal),
    thread: threadTo(archive, ordinal).map(full),
    replies: mostEngaging(archive, newest(archive, archive.replies.get(tweetId), maxRankedReplies)).map(full),
    authored: authoredLike(archive, ordinal).map(full),
  };
}

/**
 * The author's other posts of the same kind, without retweets. Replies and top-level posts are compared separately,
 * because they reach different people.
 */
function authoredLike(archive: Archive, ordinal: number): number[] {
  const { author_id, in_reply_to_id } = archive.tweet(ordinal);
  const timeline =
    in_reply_to_id === undefined ? archive.postsByAuthor.get(author_id) : archive.byAuthor.get(author_id);
  return newest(archive, timeline, maxScannedPosts)
    .filter((each) => {
      const { in_reply_to_id: answered, retweeted_tweet_id: repeated } = archive.tweet(each);
      return each !== ordinal && repeated === undefined && (answered === undefined) === (in_reply_to_id === undefined);
    })
    .slice(0, maxAuthored);
}

/** The ancestors of a tweet, oldest first. An archive can contain cycles. */
function threadTo(archive: Archive, ordinal: number): number[] {
  const seen = new Set([ordinal]);
  const thread: number[] = [];
  for (
    let at = parentOf(archive, ordinal);
    at !== undefined && !seen.has(at) && thread.length < maxThreadLength;
    at = parentOf(archive, at)
  ) {
    seen.add(at);
    thread.push(at);
  }
  return thread.reverse();
}

function parentOf(archive: Archive, ordinal: number): number | undefined {
  const id = archive.tweet(ordinal).in_reply_to_id;
  return id === undefined ? undefined : archive.ordinal(id);
}

function newest(archive: Archive, timeline: TimelineReader | undefined, limit: number): number[] {
  return timeline === undefined ? [] : [...timeline.sorted(archive.order).slice(-limit).reverse()];
}

/** Sorted by engagement; the newer tweet wins a tie, because the input is newest first. */
function mostEngaging(archive: Archive, ordinals: readonly number[]): number[] {
  return ordinals
    .map((ordinal) => ({ ordinal, engagement: archive.engagement(ordinal) }))
    .sort((a, b) => b.engagement - a.engagement)
    .slice(0, maxReplies)
    .map(({ ordinal }) => ordinal);
}
