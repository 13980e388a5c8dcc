/** The configuration that every service of the frame has: where it listens, its keys, limits, proxies and log. */
import { isIP } from 'node:net';
import type { Level } from 'pino';
import { rateSyntax, readRate } from '../text/rate.ts';
import type { RateLimit } from '../ports/rate-limiter.ts';
import type { CorsOrigins } from './cors-origins.ts';
import { readProxies, type TrustProxy } from './trust-proxy.ts';
import { choice, list, type ValuesOf, type Variable } from './variables.ts';

export interface FrameConfig {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly dataDir: string;
  /** API keys that are accepted in addition to the stored keys. */
  readonly apiKeys: readonly string[];
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
  /** Where spans are exported to; empty: nowhere. */
  readonly otlpEndpoint: string;
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

/** Whether a text is the base URL of a collector. */
function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}

const isHost = (text: string): boolean => isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text);

/** The variables, in the order of the documentation. */
export const frameVariables = {
  HOST: {
    description: 'address to listen on',
    defaultText: '127.0.0.1',
    expected: 'an address or a host name to listen on, such as 127.0.0.1 or 0.0.0.0',
    read: (text) => (isHost(text) ? text : undefined),
  } satisfies Variable<string>,
  PORT: {
    description: 'port; `0` takes a free one',
    defaultText: '3000',
    expected: 'a whole number from 0 (a free port) to 65535',
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  } satisfies Variable<number>,
  DATA_DIR: {
    description: 'folder of the archive and the keys; one process at a time',
    defaultText: './data',
    expected: 'a folder',
    read: (text) => (text.includes('\0') ? undefined : text),
  } satisfies Variable<string>,
  API_KEYS: {
    description: 'additional keys, separated by commas; without any key the first start creates one',
    defaultText: '',
    expected: 'keys of at least 8 printable characters without spaces, separated by commas',
    read: (text) => (text === '' ? [] : list(text).every((key) => /^[!-~]{8,256}$/.test(key)) ? list(text) : undefined),
    secret: true,
  } satisfies Variable<string[]>,
  RATE_LIMIT: {
    description:
      'requests per period for each key without its own rate limit, or `off`; a question on `/ws` counts as a request',
    defaultText: '6000/1m',
    expected: `requests per period for each key, such as ${rateSyntax}`,
    read: readRate,
  } satisfies Variable<RateLimit | 'off'>,
  FAILED_KEYS: {
    description: 'invalid keys per period from one address (IPv6: one /64) before its requests get 429, or `off`',
    defaultText: '20/1m',
    expected: `invalid keys per period from one address, such as ${rateSyntax}`,
    read: readRate,
  } satisfies Variable<RateLimit | 'off'>,
  TRUST_PROXY: {
    description:
      'trusted proxies, by number or by address ranges: the service reads the client address from `X-Forwarded-For`, and its own URL from `X-Forwarded-Host` and `-Proto`; `off` ignores these headers',
    defaultText: 'off',
    expected:
      "the number of trusted proxies (1 to 9), or their addresses such as '10.0.0.0/8' or 'loopback', separated by commas, or 'off'",
    read: readTrust,
  } satisfies Variable<TrustProxy>,
  CORS_ORIGINS: {
    description: 'browser origins that may call the service: `*`, `off`, or a list',
    defaultText: '*',
    expected: "'*', 'off', or origins such as 'https://app.example', separated by commas",
    read: readOrigins,
  } satisfies Variable<CorsOrigins>,
  LOG_LEVEL: choice(
    '`trace` … `fatal`, `silent`; one line per request on standard error: JSON, or readable on a terminal',
    'info',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description: 'collector that gets a span for each request, with OTLP over HTTP in JSON; empty: none',
    defaultText: '',
    expected: "an http or https URL without a query, such as 'http://127.0.0.1:4318'",
    read: (text) => (text === '' || isEndpoint(text) ? text : undefined),
  } satisfies Variable<string>,
  VALIDATE: choice(
    '`once` caches validated parts of responses; `always` validates every response completely: slower, with the same responses',
    'once',
    ['once', 'always'],
  ),
};

/** The configuration from the values of the variables. */
export const frameConfig = (values: ValuesOf<typeof frameVariables>): FrameConfig => ({
  host: values.HOST,
  port: values.PORT,
  dataDir: values.DATA_DIR,
  apiKeys: values.API_KEYS,
  rateLimit: values.RATE_LIMIT,
  failedKeys: values.FAILED_KEYS,
  trustProxy: values.TRUST_PROXY,
  logLevel: values.LOG_LEVEL,
  validate: values.VALIDATE,
  corsOrigins: values.CORS_ORIGINS,
  otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
});
