/** Compares the reach of a post with the usual reach of its author's posts. */
import type { Schemas } from '../contract/operations.ts';
import type { Subject } from '../ports/assistant-provider.ts';
import type { CountName } from '../ports/platform.ts';

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
  /** The number of posts with a lower and with a higher count. The others have the same count. */
  readonly below: number;
  readonly above: number;
}

/** The minimum number of posts for a meaningful comparison. */
export const minComparedPosts = 3;

/**
 * Whether the source reported a count. In the tweet itself an unknown count is 0, so a positive count is known in any
 * case.
 */
export const isKnown = (
  { backgrounds }: Pick<Subject, 'backgrounds'>,
  tweet: Pick<Schemas['TweetShort'], 'id' | CountName>,
  name: CountName,
) => tweet[name] > 0 || backgrounds.get(tweet.id)?.knownCounts.includes(name) === true;

/** The author's other posts that can be compared: retweets have the counts of another post. */
export const comparedPosts = ({ tweet, authored }: Subject): readonly Schemas['Tweet'][] =>
  authored.filter((other) => other.retweeted_tweet === null && other.id !== tweet.id);

/**
 * Compares likes and views with the author's other posts. Unknown counts take no part, so a measure is left out if it is
 * unknown for the post, or for all but a few of the others.
 */
export function engagementBaselines(subject: Subject): EngagementBaseline[] {
  const { tweet } = subject;
  return measures.flatMap(([measure, member]) => {
    if (!isKnown(subject, tweet, member)) return [];
    const counts = comparedPosts(subject)
      .filter((other) => isKnown(subject, other, member))
      .map((other) => other[member])
      .sort((a, b) => a - b);
    if (counts.length < minComparedPosts) return [];
    const count = tweet[member];
    const middle = counts.length / 2;
    const [lower = 0, upper = lower] = [counts[Math.ceil(middle) - 1], counts[Math.floor(middle)]];
    return [
      {
        measure,
        count,
        posts: counts.length,
        median: Math.floor((lower + upper) / 2),
        below: counts.filter((other) => other < count).length,
        above: counts.filter((other) => other > count).length,
      },
    ];
  });
}
