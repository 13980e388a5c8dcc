/**
 * Compiles a condition to SQL: the counterpart of search/inverted-index/evaluator.ts, with the same results. All parts that are lexemes
 * become one tsquery, which one GIN index answers; counts, times, ids and points become expressions of SQL.
 *
 * PostgreSQL cannot store all positions of a long text. A tweet with such a text has the lexeme `is:long` and no positions, so
 * no phrase matches it. The condition is therefore compiled twice: first so that it matches every long tweet that can match, then for long
 * tweets exactly, with their stored texts.
 */
import { storedText } from '../../../archive/content/stored-text.ts';
import { escapeRegExp } from '../../../text/escape-regexp.ts';
import { earthRadius, type Area, type Box, type Point } from '../../../domain/geo.ts';
import { toDatabaseId } from '../../../archive/content/database-id.ts';
import { linkLexeme, longLexeme, phraseOf, phraseQuery, quoteLexeme, type Phrase } from '../rows/lexemes.ts';
import type { ResolvedCondition } from '../../../archive/search/resolved-condition.ts';
import { columnOfTerm } from '../rows/search-rows.ts';

export type Parameter = string | number | boolean | readonly string[];

/** A WHERE clause over `tweet t`, joined with `tweet_count c` if `usesCounts`. */
export interface SearchSql {
  readonly where: string;
  readonly usesCounts: boolean;
}

/** A condition that is a tsquery, with conditions of counts, one author and limits of the time. */
export interface WordSearch {
  /** All of them must match. The index of words reads several groups of alternatives faster as separate queries. */
  readonly tsqueries: readonly string[];
  /** What the index of words looks for: the same tweets or more. */
  readonly indexed: readonly string[];
  /** What else a tweet `t` must fulfil; undefined: nothing. */
  readonly alsoTrue: Expression | undefined;
  /** What its counts `c` must fulfil; undefined: nothing. */
  readonly counted: Expression | undefined;
  readonly counts: readonly ResolvedCondition[];
  /** The stored id of the author; undefined: any one. */
  readonly author: string | undefined;
  /** Created within [since, until), in milliseconds since the epoch; infinite without a limit. */
  readonly created: { readonly since: number; readonly until: number };
  /** The parts of the condition that are the tsquery. */
  readonly words: readonly ResolvedCondition[];
}

/** A condition in this form; undefined for any other one. `ofLexeme`: the share of the tweets that have a lexeme. */
export function wordSearch(condition: ResolvedCondition, ofLexeme: ShareOfLexeme): WordSearch | undefined {
  const [words, counts, authors]: [ResolvedCondition[], ResolvedCondition[], string[]] = [[], [], []];
  let [since, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const part of flattened('all', [condition])) {
    const author = onlyAuthor(part);
    if (author !== undefined) authors.push(author);
    else if (part.is === 'created') [since, until] = [Math.max(since, part.since), Math.min(until, part.until)];
    else if (limitsOfCounts(part) > 0) counts.push(part);
    else words.push(part);
  }
  const all: ResolvedCondition = { is: 'all', parts: words };
  const compiler = new Compiler(false);
  const groups = separateGroups(words);
  const tsqueries = tsqueriesOf(groups, compiler);
  if (tsqueries === undefined) return undefined;
  const indexed = (compiler.hasPhrase ? tsqueriesOf(groups, new Compiler(false, ofLexeme)) : undefined) ?? tsqueries;
  const numberOfLimits = counts.reduce((sum, part) => sum + limitsOfCounts(part), 0);
  if (authors.length > 1 || numberOfLimits > maxLimits) return undefined;
  const forLongTweets = compiler.hasPhrase ? written(new Compiler(true).compile(all, false)) : undefined;
  const alsoTrue = forLongTweets && ((param: AddParameter) => `(NOT t.is_long OR ${forLongTweets(param)})`);
  const counted = counts.length === 0 ? undefined : written(compiler.compile({ is: 'all', parts: counts }, false));
  const [author] = authors;
  return { tsqueries, indexed, alsoTrue, counted, counts, author, created: { since, until }, words };
}

/** More limits of counts than this would need too many statements. */
const maxLimits = 4;

type ShareOfLexeme = (lexeme: string) => number;

/** A tsquery for each group of conditions; undefined if one of them is no tsquery. */
function tsqueriesOf(
  groups: readonly (readonly ResolvedCondition[])[],
  compiler: Compiler,
): readonly string[] | undefined {
  const tsqueries: string[] = [];
  for (const parts of groups) {
    const compiled = compiler.compile({ is: 'all', parts }, false);
    if (typeof compiled === 'boolean' || !('tsquery' in compiled)) return undefined;
    tsqueries.push(compiled.tsquery);
  }
  return tsqueries;
}

