/** The statements that read the tweets of a scan in the order of an index. CROSS JOIN keeps the order of the tables. */
import { authorsJson, type Expression, type Scan } from './search-plan.ts';
import type { Value } from './sqlite-database.ts';
import { isWholeSecond, positionsWithin, slots } from './tweet-position.ts';
import { everyTweet, phraseOf } from './words.ts';

/** A statement whose rows have `major`, `minor` and `pos`. */
export interface Selection {
  readonly text: string;
  readonly params: readonly Value[];
}

/** Limits of positions or ranks, both included. */
export interface Limits {
  readonly from: number;
  readonly to: number;
}

/** The tweets with the highest positions, at most `count`. */
export function newestStatement(scan: Scan, limits: Limits, count?: number): Selection {
  const { match, authors } = scan;
  if (match === undefined && authors !== undefined && authors.length <= maxSeparateAuthors && count !== undefined)
    return newestOfAuthors(scan, authors, limits, count);
  const { from, where, params, pos } = read(scan, limits);
  return limited(`SELECT 0 AS major, ${pos} AS minor, ${pos} AS pos FROM ${from} WHERE ${where} ORDER BY ${pos} DESC`, {
    params,
    count,
  });
}

/** All tweets of a scan: the rows have `pos`, and the engagement as `score`. */
export function scoredStatement(scan: Scan): Selection {
  const { text, params } = newestStatement(scan, { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER });
  return {
    text: `SELECT m.pos, c.engagement AS score FROM (${text}) m CROSS JOIN tweet_count c ON c.pos = m.pos`,
    params,
  };
}

/** The tweets with the lowest positions, at most `count`. */
export function oldestStatement(scan: Scan, limits: Limits, count?: number): Selection {
  const { from, where, params, pos } = read(scan, limits);
  return limited(`SELECT 0 AS major, -${pos} AS minor, ${pos} AS pos FROM ${from} WHERE ${where} ORDER BY ${pos}`, {
    params,
    count,
  });
}

/** How long the buckets of a count are, in milliseconds; undefined: all tweets are in the bucket 0. */
export interface Buckets {
  readonly ms: number | undefined;
  /** Whether times that share a position with others are among those that are counted; their tweets are read then. */
  readonly isByTime: boolean;
}

/** How many tweets of the scans are in each bucket, as rows with `bucket` and `tweets`: each tweet once. */
export function countStatement(scans: readonly Scan[], limits: Limits, { ms, isByTime }: Buckets): Selection {
  const byTime: Expression = { sql: 't.created_at IS NOT NULL', params: [] };
  const readings = scans.map((scan) => read(isByTime ? { ...scan, filters: [...scan.filters, byTime] } : scan, limits));
  const bucketOf = (pos: string): string =>
    ms === undefined ? '0' : isByTime ? `t.created_at / ${ms}` : `${pos} / ${(ms / 1000) * slots}`;
  const params = readings.flatMap((each) => each.params);
  const [only, ...others] = readings;
  if (only !== undefined && others.length === 0) {
    const bucket = bucketOf(only.pos);
    return {
      text: `SELECT ${bucket} AS bucket, count(*) AS tweets FROM ${only.from} WHERE ${only.where} GROUP BY 1`,
      params,
    };
  }
  const all = readings.map(
    ({ from, where, pos }) => `SELECT ${pos}, ${bucketOf(pos)} AS bucket FROM ${from} WHERE ${where}`,
  );
  return { text: `SELECT bucket, count(*) AS tweets FROM (${all.join(' UNION ')}) GROUP BY 1`, params };
}

/** The tweets of more authors are found sooner among all tweets. */
const maxSeparateAuthors = 2000;

/** Reads the newest tweets of each author, so that authors with many tweets cost no more than others. */
function newestOfAuthors(scan: Scan, authors: readonly string[], limits: Limits, count: number): Selection {
  const { from, where, params } = read({ ...scan, authors: undefined }, limits, 'tweet t INDEXED BY tweet_author');
  const ofAuthor = `SELECT t.pos FROM ${from} WHERE t.author_id = a.value AND ${where} ORDER BY t.pos DESC LIMIT ?`;
  const text = `SELECT 0 AS major, n.pos AS minor, n.pos AS pos FROM json_each(?) a CROSS JOIN tweet_count n ON n.pos IN (${ofAuthor})
    ORDER BY n.pos DESC`;
  return limited(text, { params: [authorsJson(authors), ...params, count], count });
}

/** The tweets with the highest engagement among those that fulfil an expression over `tweet_count c`, at most `count`. */
export function rankedStatement(scan: Scan, upTo: Expression, limits: Limits, count?: number): Selection {
  const { from, where, params, pos } = read({ ...scan, filters: [upTo, ...scan.filters] }, limits);
  return limited(
    `SELECT c.engagement AS major, ${pos} AS minor, ${pos} AS pos FROM ${from} WHERE ${where} ORDER BY c.engagement DESC, ${pos} DESC`,
    { params, count },
  );
}

