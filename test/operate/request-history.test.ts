import { expect, test } from '@jest/globals';
import type { RequestSummary } from '../../server/http/pipeline/request-summary.ts';
import { RequestHistory } from '../../server/operate/request-history.ts';

const summary = (status: number, ms: number): RequestSummary => ({
  path: '/secret-text',
  status,
  ms,
  completed: true,
  facts: {
    id: 'request-1',
    method: 'GET',
    operationId: 'searchTweets',
    keyId: 'k1',
    code: 'bad_request',
    parameter: undefined,
    trace: undefined,
    span: undefined,
    fault: undefined,
  },
});

test('counts requests by minute, with their quantiles, for one hour', () => {
  let now = Date.parse('2026-01-01T00:00:30Z');
  const history = new RequestHistory(() => now);
  for (let n = 0; n < 98; n++) history.observe(summary(200, 1));
  for (const ms of [400, 500]) history.observe(summary(503, ms));
  history.observe(summary(404, 1));
  history.shed();
  const minute = history.figures('hour').at(-1);
  expect(minute).toMatchObject({ at: '2026-01-01T00:00:00.000Z', requests: 102, errors: 3, refused: 1 });
  // The bound of a bucket is at most a fifth above the duration.
  expect(minute?.p50_ms).toBeGreaterThanOrEqual(1);
  expect(minute?.p50_ms).toBeLessThanOrEqual(1.2);
  expect(minute?.p99_ms).toBeGreaterThanOrEqual(400);
  expect(minute?.p99_ms).toBeLessThanOrEqual(600);

  now += 59 * 60_000;
  expect(history.figures('hour')).toHaveLength(60);
  expect(history.figures('hour')[0]).toMatchObject({ requests: 102 });
  now += 60_000;
  expect(history.figures('hour').every(({ requests }) => requests === 0)).toBe(true);
  history.observe(summary(200, 1));
  expect(history.figures('hour').at(-1)).toMatchObject({ requests: 1, errors: 0 });
});

test('has the last day in quarters of an hour and the last week in hours, with nothing where there was no request', () => {
  let now = Date.parse('2026-01-08T00:00:00Z');
  const history = new RequestHistory(() => now);
  history.observe(summary(200, 5));
  now += 6 * 86_400_000 - 60_000;
  history.observe(summary(503, 7));
  now += 30 * 60_000;
  const [day, week] = [history.figures('day'), history.figures('week')];
  expect([day.length, week.length]).toEqual([96, 168]);
  expect(day.at(-3)).toMatchObject({ at: '2026-01-13T23:45:00.000Z', requests: 1, errors: 1 });
  expect(day.at(-1)).toEqual({
    at: '2026-01-14T00:15:00.000Z',
    ...{ requests: 0, errors: 0, refused: 0, p50_ms: null, p99_ms: null },
  });
  expect(week.filter(({ requests }) => requests > 0).map(({ at }) => at)).toEqual([
    '2026-01-08T00:00:00.000Z',
    '2026-01-13T23:00:00.000Z',
  ]);
  now += 86_400_000;
  expect(history.figures('day').every(({ p99_ms }) => p99_ms === null)).toBe(true);
});

test('lists the last hundred refused requests without texts of the caller', () => {
  const history = new RequestHistory(() => 0);
  for (let n = 0; n < 150; n++) history.observe(summary(400 + (n % 2), 1));
  history.observe(summary(200, 1));
  expect(history.refused()).toHaveLength(100);
  expect(history.refused()[0]).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    status: 401,
    method: 'GET',
    operation: 'searchTweets',
    key: 'k1',
    request_id: 'request-1',
  });
  expect(JSON.stringify(history.refused())).not.toContain('secret');
});

test('a duration beyond all buckets, and one of zero, are counted', () => {
  const history = new RequestHistory(() => 0);
  history.observe(summary(200, 0));
  history.observe(summary(200, 10_000_000));
  expect(history.figures('hour').at(-1)).toMatchObject({ requests: 2, p50_ms: 0.05 });
});
