import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectContract } from '../support/contract.ts';
import { sendRaw } from '../support/raw.ts';
import { exampleHandlers, key, otherKey, startService, type Service } from '../support/service.ts';

const target = '/social/space/detail?id=abc';
const refusal = { error: 'Invalid or missing API key' };
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop(1000));

describe('a key is accepted', () => {
  test.each<[string, string, Record<string, string>]>([
    ['in x-api-key', target, { 'x-api-key': key }],
    ['as a bearer token', target, { authorization: `Bearer ${key}` }],
    ['as a bearer token whatever the case of the scheme', target, { authorization: `bEARER ${key}` }],
    ['in the query', `${target}&api_key=${key}`, {}],
    ['in the query with its name percent-encoded', `${target}&api%5Fkey=${key}`, {}],
    ['beside an Authorization that is not a bearer token', target, { 'x-api-key': key, authorization: 'Basic eDp5' }],
  ])('%s', async (_name, path, headers) => {
    const response = await service.bare(path, { headers });
    expect(response.status).toBe(200);
    await expectContract('getSpace', response);
  });
});

describe('401 answers a request with', () => {
  test.each<[string, string, Record<string, string>]>([
    ['no key', target, {}],
    ['an unknown key', target, { 'x-api-key': 'sd_nobody' }],
    ['an empty header', target, { 'x-api-key': '' }],
    ['an empty bearer token', target, { authorization: 'Bearer' }],
    ['an empty query parameter', `${target}&api_key=`, {}],
    ['the key in basic authentication', target, { authorization: `Basic ${btoa(`:${key}`)}` }],
    ['a key in two ways', target, { 'x-api-key': key, authorization: `Bearer ${key}` }],
    ['a key in the query and in a header', `${target}&api_key=${key}`, { 'x-api-key': key }],
    ['an empty key beside a good one', `${target}&api_key=`, { 'x-api-key': key }],
    ['a key twice in the query', `${target}&api_key=${key}&api_key=${key}`, {}],
    ['two keys in one header', target, { 'x-api-key': `${key}, ${otherKey}` }],
    ['a key as an array in the query', `${target}&api_key[]=${key}`, {}],
    ['a key with other letters around it', target, { 'x-api-key': `x${key}` }],
  ])('%s', async (_name, path, headers) => {
    const response = await service.bare(path, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(await expectContract('getSpace', response)).toEqual(refusal);
  });

  test.each([['x-api-key', key], ['Authorization', `Bearer ${key}`]])('the header %s sent twice', async (name, value) => {
    const answer = await sendRaw(service.port, [`GET ${target} HTTP/1.1`, 'Host: x', `${name}: ${value}`, `${name}: ${value}`]);
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body)).toEqual(refusal);
  });
});

describe('without a key nothing else is told: 401 answers', () => {
  test.each<[string, string, RequestInit]>([
    ['an unknown path', '/social/nothing', {}],
    ['a method the path lacks', '/social/space/detail', { method: 'DELETE' }],
    ['an unknown parameter', '/social/space/detail?idd=1', {}],
    ['a malformed body', '/social/tweet/unlike', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    ['a body that is too large', '/social/tweet/unlike', { method: 'POST', body: 'x'.repeat(100_000), headers: { 'content-type': 'application/json' } }],
    ['a body of another type', '/social/tweet/unlike', { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } }],
    ['HEAD', '/social/space/detail?id=abc', { method: 'HEAD' }],
    ['OPTIONS that is no preflight', '/social/space/detail', { method: 'OPTIONS' }],
  ])('%s', async (_name, path, init) => {
    expect((await service.bare(path, init)).status).toBe(401);
  });
});

test('the handler learns the id of the key and never the key', async () => {
  const calls: unknown[] = [];
  const handler = (call: object) => (calls.push(JSON.stringify(call)), { success: true });
  const own = await startService({ handlers: exampleHandlers({ unlikeTweet: handler }) });
  const init = { method: 'POST', body: '{"tweet_id":"1"}', headers: { 'content-type': 'application/json' } };
  await own.bare(`/social/tweet/unlike?api_key=${key}`, init);
  await own.stop(1000);
  expect(calls).toHaveLength(1);
  expect(calls[0]).toContain('"keyId":"test0001"');
  expect(calls[0]).not.toContain(key);
});
