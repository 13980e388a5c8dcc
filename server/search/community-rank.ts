/**
 * The rank of a tweet in its community, by which `discover` sorts: engagement with a half-life. The score is (engagement + 1) × 2^(−age / half-life). Its
 * logarithm, times the half-life, is created_at + half-life × log2(engagement + 1) − now. The last term is the same for all tweets, so the rank is
 * without it: it does not depend on the clock, and an index can have it.
 *
 * It is a time in milliseconds, and what the engagement adds has whole seconds: JavaScript and both databases then calculate the same number, although the last
 * digits of their logarithms differ.
 */

/** The half-life of a score, in seconds. */
const halfLife = 24 * 60 * 60;

/** The rank of a tweet with an engagement and a time of creation in milliseconds since the epoch. */
export const communityRank = (engagement: number, createdAt: number): number =>
  createdAt + 1000 * Math.round(halfLife * Math.log2(engagement + 1));

/** The same as an expression of SQL, for columns with these names. */
export const communityRankSql = (engagement: string, createdAt: string): string =>
  `${createdAt} + 1000 * CAST(round(${halfLife} * ln(${engagement} + 1) / ln(2)) AS bigint)`;

/** The rank of a tweet from the number by which versions before ranked it: the logarithm of the score in half-lives. */
export const rankOfLogarithm = (logarithm: number, createdAt: number): number =>
  createdAt + 1000 * Math.round(logarithm * halfLife - createdAt / 1000);
