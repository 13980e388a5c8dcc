// Tests server/http/pipeline/pipeline.ts and server/http/express/app.ts.
import { afterEach, describe, expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../server/contract/service-error.ts';
import { createLoad } from '../../server/http/server/load-monitor.ts';
import { Metrics } from '../../server/http/pipeline/request-metrics.ts';
import { LocalRateLimiter } from '../../server/keys/rate-limiter.ts';
import { unrestrictedKey } from '../../server/keys/keys.ts';
import { StoreError } from '../../server/ports/storage.ts';
import type { RateLimiter } from '../../server/ports/rate-limiter.ts';
import { exampleAnswer, expectContract } from '../support/contract.ts';
import { exampleHandlers, key, startService, type Service, type ServiceParts } from '../support/service.ts';

/** A request that the strict reader accepts, and the same request in a form that it declines. */
const forms = [
  ['that the strict reader accepts', '/social/space/detail?id=abc'],
  ['that Express handles', '/social/space/detail?%69d=abc'],
] as const;

let service: Service | undefined;
afterEach(async () => service?.stop(0));
const start = async (parts: ServiceParts): Promise<Service> => (service = await startService(parts));
const neutral = { error: 'internal error' };
const fault = (): never => {
  throw new Error('a secret of the server');
};

class FailingMetrics extends Metrics {
  override measure(): void {
    fault();
  }
}

/** Each has a part that throws while a request is handled. */
const faults: [string, () => ServiceParts][] = [
  ['a handler', () => ({ handlers: exampleHandlers({ getSpace: fault }) })],
  [
    'a handler, with a header that HTTP does not permit,',
    () => ({ handlers: exampleHandlers({ getSpace: badHeader }) }),
  ],
  ['the event cursor', () => ({ eventCursor: fault })],
  ['an event cursor that is not a valid header value', () => ({ eventCursor: () => 'a\nb' })],
  ['the revision', () => ({ revisionOf: fault })],
  ['the authenticator', () => ({ authenticate: fault })],
  ['the client address', () => ({ addressOf: fault })],
  ['the rate limiter', () => ({ rateLimiter: { consume: fault } })],
  ['an asynchronous rate limiter', () => ({ rateLimiter: { consume: async () => fault() } })],
  ['load shedding', () => ({ load: { ...createLoad(), overload: fault } })],
];
function badHeader(): never {
  throw new ServiceError(404, 'space abc not found', { 'Retry-After': 'a\nb' });
}

test.each(faults)(
  'a request ends with 500 where %s throws, and the server answers the next one',
  async (name, parts) => {
    const { request, log } = await start(parts());
    for (const [form, target] of [...forms, ...forms]) {
      const response = await request(target);
      expect([form, response.status, await response.json()]).toEqual([form, 500, neutral]);
    }
    expect(log.filter(({ msg }) => msg === 'request failed')).toHaveLength(4);
    expect((await request('/healthz')).status).toBe(name === 'load shedding' ? 500 : 200);
  },
);

describe.each(forms)('a request %s', (_form, target) => {
  test('gets its response if a metric throws; the log has the error and the line of the request', async () => {
    const { request, log } = await start({ metrics: new FailingMetrics() });
    for (let call = 0; call < 2; call++) expect((await request(target)).status).toBe(200);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setInterval(() => log.filter(({ msg }) => msg === 'request completed').length === 2 && resolve(), 5);
    await promise;
    clearInterval(timer);
    expect(log.filter(({ level }) => level === 50)).toHaveLength(2);
  });

  test('runs each step once, for any response', async () => {
    const seen: string[] = [];
    const limiter = new LocalRateLimiter({ requests: 2, periodMs: 3_600_000 });
    const scopes = new Set(['read'] as const);
    const known = { ...unrestrictedKey('k'), scopes };
    const authenticate = ([presented]: readonly string[], _address: string) => {
      seen.push('authenticate');
      return presented === key ? known : ({ reason: 'invalid' } as const);
    };
    const { request } = await start({
      authenticate,
      rateLimiter: { consume: (limited) => (seen.push('consume'), limiter.consume(limited)) },
      handlers: exampleHandlers({ getSpace: () => (seen.push('handle'), exampleAnswer('getSpace')) }),
    });
    const steps = async (given = key): Promise<[number, ...string[]]> => {
      seen.length = 0;
      const response = await request(target, { headers: { 'x-api-key': given } });
      await expectContract('getSpace', response);
      return [response.status, ...seen];
    };
    expect(await steps('sd_unknown')).toEqual([401, 'authenticate']);
    expect(await steps()).toEqual([200, 'authenticate', 'consume', 'handle']);
    scopes.clear();
    expect(await steps()).toEqual([403, 'authenticate', 'consume']);
    expect(await steps()).toEqual([429, 'authenticate', 'consume']);
  });

  test('gets the same responses and headers with an asynchronous rate limiter', async () => {
    const local = (): RateLimiter => new LocalRateLimiter({ requests: 2, periodMs: 3_600_000 });
    const answers = async (rateLimiter: RateLimiter): Promise<unknown[]> => {
      const { request, stop } = await startService({ rateLimiter });
      const seen = [];
      for (let call = 0; call < 3; call++) {
        const response = await request(target, { headers: { 'x-request-id': 'mine' } });
        const { date: _, ...rest } = Object.fromEntries(response.headers);
        seen.push({ status: response.status, headers: rest, body: await response.text() });
      }
      await stop(0);
      return seen;
    };
    const inner = local();
    const later = { consume: async (limited: Parameters<RateLimiter['consume']>[0]) => inner.consume(limited) };
    expect(await answers(later)).toEqual(await answers(local()));
  });

  test('gets 503 while the stored keys or buckets cannot be reached', async () => {
    const unreachable = (): never => {
      throw new StoreError('the database cannot be reached at 10.0.0.7');
    };
    for (const parts of [
      { authenticate: () => ({ reason: 'unavailable' }) as const },
      { rateLimiter: { consume: unreachable } },
      { rateLimiter: { consume: async () => unreachable() } },
    ]) {
      const own = await startService(parts);
      const response = await own.request(target);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(JSON.stringify(await expectContract('getSpace', response, { limited: false }))).not.toContain('10.0.0.7');
      await own.stop(0);
    }
  });
});

test('no step runs before Express handles a request that the strict reader declines', async () => {
  const addresses: (string | undefined)[] = [];
  const { request } = await start({
    addressOf: ({ url }: IncomingMessage) => (addresses.push(url), '127.0.0.1'),
  });
  expect((await request('/social/space/detail?id=abc&x=1')).status).toBe(400);
  expect((await request('/social/space/detail?id=abc&id=abd')).status).toBe(400);
  expect(addresses).toEqual(['/social/space/detail?id=abc&x=1', '/social/space/detail?id=abc&id=abd']);
});
