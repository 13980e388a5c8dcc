import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { Level } from 'pino';
import { logTo, requestId } from '../../../server/http/pipeline/request-log.ts';
import { initialFacts, type RequestSummary } from '../../../server/http/pipeline/request-summary.ts';
import { createLogger } from '../../../server/observability/logger.ts';

/** The line that a summary has in a log of this level; undefined for none. */
function lineOf(
  { facts, ...summary }: Partial<Omit<RequestSummary, 'facts'>> & { readonly facts?: Partial<RequestSummary['facts']> },
  { level = 'debug', paths }: { level?: Level; paths?: string[] } = {},
): Record<string, unknown> | undefined {
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  const log = logTo(createLogger(level, sink), paths);
  const own = { path: '/social/user/info', status: 200, ms: 1.23456, completed: true, ...summary };
  log({ ...own, facts: { ...initialFacts('r1', 'GET'), ...facts } });
  expect(lines.length).toBeLessThan(2);
  const { time: _, pid: __, hostname: ___, ...line } = JSON.parse(lines[0] ?? '{}') as Record<string, unknown>;
  return lines.length === 0 ? undefined : line;
}

describe('a request has one line with', () => {
  test('what it was, by names of the contract', () => {
    const facts = {
      operationId: 'getUser',
      keyId: 'k1',
      code: 'bad_request',
      parameter: 'username',
      trace: { traceId: 't1' },
    } as never;
    expect(lineOf({ status: 400, facts })).toEqual({
      level: 30,
      id: 'r1',
      method: 'GET',
      path: '/social/user/info',
      status: 400,
      ms: 1.23,
      trace: 't1',
      operation: 'getUser',
      key: 'k1',
      code: 'bad_request',
      parameter: 'username',
      msg: 'request completed',
    });
  });
  test('no more than there is', () => {
    expect(lineOf({})).toEqual({
      ...{ level: 30, id: 'r1', method: 'GET', path: '/social/user/info', status: 200, ms: 1.23 },
      msg: 'request completed',
    });
  });
  test('the template of its path, else none', () => {
    const paths = ['/things/{id}', '/things/own'];
    const named = (path: string): unknown => lineOf({ path }, { paths })?.path;
    expect([named('/things/7'), named('/things/own'), named('/docs'), named('/social/user/info')]).toEqual([
      '/things/{id}',
      '/things/own',
      '/docs',
      'unknown',
    ]);
  });
});

describe('the level of a line is', () => {
  const fault = new RangeError('on fire');
  test.each<[string, Parameters<typeof lineOf>[0], number, string]>([
    ['info for a response', {}, 30, 'request completed'],
    ['info for an error of the caller', { status: 499 }, 30, 'request completed'],
    ['info where the caller has left', { completed: false }, 30, 'request aborted'],
    ['debug for a probe', { path: '/healthz' }, 20, 'request completed'],
    ['warn for a status from 500', { status: 500 }, 40, 'request failed'],
    ['warn for a probe that fails', { path: '/readyz', status: 503 }, 40, 'request failed'],
    ['error for a fault', { status: 500, facts: { fault } }, 50, 'request failed'],
    ['error for a fault that broke off a response', { status: 200, facts: { fault } }, 50, 'request failed'],
  ])('%s', (_case, summary, level, msg) => {
    expect(lineOf(summary)).toMatchObject({ level, msg });
  });
  test('one that the log may leave out', () => {
    expect(lineOf({ path: '/healthz' }, { level: 'info' })).toBeUndefined();
    expect(lineOf({}, { level: 'warn' })).toBeUndefined();
    expect(lineOf({ status: 500 }, { level: 'warn' })).toBeDefined();
  });
  test('beside the cause where there is one', () => {
    expect(lineOf({ status: 500, facts: { fault } })?.err).toMatchObject({ type: 'RangeError' });
    expect(lineOf({ status: 500 })).not.toHaveProperty('err');
  });
});

test('a request keeps its id where the log can have it, and gets a new one otherwise', () => {
  for (const id of ['a', 'trace-1.2_3', 'x'.repeat(64)]) expect(requestId(id)).toBe(id);
  const given = [undefined, '', 'x'.repeat(65), 'two words', 'a"b', 'a\n', '\na', 'ü'];
  const ids = given.map((each) => requestId(each));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(given.length);
});
