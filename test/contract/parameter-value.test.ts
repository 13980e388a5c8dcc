import { describe, expect, test } from '@jest/globals';
import type { Parameter } from '../../server/contract/openapi.ts';
import {
  belongsTo,
  fieldValues,
  headerText,
  isStructured,
  pathValues,
  queryValues,
  shapeOf,
  type RawPair,
  type Shape,
} from '../../server/contract/parameter-value.ts';
import { writtenValue } from '../../server/contract/written-value.ts';

const document = {
  components: {
    schemas: { Name: { type: 'string' }, Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }], type: 'integer' } },
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const shape = (schema: unknown): Shape => shapeOf(document, schema);
const parameter = (place: string, style: string, explode: boolean, name = 'p'): Parameter =>
  ({ in: place, name, style, explode }) as unknown as Parameter;
const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
const pairsOf = (query: string): RawPair[] =>
  query.split('&').map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    return { name: decode(name), raw: rest.join('=') };
  });

const texts = { type: 'array', items: { type: 'string' } };
const numbers = { type: 'array', items: { type: 'integer' } };
const point = { type: 'object', properties: { x: { type: 'integer' }, name: { type: 'string' } } };

describe('what is written is read', () => {
  const values: [unknown, unknown][] = [
    [{ type: 'string' }, 'blue'],
    [{ type: 'string' }, 'blue sky/ü;.=&'],
    [{ type: 'integer' }, -5],
    [{ type: 'number' }, 1.5],
    [{ type: 'boolean' }, true],
    [texts, ['a b', 'c/d', '']],
    [numbers, [1, -2]],
    [point, { x: 5, name: 'a b' }],
  ];
  const styles: [place: string, style: string, explode: boolean][] = [
    ...['simple', 'label', 'matrix'].flatMap((style) =>
      [false, true].map((explode) => ['path', style, explode] as [string, string, boolean]),
    ),
    ...[false, true].map((explode) => ['query', 'form', explode] as [string, string, boolean]),
    ['cookie', 'form', false],
  ];
  test.each(styles.flatMap((style) => values.map((value) => [...style, ...value] as const)))(
    '%s %s, explode %s, %j: %j',
    (place, style, explode, schema, value) => {
      const own = parameter(place, style, explode);
      const text = writtenValue(own, value);
      const read =
        place === 'path'
          ? pathValues(own, shape(schema), text, decodeURIComponent)
          : place === 'cookie'
            ? fieldValues(own, shape(schema), text.slice(2), decodeURIComponent)
            : queryValues(own, shape(schema), pairsOf(text), decode);
      expect(read?.[0]).toEqual(value);
    },
  );
  test.each([
    ['pipeDelimited', texts, ['a b', 'c']],
    ['spaceDelimited', numbers, [1, 2]],
    ['pipeDelimited', point, { x: 1, name: 'a' }],
    ['spaceDelimited', point, { x: 1, name: 'a' }],
    ['deepObject', point, { x: 1, name: 'a b' }],
  ])('query %s, %j: %j', (style, schema, value) => {
    const own = parameter('query', style, style === 'deepObject');
    expect(queryValues(own, shape(schema), pairsOf(writtenValue(own, value)), decode)?.[0]).toEqual(value);
  });
});

