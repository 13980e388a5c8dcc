// Tests server/http/express/query-names.ts, server/http/express/routes.ts and server/http/express/value-wording.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { operations } from '../../generated/operations.ts';
import { operationIds, type Call, type OperationId } from '../../server/contract/operations.ts';
import {
  endlessIds,
  contract,
  declares,
  exampleAnswer,
  exampleResult,
  exampleStatus,
  expectContract,
  plainIds,
} from '../support/contract.ts';
import { sendRaw } from '../support/raw.ts';
import { exampleHandlers, key, startService, validInit, validTarget, type Service } from '../support/service.ts';
import { nightlyTest } from '../support/nightly.ts';

let service: Service;
let calls: Call<OperationId>[] = [];
beforeAll(async () => {
  const record = (id: OperationId) => (call: Call<OperationId>) => (calls.push(call), exampleResult(id));
  service = await startService({
    handlers: exampleHandlers(Object.fromEntries(operationIds.map((id) => [id, record(id)]))),
  });
});
beforeEach(() => {
  calls = [];
});
afterAll(() => service.stop(0));

const isPlain = (id: OperationId): boolean => plainIds.includes(id);
/** The body of an error, which some operations do not declare. */
const bodyOf = (id: OperationId, response: Response): Promise<unknown> =>
  declares(id, response.status) ? expectContract(id, response) : response.json();
const json = (body: string): RequestInit => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });

describe('every operation', () => {
  test.each(operationIds.filter((id) => !endlessIds.includes(id)))(
    '%s returns the result of its handler',
    async (id) => {
      const response = await service.request(validTarget(id), validInit(id));
      expect(response.status).toBe(exampleStatus(id));
      const body = await expectContract(id, response);
      if (isPlain(id)) expect(body).toEqual(exampleAnswer(id));
    },
  );
  test.each(operationIds)('%s returns 400 for an unknown parameter', async (id) => {
    const response = await service.request(
      `${validTarget(id)}${validTarget(id).includes('?') ? '&' : '?'}zzz=1`,
      validInit(id),
    );
    expect(response.status).toBe(400);
    expect(await expectContract(id, response)).toEqual({ error: expect.stringContaining("unknown parameter 'zzz'") });
    expect(calls).toEqual([]);
  });
  test.each(operationIds)('%s returns 405 with Allow for another method', async (id) => {
    const methods = Object.keys(contract.paths[operations[id].path]!).map((method) => method.toUpperCase());
    const other = ['PUT', 'PATCH', 'DELETE', 'POST'].find((method) => !methods.includes(method));
    if (other === undefined) return;
    const response = await service.request(validTarget(id), { method: other });
    expect(response.status).toBe(405);
    const allow = response.headers.get('allow');
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    expect(allow?.split(', ').toSorted()).toEqual(allowed.toSorted());
    expect(await bodyOf(id, response)).toEqual({
      error: `method ${other} is not allowed here; allowed: ${allow}`,
    });
  });
});

describe('a handler receives', () => {
  test('parameters of the types of the contract, with defaults, and a 19-digit id exactly', async () => {
    await service.request('/social/tweet/replies?tweet_id=1890000000000000001&limit=7');
    expect(calls[0]!.query).toEqual({ tweet_id: '1890000000000000001', limit: 7 });
    await service.request('/social/tweet/replies?tweet_id=9223372036854775807');
    expect(calls[1]!.query).toEqual({ tweet_id: '9223372036854775807', limit: 20 });
  });
  test('a handle as a username, in every operation that takes one', async () => {
    const longest = `${'abcdefg.'.repeat(40).slice(0, 249)}.com`;
    const paths = ['user/last_tweets', 'user/highlights', 'user/followings', 'user/mentions', 'community/members'];
    for (const path of paths)
      for (const username of ['alice.example.com', '@Alice.Example.com', '%40alice.example.com', `@${longest}`]) {
        const response = await service.request(`/social/${path}?username=${username}`);
        expect([path, username, response.status]).toEqual([path, username, 200]);
        expect(calls.at(-1)?.query).toMatchObject({ username: decodeURIComponent(username) });
      }
    expect((await service.request(`/social/user/mentions?username=a${longest}`)).status).toBe(400);
  });
  test.each([
    ['query=from:bob', 'from:bob'],
    ['query=a+b', 'a b'],
    ['query=a%2Bb', 'a+b'],
    ['query=(a OR "b c") -d, #e @f $G', '(a OR "b c") -d, '],
    ['query=%28a%20OR%20%22b%22%29%20%23e%20%40f%20%24G', '(a OR "b") #e @f $G'],
    ['query=a=b=c', 'a=b=c'],
    ['query=%F0%9F%A6%8A', '🦊'],
    ['query={"a":1}', '{"a":1}'],
    ['query=1890000000000000001', '1890000000000000001'],
    ['query=true', 'true'],
  ])('%s as %j', async (query, expected) => {
    const response = await service.request(`/social/tweet/advanced_search?${query}`);
    expect(response.status).toBe(200);
    expect((calls[0]!.query as { query: string }).query).toBe(expected);
  });
  test('the parsed body, also a compressed one', async () => {
    await service.request('/social/tweet/unlike', json('{"tweet_id":"12"}'));
    await service.request('/social/tweet/unlike', {
      method: 'POST',
      body: gzipSync('{"tweet_id":"13"}'),
      headers: { 'content-type': 'Application/JSON; charset="UTF-8"; v=1', 'content-encoding': 'gzip' },
    });
    expect(calls.map((call) => call.body)).toEqual([{ tweet_id: '12' }, { tweet_id: '13' }]);
  });
  test('a request in absolute form', async () => {
    const answer = await sendRaw(service.port, [
      'GET http://elsewhere.test/social/space/detail?id=abc HTTP/1.1',
      'Host: x',
      `x-api-key: ${key}`,
    ]);
    expect(answer.status).toBe(200);
    expect(calls[0]!.query).toEqual({ id: 'abc' });
  });
  test('a request with an unsupported Expect header', async () => {
    const answer = await sendRaw(service.port, [
      'GET /social/space/detail?id=abc HTTP/1.1',
      'Host: x',
      `x-api-key: ${key}`,
      'Expect: miracles',
    ]);
    expect(answer.status).toBe(200);
  });
});

