/** How a query is read, in words: what each part of its tree asks for. */
import type { Condition, Count } from '../../../../../search/language/condition.ts';
import { wantsRetweets } from '../../../../../search/language/compile.ts';
import { aliases, filters, findOperator } from '../../../../../search/language/operators.ts';
import type { Query } from '../../../../../search/language/syntax-tree.ts';
import { signRuns } from '../../../../../search/language/tokenizer.ts';

/** Where a part stands in the text. */
export type Place = Pick<Query, 'at' | 'end'>;

export interface Reading {
  /** The rule about native retweets stands nowhere. */
  readonly place?: Place;
  readonly kind: Query['is'] | 'rule';
  readonly means: string;
  readonly parts: readonly Reading[];
}

const rule: Reading = {
  kind: 'rule',
  means: 'and no native retweets: they are left out unless a query asks for them',
  parts: [],
};

/** The whole query, with the rule about native retweets as its last part where it applies. */
export function readingOf(query: Query): Reading {
  const read = readingOfPart(query);
  if (wantsRetweets(query)) return read;
  if (read.kind === 'and') return { ...read, parts: [...read.parts, rule] };
  return { kind: 'and', means: meaningOf.and, parts: [read, rule] };
}

function readingOfPart(query: Query): Reading {
  const { is: kind, at, end } = query;
  const parts = kind === 'not' ? [query.part] : kind === 'and' || kind === 'or' ? query.parts : [];
  return { place: { at, end }, kind, means: meansOf(query), parts: parts.map(readingOfPart) };
}

const meaningOf = { and: 'all of these', or: 'at least one of these', not: 'not this' } as const;
const tagNames = { '#': 'the whole hashtag', $: 'the cashtag', '@': 'names the user' } as const;
const inQuotes = (token: string): string => (token === '*' ? 'any one word' : `“${token}”`);
const adjacent = (tokens: readonly string[]): string =>
  `${tokens.map(inQuotes).join(', ')}: next to each other, in this order`;

function meansOf(query: Query): string {
  switch (query.is) {
    case 'and':
    case 'or':
    case 'not':
      return meaningOf[query.is];
    case 'words':
      return query.tokens.length === 1 ? `the word ${inQuotes(query.tokens[0]!)}` : adjacent(query.tokens);
    case 'signs':
      return `the signs ${signRuns(query.text).map(inQuotes).join(' ')} in the text`;
    case 'tag':
      return `${tagNames[query.sign]} ${query.sign}${query.name}`;
    case 'link':
      return `a link with the words of ${query.text}, next to each other`;
    case 'operator':
      return operatorMeans(query.name, query.value);
  }
}

/** An operator as the tables tell it, with its value. */
function operatorMeans(name: string, value: string): string {
  const { means, read } = findOperator(name)!;
  const kind = value.toLowerCase();
  const filter = filters[name === 'filter' || name === 'exclude' ? kind : (aliases[name]?.[kind] ?? '')];
  if (filter !== undefined) return name === 'exclude' ? `not: ${filter.means}` : filter.means;
  return understood(read(value)!) ?? `${means}: ${value}`;
}

const countNames: Readonly<Record<Count, string>> = {
  like_count: 'likes',
  retweet_count: 'retweets',
  reply_count: 'replies',
  quote_count: 'quotes',
  bookmark_count: 'bookmarks',
  view_count: 'views',
};

/** What is clearer with the value in its place. */
function understood(condition: Condition): string | undefined {
  if (condition.is === 'count') return `${condition.min} or more ${countNames[condition.count]}`;
  if (condition.is === 'recent') return `created after ${moment(Date.now() - condition.ms)}, as of now`;
  if (condition.is !== 'created') return undefined;
  if (Number.isFinite(condition.since)) return `created at or after ${moment(condition.since)}`;
  return `created before ${moment(condition.until)}`;
}

/** The last moment that a Date holds, in milliseconds since the epoch (ECMA-262, Time Values and Time Range). */
const lastMoment = 8.64e15;

function moment(time: number): string {
  if (Math.abs(time) > lastMoment) return time < 0 ? 'the beginning of time' : 'the end of time';
  return `${new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.000)?Z$/, '')} UTC`;
}
