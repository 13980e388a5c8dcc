/**
 * The position of a tweet: its second and a number within that second, as one integer. It is the key of the tables `tweet`, `tweet_count`
 * and `word`, so that a search reads tweets in the order of pages and stops after one page. Tweets of one second have the order of their
 * arrival; a page sorts them by (created_at, id).
 */

/** The number of tweets that one second can have. */
export const slots = 2 ** 20;
/** Positions are safe integers from 1697 to 2242. Times beyond share the first or the last second. */
const maxSecond = 2 ** 33 - 1;

/** The second of a time in milliseconds since the epoch. */
export const secondOf = (createdAt: number): number =>
  Math.min(maxSecond, Math.max(-maxSecond, Math.floor(createdAt / 1000)));

/** Whether a tweet with a time of creation has the right position, as an expression over `tweet`. */
export const isAtPositionSql = `pos >> ${Math.log2(slots)} = min(${maxSecond}, max(-${maxSecond},
  (created_at - (created_at % 1000 + 1000) % 1000) / 1000))`;

/** The first and the last position of a second. */
export const startOfSecond = (second: number): number => second * slots;

export const endOfSecond = (second: number): number => startOfSecond(second + 1) - 1;

/** The second of a position. */
export const secondOfPosition = (position: number): number => Math.floor(position / slots);

/** Whether a time is the start of a second that no other time shares. */
export const isWholeSecond = (at: number): boolean => secondOf(at) * 1000 === at;

/** The limits of the positions of tweets with a time within [since, until); tweets of the first and the last second can be outside. */
export const positionsWithin = (since: number, until: number): { readonly from: number; readonly to: number } => ({
  from: startOfSecond(secondOf(since)),
  to: startOfSecond(secondOf(until) + (isWholeSecond(until) ? 0 : 1)) - 1,
});
