/**
 * The table of operators `key:value`, with the meaning and the parser of each. The query parser and the page
 * /docs/search use only this table. A key that is not in the table is searched as words.
 */
import { editDistance, suggestion } from '../../text/nearest-name.ts';
import { isUsername } from '../../text/username.ts';
import { everything, hasLocation, sensitive, type Condition, type Count } from './condition.ts';
import { domainTerm, languageTerm, linkTokens, sourceTerm } from './terms.ts';
import { boxOf, pointOf, type Area } from '../../domain/geo.ts';
import { fold, tokensOf } from './tokenizer.ts';
import { durationMs } from '../../text/duration.ts';

export interface Operator {
  /** The names in lower case. The first is the platform's, the others are those of the v2 API. */
  readonly names: readonly string[];
  readonly means: string;
  readonly example: string;
  /** The expected value, in words. */
  readonly value: string;
  /**
   * Parses a value; undefined if it is invalid. `within` is the distance in metres of a `within:` in the same group.
   */
  readonly read: (value: string, within?: number) => Condition | undefined;
  /** Whether the value can be in square brackets and contain blanks. */
  readonly bracketed?: true;
  /** Whether this value includes native retweets, which are excluded by default. */
  readonly wantsRetweets?: (value: string) => boolean;
}

const term = (name: string): Condition => ({ is: 'term', term: name });
const not = (part: Condition): Condition => ({ is: 'not', part });
const atLeast = (count: Count, least = 1): Condition => ({ is: 'count', count, min: least });
const username = 'a username (1–15 letters, digits or _, or a handle such as alice.example.com) or a user id';
/** A username in the form of the contract, or a user id. */
const withUser = (value: string, condition: (name: string) => Condition): Condition | undefined => {
  const name = value.replace(/^@/, '').toLowerCase();
  return isUsername(name) || /^\d{1,19}$/.test(value) ? condition(name) : undefined;
};
const person = (role: 'author' | 'retweeted', value: string): Condition | undefined =>
  withUser(value, (name) => ({ is: 'person', role, name }));
/** Replies to a user: tweets with that username in the reply field, and replies to a tweet of the user. */
const repliesTo = (value: string): Condition | undefined =>
  withUser(value, (name) => ({ is: 'any', parts: [term(`to:${name}`), { is: 'person', role: 'answered', name }] }));
const list = (value: string): Condition | undefined => {
  if (/^\d{1,19}$/.test(value)) return term(`list:${BigInt(value)}`);
  const [, owner = '', slug = ''] = /^@?([^/]+)\/([A-Za-z0-9_-]{1,100})$/.exec(value) ?? [];
  return isUsername(owner) ? term(`list:${owner}/${slug}`.toLowerCase()) : undefined;
};
/** Removes leading zeros, because an id is a number. */
const withId = (value: string, condition: (id: string) => Condition): Condition | undefined =>
  /^\d{1,19}$/.test(value) ? condition(String(BigInt(value))) : undefined;
const wholeNumber = (value: string): number | undefined => (/^\d{1,15}$/.test(value) ? Number(value) : undefined);
const withCount = (value: string, count: Count): Condition | undefined => {
  const least = wholeNumber(value);
  return least === undefined ? undefined : atLeast(count, least);
};

const between = (since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY): Condition => ({
  is: 'created',
  since,
  until,
});
const withTime = (time: number | undefined, condition: (time: number) => Condition): Condition | undefined =>
  time === undefined ? undefined : condition(time);
const lastId = 2n ** 64n - 1n;

/**
 * Offsets of time zones from UTC in hours. The North American names have the meaning of RFC 5322. A name with several meanings and without a
 * standard, such as IST, BST or AST, is not among them.
 */
export const zones: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, Z: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{ AKST: -9, AKDT: -8, HST: -10, NST: -3.5, NDT: -2.5, ADT: -3, BRT: -3, ART: -3, CLT: -4, CLST: -3 },
  ...{ WET: 0, WEST: 1, CET: 1, CEST: 2, MEZ: 1, MESZ: 2, EET: 2, EEST: 3, MSK: 3, TRT: 3 },
  ...{ WAT: 1, CAT: 2, SAST: 2, EAT: 3, PKT: 5, NPT: 5.75, WIB: 7, WITA: 8, WIT: 9, ICT: 7, HKT: 8, PHT: 8, SGT: 8 },
  ...{ JST: 9, KST: 9, AWST: 8, ACST: 9.5, ACDT: 10.5, AEST: 10, AEDT: 11, NZST: 12, NZDT: 13 },
};

