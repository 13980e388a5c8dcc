import { describe, expect, test } from '@jest/globals';
import { operationMetadata, type OpenApiDocument } from '../../../server/contract/openapi.ts';
import { breach, createSerialisers, SerialiserCompiler } from '../../../server/http/pipeline/serialiser.ts';
import { ContractBreach } from '../../../server/http/pipeline/contract-breach.ts';
import { contract, exampleAnswer, plainIds } from '../../support/contract.ts';

const document = contract as unknown as OpenApiDocument;
const serialisers = createSerialisers(operationMetadata(document), new SerialiserCompiler(document));
const serialise = serialisers.get('getUserHighlights')!;
type Page = {
  tweets: { text: string; like_count: unknown; author: { name: unknown } }[];
  next_cursor: string | null;
  has_next_page: boolean;
};
const page = (): Page => structuredClone(exampleAnswer('getUserHighlights')) as Page;

test.each(plainIds)('a response of %s equals JSON.stringify', (id) => {
  const answer = exampleAnswer(id);
  expect(serialisers.get(id)!(answer).toString()).toBe(JSON.stringify(answer));
});
test('writes members in the order of the value, and omits undefined ones', () => {
  const { tweets, next_cursor, has_next_page } = page();
  for (const answer of [
    { has_next_page, tweets, next_cursor },
    { next_cursor, has_next_page, tweets: [...tweets, ...tweets] },
    { tweets: [], next_cursor, resolved_tokens: undefined, has_next_page },
  ]) {
    expect(serialisers.get('getUserLastTweets')!(answer).toString()).toBe(JSON.stringify(answer));
  }
});
test('keeps the order of frozen and other items, at the first and later calls', () => {
  const [tweet] = page().tweets as [Page['tweets'][0]];
  const [frozen, other] = [Object.freeze({ ...tweet, text: 'frozen' }), { ...tweet, text: 'other ☕' }];
  for (const tweets of [[frozen], [other, frozen], [frozen, other], [frozen, other, other, frozen], [other]]) {
    const answer = { ...page(), tweets };
    for (let n = 0; n < 2; n++) expect(serialise(answer).toString()).toBe(JSON.stringify(answer));
  }
});
describe('reports the location of a contract violation, and sends nothing:', () => {
  test.each<[string, (answer: Page) => void, RegExp]>([
    [
      'in the page',
      (answer) => void (answer.has_next_page = 'yes' as never),
      /^getUserHighlights: \/has_next_page must be boolean/,
    ],
    ['in a tweet', (answer) => void (answer.tweets[0]!.like_count = '7'), /\/tweets\/like_count must be integer/],
    ['deep in a tweet', (answer) => void (answer.tweets[0]!.author.name = 7), /\/tweets\/author\/name must be string/],
    ['an invalid list', (answer) => void (answer.tweets = {} as never), /\/tweets must be array/],
    ['an invalid item', (answer) => void (answer.tweets = [null as never]), /\/tweets must be object/],
    ['a member that is not declared', (answer) => void Object.assign(answer, { extra: 1 }), /extra/],
    ['a member that is missing', (answer) => void delete (answer as Partial<Page>).tweets, /tweets/],
  ])('%s', (_name, damage, message) => {
    const answer = page();
    damage(answer);
    expect(() => serialise(answer)).toThrow(ContractBreach);
    expect(() => serialise(answer)).toThrow(message);
  });
});
test('reports an invalid frozen object every time', () => {
  const answer = page();
  answer.tweets[0]!.like_count = '7';
  Object.freeze(answer.tweets[0]);
  for (let n = 0; n < 3; n++) expect(() => serialise(answer)).toThrow(ContractBreach);
});
test('validates an object that is not frozen each time', () => {
  const answer = page();
  serialise(answer);
  answer.tweets[0]!.text = 'another text';
  expect(serialise(answer).toString()).toContain('another text');
  answer.tweets[0]!.text = 7 as never;
  expect(() => serialise(answer)).toThrow(/text must be string/);
});

