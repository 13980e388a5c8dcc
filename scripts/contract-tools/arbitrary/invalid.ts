/** Arbitrary values that violate a schema, each by one known rule. */
import fc from 'fast-check';
import { Heights, UnsatisfiableSchema } from './height.ts';
import { patternEdges } from './boundary.ts';
import {
  follow,
  satisfies,
  typeNames,
  typeOf,
  typesOf,
  within,
  type Json,
  type SchemaNode,
  type SchemaDocument,
  type TypeName,
} from './schema.ts';
import { selected, validValues, type ValidOptions } from './valid.ts';

export interface InvalidValues {
  /** The JSON Pointer of the keyword that the values violate. */
  readonly pointer: string;
  /** The description of the violation, such as `longer than maxLength 512`. */
  readonly reason: string;
  /** Values that violate only this keyword. */
  readonly values: fc.Arbitrary<Json>;
}

/** Member names with a meaning in JavaScript objects, such as `__proto__`. */
export const unsafeNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'extra'];

const samples: Readonly<Record<TypeName, readonly Json[]>> = {
  null: [null],
  boolean: [true, false],
  integer: [0, -1, 1],
  number: [0.5, -1.5, 1e308],
  string: ['', 'a', '0', 'true'],
  array: [[], [null], [[]]],
  object: [{}, { a: 1 }],
};

/** A copy with an additional own member; also correct for `__proto__`. */
function withMember(value: Json, name: string, member: Json): Json {
  const copy = { ...(value as object) };
  Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true });
  return copy;
}
function withoutMember(value: Json, name: string): Json {
  const { [name]: _, ...others } = value as Record<string, Json>;
  return others;
}

/** Collects the invalid values of one schema. */
class InvalidValuesCollector {
  readonly found: InvalidValues[] = [];
  readonly #document: SchemaDocument;
  readonly #node: SchemaNode;

  constructor(document: SchemaDocument, node: SchemaNode) {
    this.#document = document;
    this.#node = node;
  }

  addKeywords(): void {
    const { schema } = this.#node;
    this.#addTypes();
    if (schema.const !== undefined) this.#add('const', `not ${JSON.stringify(schema.const)}`, others([schema.const]));
    if (schema.enum !== undefined) this.#add('enum', `none of ${JSON.stringify(schema.enum)}`, others(schema.enum));
    this.#addNumbers();
    this.#addStrings();
    if (schema.minItems) this.#add('minItems', `fewer than minItems ${schema.minItems}`, [[]]);
  }

  /** Adds valid objects without a required member or with an unknown member. */
  addMembers(valid: fc.Arbitrary<Json>): void {
    const { schema, pointer } = this.#node;
    const { properties, required = [], additionalProperties } = schema;
    if (properties === undefined) return;
    for (const name of required) {
      this.found.push({
        pointer: `${pointer}/required`,
        reason: `without the member '${name}'`,
        values: valid.map((value) => withoutMember(value, name)),
      });
    }
    if (additionalProperties !== false) return;
    for (const name of unsafeNames.filter((each) => !Object.hasOwn(properties, each))) {
      this.found.push({
        pointer: `${pointer}/additionalProperties`,
        reason: `with an unknown member '${name}'`,
        values: valid.map((value) => withMember(value, name, 1)),
      });
    }
  }

  /** Adds the candidates that the schema rejects. */
  #add(keyword: string, reason: string, candidates: readonly Json[]): void {
    const invalid = candidates.filter((value) => !satisfies(this.#document, this.#node, value));
    if (invalid.length === 0) return;
    this.found.push({ pointer: `${this.#node.pointer}/${keyword}`, reason, values: fc.constantFrom(...invalid) });
  }

  #addTypes(): void {
    const { schema } = this.#node;
    const types = typesOf(schema);
    const alternatives = schema.anyOf ?? schema.oneOf;
    const keyword = alternatives === undefined ? 'type' : schema.anyOf ? 'anyOf' : 'oneOf';
    for (const type of typeNames) {
      if (alternatives === undefined && (types.includes(type) || (type === 'integer' && types.includes('number'))))
        continue;
      const allowed = alternatives === undefined ? types.join(' or ') : 'any alternative';
      this.#add(keyword, `${type} instead of ${allowed}`, samples[type]);
    }
  }

