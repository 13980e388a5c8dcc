/**
 * The operators, `key:value`: what each means, and how it is read. The table is the language: the parser asks nothing else, the page
 * /docs/search shows it, and what stands in no row is searched as words.
 */
import { suggestion } from '../nearest.ts';
import { everything, type Condition, type Count } from './condition.ts';
import { domainTerm, linkTokens, sourceTerm } from './document.ts';
import { fold, tokensOf } from './tokens.ts';

export interface Operator {
  /** Its names, in lower case; the first is the platform's, the others come from the v2 API. */
  readonly names: readonly string[];
  readonly means: string;
  readonly example: string;
  /** What the value must be, in words. */
  readonly value: string;
  /** Undefined where the value is not one. */
  readonly read: (value: string) => Condition | undefined;
  /** Whether native retweets, else left out, are let in by this value. */
  readonly wantsRetweets?: (value: string) => boolean;
}

const term = (name: string): Condition => ({ is: 'term', term: name });
const not = (part: Condition): Condition => ({ is: 'not', part });
const atLeast = (count: Count, least = 1): Condition => ({ is: 'count', count, least });
const person = (role: 'author' | 'retweeted', value: string): Condition | undefined => withUser(value, (name) => ({ is: 'person', role, name }));
const withUser = (value: string, condition: (name: string) => Condition): Condition | undefined => {
  const name = /^@?(\w{1,30})$/.exec(value)?.[1]?.toLowerCase();
  return name === undefined ? undefined : condition(name);
};
/** Leading zeros aside: an id is a number. */
const withId = (value: string, condition: (id: string) => Condition): Condition | undefined =>
  /^\d{1,19}$/.test(value) ? condition(String(BigInt(value))) : undefined;
const whole = (value: string): number | undefined => (/^\d{1,15}$/.test(value) ? Number(value) : undefined);
const withCount = (value: string, count: Count): Condition | undefined => {
  const least = whole(value);
  return least === undefined ? undefined : atLeast(count, least);
};

const between = (since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY): Condition => ({ is: 'created', since, until });
const withTime = (time: number | undefined, condition: (time: number) => Condition): Condition | undefined => (time === undefined ? undefined : condition(time));
const lastId = 2n ** 64n - 1n;

/** Minutes that a zone is ahead of UTC. */
export const zones: Readonly<Record<string, number>> = { UTC: 0, GMT: 0, Z: 0, EST: -300, EDT: -240, CST: -360, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420 };

/** A day, or a moment of one, in UTC unless it names a zone; undefined where there is no such day, time or zone. */
function moment(value: string): number | undefined {
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[_Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:_?([A-Za-z]{1,3}))?)?$/.exec(value);
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

interface Filter {
  readonly means: string;
  readonly condition: Condition;
}
const filter = (means: string, condition: Condition): Filter => ({ means, condition });
const own = (name: string, means: string): [string, Filter] => [name, filter(means, term(`filter:${name}`))];

/** The values of filter: and what they ask for. */
export const filters: Readonly<Record<string, Filter>> = {
  ...Object.fromEntries([
    own('media', 'has a photo, a video or an animation'),
    own('images', 'has a photo'),
    ['twimg', filter('has a photo', term('filter:images'))],
    own('videos', 'has a video, or a link to one elsewhere, such as on YouTube'),
    own('native_video', 'has a video of the platform'),
    ['consumer_video', filter('as native_video: the kinds cannot be told apart', term('filter:native_video'))],
    ['pro_video', filter('as native_video: the kinds cannot be told apart', term('filter:native_video'))],
    own('vine', 'has a link to Vine'),
    own('periscope', 'has a link to Periscope'),
    own('spaces', 'has a link to an audio room'),
    own('links', 'has a link or media'),
    own('news', 'has a link to a site of news, of a list of some 200'),
    own('mentions', 'names a user'),
    own('hashtags', 'has a hashtag'),
    own('replies', 'answers a tweet, or starts with a mention'),
    own('self_threads', 'answers a tweet of the same author'),
    own('quote', 'quotes a tweet'),
    own('retweets', 'quotes a tweet, or starts with RT @'),
    own('nativeretweets', 'is a native retweet'),
  ] as [string, Filter][]),
  has_engagement: filter('has a like, a retweet or a reply', { is: 'any', parts: [atLeast('like_count'), atLeast('retweet_count'), atLeast('reply_count')] }),
  verified: filter('the author is verified', { is: 'verified' }),
  blue_verified: filter('the author has paid verification', { is: 'blue_verified' }),
  safe: filter('is not marked as sensitive', not(term('possibly_sensitive'))),
};
/** `is:` and `has:` of the v2 API, by the filter they are. */
export const aliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  is: { retweet: 'nativeretweets', reply: 'replies', quote: 'quote', verified: 'verified' },
  has: { hashtags: 'hashtags', mentions: 'mentions', links: 'links', media: 'media', images: 'images', videos: 'native_video', video_link: 'native_video', media_link: 'media' },
};

