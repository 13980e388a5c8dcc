/**
 * Compiles a condition to scans of SQLite: the counterpart of search/language/evaluate.ts, with the same results. All parts that are
 * words or terms become one query of FTS5; counts, times, ids and points become expressions of SQL. Where FTS5 has only a part of an
 * alternative, each alternative is a scan of its own.
 */
import { lexemesBetween, startOfLevel } from '../../archive/search/engagement-levels.ts';
import type { ResolvedCondition } from '../../archive/search/resolved-condition.ts';
import { minEngagement } from '../../search/engagement.ts';
import { toDatabaseId } from '../../archive/content/database-id.ts';
import { isId } from '../../domain/record-id.ts';
import { earthRadius, type Area, type Box, type Point } from '../../domain/geo.ts';
import { nativeRetweet } from '../../search/language/condition.ts';
import type { Value } from './sqlite-database.ts';
import { everyTweet, phraseOf } from './words.ts';

/** An expression over `tweet t` and `tweet_count c`. */
export interface Expression {
  readonly sql: string;
  readonly params: readonly Value[];
}

/** The tweets that fulfil all of these. */
export interface Scan {
  /** The query of FTS5; undefined: all tweets. */
  readonly match: string | undefined;
  /** The ids of the authors; undefined: all. */
  readonly authors: readonly string[] | undefined;
  readonly filters: readonly Expression[];
  /** Created within [since, until), in milliseconds since the epoch; infinite without a limit. */
  readonly since: number;
  readonly until: number;
  /** Those of the filters that limit the ids, over `tweet t`. */
  readonly ids: readonly Expression[];
  /** Whether the scan leaves out the tweets whose words the tables do not have yet. */
  readonly isWithoutWaiting?: boolean;
  /** Whether the scan has only these tweets. */
  readonly isOnlyWaiting?: boolean;
  /** The positions of the only tweets of the scan, and of tweets that it leaves out. */
  readonly only?: readonly number[];
  readonly without?: readonly number[];
}

/** A query of FTS5, or an expression of SQL. */
type Compiled = { readonly match: string } | Expression | boolean;

/** FTS5 reads the tweets of so many authors by their terms; those of more are read in the order of an index, or compared. */
const maxAuthorTerms = 20;
/** A condition with more combinations of alternatives becomes one scan that compares each tweet. */
const maxScans = 16;
/** FTS5 does not accept deeper expressions. */
const maxDepth = 60;

/** The scans that find exactly the tweets of a condition, each of which can be found by several scans. */
export function scansOf(condition: ResolvedCondition): readonly Scan[] {
  const normal = withoutInnerNot(condition, false);
  const scans = expand(flattened('all', [normal])) ?? [flattened('all', [normal])];
  return scans.flatMap((parts) => scanOf(parts) ?? []);
}

/** The condition with `not` only before parts that have no parts themselves, by De Morgan's laws. */
function withoutInnerNot(condition: ResolvedCondition, isNegated: boolean): ResolvedCondition {
  switch (condition.is) {
    case 'all':
    case 'any': {
      const is = isNegated === (condition.is === 'all') ? 'any' : 'all';
      return { is, parts: condition.parts.map((part) => withoutInnerNot(part, isNegated)) };
    }
    case 'not':
      return withoutInnerNot(condition.part, !isNegated);
    default:
      return isNegated ? { is: 'not', part: condition } : condition;
  }
}

type Several = 'all' | 'any';

function flattened(is: Several, parts: readonly ResolvedCondition[]): readonly ResolvedCondition[] {
  return parts.flatMap((part) => (part.is === is ? flattened(is, part.parts) : [part]));
}

/**
 * The conjunctions of which a conjunction is the union, in which no part has alternatives that FTS5 cannot decide; undefined where there
 * are too many.
 */
