// Tests server/config/frame-config.ts.
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../server/config/config.ts';
import { ConfigError } from '../../server/config/variables.ts';

test('an empty environment results in the defaults', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    dataDir: './data',
    apiKeys: [],
    databaseUrl: undefined,
    stopDelayMs: 0,
    databaseWaitMs: 240_000,
    demo: true,
    rateLimit: { requests: 6000, periodMs: 60_000 },
    failedKeys: { requests: 20, periodMs: 60_000 },
    trustProxy: 'off',
    logLevel: 'info',
    otlpEndpoint: '',
    validate: 'once',
    corsOrigins: '*',
    assistant: 'local',
    assistantAccounts: undefined,
    assistantHttp: 'off',
    assistantQuota: 20,
    assistantToolCalls: 8,
    assistantPrices: new Map(),
    assistantBudget: undefined,
    eventRetention: { ageMs: 86_400_000, events: 1_000_000 },
    wsConnections: 5,
    webhooks: 'public',
    retain: 'off',
    retainKeep: '',
    purgeWithinMs: 86_400_000,
    conversationTtlMs: 3_600_000,
    tokenResolver: 'dexscreener',
    tokenResolverUrl: new URL('https://api.dexscreener.com'),
    follow: {
      targets: [],
      blueskyStreams: [
        new URL('wss://jetstream2.us-east.bsky.network/subscribe'),
        new URL('wss://jetstream1.us-west.bsky.network/subscribe'),
      ],
      blueskyApi: new URL('https://public.api.bsky.app'),
      xApi: new URL('https://api.x.com'),
      backfill: 200,
      xToken: undefined,
      signedInOnly: false,
      xReadsPerDay: undefined,
    },
    fill: undefined,
  });
});

test('reads every variable; an empty one counts as unset', () => {
  expect(
    readConfig({
      HOST: '0.0.0.0',
      PORT: '0',
      DATA_DIR: '/var/lib/social data',
      API_KEYS: 'first-key, second-key',
      DEMO: '0',
      RATE_LIMIT: '5/2h',
      LOG_LEVEL: 'silent',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      VALIDATE: 'always',
      CORS_ORIGINS: 'https://a.example, http://localhost:8080',
      ASSISTANT: 'openai',
      ASSISTANT_ACCOUNTS: './accounts.json',
      ASSISTANT_HTTP: 'private',
      ASSISTANT_QUOTA: '50',
      ASSISTANT_TOOL_CALLS: '3',
      ASSISTANT_PRICES: 'grok-4=3/15/0.75, *=5/25',
      ASSISTANT_DAILY_BUDGET: '2.50',
      CONVERSATION_TTL: '60',
      TOKEN_RESOLVER: 'off',
      TOKEN_RESOLVER_URL: 'http://127.0.0.1:8081/dex',
      EVENT_WINDOW: '600',
      EVENT_LIMIT: '5000',
      WS_CONNECTIONS: '50',
      WEBHOOKS: 'private',
      FAILED_KEYS: 'off',
      TRUST_PROXY: '1',
      RETAIN: '90d',
      RETAIN_KEEP: 'from:ada',
      PURGE_WITHIN: '30m',
      FOLLOW:
        'bluesky:Alice.Example.com, x:search:"tea, please" lang:en,bluesky:*,x:search:a%2Cb,bluesky:@alice.example.com',
      FOLLOW_BLUESKY_STREAM: 'wss://one.example/subscribe, ws://127.0.0.1:8080/subscribe',
      FOLLOW_BLUESKY_API: 'http://localhost:2583',
      FOLLOW_X_API: 'https://x.example/proxy',
      FOLLOW_BACKFILL: '0',
      FOLLOW_SIGNED_IN_ONLY: '1',
      FILL: 'bluesky',
      X_BEARER_TOKEN: 'AAAA%2Btoken',
      X_READS_PER_DAY: '10000',
      UNRELATED: 'x',
    }),
  ).toEqual({
    host: '0.0.0.0',
    port: 0,
    dataDir: '/var/lib/social data',
    apiKeys: ['first-key', 'second-key'],
    databaseUrl: undefined,
    stopDelayMs: 0,
    databaseWaitMs: 240_000,
    demo: false,
    rateLimit: { requests: 5, periodMs: 7_200_000 },
    logLevel: 'silent',
    otlpEndpoint: 'http://127.0.0.1:4318',
    validate: 'always',
    corsOrigins: ['https://a.example', 'http://localhost:8080'],
    assistant: 'openai',
    assistantAccounts: './accounts.json',
    assistantHttp: 'private',
    assistantQuota: 50,
    assistantToolCalls: 3,
    assistantPrices: new Map([
      ['grok-4', { input: 3, output: 15, cached: 0.75 }],
      ['*', { input: 5, output: 25, cached: 5 }],
    ]),
    assistantBudget: 2.5,
    conversationTtlMs: 60_000,
    tokenResolver: 'off',
    tokenResolverUrl: new URL('http://127.0.0.1:8081/dex'),
    eventRetention: { ageMs: 600_000, events: 5_000 },
    wsConnections: 50,
    webhooks: 'private',
    retain: { ageMs: 7_776_000_000 },
    retainKeep: 'from:ada',
    purgeWithinMs: 1_800_000,
    follow: {
      targets: [
        { source: 'bluesky', kind: 'account', value: 'alice.example.com' },
        { source: 'x', kind: 'search', value: '"tea, please" lang:en' },
        { source: 'bluesky', kind: 'network', value: '' },
        { source: 'x', kind: 'search', value: 'a,b' },
      ],
      blueskyStreams: [new URL('wss://one.example/subscribe'), new URL('ws://127.0.0.1:8080/subscribe')],
      blueskyApi: new URL('http://localhost:2583'),
      xApi: new URL('https://x.example/proxy'),
      backfill: 0,
      xToken: 'AAAA%2Btoken',
      signedInOnly: true,
      xReadsPerDay: 10_000,
    },
    fill: 'bluesky',
    failedKeys: 'off',
    trustProxy: 1,
  });
  expect(readConfig({ PORT: '', API_KEYS: '', RATE_LIMIT: 'off', CORS_ORIGINS: 'off', HOST: '::1' })).toMatchObject({
    port: 3000,
    apiKeys: [],
    rateLimit: 'off',
    corsOrigins: 'off',
    host: '::1',
  });
});

