/** Describes a query in words: the meaning of each part of its syntax tree. */
import type { Condition, Count } from '../../server/search/language/condition.ts';
import { wantsRetweets } from '../../server/search/language/compile.ts';
import { aliases, filters, findOperator } from '../../server/search/language/operators.ts';
import type { Query } from '../../server/domain/query.ts';
import { signRuns } from '../../server/search/language/tokenizer.ts';

/** The position of a part in the text. */
export type Span = Pick<Query, 'at' | 'end'>;

export interface Reading {
  /** Undefined for the rule about native retweets, which is not part of the text. */
  readonly span?: Span;
  readonly kind: Query['is'] | 'rule';
  readonly meaning: string;
  readonly parts: readonly Reading[];
}

const rule: Reading = {
  kind: 'rule',
  meaning: 'no native retweets: to include them, add include:nativeretweets',
  parts: [],
};

/** Describes a whole query. Its last part is the rule about native retweets, where that rule applies. */
export function readingOf(query: Query): Reading {
  const reading = describePart(query);
  if (wantsRetweets(query)) return reading;
  if (reading.kind === 'and') return { ...reading, parts: [...reading.parts, rule] };
  return { kind: 'and', meaning: groupMeanings.and, parts: [reading, rule] };
}

function describePart(query: Query): Reading {
  const { is: kind, at, end } = query;
  const parts = kind === 'not' ? [query.part] : kind === 'and' || kind === 'or' ? query.parts : [];
  return { span: { at, end }, kind, meaning: meaningOfPart(query), parts: parts.map(describePart) };
}

const groupMeanings = { and: 'all of these', or: 'at least one of these', not: 'not this' } as const;
const tagNames = { '#': 'the whole hashtag', $: 'the cashtag', '@': 'mentions the user' } as const;
const inQuotes = (token: string): string => (token === '*' ? 'any one word' : `“${token}”`);
const adjacent = (tokens: readonly string[]): string =>
  `${tokens.map(inQuotes).join(', ')}: next to each other, in this order`;

function meaningOfPart(query: Query): string {
  switch (query.is) {
    case 'and':
    case 'or':
    case 'not':
      return groupMeanings[query.is];
    case 'words':
      return query.tokens.length === 1 ? `the word ${query.tokens.map(inQuotes).join()}` : adjacent(query.tokens);
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

/** Describes an operator from the operator tables, with its value. */
function operatorMeans(name: string, value: string): string {
  const { means, read } = findOperator(name)!;
  const kind = value.toLowerCase();
  const filter = filters[name === 'filter' || name === 'exclude' ? kind : (aliases[name]?.[kind] ?? '')];
  if (filter !== undefined) return name === 'exclude' ? `not: ${filter.means}` : filter.means;
  return conditionMeaning(read(value)!) ?? `${means}: ${value}`;
}

const countNames: Readonly<Record<Count, string>> = {
  like_count: 'likes',
  retweet_count: 'retweets',
  reply_count: 'replies',
  quote_count: 'quotes',
  bookmark_count: 'bookmarks',
  view_count: 'views',
};

/** Conditions that need their value in the text. */
function conditionMeaning(condition: Condition): string | undefined {
  if (condition.is === 'count') return `${condition.min} or more ${countNames[condition.count]}`;
  if (condition.is === 'recent') return `created after ${formatTime(Date.now() - condition.ms)}, as of now`;
  if (condition.is !== 'created') return undefined;
  if (Number.isFinite(condition.since)) return `created at or after ${formatTime(condition.since)}`;
  return `created before ${formatTime(condition.until)}`;
}

/**
 * The largest time that a Date can represent, in milliseconds since the epoch (ECMA-262, Time Values and Time Range).
 */
const maxTime = 8.64e15;

function formatTime(time: number): string {
  if (Math.abs(time) > maxTime) return time < 0 ? 'the beginning of time' : 'the end of time';
  return `${new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.000)?Z$/, '')} UTC`;
}
