// Tests server/http/pipeline/credentials.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../generated/operations.ts';
import type { OperationEntry } from '../../server/contract/operation-table.ts';
import { operationIds } from '../../server/contract/operations.ts';
import { createAddressOf } from '../../server/http/server/client-address.ts';
import { createAuthenticator } from '../../server/keys/authenticator.ts';
import { unrestrictedKey, DocumentKeys, type KeyFile } from '../../server/keys/keys.ts';
import { openDocuments } from '../../server/storage/lowdb/documents.ts';
import { exampleStatus, expectContract } from '../support/contract.ts';
import { sendRaw } from '../support/raw.ts';
import {
  exampleHandlers,
  key,
  otherKey,
  startService,
  validInit,
  validTarget,
  type Service,
} from '../support/service.ts';

const target = '/social/space/detail?id=abc';
const refusal = { error: 'Invalid or missing API key' };
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop(0));

describe('a key is accepted', () => {
  test.each<[string, string, Record<string, string>]>([
    ['in x-api-key', target, { 'x-api-key': key }],
    ['as a bearer token', target, { authorization: `Bearer ${key}` }],
    ['as a bearer token with any letter case of the scheme', target, { authorization: `bEARER ${key}` }],
    ['as a bearer token after several spaces', target, { authorization: `Bearer  ${key}` }],
    ['in the query', `${target}&api_key=${key}`, {}],
    ['in the query with its name percent-encoded', `${target}&api%5Fkey=${key}`, {}],
    ['beside an Authorization that is not a bearer token', target, { 'x-api-key': key, authorization: 'Basic eDp5' }],
  ])('%s', async (_name, path, headers) => {
    const response = await service.bare(path, { headers });
    expect(response.status).toBe(200);
    await expectContract('getSpace', response);
  });
});

/** The challenges: what was wrong, in the words of RFC 6750. */
const missing = 'Bearer realm="social-data"';
const unknown = `${missing}, error="invalid_token", error_description="the API key is unknown, revoked or expired"`;
const twice = (where: string): string =>
  `${missing}, error="invalid_request", error_description="the ${where} was sent 2 times: send the API key once"`;
const places = (one: string, other: string): string =>
  `${missing}, error="invalid_request", error_description="an API key was sent in the ${one} and in the ${other}: send it in only one place"`;