/** Operators and values that need what no archive has, and what that is. */
export const refused: Readonly<Record<string, string>> = {
  'list:': 'the members of lists',
  'geocode:': 'coordinates',
  'within:': 'coordinates',
  'near:me': 'the place of who asks',
  'point_radius:': 'coordinates',
  'bounding_box:': 'coordinates',
  'place_country:': 'the countries of places',
  'has:geo': 'coordinates',
  'filter:follows': 'whom the one who asks follows',
  'filter:social': 'the network of the one who asks',
  'filter:trusted': 'the network of the one who asks',
  'context:': "the platform's own annotations",
  'entity:': "the platform's own annotations",
  'sample:': 'a stream of all tweets',
  'is:nullcast': 'what is shown only as an advertisement',
};

const named = (values: Readonly<Record<string, unknown>>) => `one of ${Object.keys(values).join(', ')}`;
const pick = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);
const readFilter = (value: string): Condition | undefined => pick(filters, value.toLowerCase())?.condition;
const readAlias = (key: string, value: string): Condition | undefined => readFilter(pick(aliases[key]!, value.toLowerCase()) ?? '');
const areRetweets = (value: string): boolean => ['nativeretweets', 'retweet'].includes(value.toLowerCase());
const always = (): boolean => true;
const date = 'a date such as 2026-03-04 or 2026-03-04_05:06:07_UTC';

