/**
 * The operators, `key:value`: what each means, and how it is read. The table is the language: the parser asks nothing else, and
 * what stands in no row is searched as words.
 */
import type { Query, Test } from './query.ts';
import { domainTerm, sourceTerm } from './features.ts';
import { suggestion } from '../nearest.ts';
import { fold, tokensOf } from './tokens.ts';

/** A part of the tree without its place; undefined where the value is not one. */
type Part = Query extends infer Each ? (Each extends Query ? Omit<Each, 'at'> : never) : never;

export interface Operator {
  /** Its names, in lower case; the first is the platform's, the others come from the v2 API. */
  readonly names: readonly string[];
  readonly means: string;
  readonly example: string;
  /** What the value must be, in words. */
  readonly value: string;
  readonly read: (value: string, now: number) => Part | undefined;
}

const feature = (term: string): Part => ({ is: 'feature', term });
const test = (name: Test, value = ''): Part => ({ is: 'test', test: name, value });
const username = (value: string): string | undefined => /^@?(\w{1,30})$/.exec(value)?.[1]?.toLowerCase();
const withUser = (value: string, part: (name: string) => Part): Part | undefined => {
  const name = username(value);
  return name === undefined ? undefined : part(name);
};
const id = (value: string): string | undefined => (/^\d{1,19}$/.test(value) ? value : undefined);
const withId = (value: string, part: (id: string) => Part): Part | undefined => (id(value) === undefined ? undefined : part(value));
const whole = (value: string): number | undefined => (/^\d{1,15}$/.test(value) ? Number(value) : undefined);

const between = (since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY): Part => ({ is: 'time', since, until });
const withTime = (time: number | undefined, part: (time: number) => Part): Part | undefined => (time === undefined ? undefined : part(time));
const firstId = 0n;
const lastId = 2n ** 64n - 1n;

/** Minutes that a zone is ahead of UTC. */
const zones: Readonly<Record<string, number>> = { UTC: 0, GMT: 0, Z: 0, EST: -300, EDT: -240, CST: -360, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420 };

/** A day, or a moment of one, in UTC unless it names a zone; undefined where there is no such day, time or zone. */
function moment(value: string): number | undefined {
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[_T](\d{2}):(\d{2}):(\d{2})(?:_?([A-Za-z]{1,3}))?)?$/.exec(value);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  const zone = zones[(parts[7] ?? 'UTC').toUpperCase()];
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const read = new Date(time);
  const exists = read.getUTCMonth() === month - 1 && read.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return exists && zone !== undefined ? time - zone * 60_000 : undefined;
}

const spans: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
function span(value: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(value) ?? [];
  return count === undefined ? undefined : Number(count) * spans[unit!]!;
}

/** The values of filter: and what they ask for. */
const filters: Readonly<Record<string, Part>> = {
  media: feature('filter:media'),
  images: feature('filter:images'),
  twimg: feature('filter:images'),
  videos: feature('filter:videos'),
  native_video: feature('filter:native_video'),
  consumer_video: feature('filter:native_video'),
  pro_video: feature('filter:native_video'),
  vine: feature('filter:vine'),
  periscope: feature('filter:periscope'),
  spaces: feature('filter:spaces'),
  links: feature('filter:links'),
  mentions: feature('filter:mentions'),
  hashtags: feature('filter:hashtags'),
  replies: feature('filter:replies'),
  self_threads: test('self_thread'),
  quote: feature('filter:quote'),
  retweets: feature('filter:retweets'),
  nativeretweets: feature('filter:nativeretweets'),
  has_engagement: test('has_engagement'),
  verified: test('verified'),
  blue_verified: test('blue_verified'),
  safe: { is: 'not', part: { is: 'feature', term: 'sensitive', at: 0 } },
};
/** `is:` and `has:` of the v2 API, by the filter they are. */
const aliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  is: { retweet: 'nativeretweets', reply: 'replies', quote: 'quote', verified: 'verified' },
  has: { hashtags: 'hashtags', mentions: 'mentions', links: 'links', media: 'media', images: 'images', videos: 'native_video', video_link: 'native_video', media_link: 'media' },
};

