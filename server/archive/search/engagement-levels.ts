/**
 * The engagement of a tweet as lexemes, so that the index of words finds the tweets with high counts without reading the others. A tweet has the lexeme
 * of its level, and that of the range of up to 16 levels between two powers of two. A level is an eighth of the range, at least 16, so that the counts
 * of a tweet change often before its level does. Most tweets have less engagement than the lowest level, and no lexeme.
 */

/** The engagement of the lowest range and of the last one, which has no levels and no end, as exponents of two. */
const lowestRange = 6;
export const lastRange = 24;
/** The least engagement that has lexemes. */
export const lowestLevel = 2 ** lowestRange;
/** Binary digits that the levels of a range ignore. */
export const ignoredDigits = (range: number): number => Math.max(4, range - 3);
const levelSize = (range: number): number => 2 ** ignoredDigits(range);

const rangeOf = (engagement: number): number => Math.min(Math.floor(Math.log2(engagement)), lastRange);
/** As those of times, they begin with a capital letter, and ASCII follows. */
export const rangeLexeme = (range: number): string => `E${range}`;
const levelLexeme = (start: number): string => `L${start}`;

/** The least engagement of the level of an engagement; 0 below the lowest one. */
export function startOfLevel(engagement: number): number {
  if (engagement < lowestLevel) return 0;
  const range = rangeOf(engagement);
  return range === lastRange ? 2 ** range : engagement - (engagement % levelSize(range));
}

/** The lexemes of a tweet with an engagement. */
export function lexemesOfEngagement(engagement: number): readonly string[] {
  const start = startOfLevel(engagement);
  if (start === 0) return [];
  const range = rangeOf(start);
  return range === lastRange ? [rangeLexeme(range)] : [rangeLexeme(range), levelLexeme(start)];
}

/** The lexemes of the tweets from a start of a level, which is not 0, to the one before another start, `to`. */
export function lexemesBetween(from: number, to = Number.POSITIVE_INFINITY): readonly string[] {
  const lexemes: string[] = [];
  for (let start = from; start < to;) {
    const range = rangeOf(start);
    if (range === lastRange) return [...lexemes, rangeLexeme(range)];
    const isWhole = start === 2 ** range && 2 * start <= to;
    lexemes.push(isWhole ? rangeLexeme(range) : levelLexeme(start));
    start += isWhole ? start : levelSize(range);
  }
  return lexemes;
}

/** The share of a lexeme among all tweets, from 0 to 1. */
type ShareOfLexeme = (lexeme: string) => number;

/** The share of the tweets with an engagement from a start of a level on. */
export const shareFromLevel = (from: number, ofLexeme: ShareOfLexeme): number =>
  from === 0 ? 1 : Math.min(1, sum(lexemesBetween(from).map(ofLexeme)));

/** The start of the highest level from which on a share of the tweets is expected; 0 where all levels have fewer. */
export function levelWithShare(share: number, ofLexeme: ShareOfLexeme): number {
  let above = 0;
  for (let range = lastRange; range >= lowestRange; range--) {
    const within = ofLexeme(rangeLexeme(range));
    if (above + within < share) {
      above += within;
      continue;
    }
    const size = levelSize(range);
    for (let start = 2 ** (range + 1) - size; range < lastRange && start > 2 ** range; start -= size) {
      above += ofLexeme(levelLexeme(start));
      if (above >= share) return start;
    }
    return 2 ** range;
  }
  return 0;
}

/** The lowest start of a level from which on at most a share of the tweets is expected; undefined where the highest level has more. */
export function lowestLevelWithin(share: number, ofLexeme: ShareOfLexeme): number | undefined {
  let [found, above]: [number | undefined, number] = [undefined, 0];
  for (let range = lastRange; range >= lowestRange; range--) {
    const within = ofLexeme(rangeLexeme(range));
    if (above + within <= share) {
      above += within;
      found = 2 ** range;
      continue;
    }
    const size = levelSize(range);
    for (let start = 2 ** (range + 1) - size; range < lastRange && start > 2 ** range; start -= size) {
      above += ofLexeme(levelLexeme(start));
      if (above > share) return found;
      found = start;
    }
    return found;
  }
  return found;
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
