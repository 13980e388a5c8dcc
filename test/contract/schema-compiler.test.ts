import { describe, expect, test } from '@jest/globals';
import { compilerWithin, namesInherited, schemaCompiler } from '../../server/contract/schema-compiler.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const document = {
  components: {
    schemas: {
      Text: { type: 'string', minLength: 2 },
      List: { type: 'array', items: ref('Text') },
      Loop: { type: 'object', properties: { next: ref('Loop'), text: ref('Text') } },
      Account: {
        type: 'object',
        required: ['id', 'password'],
        properties: { id: { type: 'integer', readOnly: true }, password: { type: 'string', writeOnly: true } },
      },
    },
    parameters: { Own: { schema: { type: 'integer' } } },
  },
};

describe('a schema of a document', () => {
  const compile = compilerWithin({ components: { schemas: { Text: document.components.schemas.Text } } });
  test('has a validator, also with references to components', () => {
    const all = compilerWithin(document);
    const isList = all({
      type: 'object',
      properties: { list: ref('List'), own: { $ref: '#/components/parameters/Own/schema' } },
    });
    expect([isList({ list: ['ab'] }), isList({ list: ['a'] }), isList({ own: 'a' })]).toEqual([true, false, false]);
    expect(isList.errors).toMatchObject([{ instancePath: '/own', message: 'must be integer' }]);
    const isLoop = all(ref('Loop'));
    expect([isLoop({ next: { next: { text: 'ab' } } }), isLoop({ next: { next: { text: 'a' } } })]).toEqual([
      true,
      false,
    ]);
  });
  test('does not share its validator with another one', () => {
    const [isText, isNumber] = [compile(ref('Text')), compile({ type: 'number' })];
    expect([isText('ab'), isText(5), isNumber(5), isNumber('ab')]).toEqual([true, false, true, false]);
  });
  test('cannot be compiled with a reference to nothing', () => {
    expect(() => compile(ref('Nothing'))).toThrow(/Nothing/);
  });
  test('can have keywords of others', () => {
    expect(compile({ type: 'string', 'x-expected': 'a word', example: 'a' })('a')).toBe(true);
  });
  test('is validated with the options that are given', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } };
    const all = compilerWithin({}, { allErrors: true })(schema);
    expect([all({ a: 'x', b: 'y' }), all.errors?.length]).toEqual([false, 2]);
    const first = compilerWithin({})(schema);
    expect([first({ a: 'x', b: 'y' }), first.errors?.length]).toEqual([false, 1]);
  });
});

describe('the members of one direction', () => {
  test('are forbidden in the other one, in components and beside them', () => {
    const isRequest = compilerWithin(document, { direction: 'request' })(ref('Account'));
    const isResponse = compilerWithin(document, { direction: 'response' })(ref('Account'));
    expect([isRequest({ password: 'a' }), isRequest({ id: 1, password: 'a' }), isRequest({})]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isResponse({ id: 1 }), isResponse({ id: 1, password: 'a' }), isResponse({})]).toEqual([true, false, false]);
    const { Account } = document.components.schemas;
    expect(compilerWithin(document, { direction: 'request' })(Account)({ password: 'a' })).toBe(true);
  });
  test('are all there without a direction', () => {
    const isAccount = compilerWithin(document)(ref('Account'));
    expect([isAccount({ id: 1, password: 'a' }), isAccount({ id: 1 })]).toEqual([true, false]);
  });
  test('change nothing in a document that has none', () => {
    const { Text, List } = document.components.schemas;
    const compile = compilerWithin({ components: { schemas: { Text, List } } }, { direction: 'request' });
    expect([compile(ref('List'))(['ab']), compile(ref('List'))(['a'])]).toEqual([true, false]);
  });
  test.each<[string, { readonly components?: unknown }]>([
    ['no components', {}],
    ['components that are no object', { components: 'text' }],
    ['schemas that are no object', { components: { schemas: [] } }],
  ])('are found in a document with %s', (_case, more) => {
    const { Account } = document.components.schemas;
    const compile = compilerWithin(Object.assign({ paths: { Account } }, more), { direction: 'response' });
    expect([compile(Account)({ id: 1 }), compile(Account)({ id: 1, password: 'a' })]).toEqual([true, false]);
  });
});

describe('a member with the name of one that each object inherits', () => {
  test.each([
    ...['constructor', 'toString', 'toLocaleString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'],
    ...['propertyIsEnumerable', '__proto__', '__defineGetter__'],
  ])('%s is one that an object needs to have itself', (name) => {
    const schema = { type: 'object', properties: Object.fromEntries([[name, { type: 'string' }]]), required: [name] };
    expect(namesInherited(schema)).toBe(true);
    const isValid = compilerWithin({ components: { schemas: { A: schema } } })(ref('A'));
    expect(isValid({})).toBe(false);
    expect(isValid(JSON.parse(`{${JSON.stringify(name)}:"a"}`))).toBe(true);
  });
  test('is not a part of a longer name', () => {
    for (const name of ['constructors', 'my constructor', '__proto', 'proto__', 'id'])
      expect([name, namesInherited({ [name]: {} })]).toEqual([name, false]);
  });
});

test('formats are checked, and times need a date, a time and a zone', () => {
  const compiler = schemaCompiler();
  const isValid = (format: string, value: string): boolean => compiler.compile({ type: 'string', format })(value);
  expect([isValid('uri', 'https://a.example/'), isValid('uri', 'a b')]).toEqual([true, false]);
  expect(
    ['2026-03-04T05:06:07.000Z', '2026-03-04T05:06:07+02:00', '2026-03-04', '2026-02-31T00:00:00Z'].map((value) =>
      isValid('date-time', value),
    ),
  ).toEqual([true, true, false, false]);
});

test('a compiler takes options, and is strict about keywords without them', () => {
  expect(() => schemaCompiler().compile({ unknown: 1 })).toThrow(/unknown keyword/);
  expect(schemaCompiler({ strict: false }).compile({ unknown: 1 })(5)).toBe(true);
});
