// Tests server/onchain/dexscreener-client.ts.
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { http, HttpResponse, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';
import { createDexScreener, ttlMs } from '../../server/onchain/dexscreener.ts';
import { callTimeoutMs } from '../../server/onchain/upstream-guard.ts';
import type { TokenName, TokenResolver } from '../../server/ports/token-resolver.ts';
import { answer, evmAddress, pair, solAddress } from './pairs.ts';

const host = 'https://aggregator.example';
const upstream = setupServer();
/** The targets that were asked for, in their order. */
let requests: string[];
/** The recorded outcomes. */
let cached: string[];
let outcomes: string[];
let endpoints: string[];
/** The resolver's clock; where it starts, and how far the system's is off. */
let time: number;
let skew: number;
const start = 1_000_000;
let resolver: TokenResolver;

beforeAll(() => {
  upstream.listen({ onUnhandledRequest: 'error' });
  upstream.events.on('request:start', ({ request }) => void requests.push(request.url.slice(host.length)));
});
afterAll(() => upstream.close());
beforeEach(() => {
  [requests, cached, outcomes, endpoints] = [[], [], [], []];
  [time, skew] = [start, 0];
  jest.spyOn(Date, 'now').mockImplementation(() => time + skew);
  jest.spyOn(performance, 'now').mockImplementation(() => time);
  resolver = open(host);
});
afterEach(() => {
  jest.restoreAllMocks();
  upstream.resetHandlers();
});

const open = (baseUrl: string): TokenResolver =>
  createDexScreener({
    baseUrl: new URL(baseUrl),
    now: () => time,
    observer: {
      cacheLookedUp: (result) => cached.push(result),
      lookupFinished: (outcome) => outcomes.push(outcome),
      requestFinished: (endpoint) => endpoints.push(endpoint),
    },
  });

/** The aggregator answers everything like this from now on. */
const reply = (respond: (request: Request) => Response | Promise<Response>): void =>
  upstream.use(http.get(`${host}/*`, ({ request }) => respond(request)));
const replyJson = (body: unknown): void => reply(() => HttpResponse.json(body as JsonBodyType));

const never = new AbortController().signal;
const ask = (name: TokenName, chain?: string, signal = never): ReturnType<TokenResolver['resolve']> =>
  resolver.resolve(name, chain, signal);
const pond = { symbol: 'POND' };

describe('requests to the aggregator', () => {
  beforeEach(() => replyJson(answer(pair(), pair({ chain: 'base', address: evmAddress, liquidity: 5 }))));

  test('searches for a symbol', async () => {
    expect(await ask({ symbol: '$PonD' })).toMatchObject({ address: solAddress });
    expect([requests, endpoints]).toEqual([['/latest/dex/search?q=pond'], ['search']]);
  });

  test('searches for an address without a chain, and requests the tokens of a chain with one', async () => {
    expect(await ask({ address: evmAddress })).toMatchObject({ chain: 'base' });
    expect(await ask({ address: solAddress }, 'solana')).toMatchObject({ chain: 'solana' });
    expect(requests).toEqual([`/latest/dex/search?q=${evmAddress.toLowerCase()}`, `/tokens/v1/solana/${solAddress}`]);
    expect(endpoints).toEqual(['search', 'tokens']);
  });

  test('returns null when the response has another address', async () => {
    expect(await ask({ address: 'OthEr111111111111111111111111111111111other' }, 'solana')).toBeNull();
    expect(outcomes).toEqual(['unknown']);
  });

  test.each<[string, TokenName, string | undefined]>([
    ['a URL', { address: 'https://evil.example/steal-a-secret' }, undefined],
    ['a path', { address: '../../../../admin/secret' }, 'solana'],
    ['a symbol with a query', { symbol: 'a&b=c' }, undefined],
    ['an empty symbol', { symbol: '$' }, undefined],
    ['a chain with a path', pond, '../../x'],
    ['an address with a second one', { address: `${solAddress},${evmAddress}` }, undefined],
  ])('sends no request for %s', async (_what, name, chain) => {
    expect(await ask(name, chain)).toBeNull();
    expect([requests, outcomes]).toEqual([[], ['unknown']]);
  });

  test('encodes non-ASCII letters and colons', async () => {
    await ask({ symbol: '狗' });
    await ask({ address: `0x${'a'.repeat(64)}::coin::COIN` }, 'sui');
    expect(requests).toEqual([
      '/latest/dex/search?q=%E7%8B%97',
      `/tokens/v1/sui/0x${'a'.repeat(64)}%3A%3Acoin%3A%3ACOIN`,
    ]);
  });

  test('keeps the path of the base URL', async () => {
    resolver = open(`${host}/proxied/dex/`);
    await ask(pond);
    expect(requests).toEqual(['/proxied/dex/latest/dex/search?q=pond']);
  });
});

describe('returns null for an unusable response, and does not cache it:', () => {
  const json = { 'content-type': 'application/json' };
  test.each<[string, () => Response]>([
    ['half of it', () => new HttpResponse(JSON.stringify(answer(pair())).slice(0, 200), { headers: json })],
    ['HTML', () => HttpResponse.html('<!doctype html><title>Just a moment...</title>')],
    ['nothing', () => new HttpResponse('', { headers: json })],
    ['another form', () => HttpResponse.json({ error: 'no', pairs: 'none' })],
    ['a number', () => HttpResponse.json(7)],
    ['a binary body', () => new HttpResponse(Buffer.from([0xff, 0xfe, 0x00, 0x80]), { headers: json })],
    ['more than a mebibyte', () => HttpResponse.json({ ...answer(pair()), padding: 'x'.repeat(1_100_000) })],
    [
      'a little that unpacks to more than a mebibyte',
      () =>
        new HttpResponse(gzipSync(JSON.stringify({ ...answer(pair()), padding: 'x'.repeat(2_000_000) })), {
          headers: { ...json, 'content-encoding': 'gzip' },
        }),
    ],
    ['a broken connection', () => HttpResponse.error()],
    [
      'one that breaks off',
      () => {
        const parts = [JSON.stringify(answer(pair())).slice(0, 200)];
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            const part = parts.shift();
            if (part === undefined) controller.error(new Error('reset'));
            else controller.enqueue(Buffer.from(part));
          },
        });
        return new HttpResponse(body, { headers: json });
      },
    ],
    ['a redirect, which is not followed', () => HttpResponse.redirect('http://169.254.169.254/latest/meta-data/', 302)],
  ])('%s', async (_what, respond) => {
    reply(respond);
    expect(await ask(pond)).toBeNull();
    expect(await ask(pond)).toBeNull();
    expect(outcomes).toEqual(['failed', 'failed']);
    expect(requests).toEqual(Array(2).fill('/latest/dex/search?q=pond'));
    upstream.resetHandlers();
    replyJson(answer(pair()));
    expect(await ask(pond)).toMatchObject({ symbol: 'POND' });
  });

  test('reads at most one mebibyte of a body', async () => {
    let pulled = 0;
    reply(() => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(65_536).fill(32));
        },
      });
      return new HttpResponse(body, { headers: json });
    });
    expect(await ask(pond)).toBeNull();
    expect(pulled).toBeLessThan(64);
  });

  test.each([401, 403, 405, 408, 418, 500, 502, 503, 504, 520])('status %d, even with a good body', async (status) => {
    reply(() => HttpResponse.json(answer(pair()) as JsonBodyType, { status }));
    expect(await ask(pond)).toBeNull();
    expect(outcomes).toEqual(['failed']);
  });

  test.each([201, 204, 206])('status %d', async (status) => {
    reply(() => new HttpResponse(null, { status }));
    expect(await ask(pond)).toBeNull();
    expect(outcomes).toEqual(['failed']);
  });
});

