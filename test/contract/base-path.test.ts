// Tests server/http/express/openapi-validator.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RequestHandler } from 'express';
import { basePaths, withoutBasePath } from '../../server/contract/base-path.ts';
import { readDocument } from '../../server/contract/openapi.ts';
import { badRequest } from '../../server/contract/service-error.ts';
import { checkValidation } from '../../server/http/express/validation-check.ts';
import type { PreparedOperations } from '../../server/http/pipeline/operation.ts';
import { dropBasePath } from '../../server/http/pipeline/request-target.ts';
import { startService, validInit, validTarget, type Service } from '../support/service.ts';

test.each([
  [[], []],
  [[{ url: '/' }], []],
  [[{ url: 'https://api.acme.dev' }], []],
  [
    [{ url: 'https://api.acme.dev/v1/' }, { url: '/v1' }, { url: '/v1/eu' }],
    ['/v1/eu', '/v1'],
  ],
  [[{ url: 'v2' }], ['/v2']],
  [
    [
      {
        url: 'https://{host}/{version}/x',
        variables: { host: { default: 'a' }, version: { default: '1', enum: ['1', '2'] } },
      },
    ],
    ['/1/x', '/2/x'],
  ],
])('the servers %j have the base paths %j', (servers, paths) => expect(basePaths({ servers })).toEqual(paths));

test.each([
  ['/v1/users?limit=1', '/users?limit=1'],
  ['/v1', '/'],
  ['/v1?a=1', '/?a=1'],
  ['/v10/users', undefined],
  ['/users', undefined],
])('the target %s without /v1 is %s', (target, rest) => expect(withoutBasePath(target, ['/v1'])).toBe(rest));

test('every later step sees a target without its base path', () => {
  const request = { url: '/v1/ws?api_key=a', originalUrl: '/v1/ws?api_key=a' };
  dropBasePath(request, ['/v1']);
  expect(request).toEqual({ url: '/ws?api_key=a', originalUrl: '/ws?api_key=a' });
});

describe('a contract whose server has a base path', () => {
  let service: Service;
  beforeAll(async () => {
    const document = { ...(await readDocument()), servers: [{ url: 'https://api.acme.dev/v1' }] };
    service = await startService({ document });
  });
  afterAll(() => service.stop(0));

  test.each(['/v1', ''])('is served and validated under %j', async (base) => {
    const ok = await service.request(base + validTarget('getUserLastTweets'), validInit('getUserLastTweets'));
    expect(ok.status).toBe(200);
    const tooMany = await service.request(`${base}/social/user/last_tweets?username=mira&limit=100000`);
    expect([tooMany.status, await tooMany.json()]).toEqual([400, { error: "parameter 'limit' must be from 1 to 100" }]);
    const unlike = await service.request(`${base}/social/tweet/unlike`, {
      ...validInit('unlikeTweet'),
      body: '{"a":1}',
    });
    expect(unlike.status).toBe(400);
    expect((await service.bare(`${base}/openapi.json`)).status).toBe(200);
  });
});

test('the server does not start when requests for an operation reach another one', async () => {
  const document = structuredClone(await readDocument());
  const { '/social/user/last_tweets': one, '/social/user/highlights': other, ...paths } = document.paths;
  if (one === undefined || other === undefined) throw new Error('the contract has changed');
  const moved = { ...document, paths: { ...paths, '/social/user/{id}': one, '/social/user/{name}': other } };
  await expect(startService({ document: moved })).rejects.toThrow(
    'GET /social/user/{name} (getUserHighlights) cannot be validated: a request for it reaches getUserLastTweets',
  );
});

describe('the check of the validation', () => {
  const operations = new Map([
    ['getSpace', { id: 'getSpace', metadata: { entry: { method: 'get', path: '/spaces/{space-id}', body: false } } }],
  ]) as unknown as PreparedOperations;
  const pass: RequestHandler = (_request, _response, next) => next();
  const finds =
    (operationId?: string): RequestHandler =>
    (request, _response, next) => {
      Object.assign(request, { openapi: { schema: { operationId } } });
      next();
    };
  const reject: RequestHandler = () => {
    throw badRequest('unknown parameter');
  };
  const readers = (isPlain: boolean, step = pass): Parameters<typeof checkValidation>[2] => ({
    hasPlainParameters: () => isPlain,
    steps: () => [step],
  });
  test.each<[string, RequestHandler, RequestHandler, string]>([
    ['whose path the validator does not know', pass, reject, 'the validator does not know its path'],
    ['that is validated as another one', finds('getUser'), reject, 'a request for it is validated as getUser'],
    ['whose validation lets an invalid call pass', finds('getSpace'), pass, 'an invalid request passes'],
  ])('finds an operation %s', async (_name, find, step, reason) => {
    for (const isPlain of [true, false]) {
      const validator = { find: [find], validate: () => [isPlain ? step : pass] };
      await expect(checkValidation(operations, validator, readers(isPlain, isPlain ? pass : step))).rejects.toThrow(
        `GET /spaces/{space-id} (getSpace) cannot be validated: ${reason}`,
      );
    }
  });
  test('starts a contract whose first operation has parameters that express-openapi-validator does not read', async () => {
    const document = await readDocument();
    const list = { type: 'array', items: { type: 'integer' } };
    const space = document.paths['/social/space/detail']!['get']!;
    const described = {
      ...space,
      operationId: 'getSpaces',
      parameters: [{ name: 'ids', in: 'query', explode: false, schema: list }],
    };
    const first = { ...document, paths: { '/social/spaces': { get: described }, ...document.paths } };
    const service = await startService({ document: first as typeof document });
    try {
      expect((await service.request('/social/spaces?ids=1,2&other=1')).status).toBe(400);
      expect((await service.request('/social/spaces?ids=1,b')).status).toBe(400);
    } finally {
      await service.stop(0);
    }
  });
  test('accepts an operation whose validation rejects the call', () =>
    checkValidation(operations, { find: [finds('getSpace')], validate: () => [reject] }, readers(true)));
});