/** An offset from UTC (RFC 3339), or the name of a zone, in minutes; undefined if there is no such zone. */
function offsetOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([-+])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) {
    const named = ownValue(zones, zone.toUpperCase());
    return named === undefined ? undefined : named * 60;
  }
  const offset = Number(hours) * 60 + Number(minutes);
  return Number(hours) < 24 && Number(minutes) < 60 ? (sign === '-' ? -offset : offset) : undefined;
}

/**
 * Parses a date, with an optional time, in UTC unless it names a zone. Returns milliseconds since the epoch, or
 * undefined if the date, time or zone does not exist.
 */
function parseTime(value: string): number | undefined {
  const parts =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[_Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:_?([A-Za-z]{1,4}|[-+]\d{2}:?\d{2}))?)?$/.exec(
      value,
    );
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const zone = offsetOf(parts[7] ?? 'UTC');
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const read = new Date(time);
  const exists =
    read.getUTCMonth() === month - 1 && read.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return exists && zone !== undefined ? time - zone * 60_000 : undefined;
}

const parseDuration = (value: string): number | undefined => durationMs(value, 'smhd', 9);

const unitMetres: Readonly<Record<string, number>> = { km: 1000, mi: 1609.344 };
/** A distance in metres, such as `10km` or `2.5mi`. */
export function parseDistance(value: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,9})?)(km|mi)$/i.exec(value) ?? [];
  return amount === undefined ? undefined : Number(amount) * unitMetres[unit!.toLowerCase()]!;
}
const parseDegrees = (value: string | undefined): number =>
  /^[-+]?\d{1,3}(?:\.\d{1,20})?$/.test(value ?? '') ? Number(value) : Number.NaN;

const area = (shape: Area): Condition => ({ is: 'area', area: shape });
type Part = string | undefined;
function circle(longitude: Part, latitude: Part, reach: Part): Condition | undefined {
  const [centre, within] = [pointOf(parseDegrees(longitude), parseDegrees(latitude)), parseDistance(reach ?? '')];
  return centre === undefined || within === undefined ? undefined : area({ shape: 'circle', centre, metres: within });
}
/** Exactly `count` parts in square brackets, separated by blanks or commas. */
const inBrackets = (value: string, count: number): string[] | undefined => {
  const parts = /^\[\s*([^[\]]*?)\s*\]$/.exec(value)?.[1]?.split(/\s*,\s*|\s+/);
  return parts?.length === count ? parts : undefined;
};
function geocode(value: string): Condition | undefined {
  const parts = value.split(',').map((part) => part.trim());
  return parts.length === 3 ? circle(parts[1], parts[0], parts[2]) : undefined;
}
function pointRadius(value: string): Condition | undefined {
  const parts = inBrackets(value, 3);
  return parts && circle(parts[0], parts[1], parts[2]);
}
function boundingBox(value: string): Condition | undefined {
  const [west, south, east, north] = (inBrackets(value, 4) ?? []).map(parseDegrees);
  const box = boxOf([west ?? Number.NaN, south ?? Number.NaN, east ?? Number.NaN, north ?? Number.NaN]);
  return box && area({ shape: 'box', box });
}

function placeNamed(value: string): string | undefined {
  const words = tokensOf(value);
  return words.length === 0 ? undefined : `near:${words.join(' ')}`;
}
function near(value: string, within?: number): Condition | undefined {
  const name = placeNamed(value);
  if (name === undefined) return undefined;
  return within === undefined ? term(name) : { is: 'near', term: name, metres: within };
}
function inPlace(value: string): Condition | undefined {
  const name = placeNamed(value);
  const byName = name === undefined ? undefined : term(name);
  if (!/^[A-Za-z0-9]{1,32}$/.test(value)) return byName;
  return { is: 'any', parts: [term(`place:${value}`), ...(byName === undefined ? [] : [byName])] };
}

