/** Arbitrary values that violate a schema, each by one known rule. */
import fc from 'fast-check';
import { patternEdges } from './boundary.ts';
import {
  follow,
  satisfies,
  typeNames,
  typeOf,
  typesOf,
  within,
  type Json,
  type Place,
  type SchemaDocument,
  type TypeName,
} from './schema.ts';
import { validValues, type ValidOptions } from './valid.ts';

export interface Violation {
  /** The JSON Pointer of the keyword that the values violate. */
  readonly pointer: string;
  /** The description of the violation, such as `longer than maxLength 512`. */
  readonly reason: string;
  /** Values that violate only this keyword. */
  readonly values: fc.Arbitrary<Json>;
}

/** Member names with a meaning in JavaScript objects, such as `__proto__`. */
export const treacherousNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'extra'];

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

/**
 * Every way to violate the schema and its nested schemas. Omits a way without an invalid value, for example a number beyond
 * a bound of only one of two alternatives.
 */
export function violations(
  document: SchemaDocument,
  place: Place,
  options: ValidOptions = {},
  inside: readonly string[] = [],
): Violation[] {
  const at = follow(document, place);
  if (inside.includes(at.pointer)) return [];
  const { schema } = at;
  const ways: Violation[] = [];
  const breaking = (keyword: string, reason: string, values: readonly Json[]): void => {
    const wrong = values.filter((value) => !satisfies(document, at, value));
    if (wrong.length > 0) ways.push({ pointer: `${at.pointer}/${keyword}`, reason, values: fc.constantFrom(...wrong) });
  };
  const valid = validValues(document, at, options);

  const types = typesOf(schema);
  const alternatives = schema.anyOf ?? schema.oneOf;
  const keyword = alternatives === undefined ? 'type' : schema.anyOf ? 'anyOf' : 'oneOf';
  for (const type of typeNames) {
    if (alternatives === undefined && (types.includes(type) || (type === 'integer' && types.includes('number'))))
      continue;
    const allowed = alternatives === undefined ? types.join(' or ') : 'any alternative';
    breaking(keyword, `${type} instead of ${allowed}`, samples[type]);
  }
  if (schema.const !== undefined) breaking('const', `not ${JSON.stringify(schema.const)}`, others([schema.const]));
  if (schema.enum !== undefined) breaking('enum', `none of ${JSON.stringify(schema.enum)}`, others(schema.enum));
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined) breaking('minimum', `less than minimum ${minimum}`, [minimum - 1]);
  if (maximum !== undefined) breaking('maximum', `more than maximum ${maximum}`, [maximum + 1]);
  if (exclusiveMinimum !== undefined)
    breaking('exclusiveMinimum', `not more than ${exclusiveMinimum}`, [exclusiveMinimum]);
  if (exclusiveMaximum !== undefined)
    breaking('exclusiveMaximum', `not less than ${exclusiveMaximum}`, [exclusiveMaximum]);
  const { minLength = 0, maxLength, pattern, format } = schema;
  if (minLength > 0) breaking('minLength', `shorter than minLength ${minLength}`, ['a'.repeat(minLength - 1)]);
  if (maxLength !== undefined)
    breaking('maxLength', `longer than maxLength ${maxLength}`, [
      'a'.repeat(maxLength + 1),
      '😀'.repeat(maxLength + 1),
    ]);
  if (pattern !== undefined) {
    const edges = ['a', '1', '0'].flatMap((filling) => patternEdges(pattern, filling).map(([, value]) => value));
    breaking('pattern', `not of the pattern ${pattern}`, [
      '',
      ' ',
      'é',
      '😀',
      'a b',
      "'",
      '1\n',
      '1.0',
      '-1',
      '\u0000',
      'true',
      ...edges,
    ]);
  }
  if (format !== undefined) breaking('format', `no ${format}`, ['', 'no', '2026-02-30T00:00:00Z', '0']);
  if (schema.minItems) breaking('minItems', `fewer than minItems ${schema.minItems}`, [[]]);

  if (schema.properties !== undefined) {
    for (const name of schema.required ?? []) {
      ways.push({
        pointer: `${at.pointer}/required`,
        reason: `without the member '${name}'`,
        values: valid.map((value) => withoutMember(value, name)),
      });
    }
    if (schema.additionalProperties === false) {
      for (const name of treacherousNames.filter((each) => !Object.hasOwn(schema.properties!, each))) {
        ways.push({
          pointer: `${at.pointer}/additionalProperties`,
          reason: `with an unknown member '${name}'`,
          values: valid.map((value) => withMember(value, name, 1)),
        });
      }
    }
    for (const [name, member] of Object.entries(schema.properties)) {
      for (const way of violations(document, within(at, member, 'properties', name), options, [
        ...inside,
        at.pointer,
      ])) {
        ways.push({
          pointer: way.pointer,
          reason: `member '${name}': ${way.reason}`,
          values: fc.tuple(valid, way.values).map(([value, wrong]) => withMember(value, name, wrong)),
        });
      }
    }
  }
  if (schema.items !== undefined) {
    for (const way of violations(document, within(at, schema.items, 'items'), options, [...inside, at.pointer])) {
      ways.push({
        pointer: way.pointer,
        reason: `an item: ${way.reason}`,
        values: fc.tuple(valid, way.values).map(([value, wrong]) => [...(value as Json[]), wrong]),
      });
    }
  }
  return ways.map((way) => ({ ...way, values: way.values.filter((value) => !satisfies(document, at, value)) }));
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