function expand(
  parts: readonly ResolvedCondition[],
  room = maxScans,
): readonly (readonly ResolvedCondition[])[] | undefined {
  const place = parts.findIndex((part) => part.is === 'any' && !isMatch(compile(part)));
  const alternation = parts[place];
  if (alternation?.is !== 'any') return [parts];
  const alternatives = flattened('any', alternation.parts);
  const words = alternatives.filter((part) => isMatch(compile(part)));
  const others = alternatives.filter((part) => !words.includes(part));
  const groups: readonly ResolvedCondition[] = words.length === 0 ? others : [{ is: 'any', parts: words }, ...others];
  if (groups.length > room) return undefined;
  const scans: (readonly ResolvedCondition[])[] = [];
  for (const group of groups) {
    const expanded = expand(flattened('all', parts.with(place, group)), room - scans.length);
    if (expanded === undefined) return undefined;
    scans.push(...expanded);
    if (scans.length > room) return undefined;
  }
  return scans;
}

const isMatch = (compiled: Compiled): boolean => typeof compiled === 'boolean' || 'match' in compiled;

/** The scan of a conjunction; undefined where no tweet can match. */
function scanOf(parts: readonly ResolvedCondition[]): Scan | undefined {
  const [wanted, excluded] = [new Set<string>(), new Set<string>()];
  const filters: Expression[] = [];
  const ids: Expression[] = [];
  let authors: readonly string[] | undefined;
  let [since, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const rest: ResolvedCondition[] = [];
  for (const part of parts) {
    if (part.is === 'created') [since, until] = [Math.max(since, part.since), Math.min(until, part.until)];
    else if (part.is === 'ids' && part.prefix === 'from:') {
      const { ids } = part;
      authors = authors === undefined ? [...new Set(ids)] : authors.filter((id) => ids.includes(id));
    } else rest.push(part);
  }
  // The index of authors reads only their tweets, so what has a form in SQL is compared.
  const byAuthor = authors !== undefined && authors.length > maxAuthorTerms;
  for (const part of rest) {
    if (part.is === 'not') {
      const column = byAuthor ? notTest(part.part) : undefined;
      const compiled = column ?? compile(part.part);
      if (compiled === true) return undefined;
      if (compiled === false) continue;
      if (column !== undefined) filters.push(column);
      else if ('match' in compiled) excluded.add(compiled.match);
      else filters.push({ sql: `NOT (${compiled.sql})`, params: compiled.params });
      continue;
    }
    if (part.is === 'words' && part.tokens.includes('*')) wanted.add(nearQuery(part));
    const compiled = compile(part);
    if (compiled === false) return undefined;
    if (compiled === true) continue;
    if ('match' in compiled) wanted.add(compiled.match);
    else filters.push(compiled);
    if (part.is === 'id range' && 'sql' in compiled) ids.push(compiled);
  }
  if (authors?.length === 0 || since >= until) return undefined;
  if (authors !== undefined && !byAuthor) {
    wanted.add(oneOf(authors.map((id) => phraseOf([`from:${id}`]))));
    authors = undefined;
  }
  const isByAuthor = authors !== undefined && wanted.size === 0 && excluded.size === 0;
  if (!isByAuthor) addLevels(parts, wanted);
  return { match: matchOf([...wanted], [...excluded]), authors, filters, since, until, ids };
}

/** Adds the levels of the engagement that tweets with these counts have, or those of more tweets. */
function addLevels(parts: readonly ResolvedCondition[], wanted: Set<string>): void {
  const start = startOfLevel(minEngagement({ is: 'all', parts: parts.filter(({ is }) => is === 'count') }));
  if (start > 0) wanted.add(oneOf(lexemesBetween(start).map((level) => phraseOf([level]))));
}

function matchOf(wanted: readonly string[], excluded: readonly string[]): string | undefined {
  if (wanted.length === 0 && excluded.length === 0) return undefined;
  const positive = wanted.length === 0 ? phraseOf([everyTweet]) : bothOf(wanted);
  return excluded.length === 0 ? positive : `(${positive}) NOT ${oneOf(excluded)}`;
}

const oneOf = (queries: readonly string[]): string =>
  queries.length === 1 ? `(${queries[0]})` : `(${queries.map((query) => `(${query})`).join(' OR ')})`;
const bothOf = (queries: readonly string[]): string =>
  queries.length === 1 ? (queries[0] ?? '') : queries.map((query) => `(${query})`).join(' AND ');

function compile(condition: ResolvedCondition): Compiled {
  switch (condition.is) {
    case 'all':
      return compileSeveral(condition.parts, { is: 'all', absorbing: false, word: 'AND', join: bothOf });
    case 'any':
      return compileSeveral(condition.parts, { is: 'any', absorbing: true, word: 'OR', join: oneOf });
    case 'not':
      return negated(compile(condition.part));
    case 'words':
      return condition.tokens.includes('*') ? adjacent(condition) : { match: wordQuery(condition) };
    case 'term':
      return { match: phraseOf([condition.term]) };
    case 'ids':
      return compileIds(condition.prefix, condition.ids);
    case 'point':
      return pointIn(condition.area);
    case 'verified':
    case 'blue_verified':
      return { sql: `t.author_id IN (SELECT id FROM person WHERE ${condition.is})`, params: [] };
    case 'count':
      return { sql: `c.${condition.count} >= ?`, params: [condition.min] };
    case 'created':
      return compileTimes(condition);
    case 'id range':
      return compileRange(condition);
  }
}

interface Combination {
  readonly is: Several;
  /** The constant that decides the whole. */
  readonly absorbing: boolean;
  readonly word: 'AND' | 'OR';
  readonly join: (queries: readonly string[]) => string;
}

function compileSeveral(parts: readonly ResolvedCondition[], { is, absorbing, word, join }: Combination): Compiled {
  const compiled = flattened(is, parts)
    .map(compile)
    .filter((each) => each !== !absorbing);
  if (compiled.includes(absorbing)) return absorbing;
  const matches = new Set(
    compiled.flatMap((each) => (typeof each === 'object' && 'match' in each ? [each.match] : [])),
  );
  const rest = compiled.flatMap((each) => (typeof each === 'object' && 'sql' in each ? [each] : []));
  const match = matches.size === 0 ? undefined : join([...matches]);
  if (match !== undefined && depthOf(match) <= maxDepth && rest.length === 0) return { match };
  const all = [...(match === undefined ? [] : [inWords(match)]), ...rest];
  if (all.length === 0) return !absorbing;
  return { sql: all.map(({ sql }) => `(${sql})`).join(` ${word} `), params: all.flatMap(({ params }) => params) };
}

/** How deep the parentheses of a query are. */
function depthOf(query: string): number {
  let [depth, most, isQuoted] = [0, 0, false];
  for (const character of query) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === '(') most = Math.max(most, ++depth);
    else if (!isQuoted && character === ')') depth--;
  }
  return most;
}

