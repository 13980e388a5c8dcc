import { expect, test } from '@jest/globals';
import { normaliseDocument, resolve } from '../../server/contract/plain-document.ts';

const document = {
  paths: { '/users/{id}': { get: { operationId: 'getUser' } } },
  components: {
    schemas: { 'a~b': { type: 'string' }, 'a b': { type: 'integer' }, next: { $ref: '#/components/schemas/a~0b' } },
    loop: { $ref: '#/components/loop' },
  },
};
const at = ($ref: string): unknown => resolve<unknown>(document, { $ref });

test('a reference leads to its target, with the escapes of JSON Pointer and of URI fragments, also over others', () => {
  expect(at('#/paths/~1users~1{id}/get')).toEqual({ operationId: 'getUser' });
  expect(at('#/paths/~1users~1%7Bid%7D/get/operationId')).toBe('getUser');
  expect(at('#/components/schemas/a~0b')).toEqual({ type: 'string' });
  expect(at('#/components/schemas/a%20b')).toEqual({ type: 'integer' });
  expect(at('#/components/schemas/next')).toEqual({ type: 'string' });
  expect(at('#')).toBe(document);
});

test.each(['#/components/schemas/none', '#/components/schemas/a~b/type/length', 'other.yaml#/a', '#/__proto__/x'])(
  '%s has no target',
  ($ref) => expect(() => at($ref)).toThrow(`the reference ${$ref} has no target`),
);

test('a reference to itself is an error, and another value stays as it is', () => {
  expect(() => at('#/components/loop')).toThrow('is circular');
  expect(resolve<unknown>(document, { type: 'string' })).toEqual({ type: 'string' });
});

test('a path has its operations, each with all its parameters and a name', () => {
  const parameter = (name: string, place = 'query') => ({ name, in: place });
  const operation = {
    operationId: 'own',
    parameters: [{ ...parameter('a'), required: true }, parameter('c', 'header')],
  };
  const document = {
    openapi: '3.1.0',
    paths: {
      'x-note': {},
      '/shared': {
        summary: 'left out',
        'x-more': 1,
        parameters: [parameter('a'), parameter('a', 'header'), { $ref: '#/components/parameters/B' }],
        trace: { responses: {} },
        post: operation,
        get: { operationId: 'plain' },
      },
      '/referred': { $ref: '#/components/pathItems/Item', put: { operationId: 'beside' } },
      '/museum-hours/{id}': { get: {}, post: {}, delete: 'x' },
      '/museum/hours/id': { get: {} },
      '/wrong': 5,
    },
    components: { parameters: { B: parameter('b') }, pathItems: { Item: { patch: { operationId: 'item' } } } },
  };
  const normalised = normaliseDocument(document);
  expect(normalised).toEqual({
    ...document,
    paths: {
      '/shared': {
        trace: {
          operationId: 'traceShared',
          responses: {},
          parameters: [parameter('a'), parameter('a', 'header'), { $ref: '#/components/parameters/B' }],
        },
        post: {
          ...operation,
          parameters: [parameter('a', 'header'), { $ref: '#/components/parameters/B' }, ...operation.parameters],
        },
        get: {
          operationId: 'plain',
          parameters: [parameter('a'), parameter('a', 'header'), { $ref: '#/components/parameters/B' }],
        },
      },
      '/referred': { patch: { operationId: 'item' }, put: { operationId: 'beside' } },
      '/museum-hours/{id}': { get: { operationId: 'getMuseumHoursId' }, post: { operationId: 'postMuseumHoursId' } },
      '/museum/hours/id': { get: { operationId: 'getMuseumHoursId2' } },
      '/wrong': 5,
    },
  });
  expect(Object.keys((normalised.paths as unknown as Record<string, object>)['/shared']!)).toEqual([
    'trace',
    'post',
    'get',
  ]);
  expect(normaliseDocument({ openapi: '3.1.0' })).toEqual({ openapi: '3.1.0', paths: {} });
});
