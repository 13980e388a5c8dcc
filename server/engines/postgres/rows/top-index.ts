/**
 * A second index of words, which has only the tweets with the highest engagement. `Top` finds the first page of frequent words in it and skips the
 * entries of all other tweets. Its condition is a constant: the lexemes of all levels of the engagement from one level on (engagement-levels.ts). The name
 * of the index has this level, so the instances know it. PostgreSQL uses the index where a statement has the same condition; a statement
 * is right with and without the index.
 */
import { engagementQuery } from './engagement-lexemes.ts';

const prefix = 'tweet_top_words_';

/** The names of these indexes, as a pattern of LIKE. */
export const topIndexes = `${prefix.replaceAll('_', String.raw`\_`)}%`;

/** The name of the index of the tweets from a level on. */
export const topIndexName = (level: number): string => `${prefix}${level}`;

/** The level of an index with such a name. */
export const levelOfTopIndex = (name: string): number => Number(name.slice(prefix.length));

/** The condition of the index for a column `words`. It is a call of a function, so the index of all words is not read for it. */
export const topCondition = (words: string, level: number): string =>
  `ts_match_vq(${words}, $$${engagementQuery(level)}$$::tsquery)`;
