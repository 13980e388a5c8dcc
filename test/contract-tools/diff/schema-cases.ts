/** One case or more for every rule about schemas: the change, and the verdict for either side. */
import type { Level, RuleId } from '../../../scripts/contract-tools/diff/rules.ts';

export type SchemaCase = {
  readonly rule: RuleId;
  readonly before: unknown;
  readonly after: unknown;
  readonly request: Level;
  readonly response: Level;
  readonly name: string;
};
const text = (schema: unknown): string => JSON.stringify(schema) ?? 'no schema';
const one = (rule: RuleId, before: unknown, after: unknown, request: Level, response: Level): SchemaCase => ({
  rule,
  before,
  after,
  request,
  response,
  name: `${text(before)} → ${text(after)}`,
});
/** From wide to narrow callers are refused; back again they receive what they did not before. */
const narrowed = (rule: RuleId, back: RuleId, wide: unknown, narrow: unknown): SchemaCase[] => [
  one(rule, wide, narrow, 'breaking', 'safe'),
  one(back, narrow, wide, 'safe', 'breaking'),
];
/** Hurts both sides, either way, or may hurt them. */
const broken = (rule: RuleId, a: unknown, b: unknown): SchemaCase[] => [
  one(rule, a, b, 'breaking', 'breaking'),
  one(rule, b, a, 'breaking', 'breaking'),
];
const nobody = (rule: RuleId, a: unknown, b: unknown): SchemaCase[] => [
  one(rule, a, b, 'safe', 'safe'),
  one(rule, b, a, 'safe', 'safe'),
];

const string = { type: 'string' };
const number = { type: 'number' };
const list = { type: 'array', items: string };
const closed = { type: 'object', additionalProperties: false, properties: { a: string, b: string } };
const open = { type: 'object', properties: { a: string } };
const only = (schema: unknown): object => ({ type: 'object', additionalProperties: false, properties: { a: schema } });
const cat = {
  type: 'object',
  additionalProperties: false,
  required: ['kind'],
  properties: { kind: { const: 'cat' }, claws: number },
};
const dog = {
  type: 'object',
  additionalProperties: false,
  required: ['kind'],
  properties: { kind: { const: 'dog' }, bark: number },
};
const long = { type: 'string', minLength: 3 };
const short = { type: 'string', maxLength: 5 };

const chosen = (discriminator: unknown): object => ({
  oneOf: [cat, dog],
  ...(discriminator !== undefined && { discriminator }),
});