/** The groups of alternatives, at most `maxGroups`; the first one has all other conditions too. */
function separateGroups(parts: readonly ResolvedCondition[]): readonly (readonly ResolvedCondition[])[] {
  const groups = parts.filter((part) => part.is === 'any' && flattened('any', part.parts).filter(isWord).length > 1);
  const separate = groups.slice(1, maxGroups);
  return [parts.filter((part) => !separate.includes(part)), ...separate.map((part) => [part])];
}

const isWord = ({ is }: ResolvedCondition): boolean => is === 'words' || is === 'term';
const maxGroups = 3;

/** The number of limits in a condition that has nothing else; otherwise 0. */
function limitsOfCounts(condition: ResolvedCondition): number {
  switch (condition.is) {
    case 'count':
      return 1;
    case 'not':
      return limitsOfCounts(condition.part);
    case 'all':
    case 'any': {
      const limits = condition.parts.map(limitsOfCounts);
      return limits.includes(0) ? 0 : limits.reduce((sum, each) => sum + each, 0);
    }
    default:
      return 0;
  }
}

/** The stored id of the author whose tweets the condition is; undefined for any other condition. */
function onlyAuthor(condition: ResolvedCondition): string | undefined {
  if (condition.is !== 'ids' || condition.prefix !== 'from:') return undefined;
  const [author, ...others] = authorIds(condition.ids);
  return others.length === 0 ? author : undefined;
}

/** Adds a parameter and returns its name, such as `$3`. */
type AddParameter = (value: Parameter) => string;
/** An expression of SQL. It is written at the end, so that PostgreSQL gets only the parameters that occur in the text. */
type Expression = (param: AddParameter) => string;
/** A condition as a tsquery over `t.words`, as an expression, or as a constant. */
type Compiled = { readonly tsquery: string } | { readonly sql: Expression } | boolean;

/** More ids than this are compared with a column: PostgreSQL limits the size of a tsquery. */
const maxLexemeIds = 300;

/** Compiles a condition. The values go to `params`, whose earlier elements belong to the caller. */
export function searchSql(condition: ResolvedCondition, params: Parameter[]): SearchSql {
  const param: AddParameter = (value) => `$${params.push(value)}`;
  const compiler = new Compiler(false);
  const superset = written(compiler.compile(condition, false))(param);
  const { hasPhrase, usesCounts } = compiler;
  if (!hasPhrase) return { where: superset, usesCounts };
  const forLongTweets = written(new Compiler(true).compile(condition, false))(param);
  return { where: `${superset} AND (NOT t.is_long OR ${forLongTweets})`, usesCounts };
}

/** The expression of a compiled condition, in parentheses where it needs them. */
function written(compiled: Compiled): Expression {
  if (typeof compiled === 'boolean') return () => String(compiled);
  if ('sql' in compiled) return (param) => `(${compiled.sql(param)})`;
  return (param) => `t.words @@ ${param(compiled.tsquery)}::tsquery`;
}

class Compiler {
  /** Whether the expression is for long tweets only. */
  readonly #isForLongTweets: boolean;
  /** If defined, a phrase becomes its rarest lexemes: more tweets match, and the index reads less. */
  readonly #ofLexeme: ShareOfLexeme | undefined;
  hasPhrase = false;
  usesCounts = false;

  constructor(isForLongTweets: boolean, ofLexeme?: ShareOfLexeme) {
    this.#isForLongTweets = isForLongTweets;
    this.#ofLexeme = ofLexeme;
  }

  /** `isNegated`: the condition is part of an odd number of negations. */
  compile(condition: ResolvedCondition, isNegated: boolean): Compiled {
    switch (condition.is) {
      case 'all':
      case 'any': {
        const parts = flattened(condition.is, condition.parts);
        return combine(
          condition.is,
          parts.map((part) => this.compile(part, isNegated)),
        );
      }
      case 'not':
        // An index finds no lexeme below two negations.
        if (condition.part.is === 'not') return this.compile(condition.part.part, isNegated);
        return not(this.compile(condition.part, !isNegated));
      case 'words':
        return this.#words(condition.tokens, condition.within, isNegated);
      case 'term':
        return withTerm(condition.term);
      case 'ids':
        return withId(condition.prefix, condition.ids);
      case 'point':
        return { sql: (param) => `coalesce(${pointIn(condition.area, param)}, false)` };
      case 'verified':
      case 'blue_verified':
        return { sql: () => (isNegated ? isAuthor(condition.is) : isOneOf(condition.is)) };
      case 'count':
        this.usesCounts = true;
        return { sql: (param) => `c.${condition.count} >= ${param(condition.min)}::bigint` };
      case 'created':
        return createdBetween(condition.since, condition.until);
      case 'id range':
        return { sql: (param) => idRange(condition.above, condition.upTo, param) };
    }
  }