const inWords = (match: string): Expression => ({
  sql: 't.pos IN (SELECT rowid FROM word WHERE word MATCH ?)',
  params: [match],
});

function negated(compiled: Compiled): Compiled {
  if (typeof compiled === 'boolean') return !compiled;
  if ('match' in compiled) return { match: `${phraseOf([everyTweet])} NOT (${compiled.match})` };
  return { sql: `NOT (${compiled.sql})`, params: compiled.params };
}

type Words = Extract<ResolvedCondition, { is: 'words' }>;

const columnsOf = ({ within }: Words): string => (within === 'link' ? '{link}' : '{text link}');
const wordQuery = (words: Words): string => `${columnsOf(words)} : ${phraseOf(words.tokens)}`;

/** The query for tweets with the words of a phrase with `*` near each other: the tweets with the phrase, and more. */
function nearQuery(words: Words): string {
  const runs = runsOf(words.tokens).map(phraseOf);
  const query = runs.length === 1 ? runs[0] : `NEAR(${runs.join(' ')}, ${words.tokens.length})`;
  return `${columnsOf(words)} : ${query}`;
}

/** The words between the `*` of a phrase. */
export function runsOf(tokens: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [[]];
  for (const token of tokens)
    if (token === '*') runs.push([]);
    else runs.at(-1)?.push(token);
  return runs.filter(({ length }) => length > 0);
}

/** `adjacent` is a predicate of search-functions.ts. */
const adjacent = ({ tokens, within }: Words): Expression => ({
  sql: 'adjacent(t.document, ?, ?)',
  params: [JSON.stringify(tokens), within],
});

