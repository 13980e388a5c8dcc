import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Agent, get } from 'node:http';
import type { OperationId } from '../../server/contract/operations.ts';
import { createLoad, defaultLoadLimits } from '../../server/http/server/load-monitor.ts';
import { exampleAnswer, expectContract } from '../support/contract.ts';
import { readExposition } from '../support/exposition.ts';
import { startServer } from '../support/server.ts';
import { exampleHandlers, key, startService, validTarget, type Service } from '../support/service.ts';

const slow: OperationId = 'getSpace';
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** A service with an operation that responds when the test releases it. */
async function held(inFlight: number): Promise<{ service: Service; pendingCount: () => number; release: () => void }> {
  const waiting: (() => void)[] = [];
  const service = await startService({
    load: createLoad({ ...defaultLoadLimits, inFlight }),
    handlers: exampleHandlers({
      async [slow]() {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return exampleAnswer(slow);
      },
    }),
  });
  ended.push(() => service.stop(0));
  return { service, pendingCount: () => waiting.length, release: () => waiting.splice(0).forEach((each) => each()) };
}

const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 5));
};
const figure = async (url: string, name: string, labels: Record<string, string> = {}): Promise<number> => {
  const { series } = readExposition(await (await fetch(`${url}/metrics`)).text());
  return series.find(
    (each) => each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value),
  )!.value;
};

describe('with the maximum number of requests in flight', () => {
  test('rejects further requests with 503, and serves the next one after a response', async () => {
    const { service, pendingCount, release } = await held(3);
    const open = [1, 2, 3].map(() => service.request(validTarget(slow)));
    await until(() => pendingCount() === 3);
    const waits = new Set<string>();
    for (let n = 0; n < 6; n++) {
      const refused = await service.request(validTarget('getAssistantStatus'), {
        headers: { 'x-request-id': `mine-${n}` },
      });
      expect(refused.status).toBe(503);
      const wait = refused.headers.get('retry-after')!;
      expect(await expectContract('getAssistantStatus', refused, { limited: false })).toEqual({
        error: `the server is overloaded; retry in ${wait} s`,
      });
      expect(Object.fromEntries(refused.headers)).toMatchObject({
        'x-request-id': `mine-${n}`,
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
      });
      waits.add(wait);
    }
    // Not all at once.
    expect([...waits].toSorted()).toEqual(['1', '2', '3']);
    release();
    for (const each of open) await (await each).arrayBuffer();
    expect((await service.request(validTarget('getAssistantStatus'))).status).toBe(200);
  });

  test('serves probes, skips authentication, and logs one line', async () => {
    const { service, pendingCount, release } = await held(1);
    const open = service.request(validTarget(slow));
    await until(() => pendingCount() === 1);
    for (const target of ['/healthz', '/readyz', '/metrics', '/healthz?x=1'])
      expect([target, (await service.bare(target)).status]).toEqual([target, 200]);
    for (let n = 0; n < 20; n++) expect((await service.bare(`/social/x?api_key=wrong${n}`)).status).toBe(503);
    expect((await service.bare('/docs', { method: 'HEAD' })).status).toBe(503);
    expect(await figure(service.url, 'http_shed_total', { reason: 'in_flight' })).toBe(21);
    expect(await figure(service.url, 'http_requests_total', { operation: 'none', status: '503' })).toBe(21);
    expect(service.log.filter(({ status }) => status === 503)).toEqual([]);
    expect(service.log.filter(({ msg }) => /overloaded/.test(String(msg)))).toMatchObject([
      { reason: 'in_flight', inFlight: 1 },
    ]);
    release();
    await (await open).arrayBuffer();
    await until(() => service.log.some(({ msg }) => msg === 'no longer overloaded'));
    expect(service.log.find(({ msg }) => msg === 'no longer overloaded')).toMatchObject({ refused: 21 });
  });

  test('accepts another request after a disconnect', async () => {
    const { service, pendingCount, release } = await held(1);
    const hangUp = new AbortController();
    const open = service.request(validTarget(slow), { signal: hangUp.signal });
    await until(() => pendingCount() === 1);
    hangUp.abort();
    await expect(open).rejects.toThrow();
    await until(async () => (await service.request(validTarget('getAssistantStatus'))).status === 200);
    release();
  });
});