  #words(tokens: readonly string[], within: 'text' | 'link', isNegated: boolean): Compiled {
    const kinds = within === 'link' ? [linkLexeme] : [storedText, linkLexeme];
    const one = (token: string): string => anyOf(kinds.map((lexemeFor) => quoteLexeme(lexemeFor(token))));
    const [first, ...rest] = tokens;
    if (first === undefined || rest.length === 0) return first === undefined ? true : { tsquery: one(first) };
    this.hasPhrase = true;
    if (this.#isForLongTweets) return { sql: (param) => phraseInLongTweet(tokens, within, param) };
    const phrases = anyOf(kinds.map((lexemeFor) => phraseQuery(tokens, lexemeFor)));
    if (isNegated) return { tsquery: phrases };
    const ofLexeme = this.#ofLexeme;
    if (ofLexeme !== undefined) {
      const rarest = kinds.map((lexemeFor) => rarestOf(phraseOf(tokens, lexemeFor), ofLexeme));
      return { tsquery: anyOf([...rarest, quoteLexeme(longLexeme)]) };
    }
    const words = [...new Set(tokens)].filter((token) => token !== '*').map(one);
    return { tsquery: `(${phrases} | (${[quoteLexeme(longLexeme), ...words].join(' & ')}))` };
  }
}

/**
 * How many times more tweets than the rarest lexeme of a phrase another one may have, so that the index reads it too. A tweet with the lexeme of a pair has its words
 * in most cases, so they exclude few tweets. The tweets with one word of a phrase seldom have the other ones.
 */
const ratios = { withPair: 2, withoutPair: 32 } as const;

/** A tsquery of the rarest lexemes of a phrase. */
function rarestOf({ lexemes, pairs }: Phrase, ofLexeme: ShareOfLexeme): string {
  const ratio = pairs.length > 0 ? ratios.withPair : ratios.withoutPair;
  const limit = ratio * Math.min(...lexemes.map(ofLexeme));
  const rare = lexemes.filter((each) => ofLexeme(each) <= limit).map(quoteLexeme);
  return `(${rare.join(' & ')})`;
}

/** The parts, without groups of the same kind: all their lexemes then become one tsquery. */
const flattened = (is: 'all' | 'any', parts: readonly ResolvedCondition[]): readonly ResolvedCondition[] =>
  parts.flatMap((part) => (part.is === is ? flattened(is, part.parts) : [part]));

function combine(is: 'all' | 'any', parts: readonly Compiled[]): Compiled {
  const absorbing = is === 'any';
  if (parts.includes(absorbing)) return absorbing;
  // PostgreSQL counts a repeated alternative again when it estimates how many tweets match.
  const tsqueries = [
    ...new Set(parts.flatMap((part) => (typeof part === 'object' && 'tsquery' in part ? [part.tsquery] : []))),
  ];
  const expressions = parts.filter((part) => typeof part === 'object' && 'sql' in part).map(written);
  const tsquery = tsqueries.length > 1 ? `(${tsqueries.join(is === 'all' ? ' & ' : ' | ')})` : tsqueries[0];
  if (expressions.length === 0) return tsquery === undefined ? !absorbing : { tsquery };
  if (tsquery !== undefined) expressions.unshift(written({ tsquery }));
  return { sql: (param) => expressions.map((each) => each(param)).join(is === 'all' ? ' AND ' : ' OR ') };
}

function not(part: Compiled): Compiled {
  if (typeof part === 'boolean') return !part;
  return 'sql' in part ? { sql: (param) => `NOT (${part.sql(param)})` } : { tsquery: `!(${part.tsquery})` };
}

/** The texts and links of a long tweet are stored as lines of lexemes between blanks. */
function phraseInLongTweet(tokens: readonly string[], within: 'text' | 'link', param: AddParameter): string {
  const lexemes = tokens.map((token) => (token === '*' ? String.raw`[^ \n]+` : escapeRegExp(storedText(token))));
  const texts = within === 'link' ? 'x.links' : '(x.texts || x.links)';
  const pattern = param(` ${lexemes.join(' ')} `);
  // Not EXISTS: PostgreSQL would match the pattern with all long texts first.
  return `coalesce((SELECT true FROM social_data.long_tweet x WHERE x.id = t.id AND ${texts} ~ ${pattern}), false)`;
}

