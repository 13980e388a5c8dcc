import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from '../../support/property.ts';
import { rules } from '../../../scripts/contract-tools/diff/rules.ts';
import { differences, sent } from './documents.ts';
import { rounds } from '../../support/rounds.ts';

type Schema = boolean | Record<string, unknown>;

const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const scalars = [null, true, -1, 0, 1, 1.5, 2, '', 'a', 'ab'];
/** Small values that meet every keyword below. */
const values: readonly unknown[] = [
  ...scalars,
  'abc',
  4,
  [],
  ...scalars.map((value) => [value]),
  [1, 1],
  ['a', 1],
  [1, 'a', null],
  [[], {}],
  {},
  ...scalars.flatMap((value) => [{ p: value }, { q: value }, { z: value }, { p: value, q: 'a' }]),
  { p: 1, q: 1, z: 1 },
  { p: {} },
  { p: { p: 1 } },
];

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const small = fc.integer({ min: 0, max: 2 });
const { schema } = fc.letrec<{ schema: Schema; leaf: Schema; keywords: Schema; combined: Schema }>((tie) => ({
  leaf: fc.oneof(
    { weight: 1, arbitrary: fc.boolean() },
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.oneof(
          fc.constantFrom(...types),
          fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
        ),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ enum: fc.uniqueArray(fc.constantFrom(...scalars), { minLength: 1, maxLength: 3 }) }),
    },
    { weight: 1, arbitrary: fc.record({ const: fc.constantFrom(...scalars) }) },
  ),
  keywords: fc
    .record({
      type: maybe(fc.constantFrom(...types)),
      minimum: maybe(small),
      exclusiveMinimum: maybe(small),
      maximum: maybe(small),
      multipleOf: maybe(fc.constantFrom(1, 2)),
      minLength: maybe(small),
      maxLength: maybe(small),
      minItems: maybe(small),
      maxItems: maybe(small),
      uniqueItems: maybe(fc.boolean()),
      items: maybe(tie('leaf')),
      prefixItems: maybe(fc.array(tie('leaf'), { minLength: 1, maxLength: 2 })),
      contains: maybe(tie('leaf')),
      minContains: maybe(small),
      properties: maybe(fc.dictionary(fc.constantFrom('p', 'q'), tie('leaf'))),
      required: maybe(fc.uniqueArray(fc.constantFrom('p', 'q', 'z'))),
      additionalProperties: maybe(tie('leaf')),
      patternProperties: maybe(fc.dictionary(fc.constantFrom('^p', '^z'), tie('leaf'), { minKeys: 1 })),
      propertyNames: maybe(fc.constantFrom({ maxLength: 0 }, { enum: ['p', 'q'] }, { minLength: 1 })),
      dependentRequired: maybe(fc.constantFrom({ p: ['q'] }, { q: ['z'] })),
      minProperties: maybe(small),
      maxProperties: maybe(small),
    })
    .map(({ prefixItems, ...all }) => {
      // Ajv 8 forgets `contains` for an empty list beside `prefixItems`.
      const written = { ...all, ...(all.contains === undefined && { prefixItems }) };
      return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
    }),
  combined: fc.oneof(
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('leaf') }),
    fc.record({ type: fc.constantFrom(...types), anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ if: tie('leaf'), then: tie('schema'), else: tie('schema') }),
  ),
  schema: fc.oneof({ maxDepth: 2, withCrossShrink: true }, tie('leaf'), tie('keywords'), tie('combined')),
}));

/** Two schemas that share much, as two revisions do: some keywords of the one are those of the other. */
const pair = fc.tuple(schema, schema, fc.infiniteStream(fc.boolean())).map(([a, b, taken]): [Schema, Schema] => {
  if (typeof a === 'boolean' || typeof b === 'boolean') return [a, b];
  const kept = Object.entries(a).filter(() => taken.next().value);
  const mixed: Record<string, unknown> = { ...(taken.next().value ? b : {}), ...Object.fromEntries(kept) };
  if ('contains' in mixed) delete mixed.prefixItems;
  return [a, mixed];
});

const ajv = new Ajv2020({ strict: false, validateSchema: false });
/** The values that fit; undefined where the code that Ajv writes for a schema is broken, as with some `patternProperties` in parts. */
function accepted(schema: Schema): Set<unknown> | undefined {
  const validate = ajv.compile(schema);
  try {
    return new Set(values.filter((value) => validate(value)));
  } catch {
    return undefined;
  }
}

test('a schema and an allOf of references to its parts accept the same values, and nothing else is reported', () => {
  const components = (schemas: Record<string, unknown>): object => ({ components: { schemas } });
  fc.assert(
    fc.property(schema, schema, (base, own) => {
      const schemas = { Base: base, Own: own };
      const inline = { ...sent({ allOf: [base, own] }), ...components(schemas) };
      const referring = {
        ...sent({ allOf: [{ $ref: '#/components/schemas/Base' }, { $ref: '#/components/schemas/Own' }] }),
        ...components(schemas),
      };
      const effects = new Set(differences(inline, referring).map(({ rule }) => rules[rule].effect));
      if (effects.has('both') || effects.has('unknown') || effects.size > 1) return;
      expect([...effects].filter((effect) => effect !== 'none')).toEqual([]);
    }),
    { numRuns: rounds(100) },
  );
});

test('without a narrowing finding, a validator still accepts every previously valid value', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const effects = new Set(differences(sent(a), sent(b)).map(({ rule }) => rules[rule].effect));
      if (effects.has('both') || effects.has('unknown')) return;
      const [before, after] = [accepted(a), accepted(b)];
      if (!before || !after) return;
      if (!effects.has('narrower')) expect([...before.difference(after)]).toEqual([]);
      if (!effects.has('wider')) expect([...after.difference(before)]).toEqual([]);
    }),
    { numRuns: rounds(150) },
  );
});
