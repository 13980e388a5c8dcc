/** What PostgreSQL knows about the lexemes and counts of tweets since its last ANALYZE. */
import { storedText } from '../../../archive/content/stored-text.ts';
import type { Count } from '../../../search/language/condition.ts';
import type { Run } from '../store/database.ts';
import { linkLexeme, phraseOf } from '../rows/lexemes.ts';
import type { ResolvedCondition } from '../../../archive/search/resolved-condition.ts';
import { levelOfTopIndex, topIndexes } from '../rows/top-index.ts';
import { timesOf, type TweetTimes } from '../rows/time-buckets.ts';

/** Estimates of shares of all tweets, from 0 to 1. */
export interface WordShares {
  /** The number of tweets. */
  readonly tweets: number;
  /** The share of the tweets that have a lexeme. */
  ofLexeme(lexeme: string): number;
  /** As `ofLexeme`, 0 for a lexeme that the statistics do not list. */
  ofCommonLexeme(lexeme: string): number;
  /** The share of the tweets with a count of `min` or more. */
  ofCount(count: Count, min: number): number;
  /** Undefined where the times are not known. */
  readonly times?: TweetTimes | undefined;
  /** The lowest level of the engagement in the index of the top tweets (top-index.ts); undefined without this index. */
  readonly topLevel?: number | undefined;
}

/** How long statistics are used, in milliseconds. */
const freshMs = 600_000;

interface StatisticsRow {
  /** The name of the index of the top tweets; null without one. */
  readonly top: string | null;
  readonly column: string;
  readonly tweets: number;
  /** The common values, and lexemes in the column `words`. */
  readonly values: readonly string[] | null;
  /** Their shares. */
  readonly shares: readonly number[] | null;
  /** The limits of ranges that have equally many of the other values. */
  readonly bounds: readonly string[] | null;
}

const counted = ['like_count', 'retweet_count', 'reply_count'] as const satisfies readonly Count[];

/** Reads the statistics when they are needed, beside the searches. */
export class WordStatistics {
  readonly #run: Run;
  readonly #now: () => number;
  #shares: WordShares | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `now`: a clock in milliseconds. */
  constructor(run: Run, now: () => number = () => performance.now()) {
    this.#run = run;
    this.#now = now;
  }

  /** The shares of ten minutes ago or later; undefined until they are read, and while PostgreSQL has no statistics. */
  get shares(): WordShares | undefined {
    if (this.#now() - this.#readAt >= freshMs) {
      this.#readAt = this.#now();
      // Without them, PostgreSQL chooses the plans.
      void readShares(this.#run).then(
        (shares) => (this.#shares = shares),
        () => {},
      );
    }
    return this.#shares;
  }
}

/** The statistics of the last ANALYZE; undefined without them. */
export async function readShares(run: Run): Promise<WordShares | undefined> {
  const rows = await run<StatisticsRow>({
    text: `SELECT s.attname AS column, c.reltuples::float8 AS tweets,
          coalesce(s.most_common_elems::text::text[], s.most_common_vals::text::text[]) AS values,
          coalesce(s.most_common_elem_freqs, s.most_common_freqs)::float8[] AS shares,
          s.histogram_bounds::text::text[] AS bounds,
          (SELECT max(i.relname) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
            WHERE x.indrelid = c.oid AND x.indisvalid AND i.relname LIKE '${topIndexes}') AS top
        FROM pg_stats s JOIN pg_class c ON c.oid = 'social_data.tweet'::regclass
        WHERE s.schemaname = 'social_data' AND (s.tablename, s.attname)
          IN (('tweet', 'words'), ('tweet', 'created_at'), ${counted.map((column) => `('tweet_count', '${column}')`).join(', ')})`,
  });
  const words = rows.find(({ column }) => column === 'words');
  if (words?.values == null || words.tweets <= 0) return undefined;
  const lexemes = new Map(words.values.map((lexeme, index) => [lexeme, words.shares?.[index] ?? 0]));
  // All other lexemes are rarer than these, most of them by far.
  const rare = Math.min(...lexemes.values()) / 8;
  const byColumn = new Map(rows.map((row) => [row.column, row]));
  const { bounds } = byColumn.get('created_at') ?? { bounds: null };
  return {
    tweets: words.tweets,
    topLevel: words.top === null ? undefined : levelOfTopIndex(words.top),
    times: timesOf((bounds ?? []).map(Number)),
    ofLexeme: (lexeme) => lexemes.get(lexeme) ?? rare,
    ofCommonLexeme: (lexeme) => lexemes.get(lexeme) ?? 0,
    ofCount: (count, min) => shareFrom(byColumn.get(count), min),
  };
}

/** The share of the values of a column that are `min` or more. */
function shareFrom(row: StatisticsRow | undefined, min: number): number {
  if (row === undefined) return 1;
  const { values, shares, bounds } = row;
  let [common, found] = [0, 0];
  for (const [index, value] of (values ?? []).entries()) {
    const share = shares?.[index] ?? 0;
    common += share;
    if (Number(value) >= min) found += share;
  }
  if (bounds === null || bounds.length === 0) return found;
  return found + (1 - common) * (bounds.filter((bound) => Number(bound) >= min).length / bounds.length);
}

/** The part of the tweets with the lexeme of a pair of words that has the phrase at least: other pairs have the same lexeme. */
const minShareOfPair = 1 / 16;

/** As `shareOf`, but an estimate that is rather too low: where few tweets with the lexemes of a phrase have the phrase. */
export const leastShareOf = (condition: ResolvedCondition, shares: WordShares): number =>
  shareOf(condition, shares, minShareOfPair);

/**
 * The share of the tweets that fulfil a condition of words, terms, ids and counts, as if its parts were independent. `ofPhrase`: the part of the tweets
 * with the lexemes of a phrase that has the phrase.
 */
export function shareOf(condition: ResolvedCondition, shares: WordShares, ofPhrase = 1): number {
  switch (condition.is) {
    case 'all':
      return condition.parts.reduce((share, part) => share * shareOf(part, shares, ofPhrase), 1);
    case 'any':
      return unionOf(condition.parts.map((part) => shareOf(part, shares, ofPhrase)));
    case 'not':
      return 1 - shareOf(condition.part, shares);
    case 'words': {
      const kinds = condition.within === 'link' ? [linkLexeme] : [storedText, linkLexeme];
      const found = unionOf(
        kinds.map((kind) => Math.min(...phraseOf(condition.tokens, kind).lexemes.map((each) => shares.ofLexeme(each)))),
      );
      return condition.tokens.length > 1 ? found * ofPhrase : found;
    }
    case 'term':
      return shares.ofLexeme(storedText(condition.term));
    case 'ids':
      return unionOf(condition.ids.map((id) => shares.ofLexeme(storedText(condition.prefix + id))));
    case 'count':
      return shares.ofCount(condition.count, condition.min);
    default:
      return 1;
  }
}

const unionOf = (shares: readonly number[]): number => 1 - shares.reduce((share, each) => share * (1 - each), 1);
