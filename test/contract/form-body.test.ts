import { describe, expect, test } from '@jest/globals';
import {
  checkPartType,
  formMembers,
  isJsonMember,
  jsonValue,
  parseForm,
  schemaWithoutFiles,
  type FormMember,
} from '../../server/contract/form-body.ts';
import type { Encoding, Media, OpenApiDocument } from '../../server/contract/openapi.ts';

const document = {
  components: {
    schemas: {
      Bytes: { type: 'string', format: 'binary' },
      Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }], properties: { inside: { type: 'string' } } },
    },
  },
} as unknown as OpenApiDocument;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const membersOf = (schema: object, encoding: Record<string, Encoding> = {}): Map<string, FormMember> =>
  formMembers(document, { schema, encoding } as unknown as Media);
const memberOf = (schema: unknown, encoding?: Encoding): FormMember =>
  membersOf({ properties: { a: schema } }, encoding === undefined ? {} : { a: encoding }).get('a')!;
const png: Encoding = { contentType: 'image/png' };

describe('a member is a file', () => {
  test.each<[string, unknown, Encoding | undefined, boolean]>([
    ['with the format binary', { type: 'string', format: 'binary' }, undefined, true],
    ['with a reference to bytes', ref('Bytes'), undefined, true],
    ['in a list of bytes', { type: 'array', items: ref('Bytes') }, undefined, true],
    ['with a media type', { type: 'string', contentMediaType: 'image/png' }, undefined, true],
    ['not as encoded text', { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' }, png, false],
    ['without a schema, by its encoding', {}, png, true],
    ['where each value is valid, by its encoding', true, png, true],
    ['in a list without a schema, by its encoding', { type: 'array' }, png, true],
    ['where all media types are bytes', {}, { contentType: 'image/png , image/jpeg' }, true],
    ['not where one media type is text', {}, { contentType: 'image/png, text/plain' }, false],
    ['not where the media type is JSON', {}, { contentType: 'application/json' }, false],
    ['not without an encoding', {}, undefined, false],
    ['not where each value is valid', true, undefined, false],
    ['not as a string', { type: 'string' }, png, false],
    ['not with a list of values', { enum: ['a'] }, png, false],
    ['not as an object', { properties: { b: {} } }, png, false],
  ])('%s', (_case, schema, encoding, isFile) => {
    expect(memberOf(schema, encoding).isFile).toBe(isFile);
  });
});

describe('a member is JSON', () => {
  test.each<[string, unknown, Encoding | undefined, boolean]>([
    ['as an object', { type: 'object' }, undefined, true],
    ['as a list of objects', { type: 'array', items: { type: 'object' } }, undefined, true],
    ['as a text with the media type of JSON', { type: 'string' }, { contentType: 'application/problem+json' }, true],
    ['not as an object with another media type', { type: 'object' }, { contentType: 'text/plain' }, false],
    ['not as an object with a style', { type: 'object' }, { style: 'deepObject' } as Encoding, false],
    ['not as a list of texts', { type: 'array', items: { type: 'string' } }, undefined, false],
  ])('%s', (_case, schema, encoding, isJson) => {
    expect(isJsonMember(memberOf(schema, encoding))).toBe(isJson);
  });
});

test('members are those of all parts of a schema, also of one that contains itself', () => {
  const schema = {
    properties: { a: { type: 'string' } },
    allOf: [{ properties: { b: { type: 'integer' } } }, { allOf: [{ properties: { c: {} } }] }, ref('Loop'), true],
  };
  expect([...membersOf(schema).keys()]).toEqual(['a', 'b', 'c', 'inside']);
});

test('a form is read by its members', () => {
  const members = membersOf({
    properties: {
      name: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      at: { type: 'object' },
      list: { type: 'array', items: { type: 'object' } },
    },
  });
  expect(parseForm(members, 'name=a+b%26c&&tags=x&tags=&at={"y":1}&list={"z":1}&list={"z":2}')).toEqual({
    name: 'a b&c',
    tags: ['x', ''],
    at: { y: 1 },
    list: [{ z: 1 }, { z: 2 }],
  });
  expect(parseForm(members, 'name')).toEqual({ name: '' });
  expect(parseForm(members, 'other=1&twice=1&twice=2')).toEqual({ other: '1', twice: ['1', '2'] });
  expect(() => parseForm(members, 'at={}&at={}')).toThrow("member 'at' of the body is given more than once");
  expect(() => parseForm(members, 'name=1&name=2')).toThrow("member 'name' of the body is given more than once");
});

test('a list in JSON is one text, or one text for each item', () => {
  const list = memberOf({ type: 'array', items: { type: 'object' } });
  expect(jsonValue('a', list, ['[{"b":1},{"b":2}]'])).toEqual([{ b: 1 }, { b: 2 }]);
  expect(jsonValue('a', list, ['{"b":1}'])).toEqual([{ b: 1 }]);
  expect(jsonValue('a', list, ['[1]', '[2]'])).toEqual([[1], [2]]);
  const one = memberOf({ type: 'object' });
  expect(jsonValue('a', one, ['[1]'])).toEqual([1]);
  expect(() => jsonValue('a', one, ['{}', '{}'])).toThrow("member 'a' of the body is given more than once");
});

test('a part has one of the media types that the contract lists', () => {
  const check = (contentType: string | undefined, sent: string) => (): void =>
    checkPartType(memberOf({}, contentType === undefined ? undefined : { contentType }), sent);
  expect(check(undefined, 'a/b')).not.toThrow();
  for (const sent of ['image/png', 'IMAGE/PNG; q=1', 'text/plain'])
    expect(check('image/*, text/plain', sent)).not.toThrow();
  expect(check('*/*', 'a/b')).not.toThrow();
  expect(check('*/png', 'image/png')).not.toThrow();
  expect(check('image/png, image/jpeg', 'image/gif')).toThrow(
    expect.objectContaining({
      status: 415,
      message: "member 'a' of the body must be image/png or image/jpeg, not 'image/gif'",
    }),
  );
  expect(check('image/png', 'text/png')).toThrow("not 'text/png'");
  expect(check('image/png', 'image')).toThrow("not 'image/'");
  expect(check('image/png', '')).toThrow("not '/'");
});

test('the schema for the fields has files without their bytes, and keeps their number', () => {
  const files = { type: 'array', items: ref('Bytes'), minItems: 1, maxItems: 3 };
  const schema = {
    required: ['file'],
    properties: { file: ref('Bytes'), files, name: { type: 'string' } },
    allOf: [{ properties: { more: { ...files, minItems: undefined }, least: { ...files, maxItems: undefined } } }],
  };
  expect(schemaWithoutFiles(document, { schema, encoding: {} } as unknown as Media, membersOf(schema))).toEqual({
    required: ['file'],
    properties: { file: {}, files: { type: 'array', minItems: 1, maxItems: 3 }, name: { type: 'string' } },
    allOf: [{ properties: { more: { type: 'array', maxItems: 3 }, least: { type: 'array', minItems: 1 } } }],
  });
  const loop = { properties: { file: ref('Bytes') }, allOf: [ref('Loop')] };
  expect(
    schemaWithoutFiles(document, { schema: loop, encoding: {} } as unknown as Media, membersOf(loop)),
  ).toMatchObject({
    properties: { file: {} },
    allOf: [{ properties: { inside: { type: 'string' } } }],
  });
  const plain = { properties: { name: { type: 'string' } } };
  expect(schemaWithoutFiles(document, { schema: plain, encoding: {} } as unknown as Media, membersOf(plain))).toBe(
    plain,
  );
});
