import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createClient, UsageError, type ClientOptions, type Socket } from '../../client/src/index.ts';
import { json, startScripted, type Answering, type Scripted } from '../support/scripted.ts';

let server: Scripted | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  for (const name of ['BASE_URL', 'API_KEY', 'LOG']) delete process.env[`SOCIAL_DATA_${name}`];
  await server?.stop();
  server = undefined;
});

const status: Answering = (_request, response) => json(response, 200, { capable: 5 });
const options = { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' };

const invalidUrl = "'baseUrl' must be an absolute http(s) URL without password, query and fragment";

describe('options', () => {
  test.each([
    ['no base URL', { baseUrl: undefined }, "'baseUrl' is missing: pass it, or set SOCIAL_DATA_BASE_URL"],
    ['no key', { apiKey: undefined }, "'apiKey' is missing: pass it, or set SOCIAL_DATA_API_KEY; null sends no key"],
    ['a relative URL', { baseUrl: '/api' }, invalidUrl],
    ['another protocol', { baseUrl: 'ftp://x' }, invalidUrl],
    ['a password', { baseUrl: 'http://u:p@x' }, invalidUrl],
    ['a query', { baseUrl: 'http://x/?a=1' }, invalidUrl],
    ['a negative time', { timeoutMs: -1 }, "'timeoutMs' must be a number from 0 on"],
    ['a time that is no number', { timeoutMs: Number.NaN }, "'timeoutMs' must be a number from 0 on"],
    ['a text of retries', { retry: { retries: '3' as never } }, "'retry.retries' must be a number from 0 on"],
  ] as [string, ClientOptions, string][])('%s is refused at construction', (_what, wrong, message) => {
    const create = (): unknown => createClient({ ...options, ...wrong });
    expect(create).toThrow(UsageError);
    expect(create).toThrow(message);
  });

  test.each([
    ['a page', { location: new URL('http://app.test/docs/page?q=1') }, '/api', '/api'],
    ['a page, relative to it', { location: new URL('http://app.test/docs/page') }, 'api/', '/docs/api'],
    ['a worker from a blob', { location: new URL('blob:http://app.test/0b1c') }, '/api', '/api'],
  ])('a path is a base URL in %s, also of the event stream', async (_where, globals, baseUrl, path) => {
    const own = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
    for (const [name, value] of Object.entries(globals))
      Object.defineProperty(globalThis, name, { configurable: true, value });
    try {
      const urls: string[] = [];
      const fetch = async (url: string): Promise<Response> => (urls.push(url), Response.json({ capable: 5 }));
      class WebSocket implements Socket {
        onmessage: unknown;
        onclose: unknown;
        onerror: unknown;
        constructor(url: string) {
          urls.push(url);
        }
        send(): void {}
        close(): void {}
      }
      const client = createClient({ baseUrl, apiKey: 'k', fetch });
      await client.assistant.status();
      const stream = client.events({ pool: true }, { WebSocket });
      stream.next().catch(() => {});
      while (urls.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
      stream.close();
      expect(urls).toEqual([`http://app.test${path}/social/assistant/status`, `ws://app.test${path}/ws?api_key=k`]);
    } finally {
      for (const [name, descriptor] of own)
        if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, descriptor);
    }
  });

  test('come from the environment where the program gives none', async () => {
    server = await startScripted(status);
    process.env['SOCIAL_DATA_BASE_URL'] = `${server.url}/`;
    process.env['SOCIAL_DATA_API_KEY'] = 'from-the-environment';
    await createClient().assistant.status();
    await createClient({ apiKey: null }).assistant.status();
    expect(server.headers.map((headers) => headers['x-api-key'])).toEqual(['from-the-environment', undefined]);
    expect(server.requests).toEqual(Array(2).fill('GET /social/assistant/status'));
  });

  test('that are undefined keep the defaults', async () => {
    server = await startScripted((_request, response) => json(response, 503, { error: 'no' }));
    const members = { retries: undefined, baseMs: 1, capMs: undefined, budgetMs: undefined, repeat: undefined };
    const client = createClient({ ...options, baseUrl: server.url, timeoutMs: undefined, retry: members });
    await expect(client.assistant.status(undefined, { timeoutMs: undefined, retry: undefined })).rejects.toMatchObject({
      attempts: 4,
    });
    expect(server.requests).toHaveLength(4);
  });

  test('a time limit of Infinity is none', async () => {
    server = await startScripted(
      (_request, response) => void setTimeout(() => json(response, 200, { capable: 5 }), 30),
    );
    const client = createClient({ ...options, baseUrl: server.url, timeoutMs: Infinity });
    expect(await client.assistant.status(undefined, { timeoutMs: Infinity })).toEqual({ capable: 5 });
    await expect(client.assistant.status(undefined, { timeoutMs: -5 })).rejects.toBeInstanceOf(UsageError);
  });

  test('of withOptions replace those of the client, as far as they are defined', async () => {
    server = await startScripted(status);
    const client = createClient({ baseUrl: server.url, apiKey: 'first', headers: { 'x-app': 'one' } });
    await client.withOptions({ apiKey: 'second', headers: undefined }).assistant.status();
    await client.assistant.status();
    expect(server.headers.map((headers) => [headers['x-api-key'], headers['x-app']])).toEqual([
      ['second', 'one'],
      ['first', 'one'],
    ]);
  });
});

describe('the log', () => {
  const logger = () => ({ warn: jest.fn(), info: jest.fn(), debug: jest.fn() });

  test('has retries from info on and responses from debug on, without the key; onRetry gets the same', async () => {
    server = await startScripted((request, response, number) =>
      number % 2 === 0 ? json(response, 503, { error: 'not yet' }) : status(request, response, number),
    );
    const log = logger();
    const onRetry = jest.fn();
    const own = {
      ...options,
      apiKey: 'the-secret-key',
      baseUrl: server.url,
      retry: { baseMs: 1 },
      logger: log,
      onRetry,
    };
    await createClient({ ...own, logLevel: 'debug' }).assistant.status();
    expect(log.info.mock.calls).toEqual([
      [expect.stringMatching(/^social-data: get \/social\/assistant\/status: not yet; retry in \d+ ms$/)],
    ]);
    expect(log.debug.mock.calls.map(([line]) => line)).toEqual([
      expect.stringMatching(/status: 503 after \d+ ms, attempt 1$/),
      expect.stringMatching(/status: 200 after \d+ ms, attempt 2$/),
    ]);
    expect(onRetry.mock.calls).toMatchObject([[{ attempts: 1, error: { status: 503 }, delayMs: expect.any(Number) }]]);
    expect(JSON.stringify([log.info.mock.calls, log.debug.mock.calls])).not.toContain('the-secret-key');
    process.env['SOCIAL_DATA_LOG'] = 'off';
    const silent = logger();
    await createClient({ ...own, logger: silent }).assistant.status();
    expect(silent.info).not.toHaveBeenCalled();
  });

  test('warns of a deprecated operation once', async () => {
    const end = 'Wed, 31 Dec 2026 00:00:00 GMT';
    server = await startScripted((_request, response) =>
      json(response, 200, { capable: 5 }, { deprecation: '@1700000000', sunset: end }),
    );
    const log = logger();
    const client = createClient({ ...options, baseUrl: server.url, logger: log });
    await client.assistant.status();
    await client.assistant.status();
    expect(log.warn.mock.calls).toEqual([
      [`social-data: get /social/assistant/status is deprecated, and ends on ${end}`],
    ]);
  });
});
