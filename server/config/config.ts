/** Configuration from environment variables: definitions, validation and documentation texts. */
import { isIP } from 'node:net';
import type { Level } from 'pino';
import { otherModels, priceSyntax, readPrices, type Prices } from '../assistant/prices.ts';
import { rateSyntax, readRate } from '../keys/rate.ts';
import type { RateLimit } from '../ports/rate-limiter.ts';
import { readDuration, readRetain, type Retain } from './retain.ts';
import type { CorsOrigins } from './cors-origins.ts';
import { readDatabaseUrl } from '../storage/postgres/database-url.ts';
import { readBaseUrl, readSocketUrl, type InternalEndpoints } from './urls.ts';
import { readProxies, type TrustProxy } from './trust-proxy.ts';
import { parseTargets, targetForms, unboundedTarget } from '../follow/targets.ts';
import type { Retention } from '../ports/event-log.ts';
import { keysOf } from '../text/object.ts';
import type { Target } from '../ports/live-source.ts';

export interface Config {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly dataDir: string;
  /** The URL of a shared database, with a password: for no log or message. Undefined: the data directory. */
  readonly databaseUrl: string | undefined;
  /** API keys that are accepted in addition to the stored keys. */
  readonly apiKeys: readonly string[];
  /** The maximum time until the text of a removed tweet leaves the disk, in milliseconds. */
  readonly purgeWithinMs: number;
  /** Where the data are: in memory, or in tables of the database. */
  readonly platform: 'archive' | 'postgres';
  /** Whether the server fills an empty archive with the bundled sample. */
  readonly demo: boolean;
  /** The default rate limit of a key. */
  readonly rateLimit: RateLimit | 'off';
  /** Invalid keys that one network may send. */
  readonly failedKeys: RateLimit | 'off';
  /** The proxies whose forwarding headers are trusted. */
  readonly trustProxy: TrustProxy;
  readonly logLevel: Level | 'silent';
  /** Whether the server validates responses once or always. */
  readonly validate: 'once' | 'always';
  readonly corsOrigins: CorsOrigins;
  readonly assistant: 'local' | 'openai';
  /** A JSON file with accounts, in addition to the stored accounts. */
  readonly assistantAccounts: string | undefined;
  /** The endpoints of accounts in the operator's own network. */
  readonly assistantHttp: InternalEndpoints;
  /** Questions for each account of the pool in 24 hours. */
  readonly assistantQuota: number;
  /** Calls of tools that a model of `openai` can make for one question. */
  readonly assistantToolCalls: number;
  readonly assistantPrices: Prices;
  /** Dollars for each day in UTC; undefined: no limit. */
  readonly assistantBudget: number | undefined;
  readonly conversationTtlMs: number;
  readonly tokenResolver: 'dexscreener' | 'off';
  /** The base URL of the token resolver's API. */
  readonly tokenResolverUrl: URL;
  /** Maximum age and number of retained events. */
  readonly eventRetention: Retention;
  /** Concurrent WebSocket connections for each key. */
  readonly wsConnections: number;
  /** The tweets that the archive keeps. */
  readonly retain: Retain;
  /** A query: matching tweets are never evicted; empty: every tweet may be. */
  readonly retainKeep: string;
  readonly follow: FollowSettings;
  /** The platform that unknown users and tweets are fetched from at the first request for them; undefined: none. */
  readonly fill: 'bluesky' | undefined;
}

/** What the service follows on live platforms, and how. */
export interface FollowSettings {
  readonly targets: readonly Target[];
  /** The event streams of Bluesky, in the order in which they are tried. */
  readonly blueskyStreams: readonly URL[];
  /** The base URL of the API of Bluesky. */
  readonly blueskyApi: URL;
  /** The base URL of the API of X. */
  readonly xApi: URL;
  /** The maximum number of tweets of each account of a new target; 0: none. */
  readonly backfill: number;
  /** Whether accounts of Bluesky that ask to be shown to signed-in people only are followed and fetched. */
  readonly signedInOnly: boolean;
  /** The token of the operator at X. */
  readonly xToken: string | undefined;
  /** The posts that may be read of X in a day; undefined: X is not followed. */
  readonly xReadsPerDay: number | undefined;
}

/** Invalid configuration; the message has one line for each invalid value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The definition of a variable: its default, the expected format, and its parser (undefined: invalid). */
interface Variable<T> {
  readonly defaultText: string;
  readonly expected: string;
  readonly read: (text: string) => T | undefined;
  /** Whether messages must not contain the value, not even when it is invalid. */
  readonly secret?: boolean;
  /** What is wrong with an invalid value, where that says more than the expected format. */
  readonly fault?: (text: string) => string | undefined;
}

