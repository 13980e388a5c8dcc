// Not in `npm run test:fast`: it calls each operation with each status.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../../generated/operations.ts';
import type { OperationId } from '../../../server/contract/operations.ts';
import { contract, exampleAnswer, expectContract, plainIds } from '../../support/contract.ts';
import { inTurn, runsAll } from '../../support/rounds.ts';
import { validInit, validTarget } from '../../support/service.ts';
import { startMock, type Mock } from './service.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock?.stop(0));

/** Calls an operation with all it needs, and these headers. */
function call(id: OperationId, headers: Record<string, string> = {}, on: Mock = mock): Promise<Response> {
  const init = validInit(id);
  return on.request(validTarget(id), {
    ...init,
    headers: { ...(init.headers as Record<string, string> | undefined), ...headers },
  });
}

const statusesOf = (id: OperationId): number[] =>
  Object.keys(contract.paths[operations[id].path]![operations[id].method]!.responses).map(Number);
const declared = plainIds.flatMap((id) => statusesOf(id).map((status) => [id, status] as const));
/** Each status of one operation: operations refer to the same responses. */
const statuses = [...Map.groupBy(declared, ([, status]) => status).values()].map((pairs) => pairs.at(-1)!);

describe('without a preference', () => {
  test.each(plainIds)('%s returns its example', async (id) => {
    const response = await call(id);
    expect(response.headers.has('preference-applied')).toBe(false);
    expect(await expectContract(id, response)).toEqual(exampleAnswer(id));
  });

  test('a list is CSV where the request prefers it, with the cursor of the next page in headers', async () => {
    const page = (await (await call('getUserLastTweets')).json()) as { tweets: { id: string }[]; next_cursor: string };
    const response = await call('getUserLastTweets', { accept: 'text/csv' });
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(response.headers.get('x-next-cursor')).toBe(page.next_cursor);
    expect((await response.text()).split('\r\n')[1]).toMatch(new RegExp(`^${page.tweets[0]!.id},`));
  });

  test('HEAD returns the same head without a body', async () => {
    const get = await mock.request(validTarget('getSpace'));
    const head = await mock.request(validTarget('getSpace'), { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, get.headers.get('etag'), '']);
  });

  test('returns 304 for a matching If-None-Match', async () => {
    const etag = (await call('getSpace')).headers.get('etag')!;
    const again = await call('getSpace', { 'if-none-match': etag });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
  });
});

test('delays a response by the requested time', async () => {
  const slow = await startMock({ delayMs: 300 });
  try {
    const start = performance.now();
    await expectContract('getSpace', await call('getSpace', {}, slow));
    expect(performance.now() - start).toBeGreaterThan(290);
  } finally {
    await slow.stop(0);
  }
});

describe('the mock rejects', () => {
  test.each<[string, string, RequestInit, number, RegExp]>([
    ['an unknown parameter', '/social/space/detail?ids=1', {}, 400, /^unknown parameter 'ids': did you mean 'id'\?$/],
    [
      'a wrong value',
      '/social/user/highlights?username=mira_codes&limit=1000',
      {},
      400,
      /^parameter 'limit' must be from 1 to 100/,
    ],
    [
      'a missing parameter, with any preference',
      '/social/space/detail',
      { headers: { prefer: 'code=404' } },
      400,
      /^parameter 'id' is missing$/,
    ],
    [
      'a body that breaks its schema',
      '/social/tweet/unlike',
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
      400,
      /^member 'tweet_id' of the body is missing$/,
    ],
    [
      'a body of another type',
      '/social/tweet/unlike',
      { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } },
      415,
      /^content type 'text\/plain' is not supported/,
    ],
    ['another method', '/social/space/detail?id=1', { method: 'DELETE' }, 405, /^method DELETE is not allowed here/],
    ['an unknown path', '/social/space/details', {}, 404, /did you mean '\/social\/space\/detail'\?$/],
    [
      'a request without a key',
      '/social/space/detail?id=1',
      { headers: { 'x-api-key': '' } },
      401,
      /^Invalid or missing API key$/,
    ],
    ['a key in two ways', '/social/space/detail?id=1&api_key=any', {}, 401, /^Invalid or missing API key$/],
  ])('%s', async (_what, target, init, status, error) => {
    const response = await mock.request(target, init);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringMatching(error) });
  });

  test('other keys than the configured ones', async () => {
    const { mockKeys } = await import('../../../scripts/testing/mock/app.ts');
    const strict = await startMock({ keys: mockKeys(['the-only-key']), rateLimit: { requests: 1, periodMs: 60_000 } });
    try {
      const ask = (key: string): Promise<Response> => call('getSpace', { 'x-api-key': key }, strict);
      const limited = ['the-wrong-key', 'the-only-key', 'the-only-key'].map((key) => () => ask(key));
      const statuses: number[] = [];
      for (const next of limited) statuses.push((await next()).status);
      expect(statuses).toEqual([401, 200, 429]);
    } finally {
      await strict.stop(0);
    }
  });
});

