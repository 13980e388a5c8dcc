import { channel } from 'node:diagnostics_channel';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  ConnectionError,
  createClient,
  DecodeError,
  NotModifiedError,
  RedirectError,
  responseCache,
  TimeoutError,
  UsageError,
  type ClientOptions,
} from '../../client/src/index.ts';
import { failureOf, ScriptedClients } from '../support/scripted-client.ts';
import { json, type Answering } from '../support/scripted.ts';

const key = 'a-secret-key-of-the-fetch-tests';
const scripted = new ScriptedClients(key);
afterEach(() => scripted.stop());

const status: Answering = (_request, response) => json(response, 200, { capable: 5 });

describe('a custom fetch', () => {
  test('gets the URL and the options, as libraries expect, also with hooks and through client.POST', async () => {
    const calls: [unknown, RequestInit][] = [];
    const own = (url: string, init: RequestInit) => {
      calls.push([url, init]);
      return fetch(url, init);
    };
    const client = await scripted.against(
      (request, response) => json(response, 200, { capable: 5, success: request.method }),
      {
        fetch: own,
        fetchOptions: { cache: 'no-store', next: { revalidate: 5 } },
      },
    );
    await client.assistant.status(undefined, { fetchOptions: { dispatcher: undefined, tag: 'mine' } });
    await client.POST('/social/tweet/unlike', { body: { tweet_id: '1' } });
    client.use({ onRequest: ({ request }) => request.headers.set('x-hook', 'yes') });
    await client.tweet.unlike({ tweet_id: '2' });
    expect(calls.map(([url, { method, body }]) => [url, method, body])).toEqual([
      [`${scripted.server.url}/social/assistant/status`, 'GET', undefined],
      [`${scripted.server.url}/social/tweet/unlike`, 'POST', '{"tweet_id":"1"}'],
      [`${scripted.server.url}/social/tweet/unlike`, 'POST', '{"tweet_id":"2"}'],
    ]);
    for (const [url, init] of calls) {
      expect(typeof url).toBe('string');
      expect(init).toMatchObject({ redirect: 'manual', cache: 'no-store', next: { revalidate: 5 } });
      expect(init.headers).toMatchObject({ 'x-api-key': key });
    }
    expect(calls[0]![1]).toMatchObject({ tag: 'mine' });
    expect(scripted.server.headers[2]).toMatchObject({ 'x-hook': 'yes', 'x-api-key': key });
  });

  test('may return a response of another implementation', async () => {
    const foreign = { ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve('{"capable":7}') };
    const client = createClient({
      baseUrl: 'http://x',
      apiKey: key,
      fetch: () => Promise.resolve(foreign as Response),
    });
    expect(await client.assistant.status()).toEqual({ capable: 7 });
  });
});

describe('a redirect', () => {
  test('is an error of its own that names the target; Workers refuse the mode error', async () => {
    const client = await scripted.against((_request, response) =>
      response.writeHead(301, { location: '/elsewhere' }).end(),
    );
    const error = await failureOf(client.assistant.status());
    expect(error).toBeInstanceOf(RedirectError);
    expect(error).toMatchObject({
      status: 301,
      location: '/elsewhere',
      message: 'the service redirects to /elsewhere',
    });
    expect(scripted.server.requests).toHaveLength(1);
    const opaque = {
      type: 'opaqueredirect',
      ok: false,
      status: 0,
      headers: new Headers(),
      text: () => Promise.resolve(''),
    };
    const browser = createClient({
      baseUrl: 'http://x',
      apiKey: key,
      fetch: () => Promise.resolve(opaque as Response),
    });
    expect(await failureOf(browser.assistant.status())).toMatchObject({ name: 'RedirectError', location: undefined });
  });
});

describe('a key function or hook that never answers', () => {
  const never = () => new Promise<never>(() => {});
  test.each([
    ['a key function', { apiKey: never }],
    ['a hook', { middleware: [{ onRequest: never }] }],
    ['a fetch', { fetch: never }],
  ] as [string, Partial<ClientOptions>][])(
    '%s ends with the time limit and with the signal',
    async (_what, options) => {
      const client = await scripted.against(status, { ...options, timeoutMs: 30 });
      expect(await failureOf(client.assistant.status())).toBeInstanceOf(TimeoutError);
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 10);
      const { signal } = controller;
      expect(await failureOf(client.assistant.status(undefined, { signal, timeoutMs: 0 }))).toMatchObject({
        name: 'AbortError',
      });
    },
  );

  test('the key of an event stream has the same time limit', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: never, timeoutMs: 30 });
    expect(await failureOf(client.events({ pool: true }).next())).toBeInstanceOf(TimeoutError);
  });
});

