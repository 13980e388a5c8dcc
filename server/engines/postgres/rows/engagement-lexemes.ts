/** The lexemes of the engagement (archive/search/engagement-levels.ts) in queries and statements of PostgreSQL. */
import {
  ignoredDigits,
  lastRange,
  lexemesBetween,
  lowestLevel,
  rangeLexeme,
} from '../../../archive/search/engagement-levels.ts';
import { quoteLexeme } from './lexemes.ts';

/** A tsquery for the tweets with an engagement from a start of a level, which is not 0, to before another start. */
export const engagementQuery = (from: number, to?: number): string =>
  lexemesBetween(from, to).map(quoteLexeme).join(' | ');

/** The lexemes of `lexemesOfEngagement` as an expression of SQL of type `text[]`. `engagement`: a bigint. */
export function lexemesOfEngagementSql(engagement: string): string {
  const range = `least(64 - position('1' IN ${engagement}::bit(64)::text), ${lastRange})`;
  const digits = `greatest(${ignoredDigits(0)}, ${range} - 3)`;
  return `CASE WHEN ${engagement} < ${lowestLevel} THEN '{}'::text[]
    WHEN ${engagement} >= ${2 ** lastRange} THEN ARRAY['${rangeLexeme(lastRange)}']
    ELSE ARRAY['E' || ${range}, 'L' || ((${engagement} >> ${digits}) << ${digits})] END`;
}