/** Values that need what no archive has. */
const refusedValues: Readonly<Record<string, readonly string[]>> = { filter: ['follows', 'social', 'trusted', 'news'], is: ['nullcast'], has: ['geo'] };
/** Operators that need what no archive has. */
export const refused: readonly string[] = ['list', 'geocode', 'within', 'place', 'context', 'entity', 'sample', 'place_country', 'point_radius', 'bounding_box'];

const named = (values: Readonly<Record<string, unknown>>) => `one of ${Object.keys(values).join(', ')}`;
const pick = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);

export const operators: readonly Operator[] = [
  { names: ['from'], means: 'written by the user', example: 'from:mira_codes', value: 'a username', read: (value) => withUser(value, (name) => ({ is: 'from', value: name })) },
  { names: ['to'], means: 'answers the user', example: 'to:mira_codes', value: 'a username', read: (value) => withUser(value, (name) => feature(`to:${name}`)) },
  { names: ['since'], means: 'created then or later', example: 'since:2026-03-04', value: 'a date such as 2026-03-04 or 2026-03-04_05:06:07_UTC', read: (value) => withTime(moment(value), (time) => between(time)) },
  { names: ['until'], means: 'created before', example: 'until:2026-03-04_05:06:07_UTC', value: 'a date such as 2026-03-04 or 2026-03-04_05:06:07_UTC', read: (value) => withTime(moment(value), (time) => between(undefined, time)) },
  { names: ['since_time'], means: 'created then or later', example: 'since_time:1771000000', value: 'Unix seconds', read: (value) => withTime(whole(value), (time) => between(time * 1000)) },
  { names: ['until_time'], means: 'created before', example: 'until_time:1771000000', value: 'Unix seconds', read: (value) => withTime(whole(value), (time) => between(undefined, time * 1000)) },
  { names: ['within_time'], means: 'created in the last so many days, hours, minutes or seconds', example: 'within_time:2d', value: 'a span such as 2d, 3h, 5m or 30s', read: (value, now) => withTime(span(value), (length) => between(now - length)) },
  { names: ['since_id'], means: 'an id above this one', example: 'since_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (least) => ({ is: 'ids', since: BigInt(least), max: lastId })) },
  { names: ['max_id'], means: 'an id up to this one', example: 'max_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (most) => ({ is: 'ids', since: firstId, max: BigInt(most) })) },
  { names: ['min_faves', 'min_likes'], means: 'at least so many likes', example: 'min_faves:100', value: 'a whole number', read: (value) => withCount(value, 'like_count') },
  { names: ['min_retweets', 'min_reposts'], means: 'at least so many retweets', example: 'min_retweets:10', value: 'a whole number', read: (value) => withCount(value, 'retweet_count') },
  { names: ['min_replies'], means: 'at least so many replies', example: 'min_replies:5', value: 'a whole number', read: (value) => withCount(value, 'reply_count') },
  { names: ['filter'], means: 'of that kind', example: 'filter:media', value: named(filters), read: (value) => pick(filters, value.toLowerCase()) },
  { names: ['include'], means: 'native retweets too', example: 'include:nativeretweets', value: 'nativeretweets', read: (value) => (value.toLowerCase() === 'nativeretweets' ? { is: 'retweets' } : undefined) },
  { names: ['is'], means: 'of that kind', example: 'is:reply', value: named(aliases.is!), read: (value) => pick(filters, pick(aliases.is!, value.toLowerCase()) ?? '') },
  { names: ['has'], means: 'has one', example: 'has:cashtags', value: `${named(aliases.has!)}, cashtags`, read: (value) => (value.toLowerCase() === 'cashtags' ? feature('has:cashtags') : pick(filters, pick(aliases.has!, value.toLowerCase()) ?? '')) },
  { names: ['conversation_id'], means: 'of that thread', example: 'conversation_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (thread) => ({ is: 'thread', id: thread })) },
  { names: ['in_reply_to_tweet_id', 'in_reply_to_status_id'], means: 'answers that tweet', example: 'in_reply_to_tweet_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (tweet) => feature(`in_reply_to_tweet_id:${tweet}`)) },
  { names: ['quoted_tweet_id', 'quotes_of_tweet_id', 'quotes_of_status_id'], means: 'quotes that tweet', example: 'quoted_tweet_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (tweet) => feature(`quoted_tweet_id:${tweet}`)) },
  { names: ['quoted_user_id'], means: 'quotes that user', example: 'quoted_user_id:4200000001', value: 'an id', read: (value) => withId(value, (user) => test('quoted_user', user)) },
  { names: ['retweets_of'], means: 'native retweets of that user', example: 'retweets_of:mira_codes', value: 'a username', read: (value) => withUser(value, (name) => test('retweets_of', name)) },
  { names: ['retweets_of_tweet_id', 'retweets_of_status_id'], means: 'native retweets of that tweet', example: 'retweets_of_tweet_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (tweet) => feature(`retweets_of_tweet_id:${tweet}`)) },
  { names: ['lang'], means: 'in that language', example: 'lang:ja', value: 'a language tag such as en', read: (value) => (/^[A-Za-z-]{2,12}$/.test(value) ? feature(`lang:${fold(value)}`) : undefined) },
  { names: ['source'], means: 'posted with that app; write blanks as _', example: 'source:Social_for_Web', value: 'the name of an app', read: (value) => (value === '' ? undefined : feature(sourceTerm(value))) },
  { names: ['near'], means: 'posted from a place of that name', example: 'near:"Cape Town"', value: 'the name of a place', read: (value) => (tokensOf(value).length === 0 || fold(value) === 'me' ? undefined : test('near', tokensOf(value).join(' '))) },
  { names: ['url'], means: 'words of a link; write hyphens as _', example: 'url:example.org', value: 'a part of a link', read: (value) => linkPart(value.replaceAll('_', '-')) },
  { names: ['card_domain'], means: 'the preview leads to that domain', example: 'card_domain:example.org', value: 'a domain', read: (value) => (value === '' ? undefined : feature(domainTerm(value))) },
  { names: ['card_url'], means: 'words of the link of the preview', example: 'card_url:example.org', value: 'a part of a link', read: (value) => linkPart(value) },
  { names: ['card_name'], means: 'the preview is an animation', example: 'card_name:animated_gif', value: 'animated_gif, the only kind of preview that is kept', read: (value) => (value === 'animated_gif' ? feature('card_name:animated_gif') : undefined) },
];

function withCount(value: string, count: 'like_count' | 'retweet_count' | 'reply_count'): Part | undefined {
  const least = whole(value);
  return least === undefined ? undefined : { is: 'count', count, least };
}

/** A link by its words, without protocol and query string. */
export function linkPart(value: string): Part | undefined {
  const tokens = tokensOf(value.replace(/^https?:\/\//, '').replace(/[?#].*$/, ''));
  return tokens.length === 0 ? undefined : { is: 'url', tokens };
}

const byName = new Map(operators.flatMap((operator) => operator.names.map((name) => [name, operator] as const)));

/** What `key:value` asks for: a part of the tree, a fault to tell, or undefined where the key is no operator. */
export function readOperator(key: string, value: string, now: number): Part | { fault: string; inValue: boolean } | undefined {
  const name = key.toLowerCase();
  if (refused.includes(name)) return { fault: `operator '${name}:' needs what this archive does not have`, inValue: false };
  const excluded = name === 'exclude';
  const operator = byName.get(excluded ? 'filter' : name);
  if (operator === undefined) return undefined;
  if (refusedValues[operator.names[0]!]?.includes(value.toLowerCase())) return { fault: `'${name}:${value}' needs what this archive does not have`, inValue: false };
  const part = operator.read(value, now);
  if (part === undefined && operator.names[0] === 'filter' && value !== '') return { fault: `unknown filter '${value}'${suggestion(value, Object.keys(filters))}`, inValue: true };
  if (part === undefined) return { fault: `expected ${operator.value} after ${name}:`, inValue: true };
  return excluded ? { is: 'not', part: { ...part, at: 0 } as Query } : part;
}