describe('400 names the parameter and the expected value:', () => {
  test.each([
    ['/social/user/highlights?user_name=a', "unknown parameter 'user_name': did you mean 'username'?"],
    ['/social/user/highlights?userId=1', "unknown parameter 'userId': did you mean 'user_id'?"],
    ['/social/user/highlights?username=a&crusor=x', "unknown parameter 'crusor': did you mean 'cursor'?"],
    ['/social/space/detail?id=a&colour=red', "unknown parameter 'colour': expected 'id'"],
    ['/social/assistant/status?x=1', "unknown parameter 'x': there are none here"],
    ['/social/user/highlights', "send exactly one of 'username' and 'user_id'"],
    [
      '/social/user/highlights?username=a&user_id=1',
      "send exactly one of 'username' and 'user_id', not 'username' and 'user_id'",
    ],
    ['/social/tweet/replies', "parameter 'tweet_id' is missing"],
    ['/social/tweet/replies?tweet_id=', "parameter 'tweet_id' is empty"],
    ['/social/tweet/replies?tweet_id', "parameter 'tweet_id' is empty"],
    ['/social/tweet/replies?tweet_id=1&limit=1&limit=2', "parameter 'limit' is given more than once"],
    ['/social/tweet/replies?tweet_id=1&limit=0', "parameter 'limit' must be from 1 to 100"],
    ['/social/tweet/replies?tweet_id=1&limit=101', "parameter 'limit' must be from 1 to 100"],
    ['/social/tweet/replies?tweet_id=1&limit=ten', "parameter 'limit' must be a whole number from 1 to 100"],
    [
      '/social/tweet/replies?tweet_id=abc',
      "parameter 'tweet_id' must be an id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri, such as '1890000000000000001'",
    ],
    ['/social/user/last_tweets?username=a&include_replies=2', "parameter 'include_replies' must be '0' or '1'"],
    [
      '/social/user/last_tweets?username=a%20b',
      "parameter 'username' must be a username: 1–15 letters, digits or _, or a handle such as alice.example.com, such as 'mira_codes'",
    ],
    [
      '/social/user/last_tweets?username=alice.example.com.',
      "parameter 'username' must be a username: 1–15 letters, digits or _, or a handle such as alice.example.com, such as 'mira_codes'",
    ],
    [
      '/social/user/last_tweets?username=a&resolve_cashtags=true',
      "parameter 'resolve_cashtags' must be 1 for all chains or a chain id in lower case, such as 'solana'",
    ],
    [
      '/social/tweet/advanced_search?query=x&query_type=latest',
      "parameter 'query_type' must be 'Latest' or 'Top': did you mean 'Latest'?",
    ],
    [
      `/social/tweet/advanced_search?query=${'x'.repeat(1025)}`,
      "parameter 'query' must have 1 to 1024 characters, not 1025",
    ],
    [
      '/social/tweet/advanced_search?q=x',
      "unknown parameter 'q': expected one of 'query', 'query_type', 'cursor', 'limit'",
    ],
    [
      '/social/space/detail?id=a-b',
      "parameter 'id' must be the id of a space: 1–32 letters or digits, such as '1vSampleSpace1'",
    ],
    ['/social/user/mentions?username=a&since_time=-1', "parameter 'since_time' must be from 0 to 253402300799"],
    ['/social/tweet/assistant?tweet_id=1&prompt=%20', "parameter 'prompt' must not be blank"],
    ['/social/user/last_tweets?username=a&include_replies=0:1', "parameter 'include_replies' must be '0' or '1'"],
    [
      '/social/tweet/replies?tweet_id=1:2',
      "parameter 'tweet_id' must be an id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri, such as '1890000000000000001'",
    ],
    ['/social/tweet/advanced_search?query=%E0%A4', 'the query is not valid percent-encoded UTF-8'],
    ['/social/space/detail?id=a&__proto__=1', "unknown parameter '__proto__': expected 'id'"],
    ['/social/space/detail?id=a&__proto__[x]=1', "unknown parameter '__proto__[x]': expected 'id'"],
    ['/social/space/detail?id=a&constructor=1', "unknown parameter 'constructor': expected 'id'"],
    ['/social/space/detail?id[x]=a', "unknown parameter 'id[x]': expected 'id'"],
  ])('%s → %s', async (target, error) => {
    const response = await service.request(target);
    expect(await response.json()).toEqual({ error });
    expect(response.status).toBe(400);
    expect(calls).toEqual([]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

/** What only those who know JSON Schema, or the library that checks it, would understand. */
const dialect =
  /must (NOT|match|be (integer|string|object|array|equal))|[<>]=|allowed values|pattern|url encoded|openapi|\^|\\|\{\d/;

nightlyTest('no error for an invalid parameter has the wording of a library', async () => {
  const values = [
    '',
    ' ',
    '-1',
    '0',
    '1:2',
    'a b',
    '#',
    '1e999',
    'true',
    'x'.repeat(5000),
    '\u0000',
    '"',
    '\u{1f600}',
    '^[a-z]+$',
    '{1,3}',
  ];
  let refused = 0;
  for (const id of operationIds) {
    const { parameters } = operations[id];
    for (const name of parameters) {
      for (const value of values) {
        const query = new URL(validTarget(id), service.url).searchParams;
        query.set(name, value);
        // Also with reserved characters as they are.
        for (const text of new Set([
          query.toString(),
          decodeURIComponent(query.toString().replace(/%(?!3A)/gi, '%25')).replaceAll('+', '%20'),
        ])) {
          const response = await service.request(
            `${new URL(validTarget(id), service.url).pathname}?${text}`,
            validInit(id),
          );
          const { error } = (await response.json()) as { error?: string };
          if (response.status !== 400) continue;
          refused++;
          expect(error).toContain(`'${name}'`);
          expect([id, name, value, error?.replace(/, such as '.*'$/, '')]).toEqual([
            id,
            name,
            value,
            expect.not.stringMatching(dialect),
          ]);
        }
      }
    }
  }
  expect(refused).toBeGreaterThan(300);
});

describe('rejects a body that violates the contract:', () => {
  test.each<[string, RequestInit, number, string]>([
    ['malformed JSON', json('{'), 400, 'the body is not valid JSON: expected an object'],
    [
      'a member twice',
      json('{"tweet_id":"1","tweet_id":"2"}'),
      400,
      "member 'tweet_id' of the body is given more than once",
    ],
    ['a JSON text', json('"x"'), 400, 'the body must be a JSON object'],
    ['null', json('null'), 400, 'the body must be a JSON object, not null'],
    ['a number', json('7'), 400, 'the body must be a JSON object'],
    ['a list', json('[]'), 400, 'the body must be a JSON object'],
    ['a missing member', json('{}'), 400, "member 'tweet_id' of the body is missing"],
    [
      'a misspelt member',
      json('{"tweetId":"1"}'),
      400,
      "unknown member 'tweetId' of the body: did you mean 'tweet_id'?",
    ],
    [
      'an unknown member',
      json('{"tweet_id":"1","colour":1}'),
      400,
      "unknown member 'colour' of the body: expected 'tweet_id'",
    ],
    [
      'a polluting member',
      json('{"tweet_id":"1","__proto__":{"x":1}}'),
      400,
      "unknown member '__proto__' of the body: expected 'tweet_id'",
    ],
    ['a number for an id', json('{"tweet_id":1}'), 400, "member 'tweet_id' of the body must be a string"],
    [
      'a value of the wrong form',
      json('{"tweet_id":"x"}'),
      400,
      "member 'tweet_id' of the body must be an id: 1–19 digits",
    ],
    ['no body', { method: 'POST' }, 400, 'a JSON body is required'],
    ['more than 16 kB', json(`{"tweet_id":"${'1'.repeat(17_000)}"}`), 413, 'the body is larger than 16 kB'],
    [
      'more than 16 kB once unpacked',
      {
        ...json(''),
        body: gzipSync(' '.repeat(1_000_000)),
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      },
      413,
      'the body is larger than 16 kB',
    ],
    [
      'a form',
      { method: 'POST', body: new URLSearchParams('a=1') },
      415,
      "content type 'application/x-www-form-urlencoded' is not supported: send application/json",
    ],
    [
      'no type',
      { method: 'POST', body: Buffer.from('{}') },
      415,
      'a body without a content type is not supported: send application/json',
    ],
    [
      'another charset',
      { ...json('{}'), headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      "charset 'utf-16' is not supported: send UTF-8",
    ],
    [
      'another encoding',
      { ...json('{}'), headers: { 'content-type': 'application/json', 'content-encoding': 'zip' } },
      415,
      'this content encoding is not supported: send the body uncompressed, or with gzip, deflate or br',
    ],
    [
      'bytes that are not gzip',
      { ...json('{}'), headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
      400,
      'the body could not be read',
    ],
  ])('%s', async (_name, init, status, error) => {
    const response = await service.request('/social/tweet/unlike', init);
    expect([response.status, await expectContract('unlikeTweet', response)]).toEqual([status, { error }]);
    expect(calls).toEqual([]);
  });
});

describe('returns 404 for an unknown path:', () => {
  test.each([
    ['/social/user/last_tweet', "path '/social/user/last_tweet' not found: did you mean '/social/user/last_tweets'?"],
    [
      '/social/user/last_tweets/',
      "path '/social/user/last_tweets/' not found: did you mean '/social/user/last_tweets'?",
    ],
    ['/Social/User/Last_Tweets', "path '/Social/User/Last_Tweets' not found: did you mean '/social/user/last_tweets'?"],
    ['/social/tweet/detail', "path '/social/tweet/detail' not found: /docs lists all paths"],
    ['/social/tweet/replis', "path '/social/tweet/replis' not found: did you mean '/social/tweet/replies'?"],
    ['/v1/social/space/detail', "path '/v1/social/space/detail' not found: did you mean '/social/space/detail'?"],
    ['/last_tweets', "path '/last_tweets' not found: did you mean '/social/user/last_tweets'?"],
    ['//', "path '//' not found: /docs lists all paths"],
    ['/%', "path '/%' not found: /docs lists all paths"],
    ['/%ff/..%2f', "path '/%ff/..%2f' not found: /docs lists all paths"],
  ])('%s', async (target, error) => {
    const answer = await sendRaw(service.port, [`GET ${target} HTTP/1.1`, 'Host: x', `x-api-key: ${key}`]);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([404, { error }]);
    expect(answer.head).toMatch(/content-type: application\/json/i);
  });
});

test('HEAD returns the headers of GET without the body', async () => {
  const [head, get] = await Promise.all(
    ['HEAD', 'GET'].map((method) => service.request(validTarget('getSpace'), { method })),
  );
  expect(head!.status).toBe(200);
  expect(await head!.text()).toBe('');
  for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'vary'])
    expect(head!.headers.get(name)).toBe(get!.headers.get(name));
  expect((await service.request('/social/tweet/replies', { method: 'HEAD' })).status).toBe(400);
  expect((await service.request('/social/tweet/unlike', { method: 'HEAD' })).status).toBe(405);
});

test('accepts a prompt of the maximum length with any characters', async () => {
  const response = await service.request(
    `${validTarget('explainTweet')}?tweet_id=1&prompt=${encodeURIComponent('😀'.repeat(4000))}`,
  );
  expect(response.status).toBe(200);
});

test('treats OPTIONS that is not a preflight like any other method', async () => {
  const response = await service.request(validTarget('getSpace'), { method: 'OPTIONS' });
  expect(response.status).toBe(405);
  await expectContract('getSpace', response);
});

describe('returns JSON for invalid HTTP, too:', () => {
  test.each<[string, string[], number]>([
    ['nonsense', ['hello'], 400],
    ['a head that is too large', ['GET / HTTP/1.1', 'Host: x', `a: ${'x'.repeat(100_000)}`], 431],
    ['a target that is too long', [`GET /${'x'.repeat(100_000)} HTTP/1.1`, 'Host: x'], 431],
    ['two lengths', ['POST / HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2'], 400],
  ])('%s', async (_name, lines, status) => {
    const answer = await sendRaw(service.port, lines);
    expect(answer.status).toBe(status);
    expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(['error']);
  });
});