function withTerm(term: string): Compiled {
  const found = columnOfTerm(term);
  if (found === undefined) return { tsquery: lexeme(term) };
  const column = `t.${found.column}`;
  // A negation needs false for a tweet without the id.
  return { sql: (param) => `${column} IS NOT NULL AND ${column} = ${param(found.id)}::bigint` };
}

function withId(prefix: string, ids: readonly string[]): Compiled {
  if (prefix === 'from:') return byAuthors(authorIds(ids));
  if (prefix === 'place:' && ids.length > maxLexemeIds)
    return { sql: (param) => `coalesce(t.place_id = ANY(${param(ids)}::text[]), false)` };
  return ids.length === 0 ? false : { tsquery: anyOf(ids.map((id) => lexeme(`${prefix}${id}`))) };
}

const authorIds = (ids: readonly string[]): string[] => ids.flatMap((id) => columnOfTerm(`from:${id}`)?.id ?? []);

/** PostgreSQL reads the tweets of one author in the order of time. */
function byAuthors(ids: readonly string[]): Compiled {
  const [first] = ids;
  if (first === undefined) return false;
  if (ids.length === 1) return { sql: (param) => `t.author_id = ${param(first)}::bigint` };
  return { sql: (param) => `t.author_id = ANY(${param(ids)}::bigint[])` };
}

type AuthorFlag = 'verified' | 'blue_verified';
/** An index has the few users with the flag. */
const isOneOf = (flag: AuthorFlag): string => `t.author_id IN (SELECT p.id FROM social_data.person p WHERE p.${flag})`;
/** For negations, which most tweets match: PostgreSQL reads the authors of few tweets, not all users with the flag. */
const isAuthor = (flag: AuthorFlag): string =>
  `coalesce((SELECT p.${flag} FROM social_data.person p WHERE p.id = t.author_id), false)`;

function createdBetween(since: number, until: number): Compiled {
  const bounds: Expression[] = [];
  if (since > Number.NEGATIVE_INFINITY) bounds.push((param) => `t.created_at >= ${param(since)}::bigint`);
  if (until < Number.POSITIVE_INFINITY) bounds.push((param) => `t.created_at < ${param(until)}::bigint`);
  return bounds.length === 0 || { sql: (param) => bounds.map((bound) => bound(param)).join(' AND ') };
}

function idRange(above: bigint, upTo: bigint, param: AddParameter): string {
  const atMost = `t.id <= ${param(toDatabaseId(upTo))}::bigint`;
  return above < 0n ? atMost : `t.id > ${param(toDatabaseId(above))}::bigint AND ${atMost}`;
}

/** Whether the point of the tweet is in the area; NULL without a point. As areaContainsPoint in search/geo.ts. */
const pointIn = (area: Area, param: AddParameter): string =>
  area.shape === 'box' ? pointInBox(area.box, param) : pointInCircle(area.centre, area.metres, param);

function pointInBox([west, south, east, north]: Box, param: AddParameter): string {
  const bound = (value: number): string => `${param(value)}::float8`;
  const within = (longitude: string): string =>
    west <= east
      ? `${longitude} BETWEEN ${bound(west)} AND ${bound(east)}`
      : `(${longitude} >= ${bound(west)} OR ${longitude} <= ${bound(east)})`;
  const longitudes = [
    'abs(t.latitude) = 90',
    within('t.longitude'),
    `(abs(t.longitude) = 180 AND ${within('-t.longitude')})`,
  ];
  return `(t.latitude BETWEEN ${bound(south)} AND ${bound(north)} AND (${longitudes.join(' OR ')}))`;
}

/** The distance by Vincenty's formula for a sphere. */
function pointInCircle(centre: Point, metres: number, param: AddParameter): string {
  const from = `radians(${param(centre.latitude)}::float8)`;
  const longitude = `radians(t.longitude - ${param(centre.longitude)}::float8)`;
  const to = 'radians(t.latitude)';
  const eastward = `cos(${to}) * sin(${longitude})`;
  const northward = `cos(${from}) * sin(${to}) - sin(${from}) * cos(${to}) * cos(${longitude})`;
  const along = `sin(${from}) * sin(${to}) + cos(${from}) * cos(${to}) * cos(${longitude})`;
  const across = `sqrt((${eastward}) ^ 2 + (${northward}) ^ 2)`;
  return `(${earthRadius} * atan2(${across}, ${along}) <= ${param(metres)}::float8)`;
}

const lexeme = (term: string): string => quoteLexeme(storedText(term));
const anyOf = (tsqueries: readonly string[]): string =>
  tsqueries.length === 1 ? (tsqueries[0] ?? '') : `(${tsqueries.join(' | ')})`;