describe('a text as a value', () => {
  const read = (schema: unknown, text: string): unknown[] | undefined =>
    queryValues(parameter('query', 'form', false), shape(schema), [{ name: 'p', raw: text }], decode);
  test.each<[unknown, string, unknown[]]>([
    [{ type: 'integer' }, '12', [12, '12']],
    [{ type: 'integer' }, '2.0', [2, '2.0']],
    [{ type: 'integer' }, '2.5', ['2.5']],
    [{ type: 'integer' }, '12a', ['12a']],
    [{ type: 'integer' }, 'a12', ['a12']],
    [{ type: 'integer' }, '9007199254740993', ['9007199254740993']],
    [{ type: 'number' }, '-1.5e3', [-1500, '-1.5e3']],
    [{ type: 'number' }, '1e999', ['1e999']],
    [{ type: 'number' }, '.5', ['.5']],
    [{ type: ['integer', 'number'] }, '2.0', [2, '2.0']],
    [{ type: 'boolean' }, 'false', [false, 'false']],
    [{ type: 'boolean' }, 'True', ['True']],
    [{ type: ['integer', 'null'] }, 'null', [null, 'null']],
    [{ type: ['string', 'null'] }, 'null', ['null']],
    [{ type: 'string' }, '12', ['12']],
    [{ enum: [1, 'a', null] }, '1', [1, '1']],
    [{ const: 5 }, '5', [5, '5']],
    [{ anyOf: [{ type: 'boolean' }, { type: 'integer' }] }, '7', [7, '7']],
    [{ oneOf: [{ type: 'boolean' }, ref('Loop')] }, '7', [7, '7']],
    [{}, '7', ['7']],
    [true, '7', ['7']],
    [texts, 'a', [['a'], 'a']],
    [{ anyOf: [{ type: 'integer' }, numbers] }, '1', [1, '1', [1]]],
    [{ anyOf: [{ type: 'integer' }, numbers] }, '1,2', [[1, 2], '1,2']],
    [{ prefixItems: [{ type: 'integer' }], items: ref('Name') }, '1,2', [[1, '2'], '1,2']],
    [texts, 'a%2Cb', [['a,b'], 'a,b', ['a', 'b'], 'a,b']],
    [texts, 'a%2Cb,c', [['a,b', 'c'], 'a,b,c']],
    [point, 'x,5,name', ['x,5,name']],
    [
      point,
      'x,5,__proto__,1',
      [
        Object.fromEntries([
          ['x', 5],
          ['__proto__', '1'],
        ]),
        'x,5,__proto__,1',
      ],
    ],
  ])('of %j: %s', (schema, text, expected) => {
    expect(read(schema, text)).toEqual(expected);
  });
});

describe('pairs of a query', () => {
  const read = (style: string, explode: boolean, schema: unknown, query: string): unknown =>
    queryValues(parameter('query', style, explode), shape(schema), pairsOf(query), decode);
  test.each<[string, boolean, unknown, string, unknown]>([
    ['form', true, { type: 'string' }, 'p=a&p=b', undefined],
    ['form', true, texts, 'p=a', [['a']]],
    ['form', true, { anyOf: [{ type: 'integer' }, numbers] }, 'p=1', [1, '1', [1]]],
    ['form', true, { anyOf: [{ type: 'integer' }, numbers] }, 'p=1&p=2', [[1, 2]]],
    ['form', true, point, 'x=1&name=a', [{ x: 1, name: 'a' }]],
    ['form', false, numbers, 'p=1&p=2', [[1, 2]]],
    ['form', true, point, 'p=x=1,name=a', [{ x: 1, name: 'a' }, 'x=1,name=a']],
    ['form', true, point, 'p=x', ['x']],
    ['pipeDelimited', false, numbers, 'p=1|2', [[1, 2], '1|2']],
    ['pipeDelimited', false, numbers, 'p=1%7C2', [[1, 2], '1|2']],
    ['pipeDelimited', false, texts, 'p=a%7Cb|c', [['a|b', 'c'], 'a|b|c']],
    ['spaceDelimited', false, numbers, 'p=1+2%203', [[1, 2, 3], '1 2 3']],
    ['pipeDelimited', true, point, 'p=x|1', [{ x: 1 }, 'x|1']],
    ['deepObject', true, point, 'p[x]=1&p[x]=2', [{ x: ['1', '2'] }]],
    ['deepObject', true, { properties: { a: numbers } }, 'p[a]=1', [{ a: [1] }]],
    ['deepObject', true, { properties: { a: numbers } }, 'p[a][]=1&p[a][]=2', [{ a: [1, 2] }]],
    ['deepObject', true, point, 'p[__proto__]=1', [Object.fromEntries([['__proto__', '1']])]],
  ])('%s, explode %s, %j: %s', (style, explode, schema, query, expected) => {
    expect(read(style, explode, schema, query)).toEqual(expected);
  });
  test.each<[string, boolean, unknown, string, boolean]>([
    ['form', true, { type: 'string' }, 'p', true],
    ['form', true, { type: 'string' }, 'q', false],
    ['form', true, point, 'x', true],
    ['form', true, point, 'other', false],
    ['form', true, point, 'p', true],
    ['form', false, point, 'x', false],
    ['form', true, { anyOf: [point, texts] }, 'x', false],
    ['deepObject', true, point, 'p[x]', true],
    ['deepObject', true, point, 'p[x][]', true],
    ['deepObject', true, point, 'p[x][y]', false],
    ['deepObject', true, point, 'p[]x', false],
    ['deepObject', true, point, 'p', false],
    ['deepObject', true, point, 'q[x]', false],
  ])('%s, explode %s, %j: whether %s belongs to it', (style, explode, schema, pair, belongs) => {
    expect(belongsTo(parameter('query', style, explode), shape(schema), pair)).toBe(belongs);
  });
});

