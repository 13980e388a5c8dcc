import { performance } from 'node:perf_hooks';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { operationIds, type OperationId } from '../../../server/contract/operations.ts';
import { ContractBreach } from '../../../server/http/pipeline/contract-breach.ts';
import { Metrics } from '../../../server/http/pipeline/request-metrics.ts';
import { initialFacts, type RequestFacts } from '../../../server/http/pipeline/request-summary.ts';
import { readExposition, type Exposition } from '../../support/exposition.ts';

let metrics: Metrics;
beforeEach(() => void (metrics = new Metrics()));

const read = async (): Promise<Exposition> => readExposition(await metrics.registry.metrics());
/** The series of a metric that are not 0, by their labels. */
async function counted(name: string): Promise<[object, number][]> {
  const { series } = await read();
  return series.filter((each) => each.name === name && each.value !== 0).map(({ labels, value }) => [labels, value]);
}
function measure(status: number, facts: Partial<RequestFacts> = {}, ms = 1): void {
  metrics.measure({ path: '/a', status, ms, completed: true, facts: { ...initialFacts('r1', 'GET'), ...facts } });
}
const operationId: OperationId = 'getUser';
const operation = operationId;

test('every metric of requests has a type and a description', async () => {
  const { types, helps } = await read();
  expect(Object.fromEntries(types)).toEqual({
    http_requests_total: 'counter',
    http_request_duration_seconds: 'histogram',
    http_requests_in_flight: 'gauge',
    http_validation_failures_total: 'counter',
    http_shed_total: 'counter',
    nodejs_eventloop_active_seconds_total: 'counter',
    nodejs_array_buffers_bytes: 'gauge',
  });
  for (const [name, help] of helps) expect([name, help]).toEqual([name, expect.stringMatching(/^[A-Z][^.]+/)]);
});

test('the series of each operation are there before its first request', async () => {
  const { series } = await read();
  const zeros = series.filter(({ value }) => value === 0).map(({ name, labels }) => JSON.stringify([name, labels]));
  const expected = operationIds.flatMap((each) => [
    ...['200', '500'].map((status) => ['http_requests_total', { operation: each, status }]),
    ...['request', 'response'].map((side) => ['http_validation_failures_total', { operation: each, side }]),
    ['http_request_duration_seconds_count', { operation: each }],
  ]);
  const reasons = ['in_flight', 'delay'].map((reason) => ['http_shed_total', { reason }]);
  expect(zeros).toEqual(expect.arrayContaining([...expected, ...reasons].map((each) => JSON.stringify(each))));
});

describe('a finished request', () => {
  test('is counted once by its operation and its status', async () => {
    measure(200, { operationId });
    measure(200, { operationId });
    measure(404, { operationId });
    measure(401);
    const expected = [
      [{ operation, status: '200' }, 2],
      [{ operation, status: '404' }, 1],
      [{ operation: 'none', status: '401' }, 1],
    ];
    for (let reading = 0; reading < 2; reading++)
      expect(await counted('http_requests_total')).toEqual(expect.arrayContaining(expected));
    expect(await counted('http_requests_total')).toHaveLength(3);
    measure(200, { operationId });
    expect(await counted('http_requests_total')).toContainEqual([{ operation, status: '200' }, 3]);
  });

  test('has its duration in seconds', async () => {
    measure(200, { operationId }, 250);
    measure(200, { operationId }, 4_000);
    measure(401, {}, 0.2);
    expect(await counted('http_request_duration_seconds_sum')).toEqual(
      expect.arrayContaining([
        [{ operation }, 4.25],
        [{ operation: 'none' }, 0.0002],
      ]),
    );
    const buckets = await counted('http_request_duration_seconds_bucket');
    expect(buckets.filter(([labels]) => 'operation' in labels && labels.operation === operation)).toEqual([
      ...['0.25', '0.5', '1', '2.5'].map((le) => [{ le, operation }, 1]),
      ...['5', '10', '30', '+Inf'].map((le) => [{ le, operation }, 2]),
    ]);
    expect(buckets).toContainEqual([{ le: '0.00025', operation: 'none' }, 1]);
  });

  test('violates the contract by its status', async () => {
    for (const status of [200, 304, 400, 401, 403, 404, 412, 413, 415, 429, 500]) measure(status, { operationId });
    for (const status of [400, 413, 415]) measure(status);
    expect(await counted('http_validation_failures_total')).toEqual([[{ operation, side: 'request' }, 3]]);
  });

  test('has a response that violates the contract where that is the fault', async () => {
    measure(500, { operationId, fault: new ContractBreach(operationId, 'wrong') });
    measure(500, { operationId, fault: new Error('on fire') });
    measure(500, { fault: new ContractBreach(undefined, 'wrong') });
    expect(await counted('http_validation_failures_total')).toEqual([[{ operation, side: 'response' }, 1]]);
  });
});

test('a request that is refused because of overload is counted by its reason, without a duration', async () => {
  metrics.shed('delay');
  metrics.shed('delay');
  metrics.shed('in_flight');
  expect(await counted('http_shed_total')).toEqual([
    [{ reason: 'in_flight' }, 1],
    [{ reason: 'delay' }, 2],
  ]);
  expect(await counted('http_requests_total')).toEqual([[{ operation: 'none', status: '503' }, 3]]);
  expect(await counted('http_request_duration_seconds_count')).toEqual([]);
});

test('the open requests are those of the last source', async () => {
  expect(await counted('http_requests_in_flight')).toEqual([]);
  const load = { inFlight: 3 };
  metrics.measureLoad({ inFlight: 7 });
  metrics.measureLoad(load);
  expect(await counted('http_requests_in_flight')).toEqual([[{}, 3]]);
  load.inFlight = 4;
  expect(await counted('http_requests_in_flight')).toEqual([[{}, 4]]);
});

test('the event loop and the buffers are measured at each reading', async () => {
  const held = Buffer.alloc(1024 * 1024);
  for (let reading = 0; reading < 2; reading++) {
    const before = performance.eventLoopUtilization().active / 1000;
    const [[, active] = []] = await counted('nodejs_eventloop_active_seconds_total');
    expect(active).toBeGreaterThanOrEqual(before);
    expect(active).toBeLessThanOrEqual(performance.eventLoopUtilization().active / 1000);
    const [[, bytes] = []] = await counted('nodejs_array_buffers_bytes');
    expect(bytes).toBeGreaterThanOrEqual(held.length);
  }
});

test('the metrics of the process are added once', async () => {
  expect((await read()).types.has('process_cpu_seconds_total')).toBe(false);
  metrics.measureProcess();
  metrics.measureProcess();
  expect((await read()).types.get('process_cpu_seconds_total')).toBe('counter');
});
