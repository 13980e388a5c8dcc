/** Compares the reach of a post with the usual reach of its author's posts. */
import type { Schemas } from '../contract/operations.ts';
import type { Subject } from '../ports/assistant-provider.ts';

const measures = [
  ['likes', 'like_count'],
  ['views', 'view_count'],
] as const;

export interface EngagementBaseline {
  readonly measure: (typeof measures)[number][0];
  readonly count: number;
  /** The number of other posts in the comparison. */
  readonly posts: number;
  /** The median of their counts; the mean of the two middle values is rounded down. */
  readonly median: number;
  /** The number of posts with a lower count, and the same as a whole percentage, rounded down. */
  readonly below: number;
  readonly percentile: number;
}

/** The minimum number of posts for a meaningful comparison. */
const minPosts = 3;

/**
 * Compares likes and views with the author's other posts. Retweets are excluded: their counts belong to another post. A
 * measure that is 0 everywhere is unknown and left out.
 */
export function engagementBaselines({ tweet, authored }: Subject): EngagementBaseline[] {
  const others = authored.filter((other) => other.retweeted_tweet === null && other.id !== tweet.id);
  if (others.length < minPosts) return [];
  return measures.flatMap(([measure, member]) => {
    const counts = others.map((other: Schemas['Tweet']) => other[member]).sort((a, b) => a - b);
    const count = tweet[member];
    if (count === 0 && counts.at(-1) === 0) return [];
    const middle = counts.length / 2;
    const [lower = 0, upper = lower] = [counts[Math.ceil(middle) - 1], counts[Math.floor(middle)]];
    const median = Math.floor((lower + upper) / 2);
    const below = counts.filter((other) => other < count).length;
    return [
      { measure, count, posts: counts.length, median, below, percentile: Math.floor((100 * below) / counts.length) },
    ];
  });
}
