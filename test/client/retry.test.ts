import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  createClient,
  RateLimitError,
  type CallOptions,
  type ClientOptions,
  type SocialDataClient,
} from '../../client/src/index.ts';
import { contract } from '../support/contract.ts';
import { heldMs, holdTimers } from '../support/held-timers.ts';
import { json, startScripted, type Answering, type Scripted } from '../support/scripted.ts';

let server: Scripted | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await server?.stop();
  server = undefined;
});

async function against(answer: Answering, options: Partial<ClientOptions> = {}): Promise<SocialDataClient> {
  server = await startScripted(answer);
  return createClient({ baseUrl: server.url, apiKey: 'k', retry: { baseMs: 2 }, ...options });
}
/** Fails so often in this way, and then answers. */
const failing =
  (times: number, fail: Answering): Answering =>
  (request, response, number) => {
    if (number < times) fail(request, response, number);
    else json(response, 200, { success: true, summary: 'done', capable: 5 });
  };
const answering =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (_request, response) =>
    json(response, status, { error: 'no' }, headers);
const breaking: Answering = (_request, response) => void response.destroy();
/** Never answers: the time limit of the request, `heldMs`, passes when the request is there. */
function silence(): Answering {
  const timers = holdTimers();
  return () => timers.end();
}

const read = (client: SocialDataClient) => client.assistant.status();
const ask = (client: SocialDataClient, options?: CallOptions) => client.tweet.assistant({ tweet_id: '1' }, options);
const unlike = (client: SocialDataClient, options?: CallOptions) => client.tweet.unlike({ tweet_id: '1' }, options);
const attemptsOf = async (
  client: SocialDataClient,
  call: (client: SocialDataClient) => PromiseLike<unknown>,
): Promise<number> => {
  await Promise.resolve(call(client)).catch(() => {});
  return server!.requests.length;
};

describe('retries', () => {
  test.each([429, 502, 503, 504])('a read after %i, at most three times', async (status) => {
    const client = await against(failing(3, answering(status)));
    expect(await read(client)).toMatchObject({ capable: 5 });
    expect(server!.requests).toHaveLength(4);
    await server!.stop();
    const other = await against(answering(status));
    await expect(read(other)).rejects.toMatchObject({ status, attempts: 4 });
    expect(server!.requests).toHaveLength(4);
  });

  test('a read after a lost connection or a timeout', async () => {
    const client = await against(failing(2, breaking));
    expect(await read(client)).toMatchObject({ capable: 5 });
    await server!.stop();
    const patient = await against(failing(1, silence()), { timeoutMs: heldMs });
    expect(await read(patient)).toMatchObject({ capable: 5 });
  });

  test.each([400, 401, 403, 404, 405, 409, 413, 415, 500, 501])('never after %i', async (status) => {
    const client = await against(answering(status));
    expect(await attemptsOf(client, read)).toBe(1);
  });

  test.each([
    ['a question to the assistant', ask],
    ['an unlike', unlike],
  ])('%s only after 429', async (_what, call) => {
    const silent = silence();
    for (const [fail, attempts] of [
      [answering(429), 4],
      [answering(502), 1],
      [answering(503, { 'retry-after': '1' }), 1],
      [answering(504), 1],
      [breaking, 1],
      [silent, 1],
    ] as const) {
      const client = await against(fail);
      const limits = fail === silent ? { timeoutMs: heldMs } : {};
      expect(await attemptsOf(client, (it) => call(it, limits))).toBe(attempts);
      await server!.stop();
    }
  });

  test('an unlike after other failures with repeat: safe', async () => {
    const client = await against(failing(2, breaking));
    expect(await client.tweet.unlike({ tweet_id: '1' }, { retry: { repeat: 'safe' } })).toEqual({
      success: true,
      summary: 'done',
      capable: 5,
    });
    expect(server!.requests).toEqual(Array(3).fill('POST /social/tweet/unlike'));
  });

  test('as x-repeat of each operation specifies', () => {
    const said = Object.values(contract.paths).flatMap(
      (methods) => Object.values(methods) as unknown as { operationId: string; 'x-repeat': string }[],
    );
    expect(said.filter((operation) => operation['x-repeat'] !== 'safe').map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['explainTweet', 'unlikeTweet']),
    );
    expect(new Set(said.map((operation) => operation['x-repeat'] ?? 'safe'))).toEqual(new Set(['safe', 'refused']));
  });

  test('as often as the client or the call allows', async () => {
    const client = await against(answering(503), { retry: 1 });
    expect(await attemptsOf(client, read)).toBe(2);
    expect(await attemptsOf(client, (it) => it.assistant.status(undefined, { retry: false }))).toBe(3);
    expect(await attemptsOf(client, (it) => it.assistant.status(undefined, { retry: { retries: 4, baseMs: 1 } }))).toBe(
      8,
    );
  });

  test('also with client.GET, which returns the last error', async () => {
    const client = await against(failing(2, answering(503)));
    expect((await client.GET('/social/assistant/status')).data).toMatchObject({ capable: 5 });
    expect(server!.requests).toHaveLength(3);
    await server!.stop();
    const other = await against(answering(503));
    expect(await other.GET('/social/assistant/status')).toMatchObject({
      error: { error: 'no' },
      response: { status: 503 },
    });
    expect(server!.requests).toHaveLength(4);
  });

  test('with the current key', async () => {
    const client = await against(failing(1, answering(503)), {
      apiKey: (
        (keys) => () =>
          keys.shift()!
      )(['old', 'new']),
    });
    await read(client);
    expect(server!.headers.map((headers) => headers['x-api-key'])).toEqual(['old', 'new']);
  });
});