test.each([400, 404])('treats status %d as an unknown token, not as a failure', async (status) => {
  reply(() => new HttpResponse('no', { status }));
  for (let call = 0; call < 10; call += 1) expect(await ask({ symbol: `T${call}` })).toBeNull();
  expect(outcomes).toEqual(Array(10).fill('unknown'));
});

test('rejects when the signal aborts, and caches the late response', async () => {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  reply(async () => {
    arrived.resolve();
    await release.promise;
    return HttpResponse.json(answer(pair()) as JsonBodyType);
  });
  const caller = new AbortController();
  const left = ask(pond, undefined, caller.signal);
  const stayed = ask(pond);
  await arrived.promise;
  caller.abort();
  expect(await left).toBeNull();
  expect(outcomes).toEqual(['abandoned']);
  release.resolve();
  expect(await stayed).toMatchObject({ symbol: 'POND' });
  expect(await ask(pond)).toMatchObject({ symbol: 'POND' });
  expect([requests.length, cached]).toEqual([1, ['miss', 'shared', 'hit']]);
});

describe('an aggregator that never', () => {
  /** Lets four seconds pass once a request has come so far. */
  const overdue = async (arrived: Promise<void>, lookup: Promise<unknown>): Promise<void> => {
    await arrived;
    jest.advanceTimersByTime(callTimeoutMs - 1);
    // Everything that could end it has had its turn.
    expect(await Promise.race([lookup, new Promise((resolve) => setImmediate(resolve, 'still waiting'))])).toBe(
      'still waiting',
    );
    jest.advanceTimersByTime(1);
    expect(await lookup).toBeNull();
    expect(outcomes).toContain('failed');
  };
  beforeEach(
    () =>
      void jest.useFakeTimers({
        doNotFake: ['Date', 'performance', 'nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'],
      }),
  );
  afterEach(() => void jest.useRealTimers());

  test('responds times out after four seconds, also for callers with a longer timeout', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    reply(() => {
      resolve();
      return new Promise<never>(() => {});
    });
    await overdue(promise, ask(pond));
  });

  test('ends its response times out too', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    reply(() => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from('{"pairs":[')),
        pull: () => resolve(),
      });
      return new HttpResponse(body, { headers: { 'content-type': 'application/json' } });
    });
    await overdue(promise, ask(pond));
  });

  test('closes the connection is abandoned, also in half-open state, and requested again later', async () => {
    reply(() => new HttpResponse(null, { status: 503 }));
    for (let call = 0; call < 5; call += 1) await ask(pond);
    time += 5_000;
    const { promise, resolve } = Promise.withResolvers<void>();
    const deaf = jest.spyOn(globalThis, 'fetch').mockImplementation(() => {
      resolve();
      return new Promise<never>(() => {});
    });
    const trial = ask(pond);
    const waiting = ask({ symbol: 'OTHER' });
    await overdue(
      promise,
      Promise.all([trial, waiting]).then(() => null),
    );
    expect(outcomes.slice(5).toSorted()).toEqual(['failed', 'open']);
    deaf.mockRestore();
    upstream.resetHandlers();
    replyJson(answer(pair()));
    time += 10_000;
    expect(await ask(pond)).toMatchObject({ symbol: 'POND' });
  });
});

