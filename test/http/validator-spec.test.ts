import { describe, expect, test } from '@jest/globals';
import type { OpenApiDocument } from '../../server/contract/openapi.ts';
import { validatorSpec } from '../../server/http/express/validator-spec.ts';

const ok = {
  200: { description: 'Fine.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } } },
};
const document = (more: object = {}, schemas: object = {}): OpenApiDocument =>
  ({
    openapi: '3.1.0',
    info: { title: 'A contract', version: '1.0.0' },
    paths: {
      '/users/{id}/{kind}': { get: { operationId: 'a', responses: ok } },
      '/users/me/all': { get: { operationId: 'b', responses: ok }, post: { operationId: 'c', responses: ok } },
      ...more,
    },
    components: {
      schemas: {
        Page: { type: 'object', properties: { next: { $ref: '#/components/schemas/Item' } } },
        Item: { type: 'string' },
        Unused: { type: 'object' },
        ...schemas,
      },
    },
  }) as unknown as OpenApiDocument;

test('static paths come before templates, each with its methods and parameters', () => {
  expect(
    validatorSpec(document()).routes.map(({ method, expressRoute, pathParams }) => [method, expressRoute, pathParams]),
  ).toEqual([
    ['GET', '/users/me/all', []],
    ['POST', '/users/me/all', []],
    ['GET', '/users/:id/:kind', ['id', 'kind']],
  ]);
});

test('copies the components that the operations need directly or indirectly', () => {
  const given = document();
  const { apiDoc } = validatorSpec(given);
  expect(Object.keys(apiDoc.components!.schemas!)).toEqual(['Page', 'Item']);
  expect(apiDoc.components!.schemas!['Page']).not.toBe(given.components.schemas['Page']);
});

describe('rejects an unusable document, with the location:', () => {
  test.each<[string, OpenApiDocument, string]>([
    ['a path that is not an object', document({ '/broken': 7 }), '/paths/~1broken must be object'],
    [
      'a reference to nothing',
      document({}, { Other: { $ref: '#/components/schemas/Nothing' } }),
      "'#/components/schemas/Nothing' has no target",
    ],
    [
      'a reference to another file',
      document({}, { Other: { $ref: 'other.yaml#/Item' } }),
      "'other.yaml#/Item' has no target",
    ],
    ['another version', { ...document(), openapi: '3.0.3' }, '/openapi must match pattern'],
  ])('%s', (_name, broken, message) => expect(() => validatorSpec(broken)).toThrow(message));
});