describe('Prefer', () => {
  test.each(runsAll ? declared : statuses)('%s: code=%i selects the response with its headers', async (id, status) => {
    const response = await call(id, { prefer: `code=${status}` });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([status, `code=${status}`]);
    await expectContract(id, response);
  });

  test('the 503 of the assistant has Retry-After', async () => {
    const response = await call('explainTweet', { prefer: 'code=503' });
    expect([response.headers.get('retry-after'), response.headers.get('etag'), await response.json()]).toEqual([
      '30',
      null,
      { error: 'no assistant account is free; retry in 60 s' },
    ]);
  });

  test('rejects an undeclared status with the declared ones', async () => {
    const response = await call('unlikeTweet', { prefer: 'code=409' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: `Prefer: code=409: unlikeTweet declares no such answer; it has ${statusesOf('unlikeTweet').join(', ')}`,
    });
  });

  test('selects an example by name, and reports a misspelled name', async () => {
    const found = await call('getSpace', { prefer: 'example=ended' });
    expect([found.headers.get('preference-applied'), await found.json()]).toEqual([
      'example=ended',
      exampleAnswer('getSpace'),
    ]);
    const misspelt = await call('getSpace', { prefer: 'example=endet' });
    expect([misspelt.status, await misspelt.json()]).toEqual([
      400,
      { error: "Prefer: example=endet: the 200 has no such example: did you mean 'ended'?" },
    ]);
  });

  test('ignores other preferences', async () => {
    const response = await call('getSpace', { prefer: 'respond-async, wait=5' });
    expect([response.status, response.headers.has('preference-applied')]).toEqual([200, false]);
  });

  test('pages of other origins can send it and read Preference-Applied', async () => {
    const origin = { origin: 'https://app.example' };
    const preflight = await fetch(mock.url + validTarget('getSpace'), {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'prefer,x-api-key',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'prefer,x-api-key',
    ]);
    const answer = await call('getSpace', { ...origin, prefer: 'code=404' });
    expect(answer.headers.get('access-control-expose-headers')).toContain('Preference-Applied');
    expect(answer.headers.get('vary')).toContain('Prefer');
  });
});

describe('dynamic=true', () => {
  let others: Mock[];
  beforeAll(async () => {
    others = await Promise.all([1, 2].map((seed) => startMock({ seed })));
  });
  afterAll(() => Promise.all((others ?? []).map((other) => other.stop(0))));

  /** The values of an operation, as JSON. */
  async function values(id: OperationId, on: Mock): Promise<string> {
    const response = await call(id, { prefer: 'dynamic=true' }, on);
    expect(response.headers.get('preference-applied')).toBe('dynamic=true');
    return JSON.stringify(await expectContract(id, response));
  }
  test.each(inTurn(plainIds, 3))('%s returns values of its schema', async (id) => {
    await values(id, mock);
  });
  // Each mock compiles the schemas of the operation anew.
  test.each(inTurn(plainIds, 1))('the values of %s depend on the seed and the request alone', async (id) => {
    const [first, sameSeed, otherSeed] = await Promise.all([mock, ...others].map((on) => values(id, on)));
    expect(sameSeed).toBe(first);
    if (id !== 'unlikeTweet') expect(otherSeed).not.toBe(first);
  });

  test('other parameters result in other values', async () => {
    const body = async (name: string): Promise<unknown> =>
      (await mock.request(`/social/user/highlights?username=${name}`, { headers: { prefer: 'dynamic=true' } })).json();
    expect(await body('ada')).not.toEqual(await body('bob'));
  });
});
