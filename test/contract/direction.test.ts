import { expect, test } from '@jest/globals';
import { DirectedSchemas, hasDirections } from '../../server/contract/direction.ts';

const read = { type: 'integer', readOnly: true };
const write = { type: 'string', writeOnly: true };
const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const document = {
  components: {
    schemas: {
      Id: read,
      Wrapped: { allOf: [ref('Id')] },
      Loop: { allOf: [ref('Loop')] },
      Base: { properties: { id: ref('Id'), name: text } },
    },
  },
};
const request = new DirectedSchemas(document, 'request', 'omit');
const response = new DirectedSchemas(document, 'response', 'omit');
const checked = new DirectedSchemas(document, 'request', 'forbid');

test('a document has directions where a schema is for one of them', () => {
  expect(hasDirections({ a: [read] })).toBe(true);
  expect(hasDirections({ a: write })).toBe(true);
  expect(hasDirections({ readOnly: false, writeOnly: 'true' })).toBe(false);
});

test('members of the other direction are left out, or forbidden', () => {
  const schema = { properties: { id: read, secret: write, name: text }, required: ['id', 'secret', 'name'] };
  expect(request.convert(schema)).toEqual({ properties: { secret: write, name: text }, required: ['secret', 'name'] });
  expect(response.convert(schema)).toEqual({ properties: { id: read, name: text }, required: ['id', 'name'] });
  expect(checked.convert(schema)).toEqual({
    properties: { id: false, secret: write, name: text },
    required: ['secret', 'name'],
  });
  expect(request.convert({ properties: { id: read }, required: ['id'] })).toEqual({ properties: {} });
});

test('a member is of a direction by what it refers to', () => {
  const properties = { a: ref('Id'), b: ref('Wrapped'), c: ref('Loop'), d: ref('Nothing'), e: { readOnly: 'true' } };
  expect(request.convert({ properties })).toEqual({
    properties: { c: ref('Loop'), d: ref('Nothing'), e: { readOnly: 'true' } },
  });
});

test.each(['allOf', 'anyOf', 'oneOf'])('the parts of a schema share what %s excludes', (name) => {
  const part = { properties: { id: read } };
  expect(request.convert({ required: ['id', 'name'], [name]: [part, { required: ['id'] }] })).toEqual({
    required: ['name'],
    [name]: [{ properties: {} }, {}],
  });
  expect(request.convert({ required: ['id'], [name]: [ref('Base')] })).toEqual({ [name]: [ref('Base')] });
});

test('the items of a tuple do not share the members of the list', () => {
  const schema = { properties: { id: read }, prefixItems: [{ required: ['id'] }] };
  expect(request.convert(schema)).toEqual({ properties: {}, prefixItems: [{ required: ['id'] }] });
});

test.each([
  ...['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
])('%s has a schema', (name) => {
  expect(request.convert({ [name]: { properties: { id: read } } })).toEqual({ [name]: { properties: {} } });
  expect(request.convert({ [name]: true })).toEqual({ [name]: true });
});

test.each(['patternProperties', '$defs', 'dependentSchemas', 'definitions'])(
  '%s has schemas that are no members',
  (name) => {
    expect(request.convert({ [name]: { id: read, b: { properties: { id: read } } } })).toEqual({
      [name]: { id: read, b: { properties: {} } },
    });
  },
);

test('a value that is no schema stays', () => {
  for (const value of [true, null, 'a', 5]) expect(request.convert(value)).toBe(value);
  expect(request.convert({ properties: 'a', allOf: 'b', required: 'c' })).toEqual({
    properties: 'a',
    allOf: 'b',
    required: 'c',
  });
});