describe('the delay', () => {
  /** The waits of a call that fails again and again, which then take no time. */
  async function waitsOf(client: SocialDataClient, random: number): Promise<number[]> {
    jest.spyOn(Math, 'random').mockReturnValue(random);
    const real = globalThis.setTimeout;
    const waits: number[] = [];
    const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation((callback: () => void, ms = 0) => {
      // A timeout of a try stays; a timer of the runtime, such as that of an idle connection, is no wait of the client.
      if (ms === 30_000) return real(() => {}, 0);
      if (!new Error().stack?.includes('/client/src/')) return real(callback, ms);
      waits.push(ms);
      return real(callback, 0);
    });
    await Promise.resolve(read(client)).catch(() => {});
    spy.mockRestore();
    return waits;
  }
  const standard = {
    retry: { retries: 6 },
    fetch: () => Promise.resolve(new Response('{"error":"no"}', { status: 503 })),
  } as const;

  test('is random between zero and a bound that doubles up to eight seconds (full jitter)', async () => {
    const client = createClient({ baseUrl: 'http://x', apiKey: 'k', ...standard });
    expect(await waitsOf(client, 1)).toEqual([250, 500, 1000, 2000, 4000, 8000]);
    expect(await waitsOf(client, 0.5)).toEqual([125, 250, 500, 1000, 2000, 4000]);
    expect(await waitsOf(client, 0)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test.each([
    [{ 'retry-after': '3' }, [3250, 3500]],
    [{ ratelimit: '"default";r=0;t=5' }, [5250, 5500]],
    [{ ratelimit: '"default";r=2;t=5' }, [250, 500]],
    [{ ratelimit: '"default";r=0;t=5', 'retry-after': '1' }, [1250, 1500]],
  ])('is the delay of %j plus jitter', async (headers, waits) => {
    const client = createClient({
      baseUrl: 'http://x',
      apiKey: 'k',
      retry: 2,
      fetch: () =>
        Promise.resolve(new Response('{"error":"no"}', { status: 429, headers: headers as Record<string, string> })),
    });
    expect(await waitsOf(client, 1)).toEqual(waits);
  });

  test('does not start if it exceeds the time limit: the error has retryAfter', async () => {
    const client = await against(answering(429, { 'retry-after': '90' }));
    await expect(read(client)).rejects.toMatchObject({ status: 429, retryAfter: 90, attempts: 1 });
    await expect(client.assistant.status(undefined, { retry: { budgetMs: 0 } })).rejects.toBeInstanceOf(RateLimitError);
    expect(server!.requests).toHaveLength(2);
  });

  test('ends at once when the caller aborts', async () => {
    const controller = new AbortController();
    // To wait as long as that would take longer than the test may.
    const client = await against(answering(429, { 'retry-after': '3600' }), {
      retry: { budgetMs: 7_200_000 },
      onRetry: () => void setImmediate(() => controller.abort()),
    });
    await expect(client.assistant.status(undefined, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(server!.requests).toHaveLength(1);
  });
});

describe('identical concurrent reads', () => {
  const slow: Answering = (_request, response) =>
    void setTimeout(
      () => json(response, 200, { tweets: [], next_cursor: null, has_next_page: false, tweet_id: '1', success: true }),
      30,
    );
  const three = (client: SocialDataClient) => [
    client.user.lastTweets({ username: 'a', limit: 2 }),
    client.user.lastTweets({ limit: 2, username: 'a' }),
    client.user.lastTweets({ username: 'b', limit: 2 }),
  ];

  test('share a request with coalesce, while it is open', async () => {
    const client = await against(slow, { coalesce: true });
    const [first, second] = await Promise.all(three(client));
    expect(first).toBe(second);
    expect(server!.requests).toHaveLength(2);
    await client.user.lastTweets({ username: 'a', limit: 2 });
    expect(server!.requests).toHaveLength(3);
  });

  test('are not shared if they have a signal, use the quota, or write', async () => {
    const client = await against(slow, { coalesce: true });
    const { signal } = new AbortController();
    await Promise.all([
      client.user.lastTweets({ username: 'a' }, { signal }),
      client.user.lastTweets({ username: 'a' }, { signal }),
      ask(client),
      ask(client),
      unlike(client),
      unlike(client),
    ]);
    expect(server!.requests).toHaveLength(6);
  });

  test('are separate requests otherwise', async () => {
    const client = await against(slow);
    await Promise.all(three(client));
    expect(server!.requests).toHaveLength(3);
  });
});

describe('custom hooks, headers and fetch', () => {
  test('apply to each attempt, also when added or removed later', async () => {
    const delivered: string[] = [];
    const hook = (name: string) => ({
      onRequest: ({ request }: { request: Request }) => {
        delivered.push(`${name} asks`);
        request.headers.set(`x-${name}`, 'yes');
      },
      onResponse: ({ response }: { response: Response }) => void delivered.push(`${name} gets ${response.status}`),
    });
    const client = await against(failing(1, answering(503)), {
      middleware: [hook('first')],
      headers: { 'x-app': 'mine', 'x-both': 'client' },
    });
    const second = hook('second');
    client.use(second);
    await client.assistant.status(undefined, { headers: { 'x-both': 'call' } });
    const around = (status: number): string[] => [
      'first asks',
      'second asks',
      `second gets ${status}`,
      `first gets ${status}`,
    ];
    expect(delivered).toEqual([...around(503), ...around(200)]);
    expect(server!.headers[1]).toMatchObject({
      'x-first': 'yes',
      'x-second': 'yes',
      'x-app': 'mine',
      'x-both': 'call',
      'x-api-key': 'k',
    });
    client.eject(second);
    await read(client);
    expect(delivered.slice(8)).toEqual(['first asks', 'first gets 200']);
  });

  test('reads the global fetch for each call, so that a later mock is used', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' });
    const mocked = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(() => Promise.resolve(new Response('{"capable":1}')));
    expect(await read(client)).toEqual({ capable: 1 });
    expect(mocked).toHaveBeenCalledTimes(1);
    const { data } = await client.GET('/social/assistant/status', {
      fetch: () => Promise.resolve(new Response('{"capable":2}')),
    });
    expect(data).toEqual({ capable: 2 });
  });
});