  #addNumbers(): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = this.#node.schema;
    if (minimum !== undefined) this.#add('minimum', `less than minimum ${minimum}`, [minimum - 1]);
    if (maximum !== undefined) this.#add('maximum', `more than maximum ${maximum}`, [maximum + 1]);
    if (exclusiveMinimum !== undefined)
      this.#add('exclusiveMinimum', `not more than ${exclusiveMinimum}`, [exclusiveMinimum]);
    if (exclusiveMaximum !== undefined)
      this.#add('exclusiveMaximum', `not less than ${exclusiveMaximum}`, [exclusiveMaximum]);
  }

  #addStrings(): void {
    const { minLength = 0, maxLength, pattern, format } = this.#node.schema;
    if (minLength > 0) this.#add('minLength', `shorter than minLength ${minLength}`, ['a'.repeat(minLength - 1)]);
    if (maxLength !== undefined) {
      const tooLong = ['a', '😀'].map((character) => character.repeat(maxLength + 1));
      this.#add('maxLength', `longer than maxLength ${maxLength}`, tooLong);
    }
    if (pattern !== undefined) {
      const edges = ['a', '1', '0'].flatMap((character) => patternEdges(pattern, character).map(([, value]) => value));
      this.#add('pattern', `does not match the pattern ${pattern}`, [...patternSamples, ...edges]);
    }
    if (format !== undefined) this.#add('format', `not a ${format}`, ['', 'no', '2026-02-30T00:00:00Z', '0']);
  }
}

const patternSamples = ['', ' ', 'é', '😀', 'a b', "'", '1\n', '1.0', '-1', '\u0000', 'true'];

/** The invalid values of the members and items of a schema, each inside a valid value of the schema. */
function nestedValues(
  document: SchemaDocument,
  node: SchemaNode,
  valid: fc.Arbitrary<Json>,
  options: ValidOptions,
  parents: readonly string[],
): InvalidValues[] {
  const { properties = {}, items } = node.schema;
  const members = Object.entries(properties).flatMap(([name, member]) =>
    invalidValues(document, within(node, member, 'properties', name), options, parents).map(
      ({ pointer, reason, values }): InvalidValues => ({
        pointer,
        reason: `member '${name}': ${reason}`,
        values: fc.tuple(valid, values).map(([value, invalid]) => withMember(value, name, invalid)),
      }),
    ),
  );
  if (items === undefined) return members;
  const elements = invalidValues(document, within(node, items, 'items'), options, parents).map(
    ({ pointer, reason, values }): InvalidValues => ({
      pointer,
      reason: `an item: ${reason}`,
      values: fc.tuple(valid, values).map(([value, invalid]) => [...(Array.isArray(value) ? value : []), invalid]),
    }),
  );
  return [...members, ...elements];
}

/**
 * The invalid values of the schema and its nested schemas, by the violated keyword. Omits a keyword without an invalid value,
 * for example a bound of only one of two alternatives. `parents` are the pointers of the enclosing schemas.
 */
export function invalidValues(
  document: SchemaDocument,
  start: SchemaNode,
  options: ValidOptions = {},
  parents: readonly string[] = [],
): InvalidValues[] {
  const node = follow(document, start);
  if (parents.includes(node.pointer)) return [];
  if (new Heights(document).of(node) === Infinity) return [];
  const valid = validValues(document, node, options);
  const collector = new InvalidValuesCollector(document, node);
  collector.addKeywords();
  collector.addMembers(valid);
  const found = [...collector.found, ...nestedValues(document, node, valid, options, [...parents, node.pointer])].map(
    (invalid) => ({
      ...invalid,
      values: selected(invalid.values, (value) => !satisfies(document, node, value), invalid.pointer, maxValid),
    }),
  );
  return parents.length === 0 ? found.filter(({ values }) => hasValue(values)) : found;
}

/** The number of successive candidates that are valid after all, after which there is no invalid value. */
const maxValid = 200;

/** Whether a value can be found: what one part of a schema forbids, an alternative may allow. */
function hasValue(values: fc.Arbitrary<Json>): boolean {
  try {
    return fc.sample(values, { seed: 1, numRuns: 1 }).length > 0;
  } catch (error) {
    if (error instanceof UnsatisfiableSchema) return false;
    throw error;
  }
}

/** Values that are similar to these but not equal to any of them. */
function others(allowed: readonly Json[]): Json[] {
  const near = allowed.flatMap((value): Json[] => {
    if (typeof value !== 'string') return [];
    return [`${value}x`, value.slice(0, -1), ` ${value}`, value.toUpperCase(), value.toLowerCase()];
  });
  const strange: Json[] = ['\u0000', ...allowed.filter((value) => typeOf(value) !== 'string').map(String)];
  return [...near, ...strange].filter((value) => !allowed.includes(value));
}
