/** How far a post reaches, compared with what its author's posts usually reach. */
import type { Schemas } from '../contract/operations.ts';
import type { Subject } from '../ports/assistant-provider.ts';

const measures = [
  ['likes', 'like_count'],
  ['views', 'view_count'],
] as const;

export interface EngagementBaseline {
  readonly measure: (typeof measures)[number][0];
  readonly count: number;
  /** How many other posts of the author it is compared with. */
  readonly posts: number;
  /** The middle value of those; between two middle ones their mean, rounded down. */
  readonly median: number;
  /** How many of them have less, and the same as whole percent, rounded down. */
  readonly below: number;
  readonly percentile: number;
}

/** The counts of posts by which a comparison says something; an archive that has fewer does not tell what is usual. */
const fewest = 3;

/**
 * The post's likes and views against the author's other posts. Retweets do not count: their counts are another post's. A measure
 * that is 0 everywhere is unknown and left out.
 */
export function engagementBaselines({ tweet, authored }: Subject): EngagementBaseline[] {
  const others = authored.filter((other) => other.retweeted_tweet === null && other.id !== tweet.id);
  if (others.length < fewest) return [];
  return measures.flatMap(([measure, member]) => {
    const counts = others.map((other: Schemas['Tweet']) => other[member]).sort((a, b) => a - b);
    const count = tweet[member];
    if (count === 0 && counts.at(-1) === 0) return [];
    const middle = counts.length / 2;
    const median = Math.floor((counts[Math.ceil(middle) - 1]! + counts[Math.floor(middle)]!) / 2);
    const below = counts.filter((other) => other < count).length;
    return [
      { measure, count, posts: counts.length, median, below, percentile: Math.floor((100 * below) / counts.length) },
    ];
  });
}
