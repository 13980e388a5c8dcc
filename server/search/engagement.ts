/** The engagement of a tweet, by which `Top` and `discover` rank: likes + 2 × retweets + 2 × quotes + replies. */
import type { ArchivedTweet } from '../domain/records.ts';
import type { Count } from './language/condition.ts';

/** How much each count adds to the engagement. */
const weights = {
  like_count: 1,
  retweet_count: 2,
  reply_count: 1,
  quote_count: 2,
  bookmark_count: 0,
  view_count: 0,
} as const satisfies Readonly<Record<Count, number>>;

/** The engagement of a tweet with these counts, at most 2^53 - 1: a larger number would not be exact in a cursor or a row. */
export const engagementOf = (count: (name: Count) => number): number =>
  Math.min(
    weights.like_count * count('like_count') +
      weights.retweet_count * count('retweet_count') +
      weights.quote_count * count('quote_count') +
      weights.reply_count * count('reply_count'),
    Number.MAX_SAFE_INTEGER,
  );

/** The engagement of a tweet; unknown counts are 0. */
export const engagementOfTweet = (tweet: ArchivedTweet): number => engagementOf((name) => tweet[name] ?? 0);

/** What `minEngagement` reads of a condition. */
interface CountedCondition {
  readonly is: string;
  readonly parts?: readonly CountedCondition[];
  readonly count?: Count;
  readonly min?: number;
}

/** A lower bound of the engagement of all tweets that match a condition, by their counts at present; 0 where there is none. */
export function minEngagement({ is, parts = [], count, min = 0 }: CountedCondition): number {
  if (count !== undefined) return Math.max(0, weights[count] * min);
  if (is === 'all') return Math.max(0, ...parts.map(minEngagement));
  if (is === 'any' && parts.length > 0) return Math.min(...parts.map(minEngagement));
  return 0;
}