interface Filter {
  readonly means: string;
  readonly condition: Condition;
}
const filter = (means: string, condition: Condition): Filter => ({ means, condition });
const namedFilter = (name: string, means: string): [string, Filter] => [name, filter(means, term(`filter:${name}`))];

/** The values of `filter:` and their conditions. */
export const filters: Readonly<Record<string, Filter>> = {
  ...Object.fromEntries([
    namedFilter('media', 'has a photo, a video or an animation'),
    namedFilter('images', 'has a photo'),
    ['twimg', filter('has a photo', term('filter:images'))],
    namedFilter('videos', 'has a video, or a link to a video site such as YouTube'),
    namedFilter('native_video', 'has a video of the platform'),
    ['consumer_video', filter('same as native_video: the data does not contain the type', term('filter:native_video'))],
    ['pro_video', filter('same as native_video: the data does not contain the type', term('filter:native_video'))],
    namedFilter('vine', 'has a link to Vine'),
    namedFilter('periscope', 'has a link to Periscope'),
    namedFilter('spaces', 'has a link to an audio room'),
    namedFilter('links', 'has a link or media'),
    namedFilter('news', 'has a link to a news site, from a list of about 200'),
    namedFilter('mentions', 'mentions a user'),
    namedFilter('hashtags', 'has a hashtag'),
    namedFilter('replies', 'is a reply, or starts with a mention'),
    namedFilter('self_threads', 'is a reply to a tweet of the same author'),
    namedFilter('quote', 'quotes a tweet'),
    namedFilter('retweets', 'quotes a tweet, or starts with RT @'),
    namedFilter('nativeretweets', 'is a native retweet'),
  ] as [string, Filter][]),
  has_engagement: filter('has a like, a retweet or a reply', {
    is: 'any',
    parts: [atLeast('like_count'), atLeast('retweet_count'), atLeast('reply_count')],
  }),
  verified: filter('has a verified author', { is: 'verified' }),
  blue_verified: filter('has an author with paid verification', { is: 'blue_verified' }),
  safe: filter('is not marked as sensitive', not(term(sensitive))),
};
/** The values of `is:` and `has:` of the v2 API, each with the equivalent filter. */
export const aliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  is: { retweet: 'nativeretweets', reply: 'replies', quote: 'quote', verified: 'verified' },
  has: {
    hashtags: 'hashtags',
    mentions: 'mentions',
    links: 'links',
    media: 'media',
    images: 'images',
    videos: 'native_video',
    video_link: 'native_video',
    media_link: 'media',
  },
};

/** Unsupported operators and values, each with the data that it would need and that no source has. */
export const unsupported: Readonly<Record<string, string>> = {
  'near:me': 'the location of the viewer',
  'filter:follows': 'the accounts that the viewer follows',
  'filter:social': 'the social graph of the viewer',
  'filter:trusted': 'the social graph of the viewer',
  'context:': "the platform's own annotations",
  'entity:': "the platform's own annotations",
  'sample:': 'a stream of all tweets',
  'is:nullcast': 'whether a tweet is shown only as an advertisement',
};

/** The values that only `has:` of the v2 API supports. */
export const hasOnly: Readonly<Record<string, Filter>> = {
  cashtags: filter('has a cashtag', term('has:cashtags')),
  geo: filter('has coordinates or a place', term(hasLocation)),
};

const languageTag = /^(?:[A-Za-z-]{2,12}|[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){1,4})$/;
const oneOf = (values: Readonly<Record<string, unknown>>) => `one of ${Object.keys(values).join(', ')}`;
const ownValue = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;
const readFilter = (value: string): Condition | undefined => ownValue(filters, value.toLowerCase())?.condition;
const readAlias = (key: string, value: string): Condition | undefined =>
  readFilter(ownValue(aliases[key]!, value.toLowerCase()) ?? '');
const areRetweets = (value: string): boolean => ['nativeretweets', 'retweet'].includes(value.toLowerCase());
const always = (): boolean => true;
const date =
  'a date such as 2026-03-04, 2026-03-04_05:06:07_UTC or 2026-03-04T05:06:07+09:00 (an offset in place of an ambiguous zone such as IST)';

