// Tests server/http/server/load-shedding.ts.
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { OperationId } from '../../server/contract/operations.ts';
import { createLoad, type Load, type LoadLimits } from '../../server/http/server/load-monitor.ts';
import { exampleAnswer, expectContract } from '../support/contract.ts';
import { readExposition } from '../support/exposition.ts';
import { exampleHandlers, key, startService, validTarget, type Service } from '../support/service.ts';

const slow: OperationId = 'getSpace';
/** The default limits, which `generous-load.ts` changes for other tests in this process. */
const limits: LoadLimits = { inFlight: 1_000, burstMs: 2_000, standingMs: 200 };
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** A service with an operation that responds when the test releases it. */
async function held(inFlight: number): Promise<{
  service: Service;
  load: Load;
  pendingCount: () => number;
  release: () => void;
}> {
  const waiting: (() => void)[] = [];
  const load = createLoad({ ...limits, inFlight });
  const service = await startService({
    load,
    handlers: exampleHandlers({
      async [slow]() {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return exampleAnswer(slow);
      },
    }),
  });
  ended.push(() => service.stop(0));
  return {
    ...{ service, load, pendingCount: () => waiting.length },
    release: () => waiting.splice(0).forEach((each) => each()),
  };
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
    const { service, load, pendingCount, release } = await held(1);
    const open = service.request(validTarget(slow));
    await until(() => pendingCount() === 1);
    for (const target of ['/healthz', '/readyz', '/metrics', '/healthz?x=1'])
      expect([target, (await service.bare(target)).status]).toEqual([target, 200]);
    // A caller may have the response to a probe before the server has closed it.
    await until(() => load.inFlight === 1);
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
  const load = createLoad(limits);
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

/** A connection that sends requests and collects the status of each response. */
class Caller {
  readonly statuses: number[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    let text = '';
    socket.setEncoding('latin1').on('data', (data: string) => {
      text += data;
      // The last characters may be the start of a status line.
      for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) this.statuses.push(Number(status));
      text = text.slice(text.lastIndexOf('HTTP/1.1') + 1).slice(-12);
    });
  }

  static async connect(port: number): Promise<Caller> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    ended.push(() => socket.destroy());
    return new Caller(socket);
  }

  send(target: string): void {
    this.#socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n\r\n`);
  }
}

/** Waits without a turn of the event loop, until the operating system has delivered what was written. */
const waitForDelivery = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);

test('serves the first requests of a turn, rejects the others, and recovers when the queue is gone', async () => {
  let time = 0;
  let served = 0;
  const service = await startService({
    rateLimit: 'off',
    load: createLoad(limits),
    handlers: exampleHandlers({
      [slow]() {
        time += 5;
        served++;
        return exampleAnswer(slow);
      },
    }),
  });
  ended.push(() => service.stop(0));
  const port = Number(new URL(service.url).port);
  const callers = await Promise.all(Array.from({ length: 600 }, () => Caller.connect(port)));
  const probe = await Caller.connect(port);
  // The server has accepted a connection when it has responded on it.
  for (const each of [...callers, probe]) each.send('/healthz');
  await until(() => [...callers, probe].every(({ statuses }) => statuses.length === 1));
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => time);
  ended.push(() => clock.mockRestore());
  let sent = 0;
  let refused = 0;
  /** Sends requests so that one turn of the event loop reads all of them, and returns how many were served. */
  async function turn(count: number): Promise<number> {
    const before = served;
    const asking = [...callers.slice(0, count), probe];
    const counts = asking.map(({ statuses }) => statuses.length);
    for (const each of asking) each.send(each === probe ? '/healthz' : validTarget(slow));
    waitForDelivery();
    await until(() => asking.every(({ statuses }, at) => statuses.length === counts[at]! + 1));
    const statuses = asking.map((each) => each.statuses.at(-1));
    // The probe came last, and it is never rejected.
    expect(statuses.pop()).toBe(200);
    expect(statuses.filter((status) => status === 200)).toHaveLength(served - before);
    expect(statuses.filter((status) => status === 503)).toHaveLength(count - (served - before));
    sent += count;
    refused += count - (served - before);
    return served - before;
  }

  expect(await turn(600)).toBe(401);
  // The queue persists for two seconds: each turn serves a tenth.
  expect([await turn(600), await turn(600)]).toEqual([41, 41]);
  expect(await turn(10)).toBe(10);
  expect(await turn(600)).toBe(401);
  expect([sent, refused]).toEqual([2410, 1516]);
  expect(await figure(service.url, 'http_shed_total', { reason: 'delay' })).toBe(refused);
});