describe('a segment of the path', () => {
  const read = (style: string, explode: boolean, schema: unknown, text: string): unknown =>
    pathValues(parameter('path', style, explode), shape(schema), text, decodeURIComponent);
  test.each<[string, boolean, unknown, string, unknown]>([
    ['label', false, { type: 'string' }, 'a', undefined],
    ['label', false, texts, '.a,b', [['a', 'b'], 'a,b']],
    ['label', true, texts, '.a.b', [['a', 'b'], 'a.b']],
    ['label', true, point, '.x=1.name=a', [{ x: 1, name: 'a' }, 'x=1.name=a']],
    ['matrix', false, { type: 'string' }, 'p=a', undefined],
    ['matrix', false, { type: 'string' }, ';q=a', undefined],
    ['matrix', false, { type: 'string' }, ';p', undefined],
    ['matrix', false, { type: 'string' }, ';%70=a', ['a']],
    ['matrix', false, { type: 'string' }, ';p=a;p=b', undefined],
    ['matrix', false, numbers, ';p=1,2', [[1, 2], '1,2']],
    ['matrix', true, numbers, ';p=1;p=2', [[1, 2], '1']],
    ['matrix', true, numbers, ';p=1;q=2', undefined],
    ['matrix', true, point, ';x=1;name=a', [{ x: 1, name: 'a' }]],
    ['matrix', true, point, ';x', undefined],
    ['simple', true, point, 'x=1,name=a', [{ x: 1, name: 'a' }, 'x=1,name=a']],
    ['simple', false, numbers, '1,2', [[1, 2], '1,2']],
  ])('%s, explode %s, %j: %s', (style, explode, schema, text, expected) => {
    expect(read(style, explode, schema, text)).toEqual(expected);
  });
});

test('a header has spaces around its commas, a cookie has not', () => {
  const read = (style: string, explode: boolean, schema: unknown, text: string): unknown[] =>
    fieldValues(parameter('header', style, explode), shape(schema), text, (each) => each);
  expect(read('simple', false, texts, 'a , b')).toEqual([['a', 'b'], 'a , b']);
  expect(read('form', false, texts, 'a , b')).toEqual([['a ', ' b'], 'a , b']);
  expect(read('simple', true, point, 'x=1, name=a')[0]).toEqual({ x: 1, name: 'a' });
  expect(read('form', true, point, 'x,1')[0]).toEqual({ x: 1 });
});

test('a header of a response', () => {
  const text = (value: unknown, explode = false, mediaType?: string): string =>
    headerText({ explode, mediaType } as unknown as Parameter, value);
  expect([text(5), text('a'), text(null), text([1, 'b']), text({ a: 1, b: 'c' })]).toEqual([
    '5',
    'a',
    'null',
    '1,b',
    'a,1,b,c',
  ]);
  expect(text({ a: 1, b: 'c' }, true)).toBe('a=1,b=c');
  expect(text(['a'], false, 'application/json')).toBe('["a"]');
});

test('the shape of a schema is that of all its alternatives', () => {
  const own = shape({
    properties: { a: { type: 'integer' } },
    anyOf: [{ properties: { a: { type: 'null' }, b: {} } }, { type: 'array', items: { type: 'string' } }],
    patternProperties: { '^x': { type: 'boolean' } },
  });
  expect([...own.types].sort()).toEqual(['array', 'object']);
  expect([...own.members]).toEqual(['a', 'b']);
  expect([...own.member('a').types].sort()).toEqual(['integer', 'null']);
  expect([...own.member('x1').types]).toEqual(['boolean']);
  expect([...own.item(3).types]).toEqual(['string']);
  expect(own.isOpen).toBe(true);
  expect(isStructured(own)).toBe(true);
  expect(isStructured(shape({ type: 'string' }))).toBe(false);
  expect(shape({ properties: {}, additionalProperties: false }).isOpen).toBe(false);
  expect(shape({ additionalProperties: true }).isOpen).toBe(true);
  expect([...shape({ additionalProperties: { type: 'integer' } }).member('any').types]).toEqual(['integer']);
  expect([...shape(ref('Loop')).types]).toEqual(['integer']);
  expect([...shape({ enum: [1.5, [], {}, 'a', false, null] }).types].sort()).toEqual([
    'array',
    'boolean',
    'null',
    'number',
    'object',
    'string',
  ]);
});
