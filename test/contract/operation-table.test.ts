import { describe, expect, test } from '@jest/globals';
import {
  operationTable,
  type DocumentWithOperations,
  type OperationEntry,
} from '../../server/contract/operation-table.ts';
import { requirementsOf, securitySchemes } from '../../server/contract/security-schemes.ts';

const components = {
  schemas: { Limit: { type: 'integer', default: 20 } },
  parameters: { Limit: { name: 'limit', in: 'query', schema: { $ref: '#/components/schemas/Limit' } } },
  headers: { Needed: { required: true }, Free: {} },
  responses: { Fine: { content: { 'application/json': {} } } },
};
const entryOf = (operation: object, document: object = {}): OperationEntry => {
  const contract = { components, ...document, paths: { '/a/{id}': { post: { operationId: 'own', ...operation } } } };
  return operationTable(contract as unknown as DocumentWithOperations).own!;
};

test('the table has each operation in the order of the document, with its method and its path', () => {
  const paths = { '/b': { put: {}, get: {}, trace: {} }, '/a': { delete: { operationId: 'remove' } } };
  const table = operationTable({ paths } as unknown as DocumentWithOperations);
  const none = { parameters: [], required: [], defaults: {}, exactlyOneOf: [], body: false };
  expect(table).toEqual({
    getB: { method: 'get', path: '/b', ...none },
    putB: { method: 'put', path: '/b', ...none },
    remove: { method: 'delete', path: '/a', ...none },
  });
});

test('an operation has the names and the defaults of its parameters', () => {
  const parameters = [
    { $ref: '#/components/parameters/Limit' },
    { name: 'query', in: 'query', required: true, schema: true },
    { name: 'filter', in: 'query', content: { 'application/json': { schema: { default: { a: 1 } } } } },
    { name: 'bare', in: 'query', content: {} },
    { name: 'untyped', in: 'query' },
    { name: 'id', in: 'path', required: true, schema: { default: 'x' } },
    { name: 'x-mode', in: 'header', schema: { default: null } },
    { name: 'theme', in: 'cookie', schema: { default: 'dark' } },
  ];
  expect(entryOf({ parameters, requestBody: {}, 'x-exactly-one-of': ['query', 'filter'] })).toEqual({
    method: 'post',
    path: '/a/{id}',
    parameters: ['limit', 'query', 'filter', 'bare', 'untyped'],
    required: ['query'],
    defaults: { limit: 20, filter: { a: 1 } },
    headerDefaults: { 'x-mode': null },
    cookieDefaults: { theme: 'dark' },
    exactlyOneOf: ['query', 'filter'],
    body: true,
  });
});

describe('the status of the body that a handler returns', () => {
  const json = { content: { 'application/json': {} } };
  test.each<[string, object, object, number | undefined]>([
    ['the only success', { 200: json, 404: {}, default: json }, {}, 200],
    ['another success', { 201: json }, {}, 201],
    ['a response by its name', { 200: { $ref: '#/components/responses/Fine' } }, {}, 200],
    ['a form of JSON', { 200: { content: { 'application/problem+json': {} } } }, {}, 200],
    ['a response that may not have changed', { 200: json, 304: {} }, {}, 200],
    ['a list that is CSV too', { 200: { content: { ...json.content, 'text/csv': {} } } }, { 'x-items': 'a' }, 200],
    [
      'a header that is optional',
      { 200: { ...json, headers: { 'x-a': { $ref: '#/components/headers/Free' } } } },
      {},
      200,
    ],
    ['a header of the server', { 200: { ...json, headers: { ETag: { required: true } } }, 304: {} }, {}, 200],
    ['none of several successes', { 200: json, 201: json }, {}, undefined],
    ['none of a redirect', { 302: json }, {}, undefined],
    ['none beside a redirect', { 200: json, 302: {} }, {}, undefined],
    ['none of a range', { '2XX': json }, {}, undefined],
    ['none without a success', { 404: json }, {}, undefined],
    ['none without responses', {}, {}, undefined],
    ['none without a body', { 204: {} }, {}, undefined],
    ['none of a text', { 200: { content: { 'text/plain': {} } } }, {}, undefined],
    ['none of two media types', { 200: { content: { ...json.content, 'text/csv': {} } } }, {}, undefined],
    [
      'none with a header that is needed',
      { 200: { ...json, headers: { 'x-a': { $ref: '#/components/headers/Needed' } } } },
      {},
      undefined,
    ],
  ])('%s', (_case, responses, more, success) => {
    expect(entryOf({ responses, ...more }).success).toBe(success);
  });
});

describe('the scope of an operation', () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ['is the role of its requirement', [{ key: ['read'] }], undefined, 'read'],
    ['is the role of all requirements', [{ key: ['read'] }, { bearer: ['read'] }], undefined, 'read'],
    ['is also there where no key is needed', [{}, { key: ['read'] }], undefined, 'read'],
    ['is that of the document', undefined, [{ key: ['write'] }], 'write'],
    ['is its own rather than that of the document', [{ key: ['read'] }], [{ key: ['write'] }], 'read'],
    ['is none without a role', [{ key: [] }], undefined, undefined],
    ['is none without requirements', [], [{ key: ['write'] }], undefined],
    ['is none in a document without any', undefined, undefined, undefined],
    ['is none of two roles', [{ key: ['read', 'write'] }], undefined, undefined],
    ['is none of two schemes together', [{ key: ['read'], other: ['write'] }], undefined, undefined],
    ['is none of different roles', [{ key: ['read'] }, { bearer: ['write'] }], undefined, undefined],
  ])('%s', (_case, own, ofDocument, scope) => {
    expect(entryOf({ security: own }, { security: ofDocument }).scope).toBe(scope);
  });
});

test('the security schemes of a document, and the requirements of an operation', () => {
  const key = { type: 'apiKey', in: 'header', name: 'x-api-key' };
  const schemes = { key, again: { $ref: '#/components/securitySchemes/key' } };
  expect([...securitySchemes({ components: { securitySchemes: schemes } })]).toEqual([
    ['key', key],
    ['again', key],
  ]);
  for (const document of [{}, { components: 5 }, { components: {} }, { components: { securitySchemes: 'a' } }])
    expect(securitySchemes(document).size).toBe(0);
  const document = { security: [{ key: [] }] };
  expect(requirementsOf(document, {})).toEqual([{ key: [] }]);
  expect(requirementsOf(document, undefined)).toEqual([{ key: [] }]);
  expect(requirementsOf(document, { security: [{ again: ['read'] }, 5] })).toEqual([{ again: ['read'] }]);
  expect(requirementsOf(document, { security: [] })).toEqual([]);
  expect(requirementsOf({}, { security: 'key' })).toEqual([]);
});
