/** The environment, read once. */
import { isIP } from 'node:net';
import type { Level } from 'pino';
import type { CorsOrigins } from './http/cors.ts';
import type { RateLimit } from './http/rate-limit.ts';
import type { Retention } from './realtime/event-log.ts';

export interface Config {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly dataDir: string;
  /** Keys that are accepted beside the stored ones. */
  readonly apiKeys: readonly string[];
  readonly platform: 'archive';
  /** Whether an empty archive is filled with the bundled sample. */
  readonly demo: boolean;
  readonly rateLimit: RateLimit | 'off';
  readonly logLevel: Level | 'silent';
  /** Whether what was validated before is validated again. */
  readonly validate: 'once' | 'always';
  readonly corsOrigins: CorsOrigins;
  readonly assistant: 'local' | 'openai';
  /** A JSON file with accounts beside the stored ones. */
  readonly assistantAccounts: string | undefined;
  /** Questions that each account of the pool may be asked in 24 hours. */
  readonly assistantQuota: number;
  readonly conversationTtlMs: number;
  readonly tokenResolver: 'dexscreener' | 'off';
  /** Where the API of the token resolver is. */
  readonly tokenResolverUrl: URL;
  /** How long events can be replayed, and how many are kept at most. */
  readonly eventRetention: Retention;
  /** WebSocket connections that one key may have at once. */
  readonly wsConnections: number;
}

/** One line for each variable that has a wrong value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** What a variable means: its value when unset, what to write in it, and how that is read (undefined: wrong). */
interface Variable<T> {
  readonly unset: string;
  readonly expected: string;
  readonly read: (text: string) => T | undefined;
  /** Must not be shown, not even when it is wrong. */
  readonly secret?: boolean;
}

const list = (text: string): string[] => text.split(',').map((item) => item.trim());

function choice<const T extends string>(unset: T, values: readonly T[]): Variable<T> {
  const quoted = values.map((value) => `'${value}'`);
  const expected = quoted.length === 1 ? `only ${quoted[0]} so far` : `one of ${quoted.join(', ')}`;
  return { unset, expected, read: (text) => values.find((value) => value === text) };
}

function wholeNumber(unset: string, least: number, most: number, unit = ''): Variable<number> {
  const read = (text: string): number | undefined => (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined);
  return { unset, expected: `a whole number${unit} from ${least} to ${most}`, read };
}

const periods = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

function readRateLimit(text: string): RateLimit | 'off' | undefined {
  if (text === 'off') return 'off';
  const [, requests, count = '1', unit] = /^([1-9]\d{0,8})\/([1-9]\d{0,3})?([smh])$/.exec(text) ?? [];
  if (requests === undefined) return undefined;
  return { requests: Number(requests), periodMs: Number(count) * periods[unit as keyof typeof periods] };
}

function readOrigins(text: string): CorsOrigins | undefined {
  if (text === '*' || text === 'off') return text;
  const origins = list(text);
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined;
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));

/** A URL that paths can be added to: without name and password, query and fragment. */
function readBaseUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username + url.password + url.search + url.hash !== '') return undefined;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)) ? url : undefined;
}

const isHost = (text: string): boolean => isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text);

const variables = {
  HOST: {
    unset: '127.0.0.1',
    expected: 'an address or a host name to listen on, such as 127.0.0.1 or 0.0.0.0',
    read: (text) => (isHost(text) ? text : undefined),
  } satisfies Variable<string>,
  PORT: {
    unset: '3000',
    expected: 'a whole number from 0 (a free port) to 65535',
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  } satisfies Variable<number>,
  DATA_DIR: {
    unset: './data',
    expected: 'a folder',
    read: (text) => (text.includes('\0') ? undefined : text),
  } satisfies Variable<string>,
  API_KEYS: {
    unset: '',
    expected: 'keys of at least 8 printable characters without spaces, separated by commas',
    read: (text) => (text === '' ? [] : list(text).every((key) => /^[!-~]{8,256}$/.test(key)) ? list(text) : undefined),
    secret: true,
  } satisfies Variable<string[]>,
  PLATFORM: choice('archive', ['archive']),
  DEMO: choice('1', ['0', '1']),
  RATE_LIMIT: {
    unset: '6000/1m',
    expected: "requests per period for each key, such as '6000/1m', '100/s' or '5000/1h', or 'off'",
    read: readRateLimit,
  } satisfies Variable<RateLimit | 'off'>,
  LOG_LEVEL: choice('info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  VALIDATE: choice('once', ['once', 'always']),
  CORS_ORIGINS: {
    unset: '*',
    expected: "'*', 'off', or origins such as 'https://app.example', separated by commas",
    read: readOrigins,
  } satisfies Variable<CorsOrigins>,
  ASSISTANT: choice('local', ['local', 'openai']),
  ASSISTANT_ACCOUNTS: {
    unset: '',
    expected: 'a JSON file',
    read: (text) => (text.includes('\0') ? undefined : text),
  } satisfies Variable<string>,
  // Two at least: a question with `extract` costs as much.
  ASSISTANT_QUOTA: wholeNumber('20', 2, 10_000),
  CONVERSATION_TTL: wholeNumber('3600', 1, 31_536_000, ' of seconds'),
  TOKEN_RESOLVER: choice('dexscreener', ['dexscreener', 'off']),
  TOKEN_RESOLVER_URL: {
    unset: 'https://api.dexscreener.com',
    expected: "a URL such as 'https://proxy.example/dexscreener', without query and password; http: only on this machine",
    read: readBaseUrl,
    secret: true,
  } satisfies Variable<URL>,
  EVENT_WINDOW: wholeNumber('86400', 60, 31_536_000, ' of seconds'),
  EVENT_LIMIT: wholeNumber('1000000', 1000, 50_000_000),
  WS_CONNECTIONS: wholeNumber('5', 1, 100_000),
};

type Values = { [Name in keyof typeof variables]: NonNullable<ReturnType<(typeof variables)[Name]['read']>> };

/**
 * Reads the configuration. A variable that is empty counts as unset. Throws a ConfigError that names every wrong variable,
 * its value, and what was expected.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries<Variable<unknown>>(variables).map(([name, { unset, expected, read, secret }]) => {
      const text = env[name]?.trim() || unset;
      const value = read(text);
      if (value === undefined) problems.push(`${name}=${secret ? '…' : text}: expected ${expected}`);
      return [name, value];
    }),
  ) as Values;
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: values.DATA_DIR,
    apiKeys: values.API_KEYS,
    platform: values.PLATFORM,
    demo: values.DEMO === '1',
    rateLimit: values.RATE_LIMIT,
    logLevel: values.LOG_LEVEL,
    validate: values.VALIDATE,
    corsOrigins: values.CORS_ORIGINS,
    assistant: values.ASSISTANT,
    assistantAccounts: values.ASSISTANT_ACCOUNTS || undefined,
    assistantQuota: values.ASSISTANT_QUOTA,
    conversationTtlMs: values.CONVERSATION_TTL * 1000,
    tokenResolver: values.TOKEN_RESOLVER,
    tokenResolverUrl: values.TOKEN_RESOLVER_URL,
    eventRetention: { ageMs: values.EVENT_WINDOW * 1000, events: values.EVENT_LIMIT },
    wsConnections: values.WS_CONNECTIONS,
  };
}