test.each([
  ['6000/1m', 6000, 60_000],
  ['100/s', 100, 1000],
  ['1/30s', 1, 30_000],
  ['5000/h', 5000, 3_600_000],
])('RATE_LIMIT=%s', (text, requests, periodMs) => {
  expect(readConfig({ RATE_LIMIT: text }).rateLimit).toEqual({ requests, periodMs });
});

test.each(['https://proxy.example/dex/', 'http://localhost:1', 'http://[::1]:1/x', 'http://127.9.9.9'])(
  'TOKEN_RESOLVER_URL=%s',
  (url) => {
    expect(readConfig({ TOKEN_RESOLVER_URL: url }).tokenResolverUrl.href).toBe(new URL(url).href);
  },
);

describe('reports an invalid value in one line with the variable, the value and the expected format:', () => {
  test.each([
    ['PORT', 'http', 'PORT=http: expected a whole number from 0 (a free port) to 65535'],
    ['PORT', '65536', 'PORT=65536: expected a whole number from 0 (a free port) to 65535'],
    ['PORT', '-1', 'PORT=-1: expected a whole number from 0 (a free port) to 65535'],
    ['PORT', '3000.5', 'PORT=3000.5: expected a whole number from 0 (a free port) to 65535'],
    [
      'HOST',
      'http://x',
      'HOST=http://x: expected an address or a host name to listen on, such as 127.0.0.1 or 0.0.0.0',
    ],
    ['DEMO', 'maybe', "DEMO=maybe: expected '1' or '0' (also 'on' or 'off', 'true' or 'false', 'yes' or 'no')"],
    [
      'LOG_LEVEL',
      'loud',
      "LOG_LEVEL=loud: expected one of 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'",
    ],
    ...['90y', '0', '5m', '-1', '1e6'].map((text): [string, string, string] => [
      'RETAIN',
      text,
      `RETAIN=${text}: expected an age such as '90d' (h, d or w, from 1h on), a number of tweets such as 5000000, or 'off'`,
    ]),
    ['PURGE_WITHIN', '24', 'PURGE_WITHIN=24: expected 0, or a time such as 30m, 24h or 7d'],
    ['VALIDATE', 'never', "VALIDATE=never: expected one of 'once', 'always'"],
    [
      'RATE_LIMIT',
      '10',
      "RATE_LIMIT=10: expected requests per period for each key, such as '6000/1m', '100/s' or '5000/1h', or 'off'",
    ],
    [
      'FAILED_KEYS',
      'few',
      "FAILED_KEYS=few: expected invalid keys per period from one address, such as '6000/1m', '100/s' or '5000/1h', or 'off'",
    ],
    ...['0', '10', 'yes', '10.0.0.0/33', '10.0.0.1,', '1,loopback'].map((text): [string, string, string] => [
      'TRUST_PROXY',
      text,
      `TRUST_PROXY=${text}: expected the number of trusted proxies (1 to 9), or their addresses such as '10.0.0.0/8' or 'loopback', separated by commas, or 'off'`,
    ]),
    [
      'RATE_LIMIT',
      '0/1m',
      "RATE_LIMIT=0/1m: expected requests per period for each key, such as '6000/1m', '100/s' or '5000/1h', or 'off'",
    ],
    [
      'CORS_ORIGINS',
      'app.example',
      "CORS_ORIGINS=app.example: expected '*', 'off', or origins such as 'https://app.example', separated by commas",
    ],
    [
      'CORS_ORIGINS',
      'https://a.example/path',
      "CORS_ORIGINS=https://a.example/path: expected '*', 'off', or origins such as 'https://app.example', separated by commas",
    ],
    ['ASSISTANT', 'gpt', "ASSISTANT=gpt: expected one of 'local', 'openai'"],
    ['ASSISTANT_QUOTA', '1', 'ASSISTANT_QUOTA=1: expected a whole number from 2 to 10000'],
    [
      'ASSISTANT_DAILY_BUDGET',
      '-1',
      "ASSISTANT_DAILY_BUDGET=-1: expected dollars for each day, such as 2.50, or 'off'",
    ],
    [
      'ASSISTANT_DAILY_BUDGET',
      '5',
      'ASSISTANT_DAILY_BUDGET=5: ASSISTANT_PRICES needs a price of all other models, such as *=5/25',
    ],
    [
      'ASSISTANT_PRICES',
      'grok-4=3',
      "ASSISTANT_PRICES=grok-4=3: expected prices separated by commas: 'MODEL=INPUT/OUTPUT' or 'MODEL=INPUT/OUTPUT/CACHED' in dollars for a million tokens; the model * has the price of all others",
    ],
    ['ASSISTANT_QUOTA', '20.5', 'ASSISTANT_QUOTA=20.5: expected a whole number from 2 to 10000'],
    ['CONVERSATION_TTL', '0', 'CONVERSATION_TTL=0: expected a whole number of seconds from 1 to 31536000'],
    ['CONVERSATION_TTL', '1h', 'CONVERSATION_TTL=1h: expected a whole number of seconds from 1 to 31536000'],
    [
      'FOLLOW',
      'bluesky:alice',
      "FOLLOW: 'bluesky:alice' is no target: expected bluesky:HANDLE such as bluesky:alice.example.com, bluesky:did:…, bluesky:list:AT-URI, bluesky:search:QUERY, bluesky:* or bluesky:*:en+de",
    ],
    ['FOLLOW', 'x:search:"open', 'FOLLOW: a double quote is not closed'],
    [
      'FOLLOW',
      'bluesky:*:en',
      'FOLLOW=bluesky:*:en: the whole network needs a limit: set RETAIN, such as RETAIN=1000000 or RETAIN=7d',
    ],
    ['FOLLOW', 'x:ada', 'X_READS_PER_DAY is not set: X bills each read, so FOLLOW needs the number that you pay for'],
    ...['ws://one.example/subscribe', 'https://one.example', 'wss://one.example/?x=1', ''].map(
      (text): [string, string, string] => [
        'FOLLOW_BLUESKY_STREAM',
        `wss://good.example,${text}`,
        "FOLLOW_BLUESKY_STREAM=…: expected URLs such as 'wss://jetstream.example/subscribe', separated by commas; ws: only on this machine",
      ],
    ),
    ...['FOLLOW_BLUESKY_API', 'FOLLOW_X_API'].map((name): [string, string, string] => [
      name,
      'http://api.example',
      `${name}=…: expected a URL such as 'https://api.example', without query and password; http: only on this machine`,
    ]),
    ['X_BEARER_TOKEN', 'short', 'X_BEARER_TOKEN=…: expected a token of 8 to 1024 printable characters without spaces'],
    ['X_READS_PER_DAY', '0', 'X_READS_PER_DAY=0: expected a whole number from 1 to 999999999'],
    ['TOKEN_RESOLVER', 'on', "TOKEN_RESOLVER=on: expected one of 'dexscreener', 'off'"],
  ])('%s=%s', (name, value, line) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError([line]));
  });
  test.each([
    'http://proxy.example',
    'https://proxy.example/?key=1',
    'https://user:secret-word@proxy.example',
    'ftp://127.0.0.1',
    'proxy.example',
    'https://proxy.example/#x',
    'http://127.0.0.1.example',
    'file:///etc/passwd',
  ])('TOKEN_RESOLVER_URL=%s without its value, which can contain a password', (value) => {
    expect(() => readConfig({ TOKEN_RESOLVER_URL: value })).toThrow(
      /^TOKEN_RESOLVER_URL=…: expected a URL such as 'https:\/\/proxy\.example\/dexscreener', without query and password; http: only on this machine$/,
    );
  });
  test('does not print an invalid key', () => {
    expect(() => readConfig({ API_KEYS: 'good-enough,short' })).toThrow(
      /^API_KEYS=…: expected keys of at least 8 printable characters/,
    );
  });
  test('switches take the usual words, in any case', () => {
    const demos = ['1', 'on', 'True', 'YES', '0', 'off', 'False', 'no'].map((DEMO) => readConfig({ DEMO }).demo);
    expect(demos).toEqual([true, true, true, true, false, false, false, false]);
  });

  test('reports all invalid values at once', () => {
    expect(() => readConfig({ PORT: 'x', DEMO: '2', HOST: '127.0.0.1' })).toThrow(/^PORT=x: [^\n]+\nDEMO=2: [^\n]+$/);
  });
});

test.each([
  ['', 'off'],
  ['2', 2],
  ['loopback, 10.0.0.0/8,2001:db8::/32', ['loopback', '10.0.0.0/8', '2001:db8::/32']],
])('TRUST_PROXY=%s', (text, expected) => {
  expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual(expected);
});

test('X is never read on request, because it bills each read', () => {
  expect(() => readConfig({ FILL: 'x' })).toThrow(/^FILL=.*X bills each read/);
});