describe('every error is a SocialDataError', () => {
  test.each([
    ['a key function that throws', { apiKey: () => Promise.reject(new Error('no vault')) }, UsageError],
    ['a key with a line break', { apiKey: `${key}\n` }, UsageError],
    ['a header with a line break', { headers: { 'x-app': 'a\nb' } }, UsageError],
    ['a base URL without a server', { baseUrl: 'http://127.0.0.1:1' }, ConnectionError],
  ] as [string, Partial<ClientOptions>, typeof UsageError][])('%s', async (_what, options, Class) => {
    const client = await scripted.against(status, options);
    const error = await failureOf(client.assistant.status());
    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({ method: 'GET', url: expect.stringContaining('/social/assistant/status') });
    expect(`${error.message} ${JSON.stringify(error)} ${error.stack}`).not.toContain(key);
    expect(scripted.server.requests).toEqual([]);
  });

  test('half of a surrogate pair in a parameter', async () => {
    const client = await scripted.against(status);
    const error = await failureOf(client.user.lastTweets({ username: '\ud800' }));
    expect(error).toMatchObject({
      name: 'UsageError',
      message: "the parameter 'username' has half of a surrogate pair",
    });
    expect(await failureOf(client.GET('/social/space/detail', { params: { query: { id: '\ud800' } } }))).toMatchObject({
      name: 'UsageError',
    });
  });

  test.each(['null', '{"foo":1}', '[]', '"text"', '{"tweets":null}', '{"tweets":{}}'])(
    'a response of another shape: %s',
    async (body) => {
      const client = await scripted.against((_request, response) => response.end(body));
      expect(await failureOf(client.user.lastTweets({ username: 'a' }))).toBeInstanceOf(DecodeError);
      expect(await failureOf(client.assistant.status())).toBeInstanceOf(DecodeError);
    },
  );

  test('a connection error names host and code, an error response its headers and the start of its body', async () => {
    const client = await scripted.against((_request, response) =>
      json(response, 404, { error: 'nothing here', long: 'x'.repeat(5_000) }, { 'x-own': 'yes' }),
    );
    const error = await failureOf(client.space.detail({ id: 'a b' }));
    expect(error).toMatchObject({ method: 'GET', url: `${scripted.server.url}/social/space/detail?id=a%20b` });
    const { headers, body } = error as unknown as { headers: Headers; body: string };
    expect([headers.get('x-own'), body.length, body.slice(0, 24)]).toEqual(['yes', 2_000, '{"error":"nothing here",']);
    const { host } = new URL(scripted.server.url);
    await scripted.server.stop();
    expect(await failureOf(client.assistant.status())).toMatchObject({
      message: `the connection to ${host} failed (ECONNREFUSED)`,
      host,
      code: 'ECONNREFUSED',
    });
  });
});

describe('pages', () => {
  const page = (ids: string[], next: string | null): object => ({
    tweets: ids.map((id) => ({ id })),
    next_cursor: next,
    has_next_page: next !== null,
  });

  test('are as large as the overall limit needs, at most as large as the contract permits', async () => {
    const client = await scripted.against((_request, response) => json(response, 200, page(['1'], null)));
    await client.user.lastTweets({ username: 'a' }, { limit: 500 }).toArray();
    await client.user.lastTweets({ username: 'a' }, { limit: 7 }).toArray();
    await client.user.lastTweets({ username: 'a', limit: 5 }, { limit: 500 }).toArray();
    await client.user.lastTweets({ username: 'a', cursor: null }).toArray();
    expect(scripted.server.requests.map((target) => target.split('?')[1])).toEqual([
      'username=a&limit=100',
      'username=a&limit=7',
      'username=a&limit=5',
      'username=a',
    ]);
  });

  test('that refer to each other in a ring are a PagingError', async () => {
    const next: Record<string, string> = { '': 'b', b: 'c', c: 'd', d: 'b' };
    const client = await scripted.against((request, response) => {
      const cursor = new URL(request.url!, 'http://x').searchParams.get('cursor') ?? '';
      json(response, 200, page([cursor], next[cursor]!));
    });
    expect(await failureOf(client.user.highlights({ username: 'a' }).toArray())).toMatchObject({
      name: 'PagingError',
      cursor: 'd',
    });
    expect(scripted.server.requests).toHaveLength(4);
  });

  test('an aborted iteration throws, also within its last page', async () => {
    const client = await scripted.against((_request, response) => json(response, 200, page(['1', '2', '3'], null)));
    for (const stopAt of ['1', '3']) {
      const controller = new AbortController();
      const seen: string[] = [];
      const walk = async (): Promise<void> => {
        for await (const { id } of client.user.highlights({ username: 'a' }, { signal: controller.signal })) {
          seen.push(id);
          if (id === stopAt) controller.abort();
        }
      };
      expect(await failureOf(walk())).toMatchObject({ name: 'AbortError' });
      expect(seen.at(-1)).toBe(stopAt);
    }
  });
});