describe('returns 401 for', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['no key', target, {}, missing],
    ['an unknown key', target, { 'x-api-key': 'sd_nobody' }, unknown],
    ['an unknown bearer token', target, { authorization: 'Bearer sd_nobody' }, unknown],
    ['an unknown key in the query', `${target}&api_key=sd_nobody`, {}, unknown],
    ['an empty header', target, { 'x-api-key': '' }, unknown],
    ['an empty bearer token', target, { authorization: 'Bearer' }, unknown],
    ['an empty query parameter', `${target}&api_key=`, {}, unknown],
    ['the key in basic authentication', target, { authorization: `Basic ${btoa(`:${key}`)}` }, missing],
    [
      'a key in two headers',
      target,
      { 'x-api-key': key, authorization: `Bearer ${key}` },
      places('header x-api-key', 'header Authorization'),
    ],
    [
      'a key in the query and in a header',
      `${target}&api_key=${key}`,
      { 'x-api-key': key },
      places('query parameter api_key', 'header x-api-key'),
    ],
    [
      'unknown keys in two places',
      `${target}&api_key=a`,
      { 'x-api-key': 'b' },
      places('query parameter api_key', 'header x-api-key'),
    ],
    [
      'an empty key beside a good one',
      `${target}&api_key=`,
      { 'x-api-key': key },
      places('query parameter api_key', 'header x-api-key'),
    ],
    ['a key twice in the query', `${target}&api_key=${key}&api_key=${key}`, {}, twice('query parameter api_key')],
    ['two keys in one header', target, { 'x-api-key': `${key}, ${otherKey}` }, unknown],
    ['a key as an array in the query', `${target}&api_key[]=${key}`, {}, missing],
    ['a key with other letters around it', target, { 'x-api-key': `x${key}` }, unknown],
  ])('%s', async (_name, path, headers, challenge) => {
    const response = await service.bare(path, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(challenge);
    expect(await expectContract('getSpace', response)).toEqual(refusal);
  });

  test('the key in all three locations', async () => {
    const response = await service.bare(`${target}&api_key=${key}`, {
      headers: { 'x-api-key': key, authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain(
      'error_description="an API key was sent in the query parameter api_key and in the header x-api-key and in the header Authorization: ',
    );
  });

  test.each([
    ['x-api-key', key],
    ['Authorization', `Bearer ${key}`],
  ])('the header %s sent twice', async (name, value) => {
    const answer = await sendRaw(service.port, [
      `GET ${target} HTTP/1.1`,
      'Host: x',
      `${name}: ${value}`,
      `${name}: ${value}`,
    ]);
    expect(answer.status).toBe(401);
    expect(answer.head).toContain(`\r\nWWW-Authenticate: ${twice(`header ${name}`)}\r\n`);
    expect(JSON.parse(answer.body)).toEqual(refusal);
  });

  test('an expired, revoked or unknown key, with the same message', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keys-'));
    const store = await openDocuments(folder);
    const keys = new DocumentKeys(await store.document<KeyFile>('keys', { keys: [] }));
    const expired = await keys.create({ name: 'a', expiresAt: new Date(Date.now() - 1) });
    const revoked = await keys.create({ name: 'b' });
    await keys.revoke(revoked.id);
    const own = await startService({ authenticate: createAuthenticator({ keys, failures: 'off' }) });
    try {
      const never = `sd_${'0'.repeat(8)}_${'0'.repeat(22)}`;
      const answers = await Promise.all(
        [expired.key, revoked.key, never].map((presented) => own.bare(target, { headers: { 'x-api-key': presented } })),
      );
      for (const answer of answers) {
        expect({
          status: answer.status,
          challenge: answer.headers.get('www-authenticate'),
          body: await answer.json(),
        }).toEqual({ status: 401, challenge: unknown, body: refusal });
      }
    } finally {
      await own.stop(0);
      await store.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('returns 401 without a key, before any other check, for', () => {
  test.each<[string, string, RequestInit]>([
    ['an unknown path', '/social/nothing', {}],
    ['a method the path lacks', '/social/space/detail', { method: 'DELETE' }],
    ['an unknown parameter', '/social/space/detail?idd=1', {}],
    [
      'a malformed body',
      '/social/tweet/unlike',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
    ],
    [
      'a body that is too large',
      '/social/tweet/unlike',
      { method: 'POST', body: 'x'.repeat(100_000), headers: { 'content-type': 'application/json' } },
    ],
    [
      'a body of another type',
      '/social/tweet/unlike',
      { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } },
    ],
    ['HEAD', '/social/space/detail?id=abc', { method: 'HEAD' }],
    ['OPTIONS that is not a preflight', '/social/space/detail', { method: 'OPTIONS' }],
  ])('%s', async (_name, path, init) => {
    expect((await service.bare(path, init)).status).toBe(401);
  });
});

test('a handler receives the id of the key, never the key', async () => {
  const calls: unknown[] = [];
  const handler = (call: object) => (calls.push(JSON.stringify(call)), { success: true });
  const own = await startService({ handlers: exampleHandlers({ unlikeTweet: handler }) });
  const init = { method: 'POST', body: '{"tweet_id":"1"}', headers: { 'content-type': 'application/json' } };
  await own.bare(`/social/tweet/unlike?api_key=${key}`, init);
  await own.stop(0);
  expect(calls).toHaveLength(1);
  expect(calls[0]).toContain('"keyId":"test0001"');
  expect(calls[0]).not.toContain(key);
});

describe('a key without all scopes', () => {
  const keysByScope = {
    read: { ...unrestrictedKey('reader'), scopes: new Set(['read'] as const) },
    write: { ...unrestrictedKey('writer'), scopes: new Set(['write'] as const) },
  };
  let limited: Service;
  beforeAll(async () => {
    limited = await startService({ authenticate: ([presented]) => keysByScope[presented as keyof typeof keysByScope] });
  });
  afterAll(() => limited.stop(0));

  test.each(operationIds)('calls %s only with the required scope', async (id) => {
    const { scope }: OperationEntry = operations[id];
    const call = (presented: string): Promise<Response> => {
      const init = validInit(id);
      return limited.bare(validTarget(id), {
        ...init,
        headers: { ...init.headers, 'x-api-key': presented },
      });
    };
    for (const presented of Object.keys(keysByScope)) {
      const response = await call(presented);
      expect(response.status).toBe(scope === undefined || presented === scope ? exampleStatus(id) : 403);
      const body = await expectContract(id, response);
      if (scope === undefined || presented === scope) continue;
      expect(body).toEqual({ error: `this API key lacks the scope '${scope}'` });
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer realm="social-data", error="insufficient_scope", scope="${scope}"`,
      );
    }
  });

  test('gets 403 before validation, and 404 and 405 like any other key', async () => {
    const headers = { 'x-api-key': 'write' };
    expect((await limited.bare('/social/space/detail?wrong=1', { headers })).status).toBe(403);
    expect((await limited.bare('/social/nothing', { headers })).status).toBe(404);
    expect((await limited.bare('/social/space/detail', { method: 'DELETE', headers })).status).toBe(405);
  });
});

describe('an address with too many invalid keys', () => {
  const keys = new DocumentKeys(
    { data: { keys: [] }, update: async () => {}, onChange: () => () => {}, stale: undefined },
    [key, otherKey],
  );
  const guess = (limited: Service, headers: Record<string, string> = {}): Promise<Response> =>
    limited.bare(target, { headers: { 'x-api-key': `sd_guess_${Math.random()}`, ...headers } });

  test('gets 429 also for a correct guess, but not for a key used from there before', async () => {
    const limited = await startService({
      authenticate: createAuthenticator({ keys, failures: { requests: 3, periodMs: 60_000 } }),
    });
    expect((await limited.bare(target, { headers: { 'x-api-key': otherKey } })).status).toBe(200);
    for (let call = 0; call < 3; call += 1) expect((await guess(limited)).status).toBe(401);
    const refused = await guess(limited);
    const wait = refused.headers.get('retry-after')!;
    expect(await expectContract('getSpace', refused, { limited: false })).toEqual({
      error: `too many invalid API keys from your address; retry in ${wait} s`,
    });
    expect([refused.status, Number(wait) > 0, Number(wait) <= 20, refused.headers.get('ratelimit')]).toEqual([
      429,
      true,
      true,
      null,
    ]);
    expect((await limited.bare(target, { headers: { 'x-api-key': key } })).status).toBe(429);
    expect((await limited.bare(target, { headers: { 'x-api-key': otherKey } })).status).toBe(200);
    expect((await limited.bare(target)).status).toBe(401);
    expect((await limited.bare('/healthz')).status).toBe(200);
    await limited.stop(0);
  });

  test('is not changed by X-Forwarded-For, except from a trusted proxy', async () => {
    const failures = { requests: 2, periodMs: 3_600_000 };
    const plain = await startService({ authenticate: createAuthenticator({ keys, failures }) });
    const behind = await startService({
      authenticate: createAuthenticator({ keys, failures }),
      addressOf: createAddressOf(1),
    });
    const statuses = async (limited: Service, forwarded: (call: number) => string): Promise<number[]> => {
      const seen = [];
      for (let call = 0; call < 3; call += 1)
        seen.push((await guess(limited, { 'x-forwarded-for': forwarded(call) })).status);
      return seen;
    };
    expect(await statuses(plain, (call) => `203.0.113.${call}`)).toEqual([401, 401, 429]);
    expect(await statuses(behind, (call) => `203.0.113.${call}, 198.51.100.7`)).toEqual([401, 401, 429]);
    expect(await statuses(behind, (call) => `203.0.113.${call}`)).toEqual([401, 401, 401]);
    for (const limited of [plain, behind]) await limited.stop(0);
  });
});