function compileIds(prefix: string, ids: readonly string[]): Compiled {
  if (ids.length === 0) return false;
  if (prefix === 'from:' && ids.length > maxAuthorTerms)
    return { sql: 't.author_id IN (SELECT value FROM json_each(?))', params: [authorsJson(ids)] };
  return { match: oneOf([...new Set(ids)].map((id) => phraseOf([prefix + id]))) };
}

/** A test of a column for tweets without a term, where there is one: nearly every query excludes native retweets. */
function notTest(condition: ResolvedCondition): Expression | undefined {
  if (condition.is !== 'term' || condition.term !== nativeRetweet) return undefined;
  return { sql: 't.retweeted_id IS NULL', params: [] };
}

function compileTimes({ since, until }: Extract<ResolvedCondition, { is: 'created' }>): Compiled {
  const from = since > Number.NEGATIVE_INFINITY ? [{ sql: 't.created_at >= ?', params: [since] }] : [];
  const to = until < Number.POSITIVE_INFINITY ? [{ sql: 't.created_at < ?', params: [until] }] : [];
  const limits = [...from, ...to];
  if (limits.length === 0) return true;
  return { sql: limits.map(({ sql }) => sql).join(' AND '), params: limits.flatMap(({ params }) => params) };
}

const maxId = 10n ** 19n - 1n;

/** The stored form of an id keeps the order. */
function compileRange({ above, upTo }: Extract<ResolvedCondition, { is: 'id range' }>): Compiled {
  if (upTo < 0n || above >= upTo || above >= maxId) return false;
  const limits: Expression[] = [];
  if (above >= 0n) limits.push({ sql: 't.id > ?', params: [BigInt(toDatabaseId(above))] });
  if (upTo < maxId) limits.push({ sql: 't.id <= ?', params: [BigInt(toDatabaseId(upTo))] });
  if (limits.length === 0) return true;
  return { sql: limits.map(({ sql }) => sql).join(' AND '), params: limits.flatMap(({ params }) => params) };
}

/** The JSON of ids as columns have them. What is no id is left out: no tweet has such an author. */
export const authorsJson = (ids: readonly string[]): string => `[${ids.filter(isId).map(toDatabaseId).join(',')}]`;

/** Whether the point of a tweet is in an area, as areaContainsPoint in search/geo.ts. A tweet without a point has none. */
function pointIn(area: Area): Expression {
  const { sql, params } = area.shape === 'box' ? pointInBox(area.box) : pointInCircle(area.centre, area.metres);
  return { sql: `coalesce(${sql}, 0)`, params };
}

function pointInBox([west, south, east, north]: Box): Expression {
  const within = (longitude: string): Expression => ({
    sql: west <= east ? `${longitude} BETWEEN ? AND ?` : `(${longitude} >= ? OR ${longitude} <= ?)`,
    params: [west, east],
  });
  const [itself, opposite] = [within('t.longitude'), within('-t.longitude')];
  return {
    sql: `t.latitude BETWEEN ? AND ? AND (abs(t.latitude) = 90 OR ${itself.sql} OR (abs(t.longitude) = 180 AND ${opposite.sql}))`,
    params: [south, north, ...itself.params, ...opposite.params],
  };
}

/** The distance by Vincenty's formula for a sphere. */
function pointInCircle(centre: Point, metres: number): Expression {
  const from = `radians(${centre.latitude})`;
  const longitude = `radians(t.longitude - (${centre.longitude}))`;
  const to = 'radians(t.latitude)';
  const eastward = `cos(${to}) * sin(${longitude})`;
  const northward = `cos(${from}) * sin(${to}) - sin(${from}) * cos(${to}) * cos(${longitude})`;
  const along = `sin(${from}) * sin(${to}) + cos(${from}) * cos(${to}) * cos(${longitude})`;
  const across = `sqrt(pow(${eastward}, 2) + pow(${northward}, 2))`;
  return { sql: `${earthRadius} * atan2(${across}, ${along}) <= ?`, params: [metres] };
}