export const schemaCases: readonly SchemaCase[] = [
  // Types and values
  ...narrowed('type-removed', 'type-added', { type: ['string', 'boolean'] }, string),
  ...narrowed('type-removed', 'type-added', number, { type: 'integer' }),
  ...narrowed('type-removed', 'type-added', { minLength: 1 }, { type: 'string', minLength: 1 }),
  ...narrowed('schema-introduced', 'schema-dropped', {}, string),
  ...narrowed('schema-introduced', 'schema-dropped', only({ description: 'Anything.' }), only(cat)),
  ...broken('type-changed', string, number),
  ...broken('type-changed', { type: 'boolean' }, { type: 'array' }),
  ...narrowed('null-refused', 'null-allowed', { type: ['string', 'null'] }, string),
  ...narrowed('null-refused', 'null-allowed', { anyOf: [closed, { type: 'null' }] }, closed),
  ...narrowed('null-refused', 'null-allowed', { oneOf: [{ type: 'null' }, string] }, string),
  ...narrowed('schema-forbidden', 'schema-allowed', only(true), only(false)),
  ...narrowed('enum-value-removed', 'enum-value-added', { enum: ['a', 'b', 'c'] }, { enum: ['a', 'c'] }),
  ...narrowed('enum-value-removed', 'enum-value-added', { enum: ['a', 'b'] }, { const: 'a' }),
  one(
    'enum-value-added-as-announced',
    { 'x-extensible': true, enum: ['a'] },
    { 'x-extensible': true, enum: ['a', 'b'] },
    'safe',
    'care',
  ),
  ...narrowed(
    'enum-value-removed',
    'enum-value-added',
    { type: ['string', 'null'], enum: ['a', null] },
    { type: ['string', 'null'], enum: ['a'] },
  ),
  ...narrowed('enum-introduced', 'enum-dropped', string, { type: 'string', enum: ['a'] }),
  ...narrowed('enum-introduced', 'enum-dropped', string, { type: 'string', const: 'a' }),
  ...broken('const-changed', { const: 1 }, { const: 2 }),
  ...narrowed('format-added', 'format-removed', string, { type: 'string', format: 'date-time' }),
  ...narrowed(
    'format-narrowed',
    'format-widened',
    { type: 'integer', format: 'int64' },
    { type: 'integer', format: 'int32' },
  ),
  ...narrowed(
    'format-added',
    'format-removed',
    { type: 'integer', minimum: 0 },
    { type: 'integer', minimum: 0, format: 'int64' },
  ),
  ...narrowed(
    'format-added',
    'format-removed',
    { type: 'integer', maximum: 100 },
    { type: 'integer', maximum: 100, format: 'int32' },
  ),
  ...narrowed(
    'format-added',
    'format-removed',
    { type: 'number', minimum: 0, maximum: 9 },
    { type: 'number', minimum: 0, maximum: 9, format: 'int32' },
  ),
  ...nobody(
    'format-implied',
    { type: 'integer', minimum: 1, maximum: 100 },
    { type: 'integer', minimum: 1, maximum: 100, format: 'int32' },
  ),
  ...nobody(
    'format-implied',
    { type: 'integer', minimum: 0, maximum: 253402300799 },
    { type: 'integer', minimum: 0, maximum: 253402300799, format: 'int64' },
  ),
  ...nobody(
    'format-implied',
    { type: ['integer', 'null'], minimum: 1, maximum: 100 },
    { type: ['integer', 'null'], minimum: 1, maximum: 100, format: 'int32' },
  ),
  ...nobody(
    'format-implied',
    { type: 'integer', minimum: 1, maximum: 9, format: 'int64' },
    { type: 'integer', minimum: 1, maximum: 9, format: 'int32' },
  ),
  ...nobody('format-implied', { const: 1 }, { const: 1, format: 'int32' }),
  ...nobody(
    'format-implied',
    { type: 'integer', enum: [1, 2, null] },
    { type: 'integer', enum: [1, 2, null], format: 'int32' },
  ),
  ...broken('format-changed', { type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }),
  ...narrowed('pattern-added', 'pattern-removed', string, { type: 'string', pattern: '^a' }),
  ...narrowed(
    'pattern-narrowed',
    'pattern-widened',
    { type: 'string', pattern: '^[a-z0-9]+$' },
    { type: 'string', pattern: '^[a-z]+$' },
  ),
  ...nobody('pattern-rewritten', { type: 'string', pattern: '^(?:a|b)$' }, { type: 'string', pattern: '^(b|a)$' }),
  ...broken('pattern-changed', { type: 'string', pattern: '^a' }, { type: 'string', pattern: '^b' }),
  ...narrowed('minimum-tightened', 'minimum-loosened', { type: 'number', minimum: 1 }, { type: 'number', minimum: 2 }),
  ...narrowed('minimum-tightened', 'minimum-loosened', number, { type: 'number', minimum: 0 }),
  ...narrowed(
    'minimum-tightened',
    'minimum-loosened',
    { type: 'number', minimum: 1 },
    { type: 'number', exclusiveMinimum: 1 },
  ),
  ...narrowed('maximum-tightened', 'maximum-loosened', { type: 'number', maximum: 2 }, { type: 'number', maximum: 1 }),
  ...narrowed('maximum-tightened', 'maximum-loosened', number, { type: 'number', exclusiveMaximum: 1 }),
  ...narrowed('minLength-tightened', 'minLength-loosened', string, { type: 'string', minLength: 1 }),
  ...narrowed(
    'maxLength-tightened',
    'maxLength-loosened',
    { type: 'string', maxLength: 9 },
    { type: 'string', maxLength: 8 },
  ),
  ...narrowed('maxLength-tightened', 'maxLength-loosened', string, { type: 'string', maxLength: 8 }),
  ...narrowed('minItems-tightened', 'minItems-loosened', list, { ...list, minItems: 1 }),
  ...narrowed('maxItems-tightened', 'maxItems-loosened', list, { ...list, maxItems: 1 }),
  ...narrowed('minProperties-tightened', 'minProperties-loosened', open, { ...open, minProperties: 1 }),
  ...narrowed('maxProperties-tightened', 'maxProperties-loosened', open, { ...open, maxProperties: 1 }),
  ...narrowed(
    'multipleOf-tightened',
    'multipleOf-loosened',
    { type: 'integer', multipleOf: 2 },
    { type: 'integer', multipleOf: 4 },
  ),
  ...broken('multipleOf-changed', { type: 'integer', multipleOf: 2 }, { type: 'integer', multipleOf: 3 }),
  ...broken(
    'content-encoding-changed',
    { type: 'string', contentEncoding: 'base64' },
    { type: 'string', contentEncoding: 'base64url' },
  ),

  // Lists
  ...narrowed('unique-items-required', 'unique-items-dropped', list, { ...list, uniqueItems: true }),
  ...narrowed('contains-added', 'contains-removed', { type: 'array' }, { type: 'array', contains: string }),
  ...narrowed(
    'contains-tightened',
    'contains-loosened',
    { type: 'array', contains: string },
    { type: 'array', contains: string, minContains: 2 },
  ),
  ...narrowed(
    'contains-tightened',
    'contains-loosened',
    { type: 'array', contains: string },
    { type: 'array', contains: long },
  ),
  ...broken(
    'contains-changed',
    { type: 'array', contains: string },
    { type: 'array', contains: string, maxContains: 2 },
  ),
  ...narrowed('maxLength-tightened', 'maxLength-loosened', list, { type: 'array', items: short }),
  ...narrowed('schema-introduced', 'schema-dropped', { type: 'array' }, list),
  ...narrowed(
    'minLength-tightened',
    'minLength-loosened',
    { type: 'array', prefixItems: [string] },
    { type: 'array', prefixItems: [long] },
  ),

  // Objects
  ...narrowed('required-added', 'required-removed', closed, { ...closed, required: ['b'] }),
  ...narrowed('required-added', 'required-removed', open, { ...open, required: ['undeclared'] }),
  one('property-added', only(string), closed, 'safe', 'care'),
  one('property-removed', closed, only(string), 'breaking', 'breaking'),
  one('property-removed', { ...closed, required: ['b'] }, only(string), 'breaking', 'breaking'),
  one('required-property-added', only(string), { ...closed, required: ['b'] }, 'breaking', 'care'),
  one('property-declared', open, { ...open, properties: { a: string, b: string } }, 'care', 'safe'),
  one('property-undeclared', { ...open, properties: { a: string, b: string } }, open, 'care', 'breaking'),
  ...narrowed('additional-refused', 'additional-allowed', open, { ...open, additionalProperties: false }),
  ...narrowed('additional-narrowed', 'additional-widened', open, { ...open, additionalProperties: string }),
  ...narrowed(
    'minLength-tightened',
    'minLength-loosened',
    { ...open, additionalProperties: string },
    { ...open, additionalProperties: long },
  ),
  ...narrowed(
    'maxLength-tightened',
    'maxLength-loosened',
    { ...open, propertyNames: string },
    { ...open, propertyNames: short },
  ),
  ...narrowed('pattern-property-added', 'pattern-property-removed', open, {
    ...open,
    patternProperties: { '^x': number },
  }),
  ...broken(
    'pattern-property-changed',
    { ...open, additionalProperties: false },
    { ...open, additionalProperties: false, patternProperties: { '^x': number } },
  ),
  ...narrowed('dependent-required-added', 'dependent-required-removed', closed, {
    ...closed,
    dependentRequired: { a: ['b'] },
  }),
  ...narrowed('schema-introduced', 'schema-dropped', closed, {
    ...closed,
    dependentSchemas: { a: { required: ['b'] } },
  }),
  one('became-read-only', only(string), only({ type: 'string', readOnly: true }), 'breaking', 'safe'),
  one('no-longer-read-only', only({ type: 'string', readOnly: true }), only(string), 'safe', 'safe'),
  one('became-write-only', only(string), only({ type: 'string', writeOnly: true }), 'safe', 'breaking'),
  one('no-longer-write-only', only({ type: 'string', writeOnly: true }), only(string), 'safe', 'care'),
  one('default-changed', { type: 'string', default: 'a' }, { type: 'string', default: 'b' }, 'care', 'safe'),
  one('default-changed', string, { type: 'string', default: 'b' }, 'care', 'safe'),

  // Composition
  ...narrowed('alternative-removed', 'alternative-added', { anyOf: [cat, dog] }, { anyOf: [cat] }),
  ...narrowed('alternative-removed', 'alternative-added', { oneOf: [cat, dog] }, { oneOf: [dog] }),
  ...narrowed('alternative-removed', 'alternative-added', { oneOf: [cat, dog] }, dog),
  ...narrowed('alternatives-introduced', 'alternatives-dropped', open, {
    ...open,
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  }),
  ...broken('alternatives-overlap', { oneOf: [long, short] }, { anyOf: [long, short] }),
  ...narrowed('all-of-added', 'all-of-removed', long, { ...long, allOf: [{ minLength: 2 }] }),
  ...narrowed('maxLength-tightened', 'maxLength-loosened', { allOf: [long] }, { allOf: [long, short] }),
  ...narrowed('not-added', 'not-removed', string, { type: 'string', not: { const: 'a' } }),
  ...narrowed(
    'not-tightened',
    'not-loosened',
    { type: 'string', not: { enum: ['a'] } },
    { type: 'string', not: { enum: ['a', 'b'] } },
  ),
  ...broken('not-changed', { not: { type: 'string' } }, { not: { type: 'number' } }),
  ...narrowed('condition-added', 'condition-removed', open, {
    ...open,
    if: { required: ['a'] },
    then: { required: ['b'] },
  }),
  ...broken(
    'condition-changed',
    { ...open, if: { required: ['a'] }, then: { required: ['b'] } },
    { ...open, if: { required: ['c'] }, then: { required: ['b'] } },
  ),
  one('discriminator-added', chosen(undefined), chosen({ propertyName: 'kind' }), 'care', 'care'),
  one('discriminator-changed', chosen({ propertyName: 'kind' }), chosen(undefined), 'breaking', 'breaking'),
  one(
    'discriminator-changed',
    chosen({ propertyName: 'kind' }),
    chosen({ propertyName: 'sort' }),
    'breaking',
    'breaking',
  ),
  one(
    'discriminator-changed',
    chosen({ propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } }),
    chosen({ propertyName: 'kind', mapping: { cat: 'Cat', hound: 'Dog' } }),
    'breaking',
    'breaking',
  ),
  one(
    'discriminator-value-added',
    chosen({ propertyName: 'kind', mapping: { cat: 'Cat' } }),
    chosen({ propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } }),
    'care',
    'care',
  ),
  ...nobody('definition-changed', string, { ...string, $defs: { unused: { type: 'number' } } }),

  // What everybody, or nobody, meets
  ...nobody('documentation-changed', { type: 'string', description: 'A' }, { type: 'string', description: 'B' }),
  ...nobody('documentation-changed', string, { type: 'string', title: 'B' }),
  ...nobody('documentation-changed', string, { type: 'string', examples: ['b'] }),
  one('deprecated', string, { type: 'string', deprecated: true }, 'care', 'care'),
  one('no-longer-deprecated', { type: 'string', deprecated: true }, string, 'safe', 'safe'),
  one('extension-changed', string, { type: 'string', 'x-unit': 'ms' }, 'care', 'care'),
  one('extension-changed', { type: 'string', 'x-unit': 'ms' }, string, 'care', 'care'),
  ...broken('unjudged', string, { type: 'string', inventedKeyword: 1 }),
];