test('sends no request for an aborted signal', async () => {
  expect(await ask(pond, undefined, AbortSignal.abort())).toBeNull();
  expect([requests, outcomes]).toEqual([[], ['abandoned']]);
});

describe('the cache', () => {
  test('merges equal concurrent lookups, independent of spelling and chain', async () => {
    replyJson(answer(pair(), pair({ chain: 'base', address: evmAddress, liquidity: 5 })));
    const found = await Promise.all([
      ask(pond),
      ask({ symbol: '$pond' }),
      ask({ symbol: 'Pond' }, 'base'),
      ask(pond, 'ethereum'),
    ]);
    expect(found.map((token) => token?.chain)).toEqual(['solana', 'solana', 'base', undefined]);
    expect(requests).toHaveLength(1);
    expect(cached).toEqual(['miss', 'shared', 'shared', 'shared']);
  });

  test('ignores the case of EVM addresses, but not of base58 addresses', async () => {
    replyJson(answer(pair(), pair({ chain: 'base', address: evmAddress })));
    await ask({ address: evmAddress });
    await ask({ address: evmAddress.toLowerCase() });
    expect(requests).toHaveLength(1);
    await ask({ address: solAddress });
    await ask({ address: solAddress.toLowerCase() });
    expect(requests).toHaveLength(3);
  });

  test('keeps a result for two minutes, and a miss for half a minute', async () => {
    replyJson(answer(pair()));
    const lookUp = async (): Promise<number> => {
      await ask(pond);
      await ask({ symbol: 'NONE' });
      return requests.length;
    };
    expect(await lookUp()).toBe(2);
    time += ttlMs.nothing - 1;
    expect(await lookUp()).toBe(2);
    time += 2;
    expect(await lookUp()).toBe(3);
    time += ttlMs.found - ttlMs.nothing - 2;
    expect(await lookUp()).toBe(4);
    time += 2;
    await ask(pond);
    expect(requests.at(-1)).toBe('/latest/dex/search?q=pond');
  });

  test('does not cache a failure', async () => {
    reply(() => new HttpResponse(null, { status: 500 }));
    await ask(pond);
    replyJson(answer(pair()));
    expect(await ask(pond)).not.toBeNull();
  });
});

