import { expect, test } from '@jest/globals';
import { resolve } from '../../server/contract/plain-document.ts';

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