test('accepts a burst for two seconds, and a tenth of it while a queue persists', async () => {
  let time = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => time);
  ended.push(() => clock.mockRestore());
  const load = createLoad(defaultLoadLimits);
  /** Requests of 5 ms each, all there at once: how many of them a turn takes. */
  const turn = async (requests: number): Promise<number> => {
    let taken = 0;
    for (let n = 0; n < requests; n++) {
      if (load.overload() !== undefined) continue;
      taken++;
      time += 5;
    }
    await new Promise(setImmediate);
    return taken;
  };
  expect(await turn(600)).toBe(401);
  for (let n = 0; n < 5; n++) expect(await turn(600)).toBe(41);
  // A short turn: the queue is gone.
  expect(await turn(10)).toBe(10);
  expect([await turn(600), await turn(600)]).toEqual([401, 41]);
  // Long turns for less than two seconds are a burst, too.
  time += 201;
  for (const taken of [100, 100, 100, 100, 41]) expect(await turn(100)).toBe(taken);
});

/** What callers met: `others` counts the calls that were answered with 200 between the request and its answer. */
interface Met {
  readonly status: number;
  readonly others: number;
}

interface Callers {
  /** How often a call was answered with 200 so far. */
  readonly answered: () => number;
  /** Resolves when all have their last answer. */
  readonly met: Promise<Met[]>;
}

/** Callers that ask again when they are answered, and a moment later where they were refused, up to so many answers. */
function startCallers(url: string, count: number, answers: number): Callers {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const met: Met[] = [];
  let answered = 0;
  const ask = (): Promise<Met> =>
    new Promise((resolve, reject) => {
      const before = answered;
      get(url, { agent, headers: { 'x-api-key': key } }, (answer) => {
        answer.resume().once('end', () => resolve({ status: answer.statusCode!, others: answered - before }));
      }).once('error', reject);
    });
  const calling = Array.from({ length: count }, async () => {
    while (answered < answers) {
      const one = await ask();
      met.push(one);
      if (one.status === 200) answered++;
      else await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 200));
    }
  });
  const done = Promise.all(calling).then(() => (agent.destroy(), met));
  return { answered: () => answered, met: done };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;

test('sheds some requests early under overload, so that the others have a short delay', async () => {
  const server = await startServer('', {}, [], 'test/http/overload.child.ts');
  ended.push(() => server.end('SIGKILL'));
  const before = await figure(server.url, 'process_resident_memory_bytes');
  const count = 600;
  const { answered, met: meeting } = startCallers(server.url + validTarget(slow), count, 1_000);
  const health: number[] = [];
  let over = false;
  const watched = (async () => {
    while (!over) {
      const pendingCount = answered();
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      health.push(answered() - pendingCount);
    }
  })();
  const met = await meeting;
  over = true;
  // Nothing is left of it.
  const next = await fetch(server.url + validTarget(slow), { headers: { 'x-api-key': key } });
  expect(next.status).toBe(200);
  await watched;

  expect([...new Set(met.map(({ status }) => status))].toSorted()).toEqual([200, 503]);
  // One after the other each would wait for all others, every time.
  for (const status of [200, 503]) {
    const others = met
      .slice(met.length / 2)
      .filter((each) => each.status === status)
      .map((each) => each.others);
    expect([status, median(others) < 0.8 * count]).toEqual([status, true]);
  }
  expect(median(health)).toBeLessThan(0.8 * count);
  expect(await figure(server.url, 'http_shed_total', { reason: 'delay' })).toBe(
    met.filter(({ status }) => status === 503).length,
  );
  expect((await figure(server.url, 'process_resident_memory_bytes')) - before).toBeLessThan(150e6);

  await server.end();
  const turns = JSON.parse(/^turns (.*)$/m.exec(server.output())![1]!) as number[];
  expect(Math.max(...turns)).toBeLessThanOrEqual(401);
}, 240_000);
