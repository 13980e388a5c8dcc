// Tests server/http/express/parameters.ts, server/http/express/plain-parts.ts and server/contract/parameter-value.ts.
/** Parameters in every place and style, through the real server: what is sent is what the handler receives. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { memberOf } from '../../server/text/object.ts';
import { rounds } from '../support/rounds.ts';
import { json, responses, startExtended, type AnyCall, type TestOperation } from '../support/extended-contract.ts';
import type { Service } from '../support/service.ts';

const fine = responses({ 200: { description: 'Fine.', content: json({}) } });
let seen: AnyCall | undefined;
const handle = (call: AnyCall): object => ((seen = call), {});
const get = (path: string, parameters: readonly object[]): TestOperation => ({
  route: `GET ${path}`,
  described: { parameters, responses: fine },
  handle,
});

const strings = { type: 'array', items: { type: 'string' } };
const integers = { type: 'array', items: { type: 'integer' } };
const point = {
  type: 'object',
  additionalProperties: false,
  properties: { x: { type: 'integer' }, y: { type: 'boolean' }, z: { type: 'string' } },
};
const query = (name: string, schema: object, more: object = {}): object => ({ name, in: 'query', schema, ...more });

const fixed: Record<string, TestOperation> = {
  mixed: get('/mixed/{id}', [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', enum: [1, 2] } },
    { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'integer', minimum: 1, maximum: 10 } },
    { name: 'X-Tags', in: 'header', schema: strings },
    { name: 'X-Mode', in: 'header', schema: { type: 'string', default: 'plain' } },
    { name: 'Accept', in: 'header', schema: { type: 'string', pattern: 'never' } },
    { name: 'session', in: 'cookie', required: true, schema: { type: 'string', minLength: 3 } },
    { name: 'theme', in: 'cookie', schema: { type: 'string', default: 'light' } },
    { name: 'marks', in: 'cookie', explode: false, schema: integers },
    query('on', { type: 'boolean', default: false }),
    query('kind', { type: 'integer', enum: [1, 2] }),
    query('either', { type: ['integer', 'boolean', 'string', 'null'] }),
    query('ratio', { type: 'number', exclusiveMinimum: 0 }),
    query('one', { const: 7 }),
    query('day', { type: 'string', format: 'date' }),
    query('when', { $ref: '#/components/schemas/Timestamp' }),
    query('uid', { type: 'string', format: 'uuid' }),
    query('mail', { type: 'string', format: 'email' }),
    query('ip', { type: 'string', format: 'ipv4' }),
    query('flag', { type: 'boolean' }, { allowEmptyValue: true }),
    query('text', { type: 'string' }, { allowEmptyValue: true }),
    query('path', { type: 'string' }, { allowReserved: true }),
    query('ids', { ...integers, minItems: 1, maxItems: 3 }),
    query('codes', { type: 'array', items: { enum: ['en', 'de'] } }, { explode: false }),
    query('langs', { ...strings, default: ['en'] }, { explode: false }),
    { name: 'filter', in: 'query', content: json({ ...point, required: ['x'] }) },
    query('deep', point, { style: 'deepObject' }),
    query('choice', { oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] }),
    query('pair', { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false }),
  ]),
  plain: get('/plain', [query('day', { type: 'string', format: 'date' }), query('n', { type: 'integer' })]),
};

describe('parameters', () => {
  let service: Service;
  beforeAll(async () => void (service = await startExtended(fixed)));
  afterAll(() => service.stop(0));
  const ask = (target: string, headers: Record<string, string> = {}): Promise<Response> =>
    service.request(target, { headers: { 'x-tenant': '3', cookie: 'session=abc', ...headers } });

  test('of all places reach the handler with their types and defaults', async () => {
    const response = await ask(
      '/mixed/2?on=true&kind=1&either=5&ratio=0.5&one=7&ids=1&ids=2&langs=de,fr%2Cch&filter=%7B%22x%22:1%7D&deep[x]=1&deep%5By%5D=true&deep[z]=5&pair=1&pair=2&path=/a?b',
      { 'X-Tags': 'a, b', cookie: 'other=1; session="a%20bc"; marks=1,2', accept: 'application/json' },
    );
    expect(response.status).toBe(200);
    expect(seen).toMatchObject({
      path: { id: 2 },
      query: {
        ...{ on: true, kind: 1, either: 5, ratio: 0.5, one: 7, ids: [1, 2], langs: ['de', 'fr,ch'], path: '/a?b' },
        ...{ filter: { x: 1 }, deep: { x: 1, y: true, z: '5' }, pair: [1, '2'] },
      },
      headers: { 'X-Tenant': 3, 'X-Tags': ['a', 'b'], 'X-Mode': 'plain' },
      cookies: { session: 'a bc', theme: 'light', marks: [1, 2] },
    });
    await ask('/mixed/1?either=true&flag=&text=&choice=1');
    expect(seen?.query).toEqual({ on: false, either: true, flag: true, text: '', choice: 1, langs: ['en'] });
    await ask('/mixed/1?codes=en%2Cde&langs=en%2Cde');
    // A delimiter in percent-encoding is one only where the contract allows no such item.
    expect(seen?.query).toMatchObject({ codes: ['en', 'de'], langs: ['en,de'] });
    await ask('/mixed/1?either=word&choice=1&choice=2');
    expect(seen?.query).toMatchObject({ either: 'word', choice: [1, 2] });
  });
  test.each<[string, Record<string, string>, string]>([
    ['/mixed/3', {}, "parameter 'id' must be 1 or 2"],
    ['/mixed/1', { 'x-tenant': '11' }, "header 'X-Tenant' must be from 1 to 10"],
    ['/mixed/1', { 'x-tenant': 'x' }, "header 'X-Tenant' must be a whole number from 1 to 10"],
    ['/mixed/1', { cookie: 'a=1' }, "cookie 'session' is missing"],
    ['/mixed/1', { cookie: 'session=a' }, "cookie 'session' must have at least 3 characters, not 1"],
    ['/mixed/1?on=1', {}, "parameter 'on' must be true or false"],
    ['/mixed/1?kind=3', {}, "parameter 'kind' must be 1 or 2"],
    ['/mixed/1?one=8', {}, "parameter 'one' must be 7"],
    ['/mixed/1?ratio=0x1', {}, "parameter 'ratio' must be a number"],
    ['/mixed/1?ratio=Infinity', {}, "parameter 'ratio' must be a number"],
    ['/mixed/1?day=2026-02-30', {}, "parameter 'day' must be a date such as '2026-03-04'"],
    ['/plain?day=2026-02-30', {}, "parameter 'day' must be a date such as '2026-03-04'"],
    ['/mixed/1?when=2026-02-30T00:00:00Z', {}, "parameter 'when' must be a time"],
    ['/mixed/1?uid=1', {}, "parameter 'uid' must be a UUID"],
    ['/mixed/1?mail=x', {}, "parameter 'mail' must be an e-mail address"],
    ['/mixed/1?ip=1.2.3.256', {}, "parameter 'ip' must be an IPv4 address"],
    ['/mixed/1?ids=1&ids=x', {}, "parameter 'ids': item 2 must be a whole number"],
    ['/mixed/1?ids=1&ids=2&ids=3&ids=4', {}, "parameter 'ids' must have 1 to 3 items, not 4"],
    ['/mixed/1?kind=1&kind=2', {}, "parameter 'kind' is given more than once"],
    ['/mixed/1?filter={x', {}, "parameter 'filter' is not valid JSON"],
    ['/mixed/1?filter={}', {}, "parameter 'filter': member 'x' is missing"],
    ['/mixed/1?deep[x]=a', {}, "parameter 'deep': member 'x' must be a whole number"],
    ['/mixed/1?deep[w]=a', {}, "parameter 'deep': unknown member 'w'"],
    ['/mixed/1?lang=en', {}, "unknown parameter 'lang': did you mean 'langs'?"],
    ['/mixed/1?kind=', {}, "parameter 'kind' is empty"],
    ['/mixed/1?day=%ff', {}, 'the query is not valid percent-encoded UTF-8'],
  ])('%s with %j is 400', async (target, headers, error) => {
    seen = undefined;
    const response = await ask(target, headers);
    expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining(error) }]);
    expect(seen).toBeUndefined();
  });
});

/** Writes a value as OpenAPI 3.1 says ("Style Values"), with the expansion of RFC 6570; independent of the server and the client. */
function written(style: string, explode: boolean, name: string, value: unknown): string {
  const encode = encodeURIComponent;
  const [first, between] = { label: ['.', '.'], matrix: [';', ';'], simple: ['', ','] }[style] ?? ['', '&'];
  const isNamed = !['label', 'simple'].includes(style);
  const equation = (member: string, text: string): string => `${encode(member)}=${text}`;
  const delimiter = { spaceDelimited: '%20', pipeDelimited: '|' }[style] ?? ',';
  if (style === 'deepObject')
    return Object.entries(value as object)
      .map(([member, each]) => `${encode(`${name}[${member}]`)}=${encode(String(each))}`)
      .join('&');
  if (Array.isArray(value)) {
    const texts = value.map((each) => encode(String(each)));
    if (explode) return first + texts.map((text) => (isNamed ? equation(name, text) : text)).join(between);
    return first + (isNamed ? equation(name, texts.join(delimiter)) : texts.join(delimiter));
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([member, each]) => [encode(member), encode(String(each))] as const);
    if (explode) return first + pairs.map((pair) => pair.join('=')).join(between);
    return first + (isNamed ? equation(name, pairs.flat().join(delimiter)) : pairs.flat().join(delimiter));
  }
  return first + (isNamed ? equation(name, encode(String(value))) : encode(String(value)));
}

