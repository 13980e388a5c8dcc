/** The configuration of the service: the environment variables of the frame and its own. */
import { accessSync, constants, statSync } from 'node:fs';
import { otherModels, priceSyntax, readPrices, type Prices } from './prices.ts';
import { frameConfig, frameVariables, type FrameConfig } from './frame-config.ts';
import {
  choice,
  list,
  readVariables,
  settingsOf,
  toggle,
  wholeNumber,
  type Setting,
  type ValuesOf,
  type Variable,
} from './variables.ts';
import { readDuration, readRetain, type Retain } from './retain.ts';
import { readDatabaseUrl, withPasswordFile } from './database-url.ts';
import { readBaseUrl, readSocketUrl, type InternalEndpoints } from './urls.ts';
import { parseTargets, targetForms, unboundedTarget } from './targets.ts';
import type { Retention } from '../ports/event-log.ts';
import type { Target } from '../ports/live-source.ts';

export interface Config extends FrameConfig {
  /** The URL of a shared database, with a password: for no log or message. Undefined: the data directory. */
  readonly databaseUrl: string | undefined;
  /** The URL of standbys of that database, which answer reads; as `databaseUrl`. */
  readonly databaseReadUrl: string | undefined;
  /** How long the service goes on after a request to stop, while it reports that it is not ready, in milliseconds. */
  readonly stopDelayMs: number;
  /** How long a start waits for the database, in milliseconds. */
  readonly databaseWaitMs: number;
  /** The maximum time until the text of a removed tweet leaves the disk, in milliseconds. */
  readonly purgeWithinMs: number;
  /** Whether the server fills an empty archive with the bundled sample. */
  readonly demo: boolean;
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
  /** What webhooks may reach: the public internet by https; also private networks and http; or nothing. */
  readonly webhooks: 'off' | 'public' | 'private';
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

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
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

const apiUrl = (description: string, defaultText: string): Variable<URL> => ({
  description,
  defaultText,
  expected: "a URL such as 'https://api.example', without query and password; http: only on this machine",
  read: readBaseUrl,
  secret: true,
});

const { HOST, PORT, DATA_DIR, API_KEYS, ...ofRequests } = frameVariables;

/** The variables, in the order of the documentation. */
const variables = {
  HOST,
  PORT,
  DATA_DIR,
  DATABASE_URL: {
    description:
      'PostgreSQL 15 or newer that several instances share, such as `postgres://user:password@host/database`; empty: a SQLite file in `DATA_DIR`',
    defaultText: '',
    expected: "a URL such as 'postgres://user:password@host/database'",
    read: (text) => (databaseFault(text) === undefined ? text : undefined),
    fault: databaseFault,
    secret: true,
  } satisfies Variable<string>,
  DATABASE_READ_URL: {
    description:
      'standbys of that database, separated by commas, which answer reads while they have what this instance knows; empty: the primary answers all',
    defaultText: '',
    expected: "a URL such as 'postgres://user:password@standby1,standby2/database'",
    read: (text) => (databaseFault(text) === undefined ? text : undefined),
    fault: databaseFault,
    secret: true,
  } satisfies Variable<string>,
  DATABASE_PASSWORD_FILE: {
    description:
      'file with the password for both, which each new connection reads: a password that is replaced needs no restart',
    defaultText: '',
    expected: 'a file with a password that can be read',
    read: (text) => (text === '' || isReadable(text) ? text : undefined),
    secret: true,
  } satisfies Variable<string>,
  DATABASE_WAIT: wholeNumber(
    'seconds that a start waits for PostgreSQL while it starts, fails over or cannot be reached; `0` does not wait',
    { preset: '240', min: 0, max: 86_400, unit: 'seconds' },
  ),
  STOP_DELAY: wholeNumber(
    'seconds that the service goes on after SIGTERM while `/readyz` is 503, so that balancers send their requests elsewhere; `0` stops at once',
    { preset: '0', min: 0, max: 300, unit: 'seconds' },
  ),
  API_KEYS,
  DEMO: toggle('`1` fills an empty archive with the bundled sample', '1'),
  ASSISTANT: choice(
    'provider of the assistant: `local`, with the model servers of this machine that you add; or `openai` (any OpenAI-compatible endpoint)',
    'local',
    ['local', 'openai'],
  ),
  ASSISTANT_ACCOUNTS: {
    description: 'JSON file with accounts, in addition to those that `npm run accounts` stores',
    defaultText: '',
    expected: 'a JSON file',
    read: (text) => (text.includes('\0') ? undefined : text),
  } satisfies Variable<string>,
  ASSISTANT_HTTP: choice(
    'endpoints in the own network that accounts may have, also by http: `off`, `loopback` or `private`; commands and the accounts file may always name this machine',
    'off',
    ['off', 'loopback', 'private'],
  ),
  // At least two: a question with `extract` uses two slots.
  ASSISTANT_QUOTA: wholeNumber('questions for each account in any 24 hours', { preset: '20', min: 2, max: 10_000 }),
  ASSISTANT_TOOL_CALLS: wholeNumber(
    'how often a model can read the archive for one question: each time is one more request to its endpoint; `0` for never',
    { preset: '8', min: 0, max: 50 },
  ),
  ASSISTANT_PRICES: {
    description:
      'dollars for a million tokens of each model, for the metrics of the cost: `MODEL=INPUT/OUTPUT/CACHED`, separated by commas; `*` for all other models',
    defaultText: '',
    expected: `prices separated by commas: ${priceSyntax}; the model * has the price of all others`,
    read: readPrices,
  } satisfies Variable<Prices>,
  ASSISTANT_DAILY_BUDGET: {
    description:
      'dollars of a day in UTC, after which questions get 503 until midnight; requires a price of `*`; `off` for no limit',
    defaultText: 'off',
    expected: "dollars for each day, such as 2.50, or 'off'",
    read: (text) => (text === 'off' ? text : /^\d{1,6}(?:\.\d{1,2})?$/.test(text) ? Number(text) : undefined),
  } satisfies Variable<number | 'off'>,
  CONVERSATION_TTL: wholeNumber('seconds after its last use until a conversation expires', {
    preset: '3600',
    min: 1,
    max: 31_536_000,
    unit: 'seconds',
  }),
  TOKEN_RESOLVER: choice('service that resolves cashtags and contracts to tokens; `off` disables it', 'dexscreener', [
    'dexscreener',
    'off',
  ]),
  TOKEN_RESOLVER_URL: {
    description: 'URL of its API: `https`, or `http` on this machine; the server sends requests only to this host',
    defaultText: 'https://api.dexscreener.com',
    expected:
      "a URL such as 'https://proxy.example/dexscreener', without query and password; http: only on this machine",
    read: readBaseUrl,
    secret: true,
  } satisfies Variable<URL>,
  EVENT_WINDOW: wholeNumber('seconds for which events can be replayed', {
    preset: '86400',
    min: 60,
    max: 31_536_000,
    unit: 'seconds',
  }),
  EVENT_LIMIT: wholeNumber('maximum number of stored events', { preset: '1000000', min: 1000, max: 50_000_000 }),
  WS_CONNECTIONS: wholeNumber('concurrent WebSocket connections for each key', { preset: '5', min: 1, max: 100_000 }),
  WEBHOOKS: choice(
    'what webhooks of saved searches may reach: `public` is the internet by https, `private` also private networks, this machine and http, `off` nothing',
    'public',
    ['off', 'public', 'private'],
  ),
  RETAIN: {
    description:
      'tweets to keep: up to an age, or a number of them; the oldest beyond it are evicted at least every hour; `off` keeps all',
    defaultText: 'off',
    expected: "an age such as '90d' (h, d or w, from 1h on), a number of tweets such as 5000000, or 'off'",
    read: readRetain,
  } satisfies Variable<Retain>,
  RETAIN_KEEP: {
    description: 'a query: tweets that match it are never evicted',
    defaultText: '',
    expected: "a query such as 'from:ada OR list:1234'",
    read: (text) => text,
  } satisfies Variable<string>,
  PURGE_WITHIN: {
    description:
      'maximum time until the text of a deleted tweet or of an expired conversation leaves the disk; `0` removes it at once',
    defaultText: '24h',
    expected: '0, or a time such as 30m, 24h or 7d',
    read: readDuration,
  } satisfies Variable<number>,
  FOLLOW: {
    description:
      'accounts, lists and searches of Bluesky and X to follow, separated by commas; `npm run follow` stores more',
    defaultText: '',
    expected: `targets separated by commas: ${targetForms}`,
    read: readTargets,
    fault: targetFault,
  } satisfies Variable<readonly Target[]>,
  FOLLOW_BLUESKY_STREAM: {
    description: 'event streams of Bluesky, in the order in which the service tries them',
    defaultText: 'wss://jetstream2.us-east.bsky.network/subscribe,wss://jetstream1.us-west.bsky.network/subscribe',
    expected: "URLs such as 'wss://jetstream.example/subscribe', separated by commas; ws: only on this machine",
    read: readStreams,
    secret: true,
  } satisfies Variable<readonly URL[]>,
  FOLLOW_BLUESKY_API: apiUrl(
    'URL of the API of Bluesky for profiles, histories and counts',
    'https://public.api.bsky.app',
  ),
  FOLLOW_X_API: apiUrl('URL of the API of X', 'https://api.x.com'),
  FOLLOW_BACKFILL: wholeNumber(
    'posts of each account that the service reads when it begins to follow it; `0` reads none',
    { preset: '200', min: 0, max: 100_000 },
  ),
  FOLLOW_SIGNED_IN_ONLY: toggle(
    '`1` follows and fetches also accounts of Bluesky that ask to be shown to signed-in people only: read the operations page first',
    '0',
  ),
  FILL: {
    description:
      'platform from which users and tweets that the archive lacks are fetched at the first request for them: `bluesky`; empty: none',
    defaultText: '',
    expected: "'bluesky', or empty; X bills each read, so nothing is fetched from it on request",
    read: (text) => (text === '' ? 'off' : text === 'bluesky' ? text : undefined),
  } satisfies Variable<'bluesky' | 'off'>,
  X_BEARER_TOKEN: {
    description: 'token of an app of X; `npm run follow -- token x` stores it instead',
    defaultText: '',
    expected: 'a token of 8 to 1024 printable characters without spaces',
    read: (text) => (text === '' || /^[!-~]{8,1024}$/.test(text) ? text : undefined),
    secret: true,
  } satisfies Variable<string>,
  X_READS_PER_DAY: {
    description: 'posts that the service may read of X in a day, because X bills each; required to follow X',
    defaultText: '',
    expected: 'a whole number from 1 to 999999999',
    read: (text) => (text === '' ? 'off' : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
  } satisfies Variable<number | 'off'>,
  ...ofRequests,
};

/** The documentation of all variables. */
export const settings: readonly Setting[] = settingsOf(variables);

type Values = ValuesOf<typeof variables>;

/**
 * Reads the configuration. An empty variable counts as unset. Throws a ConfigError that names every invalid variable,
 * its value, and the expected format.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values = readVariables(variables, env, (found) => [
    ...databaseProblems(found),
    ...followProblems(found),
    ...budgetProblems(found),
  ]);
  return {
    ...frameConfig(values),
    databaseUrl: withPassword(values.DATABASE_URL, values.DATABASE_PASSWORD_FILE),
    databaseReadUrl: withPassword(values.DATABASE_READ_URL, values.DATABASE_PASSWORD_FILE),
    stopDelayMs: values.STOP_DELAY * 1000,
    databaseWaitMs: values.DATABASE_WAIT * 1000,
    demo: values.DEMO,
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
    webhooks: values.WEBHOOKS,
    retain: values.RETAIN,
    retainKeep: values.RETAIN_KEEP,
    purgeWithinMs: values.PURGE_WITHIN,
    follow: {
      targets: values.FOLLOW,
      blueskyStreams: values.FOLLOW_BLUESKY_STREAM,
      blueskyApi: values.FOLLOW_BLUESKY_API,
      xApi: values.FOLLOW_X_API,
      backfill: values.FOLLOW_BACKFILL,
      signedInOnly: values.FOLLOW_SIGNED_IN_ONLY,
      xToken: values.X_BEARER_TOKEN || undefined,
      xReadsPerDay: values.X_READS_PER_DAY === 'off' ? undefined : values.X_READS_PER_DAY,
    },
    fill: values.FILL === 'off' ? undefined : values.FILL,
  };
}

/** The address of a database with the file of its password; undefined for no database. */
const withPassword = (url: string, file: string): string | undefined =>
  url === '' ? undefined : file === '' ? url : withPasswordFile(url, file);

const databaseProblems = ({ DATABASE_URL: url, DATABASE_READ_URL: reads }: Partial<Values>): string[] =>
  url === '' && reads !== undefined && reads !== ''
    ? ['DATABASE_READ_URL: DATABASE_URL is not set: it names the primary of these standbys']
    : [];

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
