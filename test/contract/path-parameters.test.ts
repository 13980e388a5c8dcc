/** An operation with parameters in its path, through the server and the mock. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenApiDocument } from '../../server/contract/openapi.ts';
import { bySpecificity, expressPath, parametersOfPath, pathWith } from '../../server/contract/path-template.ts';
import { readDocument } from '../../server/contract/openapi.ts';
import type { Handlers } from '../../server/contract/operations.ts';
import { exampleHandlers, startService, type Service } from '../support/service.ts';

describe('a path template', () => {
  test('has parameters, a form for Express, and values', () => {
    const template = '/users/{user-id}/posts.{format}(all)';
    expect(parametersOfPath(template)).toEqual(['user-id', 'format']);
    expect(expressPath(template)).toBe('/users/:"user-id"/posts.:format\\(all\\)');
    expect(pathWith(template, { 'user-id': 'a/b', format: 'json' })).toBe('/users/a%2Fb/posts.json(all)');
  });
  test('with literal segments comes before one with parameters', () => {
    const templates = ['/{a}/{b}', '/users/{id}', '/users/{id}.json', '/users/me', '/{a}/me'];
    expect(templates.toSorted(bySpecificity)).toEqual([
      '/users/me',
      '/users/{id}.json',
      '/users/{id}',
      '/{a}/me',
      '/{a}/{b}',
    ]);
  });
});

/** The contract with two operations more: a user by number, and the own user. */
async function contract(): Promise<OpenApiDocument> {
  const document = structuredClone(await readDocument());
  const detail = document.paths['/social/space/detail']?.get;
  if (detail === undefined) throw new Error('the contract has changed');
  const responses = {
    ...detail.responses,
    200: {
      description: 'What it was called with.',
      content: { 'application/json': { schema: { type: 'object' }, example: {} } },
    },
  };
  const id = { name: 'user_id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 999 } };
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', default: 7 } };
  const operation = (operationId: string, parameters: unknown[]): object => ({
    ...detail,
    operationId,
    parameters,
    responses,
  });
  return {
    ...document,
    paths: {
      ...document.paths,
      '/users/{user_id}/posts': { get: operation('postsOf', [id, limit]) },
      '/users/me/posts': { get: operation('ownPosts', [limit]) },
    },
  } as OpenApiDocument;
}

describe.each(['once', 'always'] as const)('an operation with a path parameter, validated %s', (validate) => {
  let service: Service;
  const answer = async (path: string): Promise<unknown> => {
    const response = await service.request(path);
    return [response.status, await response.json()];
  };
  beforeAll(async () => {
    const handlers = {
      ...exampleHandlers(),
      postsOf: ({ path, query }: { path: object; query: object }) => ({ path, query }),
      ownPosts: () => ({ own: true }),
    } as unknown as Handlers;
    service = await startService({ document: await contract(), handlers, validate });
  });
  afterAll(() => service.stop(0));

  test('gets the validated and converted value', async () => {
    expect(await answer('/users/42/posts?limit=3')).toEqual([200, { path: { user_id: 42 }, query: { limit: 3 } }]);
    expect(await answer('/users/%34%32/posts')).toEqual([200, { path: { user_id: 42 }, query: { limit: 7 } }]);
  });
  test('the more specific path wins, though it comes later in the contract', async () => {
    expect(await answer('/users/me/posts')).toEqual([200, { own: true }]);
  });
  test.each([
    ['/users/0/posts', 400, "parameter 'user_id' must be from 1 to 999"],
    ['/users/x/posts', 400, "parameter 'user_id' must be a whole number from 1 to 999"],
    ['/users/%ff/posts', 400, 'the path is not valid percent-encoded UTF-8'],
    ['/users/42/posts?user_id=1', 400, "unknown parameter 'user_id'"],
    ['/users//posts', 404, "path '/users//posts' not found"],
  ])('%s is %d: %s', async (path, status, error) => {
    expect(await answer(path)).toEqual([status, { error: expect.stringContaining(error) }]);
  });
});