const ways = [
  ...['simple', 'label', 'matrix'].flatMap((style) =>
    [true, false].map((explode) => ['path', style, explode] as const),
  ),
  ...[true, false].map((explode) => ['query', 'form', explode] as const),
  ...['spaceDelimited', 'pipeDelimited'].map((style) => ['query', style, false] as const),
  ['query', 'deepObject', true] as const,
];
const kinds = {
  strings,
  integers,
  point,
  text: { type: 'string' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
};
/** No delimiter of a style occurs in a text, where the style has no way to tell both apart. */
const texts = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((text) => !/[.| ]/.test(text) && text.isWellFormed());
const values: Record<keyof typeof kinds, fc.Arbitrary<unknown>> = {
  strings: fc.array(texts, { minLength: 1, maxLength: 4 }),
  integers: fc.array(fc.integer(), { minLength: 1, maxLength: 4 }),
  point: fc
    .record({ x: fc.integer(), y: fc.boolean(), z: texts }, { requiredKeys: [] })
    .filter((value) => Object.keys(value).length > 0),
  text: texts,
  number: fc.integer({ min: -1e6, max: 1e6 }),
  flag: fc.boolean(),
};
const isPossible = (style: string, kind: string): boolean =>
  style === 'deepObject'
    ? kind === 'point'
    : !style.endsWith('Delimited') || ['strings', 'integers', 'point'].includes(kind);
const cases = ways.flatMap(([place, style, explode]) =>
  Object.keys(kinds)
    .filter((kind) => isPossible(style, kind))
    .map((kind) => ({ place, style, explode, kind: kind as keyof typeof kinds })),
);
const pathOf = ({ place, style, explode, kind }: (typeof cases)[number]): string =>
  `/${place}/${style}/${explode}/${kind}${place === 'path' ? '/{p}' : ''}`;

test('what is sent in any style is what the handler receives', async () => {
  const operations = Object.fromEntries(
    cases.map((each, index) => {
      const { place, style, explode, kind } = each;
      const parameter = { name: 'p', in: place, required: place === 'path', style, explode, schema: kinds[kind] };
      return [`case${index}`, get(pathOf(each), [parameter])];
    }),
  );
  const { request, stop } = await startExtended(operations, {}, { rateLimit: 'off' });
  const sent = fc.constantFrom(...cases).chain((each) => values[each.kind].map((value) => ({ each, value })));
  await fc.assert(
    fc.asyncProperty(sent, async ({ each, value }) => {
      const { place, style, explode } = each;
      const text = written(style, explode, 'p', value);
      const path = pathOf(each);
      seen = undefined;
      // A path of dots alone is another path for every URL parser.
      if (place === 'path' && /^\.+$/.test(text)) return;
      const response = await request(place === 'path' ? path.replace('{p}', text) : `${path}?${text}`);
      expect([response.status, await response.text()]).toEqual([200, '{}']);
      expect(memberOf(memberOf(seen, place), 'p')).toEqual(value);
    }),
    { numRuns: rounds(1500) },
  );
  await stop(0);
});