/** The tweets with the highest ranks in the table `top`, at most `count`; `limits` are those of the rank. */
export function topStatement(scan: Scan, { from, to }: Limits, count?: number): Selection {
  const { match = phraseOf([everyTweet]), since, until } = scan;
  const positions = positionsWithin(since, until);
  const filters = [
    ...filtersOf(scan),
    ...(Number.isFinite(since) ? [{ sql: 'p.pos >= ?', params: [positions.from] }] : []),
    ...(Number.isFinite(until) ? [{ sql: 'p.pos <= ?', params: [positions.to] }] : []),
    ...positionFilters(scan, 'p.pos'),
  ];
  const { tables, where } = joined(filters, 'p.pos', []);
  const text = `SELECT 0 AS major, p.rank AS minor, p.pos AS pos FROM top_word CROSS JOIN top p ON p.rank = top_word.rowid${tables}
    WHERE top_word MATCH ? AND top_word.rowid >= ? AND top_word.rowid <= ?${where.map((each) => ` AND ${each}`).join('')}
    ORDER BY top_word.rowid DESC`;
  return limited(text, { params: [match, from, to, ...filters.flatMap(({ params }) => params)], count });
}

const limited = (
  text: string,
  { params, count }: { params: readonly Value[]; count?: number | undefined },
): Selection => (count === undefined ? { text, params } : { text: `${text} LIMIT ?`, params: [...params, count] });

interface Reading {
  readonly from: string;
  readonly where: string;
  readonly params: readonly Value[];
  readonly pos: string;
}

/** Reads a scan within limits of the position, from the words, or from `table` where the scan has none. */
function read(scan: Scan, limits: Limits, table?: string): Reading {
  const within = positionsWithin(scan.since, scan.until);
  const compared = filtersOf(scan);
  const usesTweet = compared.some(({ sql }) => /\bt\./.test(sql));
  const hasMatch = scan.match !== undefined;
  const first = hasMatch ? 'word' : (table ?? (usesTweet ? 'tweet t' : 'tweet_count c'));
  const pos = hasMatch ? 'word.rowid' : `${first.split(' ')[1]}.pos`;
  const filters = [...compared, ...positionFilters(scan, pos)];
  const { tables, where } = joined(filters, pos, [first]);
  return {
    from: `${first}${tables}`,
    where: [...(hasMatch ? ['word MATCH ?'] : []), `${pos} >= ?`, `${pos} <= ?`, ...where].join(' AND '),
    params: [
      ...(scan.match === undefined ? [] : [scan.match]),
      Math.max(limits.from, within.from),
      Math.min(limits.to, within.to),
      ...filters.flatMap(({ params }) => params),
    ],
    pos,
  };
}

/** The positions that a scan leaves out, or to which it is limited. */
function positionFilters(
  { isWithoutWaiting, isOnlyWaiting, only, without = [] }: Scan,
  pos: string,
): readonly Expression[] {
  const filters: Expression[] = [];
  if (isWithoutWaiting === true) filters.push({ sql: `${pos} NOT IN (SELECT pos FROM word_pending)`, params: [] });
  // Without the sign, FTS5 would run the query once for each of these positions.
  const compared = pos.startsWith('word.') ? `+${pos}` : pos;
  if (isOnlyWaiting === true) filters.push({ sql: `${compared} IN (SELECT pos FROM word_pending)`, params: [] });
  if (only !== undefined)
    filters.push({ sql: `${pos} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(only)] });
  if (without.length > 0)
    filters.push({ sql: `${pos} NOT IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(without)] });
  return filters;
}

/** The tables that filters read beside those that are there, and the filters as conditions. */
function joined(
  filters: readonly Expression[],
  pos: string,
  there: readonly string[],
): { readonly tables: string; readonly where: readonly string[] } {
  const text = filters.map(({ sql }) => sql).join(' ');
  const needs = (alias: string): boolean =>
    new RegExp(String.raw`\b${alias}\.`).test(text) && !there.some((table) => table.split(' ')[1] === alias);
  const tweets = needs('t') ? ` CROSS JOIN tweet t ON t.pos = ${pos}` : '';
  const counts = needs('c') ? ` CROSS JOIN tweet_count c ON c.pos = ${pos}` : '';
  // Counts are read first: their table is small, and a filter of counts saves the row of the tweet.
  return { tables: `${counts}${tweets}`, where: filters.map(({ sql }) => `(${sql})`) };
}

/** What is compared with each tweet: also authors, and times that limits of positions do not decide. */
const filtersOf = ({ filters, authors, since, until }: Scan): readonly Expression[] => [
  ...(authors === undefined
    ? []
    : [{ sql: 't.author_id IN (SELECT value FROM json_each(?))', params: [authorsJson(authors)] }]),
  ...filters,
  ...(Number.isFinite(since) && !isWholeSecond(since) ? [{ sql: 't.created_at >= ?', params: [since] }] : []),
  ...(Number.isFinite(until) && !isWholeSecond(until) ? [{ sql: 't.created_at < ?', params: [until] }] : []),
];
