/** Gathers what the archive knows around a tweet. */
import type { Archive } from '../archive/archive.ts';
import { tweetFull } from '../archive/forms.ts';
import type { Timeline } from '../archive/timeline.ts';
import type { Subject } from './provider.ts';

/** How far a thread is followed upward, and how many replies and other posts are brought along. */
const longestThread = 20;
const mostReplies = 20;
const mostAuthored = 50;
/** How many of the newest replies are ranked: a tweet with a million replies costs no more than this. */
const rankedReplies = 2000;

/** A tweet with its thread, its most engaging replies and its author's other posts; undefined where the archive has no such tweet. */
export function subjectOf(archive: Archive, tweetId: string): Subject | undefined {
  const ordinal = archive.ordinal(tweetId);
  if (ordinal === undefined) return undefined;
  const full = (each: number) => tweetFull(archive, each);
  const authorId = archive.tweet(ordinal).author_id;
  return {
    tweet: full(ordinal),
    thread: threadTo(archive, ordinal).map(full),
    replies: mostEngaging(archive, newest(archive, archive.replies.get(tweetId), rankedReplies)).map(full),
    authored: newest(archive, archive.byAuthor.get(authorId), mostAuthored + 1).filter((each) => each !== ordinal).slice(0, mostAuthored).map(full),
  };
}

/** What the tweet answers, what that answers, and so on; oldest first. Archives may hold circles. */
function threadTo(archive: Archive, ordinal: number): number[] {
  const seen = new Set([ordinal]);
  const thread: number[] = [];
  for (let at = above(archive, ordinal); at !== undefined && !seen.has(at) && thread.length < longestThread; at = above(archive, at)) {
    seen.add(at);
    thread.push(at);
  }
  return thread.reverse();
}

function above(archive: Archive, ordinal: number): number | undefined {
  const id = archive.tweet(ordinal).in_reply_to_id;
  return id === undefined ? undefined : archive.ordinal(id);
}

function newest(archive: Archive, timeline: Timeline | undefined, limit: number): number[] {
  return timeline === undefined ? [] : [...timeline.newestFirst(archive.order).take(limit)];
}

/** By engagement, ties newest first. */
function mostEngaging(archive: Archive, ordinals: readonly number[]): number[] {
  return ordinals
    .map((ordinal) => ({ ordinal, engagement: archive.engagement(ordinal) }))
    .sort((a, b) => b.engagement - a.engagement)
    .slice(0, mostReplies)
    .map(({ ordinal }) => ordinal);
}