describe('the limit', () => {
  /** Looks up new names and returns the outcomes. */
  let next = 0;
  const lookUp = async (count: number): Promise<string[]> => {
    outcomes = [];
    for (let call = 0; call < count; call += 1) await ask({ symbol: `T${(next += 1)}` });
    return outcomes;
  };

  test('allows 300 requests in any minute, and rejects others at once', async () => {
    const sent: number[] = [];
    reply(() => {
      sent.push(time);
      return HttpResponse.json(answer() as JsonBodyType);
    });
    for (let second = 0; second < 90; second += 1) {
      await lookUp(second % 30 === 0 ? 80 : 6);
      time += 1000;
    }
    const most = Math.max(...sent.map((at) => sent.filter((other) => other >= at && other < at + 60_000).length));
    expect(most).toBeLessThanOrEqual(300);
    expect(most).toBeGreaterThan(240);
  });

  test('is shared by all lookups, and does not apply to cached results', async () => {
    replyJson(answer(pair()));
    await ask(pond);
    expect(await lookUp(70)).toEqual([...Array(59).fill('unknown'), ...Array(11).fill('limited')]);
    expect(await ask(pond)).not.toBeNull();
    expect(await ask({ address: solAddress }, 'solana')).toBeNull();
    time += 250;
    expect(await ask({ address: solAddress }, 'solana')).not.toBeNull();
    expect(await lookUp(1)).toEqual(['limited']);
  });

  test.each<[string, Record<string, string>, number]>([
    ['the delay of Retry-After', { 'retry-after': '30' }, 30_000],
    ['the delay of Retry-After as a date', { 'retry-after': new Date(start + 60_000).toUTCString() }, 60_000],
    ['five seconds without one', {}, 5_000],
    ['five seconds for one that cannot be read', { 'retry-after': 'soon' }, 5_000],
    ['ten minutes at most', { 'retry-after': '999999999' }, 600_000],
  ])('sends no request after a 429 for %s', async (_what, headers, ms) => {
    reply(() => new HttpResponse(null, { status: 429, headers }));
    expect(await lookUp(3)).toEqual(['limited', 'limited', 'limited']);
    upstream.resetHandlers();
    replyJson(answer(pair()));
    time += ms - 1;
    expect(await ask({ address: solAddress }, 'solana')).toBeNull();
    expect(requests).toHaveLength(1);
    time += 1;
    expect(await ask(pond)).not.toBeNull();
  });
});

describe('the breaker', () => {
  const fail = async (count: number): Promise<void> => {
    reply(() => new HttpResponse(null, { status: 503 }));
    for (let call = 0; call < count; call += 1) await ask(pond);
  };
  test('opens after five consecutive failures, and sends no request then', async () => {
    await fail(8);
    expect(outcomes).toEqual([...Array(5).fill('failed'), ...Array(3).fill('open')]);
    expect(requests).toHaveLength(5);
    expect(await ask({ address: solAddress }, 'solana')).toBeNull();
    expect(requests).toHaveLength(5);
  });

  test('stays closed after a success in between', async () => {
    await fail(4);
    upstream.resetHandlers();
    replyJson(answer());
    await ask({ symbol: 'OTHER' });
    await fail(4);
    expect(outcomes).not.toContain('open');
  });

  test('sends one trial request after five seconds, and closes after a success', async () => {
    await fail(5);
    upstream.resetHandlers();
    replyJson(answer(pair()));
    expect(await ask(pond)).toBeNull();
    time += 5_000;
    const found = await Promise.all([ask(pond), ask({ address: solAddress }, 'solana'), ask({ symbol: 'NONE' })]);
    expect(found).toMatchObject([{ symbol: 'POND' }, { symbol: 'POND' }, null]);
    expect(outcomes.slice(6).toSorted()).toEqual(['resolved', 'resolved', 'unknown']);
    expect(requests).toHaveLength(8);
  });

  test('opens again after a failed trial, with a doubled delay of at most two minutes', async () => {
    await fail(5);
    for (const seconds of [5, 10, 20, 40, 80, 120, 120]) {
      [requests, outcomes] = [[], []];
      time += seconds * 1000 - 1;
      await ask(pond);
      expect([requests.length, outcomes]).toEqual([0, ['open']]);
      time += 1;
      await Promise.all([ask({ symbol: 'A' }), ask({ symbol: 'B' }), ask({ symbol: 'C' })]);
      expect([requests.length, outcomes.slice(1).toSorted()]).toEqual([1, ['failed', 'open', 'open']]);
    }
  });

  test.each([-3_600_000, 3_600_000])('stays open equally long when the system clock changes by %i ms', async (by) => {
    await fail(5);
    skew = by;
    time += 4_999;
    await ask(pond);
    expect([requests.length, outcomes.at(-1)]).toEqual([5, 'open']);
    time += 1;
    upstream.resetHandlers();
    replyJson(answer(pair()));
    expect(await ask(pond)).not.toBeNull();
  });

  test('serves cached results while it is open', async () => {
    replyJson(answer(pair()));
    await ask(pond);
    upstream.resetHandlers();
    reply(() => HttpResponse.error());
    for (let call = 0; call < 6; call += 1) await ask({ symbol: 'OTHER' });
    expect(outcomes.at(-1)).toBe('open');
    expect(await ask(pond)).not.toBeNull();
  });
});