export const operators: readonly Operator[] = [
  {
    names: ['from'],
    means: 'written by the user',
    example: 'from:mira_codes',
    value: username,
    read: (value) => person('author', value),
  },
  {
    names: ['to'],
    means: 'replies to the user, or to a tweet that the user wrote',
    example: 'to:mira_codes',
    value: username,
    read: repliesTo,
  },
  {
    names: ['list'],
    means: 'written by a member of the list',
    example: 'list:esa/astronauts',
    value: 'the id of a list, or its owner and name, such as esa/astronauts',
    read: list,
  },
  {
    names: ['since'],
    means: 'created at or after this time',
    example: 'since:2026-03-04',
    value: date,
    read: (value) => withTime(parseTime(value), (time) => between(time)),
  },
  {
    names: ['until'],
    means: 'created before this time',
    example: 'until:2026-03-04_05:06:07_UTC',
    value: date,
    read: (value) => withTime(parseTime(value), (time) => between(undefined, time)),
  },
  {
    names: ['since_time'],
    means: 'created at or after this time',
    example: 'since_time:1771000000',
    value: 'Unix seconds',
    read: (value) => withTime(wholeNumber(value), (time) => between(time * 1000)),
  },
  {
    names: ['until_time'],
    means: 'created before this time',
    example: 'until_time:1771000000',
    value: 'Unix seconds',
    read: (value) => withTime(wholeNumber(value), (time) => between(undefined, time * 1000)),
  },
  {
    names: ['within_time'],
    means: 'created within this time before the request',
    example: 'within_time:2d',
    value: 'a duration such as 2d, 3h, 5m or 30s',
    read: (value) => withTime(parseDuration(value), (ms) => ({ is: 'recent', ms })),
  },
  {
    names: ['since_id'],
    means: 'an id greater than this id; ids increase with time within one platform only',
    example: 'since_id:1890000000000000001',
    value: 'an id',
    read: (value) => withId(value, (least) => ({ is: 'ids', above: BigInt(least), upTo: lastId })),
  },
  {
    names: ['max_id'],
    means: 'an id up to and including this id; ids increase with time within one platform only',
    example: 'max_id:1890000000000000001',
    value: 'an id',
    read: (value) => withId(value, (most) => ({ is: 'ids', above: -1n, upTo: BigInt(most) })),
  },
  {
    names: ['min_faves', 'min_likes'],
    means: 'at least this number of likes',
    example: 'min_faves:100',
    value: 'a whole number',
    read: (value) => withCount(value, 'like_count'),
  },
  {
    names: ['min_retweets', 'min_reposts'],
    means: 'at least this number of retweets',
    example: 'min_retweets:10',
    value: 'a whole number',
    read: (value) => withCount(value, 'retweet_count'),
  },
  {
    names: ['min_replies'],
    means: 'at least this number of replies',
    example: 'min_replies:5',
    value: 'a whole number',
    read: (value) => withCount(value, 'reply_count'),
  },
  {
    names: ['filter'],
    means: 'matches the filter',
    example: 'filter:media',
    value: oneOf(filters),
    read: readFilter,
    wantsRetweets: areRetweets,
  },
  {
    names: ['exclude'],
    means: 'does not match the filter',
    example: 'exclude:replies',
    value: oneOf(filters),
    read: (value) => withCondition(readFilter(value), not),
  },
  {
    names: ['include'],
    means: 'includes native retweets',
    example: 'include:nativeretweets',
    value: 'nativeretweets',
    read: (value) => (value.toLowerCase() === 'nativeretweets' ? everything : undefined),
    wantsRetweets: always,
  },
  {
    names: ['is'],
    means: 'matches the filter',
    example: 'is:reply',
    value: oneOf(aliases.is!),
    read: (value) => readAlias('is', value),
    wantsRetweets: areRetweets,
  },
  {
    names: ['has'],
    means: 'contains this element',
    example: 'has:cashtags',
    value: `${oneOf(aliases.has!)}, cashtags, geo`,
    read: (value) => ownValue(hasOnly, value.toLowerCase())?.condition ?? readAlias('has', value),
  },
  {
    names: ['conversation_id'],
    means: 'part of this thread',
    example: 'conversation_id:1890000000000000001',
    value: 'an id',
    read: (value) =>
      withId(value, (thread) => ({
        is: 'any',
        parts: [term(`conversation_id:${thread}`), { is: 'ids', above: BigInt(thread) - 1n, upTo: BigInt(thread) }],
      })),
  },
  {
    names: ['in_reply_to_tweet_id', 'in_reply_to_status_id'],
    means: 'replies to this tweet',
    example: 'in_reply_to_tweet_id:1890000000000000001',
    value: 'an id',
    read: (value) => withId(value, (tweet) => term(`in_reply_to_tweet_id:${tweet}`)),
  },
  {
    names: ['quoted_tweet_id', 'quotes_of_tweet_id', 'quotes_of_status_id'],
    means: 'quotes this tweet',
    example: 'quoted_tweet_id:1890000000000000001',
    value: 'an id',
    read: (value) => withId(value, (tweet) => term(`quoted_tweet_id:${tweet}`)),
  },
  {
    names: ['quoted_user_id'],
    means: 'quotes a tweet of the user',
    example: 'quoted_user_id:4200000001',
    value: 'an id',
    read: (value) => withId(value, (user) => term(`quoted_user_id:${user}`)),
  },
  {
    names: ['retweets_of'],
    means: 'native retweets of tweets of the user',
    example: 'retweets_of:mira_codes',
    value: username,
    read: (value) => person('retweeted', value),
    wantsRetweets: always,
  },
  {
    names: ['retweets_of_tweet_id', 'retweets_of_status_id'],
    means: 'native retweets of this tweet',
    example: 'retweets_of_tweet_id:1890000000000000001',
    value: 'an id',
    read: (value) => withId(value, (tweet) => term(`retweets_of_tweet_id:${tweet}`)),
    wantsRetweets: always,
  },
  {
    names: ['lang'],
    means: 'in this language, or in this one among others; regions and old codes do not matter: en is en-US, id is in',
    example: 'lang:ja',
    value: 'a language tag such as en',
    read: (value) => (languageTag.test(value) ? term(languageTerm(value)) : undefined),
  },
  {
    names: ['source'],
    means: 'posted with this app; write spaces as _',
    example: 'source:Social_for_Web',
    value: 'the name of an app',
    read: (value) => (value === '' ? undefined : term(sourceTerm(value))),
  },
  {
    names: ['near'],
    means: 'posted from a place with this name; with within: also near such a place',
    example: 'near:"Cape Town"',
    value: 'the name of a place',
    read: near,
  },
  {
    names: ['within'],
    means: 'the distance from the places of near: in the same group',
    example: 'within:10km near:"Cape Town"',
    value: 'a distance in km or mi such as 10km',
    read: (value) => withTime(parseDistance(value), () => everything),
  },
  {
    names: ['geocode'],
    means: 'posted within the radius of the point',
    example: 'geocode:-33.92,18.42,25km',
    value: 'a latitude (-90 to 90), a longitude (-180 to 180) and a radius in km or mi, such as -33.92,18.42,25km',
    read: geocode,
  },
  {
    names: ['point_radius'],
    means: 'posted within the radius of the point',
    example: 'point_radius:[18.42 -33.92 25km]',
    value: 'a longitude (-180 to 180), a latitude (-90 to 90) and a radius in km or mi, such as [18.42 -33.92 25km]',
    read: pointRadius,
    bracketed: true,
  },
  {
    names: ['bounding_box'],
    means: 'posted within the box',
    example: 'bounding_box:[18.3 -34.2 18.9 -33.5]',
    value: 'the west, south, east and north of a box in degrees, such as [18.3 -34.2 18.9 -33.5]',
    read: boundingBox,
    bracketed: true,
  },
  {
    names: ['place'],
    means: 'posted from the place with this id or name',
    example: 'place:96683cc9126741d1',
    value: 'the id or the name of a place',
    read: inPlace,
  },
  {
    names: ['place_country'],
    means: 'posted from a place in this country',
    example: 'place_country:ZA',
    value: 'a country code of two letters (ISO 3166-1) such as ZA',
    read: (value) => (/^[A-Za-z]{2}$/.test(value) ? term(`place_country:${value.toLowerCase()}`) : undefined),
  },
  {
    names: ['url'],
    means: 'has a link with these words; _ also stands for a hyphen',
    example: 'url:example.org',
    value: 'a part of a link',
    read: inLink,
  },
  {
    names: ['card_domain'],
    means: 'has a link preview of this domain',
    example: 'card_domain:example.org',
    value: 'a domain',
    read: (value) => (value === '' ? undefined : term(domainTerm(value))),
  },
  {
    names: ['card_url'],
    means: 'has a link preview with these words in its URL',
    example: 'card_url:example.org',
    value: 'a part of a link',
    read: inLink,
  },
  {
    names: ['card_name'],
    means: 'has a card of this type; poll is any poll',
    example: 'card_name:poll2choice_text_only',
    value: 'a card type such as poll2choice_text_only, poll or animated_gif',
    read: (value) => (/^[\w:.-]{1,100}$/.test(value) ? term(`card_name:${fold(value)}`) : undefined),
  },
];