export const operators: readonly Operator[] = [
  { names: ['from'], means: 'written by the user', example: 'from:mira_codes', value: 'a username', read: (value) => person('author', value) },
  { names: ['to'], means: 'answers the user', example: 'to:mira_codes', value: 'a username', read: (value) => withUser(value, (name) => term(`to:${name}`)) },
  { names: ['since'], means: 'created then or later', example: 'since:2026-03-04', value: date, read: (value) => withTime(moment(value), (time) => between(time)) },
  { names: ['until'], means: 'created before', example: 'until:2026-03-04_05:06:07_UTC', value: date, read: (value) => withTime(moment(value), (time) => between(undefined, time)) },
  { names: ['since_time'], means: 'created then or later', example: 'since_time:1771000000', value: 'Unix seconds', read: (value) => withTime(whole(value), (time) => between(time * 1000)) },
  { names: ['until_time'], means: 'created before', example: 'until_time:1771000000', value: 'Unix seconds', read: (value) => withTime(whole(value), (time) => between(undefined, time * 1000)) },
  { names: ['within_time'], means: 'created in the last so many days, hours, minutes or seconds', example: 'within_time:2d', value: 'a span such as 2d, 3h, 5m or 30s', read: (value) => withTime(span(value), (ms) => ({ is: 'recent', ms })) },
  { names: ['since_id'], means: 'an id above this one', example: 'since_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (least) => ({ is: 'ids', above: BigInt(least), upTo: lastId })) },
  { names: ['max_id'], means: 'an id up to this one', example: 'max_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (most) => ({ is: 'ids', above: -1n, upTo: BigInt(most) })) },
  { names: ['min_faves', 'min_likes'], means: 'at least so many likes', example: 'min_faves:100', value: 'a whole number', read: (value) => withCount(value, 'like_count') },
  { names: ['min_retweets', 'min_reposts'], means: 'at least so many retweets', example: 'min_retweets:10', value: 'a whole number', read: (value) => withCount(value, 'retweet_count') },
  { names: ['min_replies'], means: 'at least so many replies', example: 'min_replies:5', value: 'a whole number', read: (value) => withCount(value, 'reply_count') },
  { names: ['filter'], means: 'of that kind', example: 'filter:media', value: named(filters), read: readFilter, wantsRetweets: areRetweets },
  { names: ['exclude'], means: 'not of that kind', example: 'exclude:replies', value: named(filters), read: (value) => withCondition(readFilter(value), not) },
  { names: ['include'], means: 'native retweets too, which are else left out', example: 'include:nativeretweets', value: 'nativeretweets', read: (value) => (value.toLowerCase() === 'nativeretweets' ? everything : undefined), wantsRetweets: always },
  { names: ['is'], means: 'of that kind', example: 'is:reply', value: named(aliases.is!), read: (value) => readAlias('is', value), wantsRetweets: areRetweets },
  { names: ['has'], means: 'has one', example: 'has:cashtags', value: `${named(aliases.has!)}, cashtags`, read: (value) => (value.toLowerCase() === 'cashtags' ? term('has:cashtags') : readAlias('has', value)) },
  { names: ['conversation_id'], means: 'of that thread', example: 'conversation_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (thread) => ({ is: 'any', parts: [term(`conversation_id:${thread}`), { is: 'ids', above: BigInt(thread) - 1n, upTo: BigInt(thread) }] })) },
  { names: ['in_reply_to_tweet_id', 'in_reply_to_status_id'], means: 'answers that tweet', example: 'in_reply_to_tweet_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (tweet) => term(`in_reply_to_tweet_id:${tweet}`)) },
  { names: ['quoted_tweet_id', 'quotes_of_tweet_id', 'quotes_of_status_id'], means: 'quotes that tweet', example: 'quoted_tweet_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (tweet) => term(`quoted_tweet_id:${tweet}`)) },
  { names: ['quoted_user_id'], means: 'quotes that user', example: 'quoted_user_id:4200000001', value: 'an id', read: (value) => withId(value, (user) => term(`quoted_user_id:${user}`)) },
  { names: ['retweets_of'], means: 'native retweets of that user', example: 'retweets_of:mira_codes', value: 'a username', read: (value) => person('retweeted', value), wantsRetweets: always },
  { names: ['retweets_of_tweet_id', 'retweets_of_status_id'], means: 'native retweets of that tweet', example: 'retweets_of_tweet_id:1890000000000000001', value: 'an id', read: (value) => withId(value, (tweet) => term(`retweets_of_tweet_id:${tweet}`)), wantsRetweets: always },
  { names: ['lang'], means: 'in that language', example: 'lang:ja', value: 'a language tag such as en', read: (value) => (/^[A-Za-z-]{2,12}$/.test(value) ? term(`lang:${fold(value)}`) : undefined) },
  { names: ['source'], means: 'posted with that app; write blanks as _', example: 'source:Social_for_Web', value: 'the name of an app', read: (value) => (value === '' ? undefined : term(sourceTerm(value))) },
  { names: ['near'], means: 'posted from a place of that name', example: 'near:"Cape Town"', value: 'the name of a place', read: (value) => (tokensOf(value).length === 0 ? undefined : term(`near:${tokensOf(value).join(' ')}`)) },
  { names: ['place'], means: 'posted from the place of that id', example: 'place:96683cc9126741d1', value: 'the id of a place', read: (value) => (/^[A-Za-z0-9]{1,32}$/.test(value) ? term(`place:${value}`) : undefined) },
  { names: ['url'], means: 'words of a link; write hyphens as _', example: 'url:example.org', value: 'a part of a link', read: (value) => inLink(value.replaceAll('_', '-')) },
  { names: ['card_domain'], means: 'the preview leads to that domain', example: 'card_domain:example.org', value: 'a domain', read: (value) => (value === '' ? undefined : term(domainTerm(value))) },
  { names: ['card_url'], means: 'words of the link of the preview', example: 'card_url:example.org', value: 'a part of a link', read: inLink },
  { names: ['card_name'], means: 'the preview is an animation', example: 'card_name:animated_gif', value: 'animated_gif, the only kind of preview that is kept', read: (value) => (value === 'animated_gif' ? term('card_name:animated_gif') : undefined) },
];

const withCondition = (condition: Condition | undefined, wrap: (condition: Condition) => Condition): Condition | undefined =>
  condition === undefined ? undefined : wrap(condition);

/** Words of a link next to each other. */
function inLink(value: string): Condition | undefined {
  const tokens = linkTokens(value);
  return tokens.length === 0 ? undefined : { is: 'words', within: 'link', tokens };
}

const byName = new Map(operators.flatMap((operator) => operator.names.map((name) => [name, operator] as const)));

/** The operator of a name in lower case. */
export const operatorNamed = (name: string): Operator | undefined => byName.get(name);

/** An operator as it was read, or what is wrong with it; undefined where the key is no operator. */
export type Reading = { readonly name: string } | { readonly fault: string; readonly inValue: boolean };

/** How `key:value` is to be read. */
export function readOperator(key: string, value: string): Reading | undefined {
  const name = key.toLowerCase();
  const whole = `${name}:${value.toLowerCase()}`;
  const needs = pick(refused, `${name}:`) ?? pick(refused, whole.replace(/^exclude:/, 'filter:'));
  if (needs !== undefined) return { fault: `'${pick(refused, whole) === undefined ? `${name}:` : whole}' is not answered here: it needs ${needs}`, inValue: false };
  const operator = operatorNamed(name);
  if (operator === undefined) return undefined;
  if (operator.read(value) !== undefined) return { name: operator.names[0]! };
  const isFilter = operator.read === readFilter || name === 'exclude';
  const fault = isFilter && value !== '' ? `unknown filter '${value}'${suggestion(value, Object.keys(filters))}` : `expected ${operator.value} after ${name}:`;
  return { fault, inValue: true };
}
