/** Contracts that say the same in other structures of schemas: `allOf`, references, and unions of one part. */
import { describe, expect, test } from '@jest/globals';
import { sent, verdicts, type Json } from './documents.ts';

const string = { type: 'string' };
const thing = {
  type: 'object',
  description: 'A thing.',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 9 }, tags: { type: 'array', items: string } },
};
const size = { type: 'object', required: ['size'], properties: { size: { type: ['integer', 'null'], minimum: 0 } } };
const whole = {
  type: 'object',
  description: 'A thing.',
  required: ['size', 'name'],
  properties: { ...size.properties, ...thing.properties },
};
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const withSchemas = (schema: unknown, more: Json = {}): Json => ({
  ...sent(schema),
  components: { schemas: { Thing: thing, Size: size, Maybe: { type: ['string', 'null'] }, ...more } },
});

describe('reports nothing for the same meaning in another structure', () => {
  const tree = { type: 'object', properties: { next: { anyOf: [ref('Tree'), { type: 'null' }] } } };
  test.each<[string, unknown, unknown]>([
    ['a reference, or allOf with only this reference', ref('Thing'), { allOf: [ref('Thing')] }],
    ['a reference, or oneOf with only this reference', ref('Thing'), { oneOf: [ref('Thing')] }],
    ['a reference, or anyOf with only this reference', ref('Maybe'), { anyOf: [ref('Maybe')] }],
    ['a reference to several types, or oneOf with only this reference', ref('Maybe'), { oneOf: [ref('Maybe')] }],
    ['a schema, or allOf of a base and its own part', whole, { allOf: [ref('Thing'), size] }],
    ['a schema, or allOf of two references', whole, { allOf: [ref('Thing'), ref('Size')] }],
    ['a base beside its own keywords, or as a part', { ...size, ...ref('Thing') }, { ...size, allOf: [ref('Thing')] }],
    [
      'a closed schema, or one that closes over its parts',
      { ...whole, additionalProperties: false },
      { allOf: [ref('Thing'), ref('Size')], unevaluatedProperties: false },
    ],
    ['allOf in allOf', whole, { allOf: [{ allOf: [ref('Size')] }, { allOf: [ref('Thing')] }] }],
    ['a recursive schema', ref('Tree'), { allOf: [ref('Tree')] }],
  ])('%s', (_name, one, other) => {
    const [before, after] = [withSchemas(one, { Tree: tree }), withSchemas(other, { Tree: tree })];
    expect([verdicts(before, after), verdicts(after, before)]).toEqual([[], []]);
  });

  test('a component that only refers to another one', () => {
    const before = withSchemas(ref('Alias'), { Alias: thing });
    expect(verdicts(before, withSchemas(ref('Alias'), { Alias: { allOf: [ref('Thing')] } }))).toEqual([]);
  });

  test('a component that refers only to itself ends the comparison', () => {
    const before = withSchemas(ref('Alias'), { Alias: thing });
    expect(verdicts(before, withSchemas(ref('Alias'), { Alias: { allOf: [ref('Alias')] } }))).toEqual([]);
  });
});

describe('still reports a difference within another structure', () => {
  test.each<[string, unknown, unknown, string[]]>([
    [
      'a bound in the own part',
      whole,
      { allOf: [ref('Thing'), { ...size, properties: { size: { type: ['integer', 'null'], minimum: 1 } } }] },
      ['breaking minimum-tightened'],
    ],
    [
      'a part that requires more',
      ref('Thing'),
      { allOf: [ref('Thing'), { required: ['tags'] }] },
      ['breaking required-added'],
    ],
    ['a part that is gone', whole, { allOf: [ref('Thing')] }, ['care property-undeclared']],
    [
      'a base that is closed against the own part',
      { ...whole, additionalProperties: false },
      { allOf: [{ ...thing, additionalProperties: false }, ref('Size')] },
      [],
    ],
  ])('%s', (_name, one, other, expected) => {
    const found = verdicts(withSchemas(one), withSchemas(other));
    if (expected.length > 0) expect(found).toEqual(expected);
    else expect(found.some((verdict) => verdict.startsWith('breaking'))).toBe(true);
  });
});