const list = (text: string): string[] => text.split(',').map((item) => item.trim());

function choice<const T extends string>(defaultText: T, values: readonly T[]): Variable<T> {
  const quoted = values.map((value) => `'${value}'`);
  return {
    defaultText,
    expected: `one of ${quoted.join(', ')}`,
    read: (text) => values.find((value) => value === text),
  };
}

function wholeNumber(defaultText: string, min: number, max: number, unit = ''): Variable<number> {
  const read = (text: string): number | undefined =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
  return { defaultText, expected: `a whole number${unit} from ${min} to ${max}`, read };
}

function readTrust(text: string): TrustProxy | undefined {
  if (text === 'off') return text;
  if (/^\d+$/.test(text)) return /^[1-9]$/.test(text) ? Number(text) : undefined;
  return readProxies(list(text));
}

function readOrigins(text: string): CorsOrigins | undefined {
  if (text === '*' || text === 'off') return text;
  const origins = list(text);
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined;
}

function readStreams(text: string): readonly URL[] | undefined {
  const urls = list(text).flatMap((address) => readSocketUrl(address) ?? []);
  return urls.length === list(text).length ? urls : undefined;
}

/** What is wrong with the address of a database; undefined if nothing is, and for no database. */
function databaseFault(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    readDatabaseUrl(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Parses a list of targets; undefined for an invalid one. */
function readTargets(text: string): readonly Target[] | undefined {
  return targetFault(text) === undefined ? parseTargets(text) : undefined;
}

/** Why a text is no list of targets. */
function targetFault(text: string): string | undefined {
  try {
    parseTargets(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const isHost = (text: string): boolean => isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text);

const apiUrl = (defaultText: string): Variable<URL> => ({
  defaultText,
  expected: "a URL such as 'https://api.example', without query and password; http: only on this machine",
  read: readBaseUrl,
  secret: true,
});

const variables = {
  HOST: {
    defaultText: '127.0.0.1',
    expected: 'an address or a host name to listen on, such as 127.0.0.1 or 0.0.0.0',
    read: (text) => (isHost(text) ? text : undefined),
  } satisfies Variable<string>,
  PORT: {
    defaultText: '3000',
    expected: 'a whole number from 0 (a free port) to 65535',
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  } satisfies Variable<number>,
  DATABASE_URL: {
    defaultText: '',
    expected: "a URL such as 'postgres://user:password@host/database'",
    read: (text) => (databaseFault(text) === undefined ? text : undefined),
    fault: databaseFault,
    secret: true,
  } satisfies Variable<string>,
  DATA_DIR: {
    defaultText: './data',
    expected: 'a folder',
    read: (text) => (text.includes('\0') ? undefined : text),
  } satisfies Variable<string>,
  API_KEYS: {
    defaultText: '',
    expected: 'keys of at least 8 printable characters without spaces, separated by commas',
    read: (text) => (text === '' ? [] : list(text).every((key) => /^[!-~]{8,256}$/.test(key)) ? list(text) : undefined),
    secret: true,
  } satisfies Variable<string[]>,
  PURGE_WITHIN: {
    defaultText: '24h',
    expected: '0, or a time such as 30m, 24h or 7d',
    read: readDuration,
  } satisfies Variable<number>,
  PLATFORM: choice('archive', ['archive', 'postgres']),
  DEMO: choice('1', ['0', '1']),
  RATE_LIMIT: {
    defaultText: '6000/1m',
    expected: `requests per period for each key, such as ${rateSyntax}`,
    read: readRate,
  } satisfies Variable<RateLimit | 'off'>,
  FAILED_KEYS: {
    defaultText: '20/1m',
    expected: `invalid keys per period from one address, such as ${rateSyntax}`,
    read: readRate,
  } satisfies Variable<RateLimit | 'off'>,
  TRUST_PROXY: {
    defaultText: 'off',
    expected:
      "the number of trusted proxies (1 to 9), or their addresses such as '10.0.0.0/8' or 'loopback', separated by commas, or 'off'",
    read: readTrust,
  } satisfies Variable<TrustProxy>,
  LOG_LEVEL: choice('info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  VALIDATE: choice('once', ['once', 'always']),
  CORS_ORIGINS: {
    defaultText: '*',
    expected: "'*', 'off', or origins such as 'https://app.example', separated by commas",
    read: readOrigins,
  } satisfies Variable<CorsOrigins>,
  ASSISTANT: choice('local', ['local', 'openai']),
  ASSISTANT_ACCOUNTS: {
    defaultText: '',
    expected: 'a JSON file',
    read: (text) => (text.includes('\0') ? undefined : text),
  } satisfies Variable<string>,
  ASSISTANT_HTTP: choice('off', ['off', 'loopback', 'private']),
  // At least two: a question with `extract` uses two slots.
  ASSISTANT_QUOTA: wholeNumber('20', 2, 10_000),
  ASSISTANT_TOOL_CALLS: wholeNumber('8', 0, 50),
  ASSISTANT_PRICES: {
    defaultText: '',
    expected: `prices separated by commas: ${priceSyntax}; the model * has the price of all others`,
    read: readPrices,
  } satisfies Variable<Prices>,
  ASSISTANT_DAILY_BUDGET: {
    defaultText: 'off',
    expected: "dollars for each day, such as 2.50, or 'off'",
    read: (text) => (text === 'off' ? text : /^\d{1,6}(?:\.\d{1,2})?$/.test(text) ? Number(text) : undefined),
  } satisfies Variable<number | 'off'>,
  CONVERSATION_TTL: wholeNumber('3600', 1, 31_536_000, ' of seconds'),
  TOKEN_RESOLVER: choice('dexscreener', ['dexscreener', 'off']),
  TOKEN_RESOLVER_URL: {
    defaultText: 'https://api.dexscreener.com',
    expected:
      "a URL such as 'https://proxy.example/dexscreener', without query and password; http: only on this machine",
    read: readBaseUrl,
    secret: true,
  } satisfies Variable<URL>,
  EVENT_WINDOW: wholeNumber('86400', 60, 31_536_000, ' of seconds'),
  EVENT_LIMIT: wholeNumber('1000000', 1000, 50_000_000),
  WS_CONNECTIONS: wholeNumber('5', 1, 100_000),
  RETAIN: {
    defaultText: 'off',
    expected: "an age such as '90d' (h, d or w, from 1h on), a number of tweets such as 5000000, or 'off'",
    read: readRetain,
  } satisfies Variable<Retain>,
  RETAIN_KEEP: {
    defaultText: '',
    expected: "a query such as 'from:ada OR list:1234'",
    read: (text) => text,
  } satisfies Variable<string>,
  FOLLOW: {
    defaultText: '',
    expected: `targets separated by commas: ${targetForms}`,
    read: readTargets,
    fault: targetFault,
  } satisfies Variable<readonly Target[]>,
  FOLLOW_BLUESKY_STREAM: {
    defaultText: 'wss://jetstream2.us-east.bsky.network/subscribe,wss://jetstream1.us-west.bsky.network/subscribe',
    expected: "URLs such as 'wss://jetstream.example/subscribe', separated by commas; ws: only on this machine",
    read: readStreams,
    secret: true,
  } satisfies Variable<readonly URL[]>,
  FOLLOW_BLUESKY_API: apiUrl('https://public.api.bsky.app'),
  FOLLOW_X_API: apiUrl('https://api.x.com'),
  FOLLOW_BACKFILL: wholeNumber('200', 0, 100_000),
  FOLLOW_SIGNED_IN_ONLY: choice('0', ['0', '1']),
  FILL: {
    defaultText: '',
    expected: "'bluesky', or empty; X bills each read, so nothing is fetched from it on request",
    read: (text) => (text === '' ? 'off' : text === 'bluesky' ? text : undefined),
  } satisfies Variable<'bluesky' | 'off'>,
  X_BEARER_TOKEN: {
    defaultText: '',
    expected: 'a token of 8 to 1024 printable characters without spaces',
    read: (text) => (text === '' || /^[!-~]{8,1024}$/.test(text) ? text : undefined),
    secret: true,
  } satisfies Variable<string>,
  X_READS_PER_DAY: {
    defaultText: '',
    expected: 'a whole number from 1 to 999999999',
    read: (text) => (text === '' ? 'off' : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
  } satisfies Variable<number | 'off'>,
};

/** The purpose of each variable, in CommonMark. The documentation shows these texts. */
const descriptions: Readonly<Record<keyof typeof variables, string>> = {
  HOST: 'address to listen on',
  PORT: 'port; `0` takes a free one',
  DATA_DIR: 'folder of the archive and the keys; one process at a time',
  DATABASE_URL:
    'PostgreSQL 15 or newer that several instances share, such as `postgres://user:password@host/database`; empty: `DATA_DIR`',
  API_KEYS: 'additional keys, separated by commas; without any key the first start creates one',
  PLATFORM:
    'where the data are: `archive` keeps them in memory, `postgres` in tables of the database of `DATABASE_URL`, for archives larger than memory',
  DEMO: '`1` fills an empty archive with the bundled sample',
  ASSISTANT: 'provider of the assistant: `local`, or `openai` (any OpenAI-compatible endpoint)',
  ASSISTANT_ACCOUNTS: 'JSON file with accounts, in addition to those that `npm run accounts` stores',
  ASSISTANT_HTTP:
    'endpoints in the own network that accounts may have, also by http: `off`, `loopback` or `private`; commands and the accounts file may always name this machine',
  ASSISTANT_QUOTA: 'questions for each account in any 24 hours',
  ASSISTANT_TOOL_CALLS:
    'how often a model can read the archive for one question: each time is one more request to its endpoint; `0` for never',
  ASSISTANT_PRICES:
    'dollars for a million tokens of each model, for the metrics of the cost: `MODEL=INPUT/OUTPUT/CACHED`, separated by commas; `*` for all other models',
  ASSISTANT_DAILY_BUDGET:
    'dollars of a day in UTC, after which questions get 503 until midnight; requires a price of `*`; `off` for no limit',
  CONVERSATION_TTL: 'seconds after its last use until a conversation expires',
  TOKEN_RESOLVER: 'service that resolves cashtags and contracts to tokens; `off` disables it',
  TOKEN_RESOLVER_URL: 'URL of its API: `https`, or `http` on this machine; the server sends requests only to this host',
  EVENT_WINDOW: 'seconds for which events can be replayed',
  EVENT_LIMIT: 'maximum number of stored events',
  WS_CONNECTIONS: 'concurrent WebSocket connections for each key',
  RETAIN:
    'tweets to keep: up to an age, or a number of them; the oldest beyond it are evicted at least every hour; `off` keeps all',
  RETAIN_KEEP: 'a query: tweets that match it are never evicted',
  PURGE_WITHIN:
    'maximum time until the text of a deleted tweet or of an expired conversation leaves the disk; `0` removes it at once',
  FOLLOW: 'accounts, lists and searches of Bluesky and X to follow, separated by commas; `npm run follow` stores more',
  FOLLOW_BLUESKY_STREAM: 'event streams of Bluesky, in the order in which the service tries them',
  FOLLOW_BLUESKY_API: 'URL of the API of Bluesky for profiles, histories and counts',
  FOLLOW_X_API: 'URL of the API of X',
  FOLLOW_BACKFILL: 'posts of each account that the service reads when it begins to follow it; `0` reads none',
  FOLLOW_SIGNED_IN_ONLY:
    '`1` follows and fetches also accounts of Bluesky that ask to be shown to signed-in people only: read the operations page first',
  FILL: 'platform from which users and tweets that the archive lacks are fetched at the first request for them: `bluesky`; empty: none',
  X_BEARER_TOKEN: 'token of an app of X; `npm run follow -- token x` stores it instead',
  X_READS_PER_DAY: 'posts that the service may read of X in a day, because X bills each; required to follow X',
  RATE_LIMIT:
    'requests per period for each key without its own rate limit, or `off`; a question on `/ws` counts as a request',
  FAILED_KEYS: 'invalid keys per period from one address (IPv6: one /64) before its requests get 429, or `off`',
  TRUST_PROXY:
    'trusted proxies, by number or by address ranges: the service reads the client address from `X-Forwarded-For`, and its own URL from `X-Forwarded-Host` and `-Proto`; `off` ignores these headers',
  CORS_ORIGINS: 'browser origins that may call the service: `*`, `off`, or a list',
  LOG_LEVEL: '`trace` … `fatal`, `silent`; one line per request on standard error: JSON, or readable on a terminal',
  VALIDATE:
    '`once` caches validated parts of responses; `always` validates every response completely: slower, with the same responses',
};

/** The documentation of a variable. */
export interface Setting {
  readonly name: string;
  /** The default value; may be empty. */
  readonly defaultText: string;
  /** Its purpose, in CommonMark. */
  readonly description: string;
  /** The expected format. */
  readonly expected: string;
}

/** All variables, in the order of the documentation. */
export const settings: readonly Setting[] = keysOf(descriptions).map((name) => {
  const { defaultText, expected }: Variable<unknown> = variables[name];
  const description = descriptions[name];
  return { name, defaultText, description, expected };
});

type Values = { [Name in keyof typeof variables]: NonNullable<ReturnType<(typeof variables)[Name]['read']>> };

/**
 * Reads the configuration. An empty variable counts as unset. Throws a ConfigError that names every invalid variable,
 * its value, and the expected format.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries<Variable<unknown>>(variables).map(([name, { defaultText, expected, read, secret, fault }]) => {
      const text = env[name]?.trim() || defaultText;
      const value = read(text);
      if (value === undefined)
        problems.push(fault ? `${name}: ${fault(text)}` : `${name}=${secret ? '…' : text}: expected ${expected}`);
      return [name, value];
    }),
  ) as Values;
  problems.push(...followProblems(values), ...budgetProblems(values), ...platformProblems(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL || undefined,
    apiKeys: values.API_KEYS,
    platform: values.PLATFORM,
    demo: values.DEMO === '1',
    rateLimit: values.RATE_LIMIT,
    failedKeys: values.FAILED_KEYS,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    validate: values.VALIDATE,
    corsOrigins: values.CORS_ORIGINS,
    assistant: values.ASSISTANT,
    assistantAccounts: values.ASSISTANT_ACCOUNTS || undefined,
    assistantHttp: values.ASSISTANT_HTTP,
    assistantQuota: values.ASSISTANT_QUOTA,
    assistantToolCalls: values.ASSISTANT_TOOL_CALLS,
    assistantPrices: values.ASSISTANT_PRICES,
    assistantBudget: values.ASSISTANT_DAILY_BUDGET === 'off' ? undefined : values.ASSISTANT_DAILY_BUDGET,
    conversationTtlMs: values.CONVERSATION_TTL * 1000,
    tokenResolver: values.TOKEN_RESOLVER,
    tokenResolverUrl: values.TOKEN_RESOLVER_URL,
    eventRetention: { ageMs: values.EVENT_WINDOW * 1000, events: values.EVENT_LIMIT },
    wsConnections: values.WS_CONNECTIONS,
    retain: values.RETAIN,
    retainKeep: values.RETAIN_KEEP,
    purgeWithinMs: values.PURGE_WITHIN,
    follow: {
      targets: values.FOLLOW,
      blueskyStreams: values.FOLLOW_BLUESKY_STREAM,
      blueskyApi: values.FOLLOW_BLUESKY_API,
      xApi: values.FOLLOW_X_API,
      backfill: values.FOLLOW_BACKFILL,
      signedInOnly: values.FOLLOW_SIGNED_IN_ONLY === '1',
      xToken: values.X_BEARER_TOKEN || undefined,
      xReadsPerDay: values.X_READS_PER_DAY === 'off' ? undefined : values.X_READS_PER_DAY,
    },
    fill: values.FILL === 'off' ? undefined : values.FILL,
  };
}

/** What the platform requires of other variables. An invalid variable is undefined here. */
const platformProblems = ({ PLATFORM, DATABASE_URL: url }: Partial<Values>): string[] =>
  PLATFORM === 'postgres' && url === '' ? ['PLATFORM=postgres: DATABASE_URL is required'] : [];

/** A caller can name any model: without a price for all others, a budget would not limit the cost. */
const budgetProblems = ({ ASSISTANT_DAILY_BUDGET: budget, ASSISTANT_PRICES: prices }: Partial<Values>): string[] =>
  budget !== undefined && budget !== 'off' && prices?.has(otherModels) === false
    ? [`ASSISTANT_DAILY_BUDGET=${budget}: ASSISTANT_PRICES needs a price of all other models, such as *=5/25`]
    : [];

/** What is wrong with targets in view of other variables. An invalid variable is undefined here. */
function followProblems({ FOLLOW = [], RETAIN, X_READS_PER_DAY: reads }: Partial<Values>): string[] {
  const unbounded = RETAIN === 'off' ? unboundedTarget(FOLLOW) : undefined;
  return [
    ...(unbounded === undefined ? [] : [`FOLLOW=${unbounded}`]),
    ...(reads === 'off' && FOLLOW.some(({ source }) => source === 'x')
      ? ['X_READS_PER_DAY is not set: X bills each read, so FOLLOW needs the number that you pay for']
      : []),
  ];
}