describe('a cache', () => {
  const tagged: Answering = (request, response) => {
    if (request.headers['if-none-match'] === '"v1"') response.writeHead(304, { etag: '"v1"' }).end();
    else json(response, 200, { capable: 5 }, { etag: '"v1"' });
  };

  test('sends the ETag of a known response, and returns a copy of it for a 304', async () => {
    const client = await scripted.against(tagged, { cache: responseCache(2) });
    const first = await client.assistant.status();
    const second = await client.assistant.status();
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(scripted.server.headers.map((headers) => headers['if-none-match'])).toEqual([undefined, '"v1"']);
    for (const id of ['a', 'b']) await client.GET('/social/space/detail', { params: { query: { id } } });
    await client.assistant.status();
    expect(scripted.server.headers.at(-1)).toMatchObject({ 'if-none-match': '"v1"' });
  });

  test('keeps the most recently used responses', () => {
    const cache = responseCache(2);
    for (const url of ['a', 'b']) cache.set(url, { etag: url, text: url });
    void cache.get('a');
    cache.set('c', { etag: 'c', text: 'c' });
    expect(['a', 'b', 'c'].map((url) => cache.get(url) !== undefined)).toEqual([true, false, true]);
  });

  test('a 304 to an own If-None-Match is a NotModifiedError', async () => {
    const client = await scripted.against(tagged);
    const headers = { 'If-None-Match': '"v1"' };
    const error = await failureOf(client.assistant.status(undefined, { headers }));
    expect(error).toBeInstanceOf(NotModifiedError);
    expect((error as NotModifiedError).headers.get('etag')).toBe('"v1"');
  });
});

describe('many calls', () => {
  test('wait together after the rate limit of the key is used up', async () => {
    const client = await scripted.against(
      (request, response, number) =>
        number === 0
          ? json(response, 429, { error: 'slow down' }, { 'retry-after': '0.3', ratelimit: '"default";r=0;t=1' })
          : status(request, response, number),
      { retry: { retries: 3, baseMs: 1 } },
    );
    const first = client.assistant.status();
    while (scripted.server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all([first, client.assistant.status(), client.GET('/social/assistant/status')]);
    const [start = 0, ...others] = scripted.server.times;
    expect(others).toHaveLength(3);
    for (const time of others) expect(time - start).toBeGreaterThan(290);
  });

  test('with one signal add one listener to it', async () => {
    const client = await scripted.against(status);
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    await Promise.all(Array.from({ length: 20 }, () => client.assistant.status(undefined, { signal })));
    expect(added).toHaveBeenCalledTimes(1);
  });
});

test('requests name the client outside browsers, and each call is on a tracing channel', async () => {
  const client = await scripted.against(status);
  const traced: unknown[] = [];
  const note = (name: string) => (message: unknown) => traced.push([name, { ...(message as object) }]);
  const notes = { start: note('start'), asyncEnd: note('end') };
  for (const [name, each] of Object.entries(notes)) channel(`tracing:@social-data/client:call:${name}`).subscribe(each);
  try {
    await client.assistant.status();
  } finally {
    for (const [name, each] of Object.entries(notes))
      channel(`tracing:@social-data/client:call:${name}`).unsubscribe(each);
  }
  expect(scripted.server.headers[0]!['user-agent']).toMatch(/^social-data-client\/\S+ Node\.js/);
  const operation = 'get /social/assistant/status';
  expect(traced).toMatchObject([
    ['start', { operation, url: `${scripted.server.url}/social/assistant/status` }],
    ['end', { operation, status: 200, attempts: 1 }],
  ]);
});

describe('the header X-Event-Cursor', () => {
  /** Responds to the unlike with a position, and to reads with 503 until the third request. */
  const lagging: Answering = (request, response, number) => {
    if (request.method === 'POST') json(response, 200, { success: true }, { 'x-event-cursor': 'e.9' });
    else if (number < 2) json(response, 503, { error: 'not reached yet' }, { 'retry-after': '0' });
    else json(response, 200, { id: 'x' }, { 'x-event-cursor': 'e.8' });
  };
  const sent = (): unknown[] => scripted.server.headers.map((headers) => headers['x-event-cursor']);

  test('has the latest position that the client knows; a read that the service cannot serve yet is retried', async () => {
    const client = await scripted.against(lagging, { retry: { baseMs: 0 } });
    await client.tweet.unlike({ tweet_id: '1' });
    expect(await client.space.detail({ id: 'x' })).toEqual({ id: 'x' });
    await client.space.detail({ id: 'x' });
    expect(sent()).toEqual([undefined, 'e.9', 'e.9', 'e.9']);
  });

  test('is not sent to an operation that does not declare it, and is sent through hooks', async () => {
    const client = await scripted.against(
      (_request, response) => json(response, 200, { id: 'x', tweet_id: '1' }, { 'x-event-cursor': 'e.1' }),
      { middleware: [{ onRequest: () => undefined }] },
    );
    await client.space.detail({ id: 'x' });
    await client.tweet.assistant({ tweet_id: '1' });
    await client.space.detail({ id: 'x' });
    expect(sent()).toEqual([undefined, undefined, 'e.1']);
  });
});
