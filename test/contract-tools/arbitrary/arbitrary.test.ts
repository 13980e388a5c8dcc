import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { boundaryValues } from '../../../scripts/contract-tools/arbitrary/boundary.ts';
import { invalidValues } from '../../../scripts/contract-tools/arbitrary/invalid.ts';
import { satisfies, schemaAt, type Json, type Schema } from '../../../scripts/contract-tools/arbitrary/schema.ts';
import { validValues } from '../../../scripts/contract-tools/arbitrary/valid.ts';
import { expectSchema } from '../../support/contract.ts';
import { inTurn } from '../../support/rounds.ts';

const contract = JSON.parse(await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, Schema>; parameters: Record<string, { schema: Schema }> };
};
const names = Object.keys(contract.components.schemas);
const parameters = Object.keys(contract.components.parameters);
const schemaOf = (name: string) => schemaAt(contract, `/components/schemas/${name}`);
const parameterOf = (name: string) => schemaAt(contract, `/components/parameters/${name}/schema`);

test.each(inTurn(names, 20))('an independent validator accepts arbitrary values of %s', async (name) => {
  for (const value of fc.sample(validValues(contract, schemaOf(name)), { seed: 1, numRuns: 15 }))
    await expectSchema(name, value);
});

test.each(parameters)('an invalid value of the parameter %s has the violated keyword', (name) => {
  const place = parameterOf(name);
  const ways = invalidValues(contract, place);
  expect(ways.length).toBeGreaterThan(0);
  for (const { values, pointer, reason } of ways) {
    expect(schemaAt(contract, pointer.replace(/\/[^/]*$/, '')).schema).toHaveProperty(pointer.split('/').at(-1)!);
    for (const value of fc.sample(values, { seed: 1, numRuns: 5 }))
      expect({ reason, value, valid: satisfies(contract, place, value) }).toEqual({ reason, value, valid: false });
  }
});

test('invalid tweets violate every member, at every depth', () => {
  const reasons = invalidValues(contract, schemaOf('Tweet')).map(({ reason }) => reason);
  expect(reasons).toEqual(
    expect.arrayContaining([
      'string instead of object',
      "without the member 'id'",
      "with an unknown member '__proto__'",
      "member 'like_count': less than minimum 0",
      "member 'author': without the member 'verified'",
      "member 'entities': member 'urls': an item: without the member 'url'",
      "member 'created_at': not a date-time",
      'member \'media\': an item: member \'type\': none of ["photo","video","animated_gif"]',
    ]),
  );
});

test('values of a schema with a syntax that it does not describe are its examples', () => {
  const [node, input] = [schemaOf('WebhookUrl'), schemaOf('SavedSearchInput')];
  const examples = ['https://hooks.example.com/social', null];
  expect(boundaryValues(contract, node).map(({ value }) => value)).toEqual(examples);
  for (const { url = null } of fc.sample(validValues(contract, input), { seed: 2, numRuns: 40 }) as { url?: Json }[])
    expect(examples).toContain(url);
});

test('an unknown member called __proto__ is a member of the value', () => {
  const way = invalidValues(contract, schemaOf('UnlikeRequest')).find(({ reason }) => reason.includes('__proto__'))!;
  expect(JSON.stringify(fc.sample(way.values, { seed: 1, numRuns: 1 })[0])).toMatch(/"__proto__":1/);
});

describe('edges', () => {
  const edgesOf = (name: string) => boundaryValues(contract, parameterOf(name)).map(({ value }) => value);
  test('of a number, an enumeration, a string, a pattern', () => {
    expect(edgesOf('limit')).toEqual([1, 100]);
    expect(edgesOf('query_type')).toEqual(['Latest', 'Top']);
    const lengths = new Set(edgesOf('cursor').map((value) => [...(value as string)].length));
    expect([...lengths].toSorted()).toEqual([1, 512]);
    expect(edgesOf('user_id')).toEqual(expect.arrayContaining(['1', '1'.repeat(19)]));
    expect(edgesOf('username')).toContain('a'.repeat(15));
  });
  test('and the nearest invalid values', () => {
    const beyond = (name: string): Json[] =>
      invalidValues(contract, parameterOf(name)).flatMap(({ values }) => fc.sample(values, { seed: 1, numRuns: 100 }));
    expect(beyond('limit')).toEqual(expect.arrayContaining([0, 101]));
    expect(beyond('user_id')).toContain('1'.repeat(20));
    expect(beyond('username')).toContain('a'.repeat(16));
    expect(beyond('cursor')).toEqual(expect.arrayContaining(['', 'a'.repeat(513)]));
  });
});

test('known values are used for their parameters', () => {
  const id = schemaOf('Id').pointer;
  const tweets = validValues(contract, schemaOf('Tweet'), {
    known: ({ pointer }) => (pointer === id ? fc.constant('77') : undefined),
  });
  for (const tweet of fc.sample(tweets, { seed: 1, numRuns: 10 }))
    expect(tweet).toMatchObject({ id: '77', author: { id: '77' } });
});

test('the same seed gives the same values', () => {
  const sample = (seed: number) => fc.sample(validValues(contract, schemaOf('TweetPage')), { seed, numRuns: 3 });
  expect(sample(5)).toEqual(sample(5));
  expect(sample(5)).not.toEqual(sample(6));
});

test.each<[string, Schema, (value: never) => boolean]>([
  [
    'allOf',
    { allOf: [{ $ref: '#/a' }, { type: 'object', required: ['y'], properties: { y: { const: 1 } } }] },
    (value: { x: string; y: number }) => value.y === 1 && typeof value.x === 'string',
  ],
  [
    'multipleOf',
    { type: 'integer', multipleOf: 7, minimum: 1, maximum: 70 },
    (value: number) => value % 7 === 0 && value > 0 && value <= 70,
  ],
  [
    'uniqueItems',
    { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 2 },
    (value: number[]) => new Set(value).size === value.length && value.length >= 2,
  ],
  ['exclusive bounds', { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 }, (value: number) => value === 4],
  [
    'a lookahead',
    { type: 'string', pattern: '^(?!no$)[a-z]{2}$' },
    (value: string) => /^[a-z]{2}$/.test(value) && value !== 'no',
  ],
])('%s', (_name, schema, holds) => {
  const document = { a: { type: 'object', required: ['x'], properties: { x: { type: 'string' } } }, it: schema };
  fc.assert(
    fc.property(validValues(document, schemaAt(document, '/it')), (value) => holds(value as never)),
    { seed: 1, numRuns: 50 },
  );
});
