/** Arbitrary values that satisfy a schema. */
import fc from 'fast-check';
import {
  follow,
  satisfies,
  schemaAt,
  typesOf,
  valueAt,
  within,
  type Json,
  type Place,
  type Schema,
  type SchemaDocument,
  type TypeName,
} from './schema.ts';
import { texts } from './text.ts';

export interface ValidOptions {
  /** Values for a place, such as a known id; they must be valid. Undefined: generate them from the schema. */
  readonly known?: (place: Place) => fc.Arbitrary<Json> | undefined;
  /** The maximum number of items of a list, if its schema permits more. Default 3. */
  readonly maxItems?: number;
}

/** The maximum depth of alternatives; below it the generator takes the simplest one, so that recursion ends. */
const deepest = 2;

/** The keywords of all parts of `allOf`, and of a reference with keywords beside it, in one schema. */
function merge(parts: readonly Schema[]): Schema {
  return parts.reduce(
    (merged, part) => ({
      ...merged,
      ...part,
      ...(merged.required || part.required
        ? { required: [...new Set([...(merged.required ?? []), ...(part.required ?? [])])] }
        : {}),
      ...(merged.properties || part.properties ? { properties: { ...merged.properties, ...part.properties } } : {}),
    }),
    {},
  );
}

/** The range of numbers with one bound, such as counts; large numbers are covered by the boundary values. */
const usualSpan = 1_000_000;

function numbers(schema: Schema, integer: boolean): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = multipleOf ?? 1;
  const low = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + (integer ? 1 : 0));
  const high = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - (integer ? 1 : 0));
  const min = low ?? (high === undefined ? -usualSpan : high - usualSpan);
  const max = high ?? min + usualSpan;
  if (integer || multipleOf !== undefined)
    return fc.integer({ min: Math.ceil(min / step), max: Math.floor(max / step) }).map((times) => times * step);
  return fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
}

/**
 * Values that satisfy the schema at this place of the document, shrinking to simple ones. Every value is checked: a schema with
 * keywords that values are not made from costs time, and throws from fast-check's filter only when nothing satisfies it.
 */
export function validValues(
  document: SchemaDocument,
  place: Place,
  { known, maxItems = 3 }: ValidOptions = {},
): fc.Arbitrary<Json> {
  /** Arbitraries by the pointer of the schema, so that a recursive schema has only one. */
  const made = new Map<string, fc.Arbitrary<Json>>();
  const depthIdentifier = fc.createDepthIdentifier();

  const lazily = (at: Place): fc.Arbitrary<Json> => fc.constant(undefined).chain(() => values(at));
  const values = (at: Place): fc.Arbitrary<Json> => {
    let arbitrary = made.get(at.pointer);
    if (arbitrary === undefined) {
      // A member that a merged schema has from one of its parts stands nowhere itself: it is checked with the whole.
      const standsThere = valueAt(document, at.pointer) === at.schema;
      arbitrary = (known?.(at) ?? unchecked(at)).filter((value) => !standsThere || satisfies(document, at, value));
      made.set(at.pointer, arbitrary);
    }
    return arbitrary;
  };

  const alternatives = (of: readonly Place[]): fc.Arbitrary<Json> => {
    // The first is what is left when it gets deep.
    const simplestFirst = of.toSorted(
      (a, b) => Number(a.schema.$ref !== undefined) - Number(b.schema.$ref !== undefined),
    );
    return fc.oneof({ maxDepth: deepest, depthIdentifier, withCrossShrink: true }, ...simplestFirst.map(lazily));
  };

  const objects = (at: Place): fc.Arbitrary<Json> => {
    const { properties = {}, required = [] } = at.schema;
    const members = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, lazily(within(at, schema, 'properties', name))]),
    );
    return fc.record(members, {
      requiredKeys: required.filter((name) => name in members),
      noNullPrototype: true,
    }) as fc.Arbitrary<Json>;
  };

  const lists = (at: Place): fc.Arbitrary<Json> => {
    const { items = {}, minItems: min = 0, maxItems: max = Number.POSITIVE_INFINITY, uniqueItems } = at.schema;
    const length = { minLength: min, maxLength: Math.max(min, Math.min(max, maxItems)), depthIdentifier };
    const item = lazily(within(at, items, 'items'));
    return uniqueItems ? fc.uniqueArray(item, { ...length, comparator: 'IsStrictlyEqual' }) : fc.array(item, length);
  };

  const ofType = (at: Place, type: TypeName): fc.Arbitrary<Json> => {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return numbers(at.schema, type === 'integer');
      case 'string':
        return texts(at.schema);
      case 'array':
        return lists(at);
      case 'object':
        return objects(at);
    }
  };

  const unchecked = (at: Place): fc.Arbitrary<Json> => {
    const { $ref, description: _, ...beside } = at.schema as Schema & { description?: string };
    if ($ref !== undefined) {
      const target = schemaAt(document, $ref.replace(/^#/, ''));
      return Object.keys(beside).length === 0
        ? values(target)
        : unchecked({ ...at, schema: merge([follow(document, target).schema, beside]) });
    }
    const { allOf, anyOf, oneOf, ...rest } = at.schema;
    if (allOf !== undefined)
      return unchecked({
        ...at,
        schema: merge([...allOf.map((part) => follow(document, { ...at, schema: part }).schema), rest]),
      });
    if (rest.const !== undefined) return fc.constant(rest.const);
    if (rest.enum !== undefined) return fc.constantFrom(...rest.enum);
    if (anyOf !== undefined) return alternatives(anyOf.map((schema, index) => within(at, schema, 'anyOf', index)));
    if (oneOf !== undefined) return alternatives(oneOf.map((schema, index) => within(at, schema, 'oneOf', index)));
    return fc.oneof(...typesOf(rest).map((type) => ofType(at, type)));
  };

  return values(place);
}