const withCondition = (
  condition: Condition | undefined,
  wrap: (condition: Condition) => Condition,
): Condition | undefined => (condition === undefined ? undefined : wrap(condition));

/** More underscores than this stand either all for themselves or all for hyphens. */
const maxUnderscores = 3;

/** Tokens of a link in sequence. An underscore stands for itself, as in most links, or for a hyphen, as the platform documents. */
function inLink(value: string): Condition | undefined {
  const pieces = value.split('_');
  const count = pieces.length - 1;
  const choices = count > maxUnderscores ? [0, -1] : Array.from({ length: 2 ** count }, (_, choice) => choice);
  const links = choices.map((choice) =>
    pieces.reduce((link, piece, place) => `${link}${((choice >> (place - 1)) & 1) === 0 ? '_' : '-'}${piece}`),
  );
  const forms = new Map(links.map((link) => [linkTokens(link).join(' '), linkTokens(link)]));
  const parts = Array.from(
    forms.values().filter(({ length }) => length > 0),
    inSequence,
  );
  return parts.length > 1 ? { is: 'any', parts } : parts[0];
}
const inSequence = (tokens: readonly string[]): Condition => ({ is: 'words', within: 'link', tokens });

const byName = new Map(operators.flatMap((operator) => operator.names.map((name) => [name, operator] as const)));