describe('a schema of a body', () => {
  const components = {
    schemas: {
      Thing: { type: 'object', properties: { id: { type: 'string' }, more: {} } },
      Page: {
        type: 'object',
        properties: { things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
      },
      Text: { type: 'string' },
    },
  };
  const compiler = new SerialiserCompiler({ components } as unknown as OpenApiDocument);
  const thing = { $ref: '#/components/schemas/Thing' };
  const written = (schema: object, body: unknown): string => compiler.serialiser('getUser', schema)(body).toString();

  test.each<[string, object, unknown]>([
    ['of a scalar', { type: ['boolean', 'null'] }, null],
    ['of a list', { type: 'array', items: thing }, [{ id: '1' }]],
    ['by its name', { $ref: '#/components/schemas/Page' }, { things: [{ id: '1' }, { id: '2' }] }],
    ['with a component', { type: 'object', properties: { thing, next: {} } }, { next: 1, thing: { id: '1' } }],
    [
      'with a component that is a text',
      { type: 'object', properties: { a: { $ref: '#/components/schemas/Text' } } },
      { a: 'b' },
    ],
    [
      'with a description beside a reference',
      { type: 'object', properties: { thing: { ...thing, description: 'A.' } } },
      { thing: {} },
    ],
    ['without a type', { properties: { thing } }, 'text'],
    ['with names that need escapes', { type: 'object', properties: { 'a"b': thing } }, { 'a"b': { id: 'ü' } }],
    [
      'with a member of an inherited name',
      { type: 'object', properties: { thing } },
      JSON.parse('{"__proto__":1,"thing":{}}'),
    ],
  ])('%s is the JSON of the value', (_case, schema, body) => {
    expect(written(schema, body)).toBe(JSON.stringify(body));
  });

  test.each<[string, object, unknown, string]>([
    [
      'by its name',
      { $ref: '#/components/schemas/Page' },
      { things: [{ id: 1 }] },
      'getUser: /things/id must be string {"type":"string"}',
    ],
    [
      'beside a reference to the whole',
      { $ref: '#/components/schemas/Page', required: ['next'] },
      {},
      `getUser:  must have required property 'next' {"missingProperty":"next"}`,
    ],
    [
      'beside a reference to a part',
      { type: 'object', properties: { thing: { ...thing, minProperties: 2 } } },
      { thing: { id: '1' } },
      'getUser: /thing must NOT have fewer than 2 properties {"limit":2}',
    ],
    [
      'of the first items of a list',
      { type: 'object', properties: { a: { type: 'array', prefixItems: [{ const: 1 }], items: thing } } },
      { a: [2] },
      'getUser: /a/0 must be equal to constant {"allowedValue":1}',
    ],
    [
      'of the length of a list',
      { type: 'object', properties: { a: { type: 'array', items: thing, maxItems: 1 } } },
      { a: [{}, {}] },
      'getUser: /a must NOT have more than 1 items {"limit":1}',
    ],
    ['that needs a body', {}, undefined, 'getUser: response body required'],
  ])('%s restricts the value', (_case, schema, body, message) => {
    expect(() => written(schema, body)).toThrow(new ContractBreach('getUser', message));
  });

  test('has the JSON of a frozen object once, and that of another one each time', () => {
    let count = 0;
    const counting = { id: '1', more: { toJSON: () => (count++, 'text') } };
    const schema = { type: 'object', properties: { thing, things: { type: 'array', items: thing } } };
    const expected = '{"thing":{"id":"1","more":"text"},"things":[{"id":"1","more":"text"}]}';
    const frozen = Object.freeze({ ...counting });
    for (let call = 0; call < 2; call++) expect(written(schema, { thing: frozen, things: [frozen] })).toBe(expected);
    expect(count).toBe(1);
    for (let call = 0; call < 2; call++)
      expect(written(schema, { thing: counting, things: [counting] })).toBe(expected);
    expect(count).toBe(5);
  });
});

test('the error of a wrong value has each violation with its place', () => {
  const violation = (instancePath: string, message: string) =>
    ({ instancePath, message, params: { n: 1 }, keyword: 'k', schemaPath: '#' }) as const;
  const { message } = breach('getUser', [violation('/a', 'must be short'), violation('', 'must be long')], '/body');
  expect(message).toBe('getUser: /body/a must be short {"n":1}, /body must be long {"n":1}');
});