/** Finds an operator by a name in lower case. */
export const findOperator = (name: string): Operator | undefined => byName.get(name);

/** A valid operator, or the fault of an invalid one. */
export type OperatorReading = { readonly name: string } | { readonly fault: string; readonly inValue: boolean };

/** The names of all operators, including the unsupported ones. */
const unsupportedNames = Object.keys(unsupported).flatMap((name) => (name.endsWith(':') ? name.slice(0, -1) : []));
const names: readonly string[] = [...byName.keys(), ...unsupportedNames];

/** The message for a key that is one edit away from the name of an operator; undefined otherwise. */
function misspellingFault(key: string, value: string): string | undefined {
  const isNear = (name: string): boolean =>
    Math.abs(name.length - key.length) <= 1 && editDistance(key.toLowerCase(), name) === 1;
  const meant = names.find(isNear);
  if (meant === undefined || value === '') return undefined;
  const advice = `To search for the words, put them in quotes: "${key}:${value}"`;
  return `unknown operator '${key}:': did you mean '${meant}:'? ${advice}`;
}

/** Reads `key:value`. Returns undefined if the key is not an operator. */
export function readOperator(key: string, value: string): OperatorReading | undefined {
  const name = key.toLowerCase();
  const whole = `${name}:${value.toLowerCase()}`;
  const needs = ownValue(unsupported, `${name}:`) ?? ownValue(unsupported, whole.replace(/^exclude:/, 'filter:'));
  if (needs !== undefined) {
    const what = ownValue(unsupported, `${name}:`) === undefined ? whole : `${name}:`;
    return { fault: `'${what}' is not supported: it needs ${needs}`, inValue: false };
  }
  const operator = findOperator(name);
  if (operator === undefined) {
    const fault = misspellingFault(key, value);
    return fault === undefined ? undefined : { fault, inValue: false };
  }
  if (operator.read(value) !== undefined) return { name: operator.names[0]! };
  const isFilter = operator.read === readFilter || name === 'exclude';
  const fault =
    isFilter && value !== ''
      ? `unknown filter '${value}'${suggestion(value, Object.keys(filters))}`
      : `expected ${operator.value} after ${name}:`;
  return { fault, inValue: true };
}
