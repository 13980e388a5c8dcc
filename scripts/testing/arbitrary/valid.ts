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
  type SchemaNode,
  type Schema,
  type SchemaDocument,
  type TypeName,
} from './schema.ts';
import { stringsOf } from './text.ts';

export interface ValidOptions {
  /** Valid values for a schema, such as known ids; undefined generates them from the schema. */
  readonly known?: (node: SchemaNode) => fc.Arbitrary<Json> | undefined;
  /** The maximum number of items of a list, if its schema permits more. Default 3. */
  readonly maxItems?: number;
}

/** The maximum depth of alternatives; below it the generator takes the simplest one, so that recursion ends. */
const maxDepth = 2;

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
const defaultSpan = 1_000_000;

function numbers(schema: Schema, integer: boolean): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = multipleOf ?? 1;
  const low = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + (integer ? 1 : 0));
  const high = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - (integer ? 1 : 0));
  const min = low ?? (high === undefined ? -defaultSpan : high - defaultSpan);
  const max = high ?? min + defaultSpan;
  if (integer || multipleOf !== undefined)
    return fc.integer({ min: Math.ceil(min / step), max: Math.floor(max / step) }).map((times) => times * step);
  return fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
}

/** Builds the arbitraries of one document. */
class ValidValues {
  readonly #document: SchemaDocument;
  readonly #known: ValidOptions['known'];
  readonly #maxItems: number;
  /** By the pointer of the schema, so that a recursive schema has one arbitrary. */
  readonly #cache = new Map<string, fc.Arbitrary<Json>>();
  readonly #depthIdentifier = fc.createDepthIdentifier();

  constructor(document: SchemaDocument, { known, maxItems = 3 }: ValidOptions) {
    this.#document = document;
    this.#known = known;
    this.#maxItems = maxItems;
  }

  valuesOf(node: SchemaNode): fc.Arbitrary<Json> {
    const cached = this.#cache.get(node.pointer);
    if (cached !== undefined) return cached;
    // A member of a merged schema has no pointer of its own; the filter of the merged schema checks it.
    const hasPointer = valueAt(this.#document, node.pointer) === node.schema;
    const candidates = this.#known?.(node) ?? this.#candidates(node);
    const arbitrary = candidates.filter((value) => !hasPointer || satisfies(this.#document, node, value));
    this.#cache.set(node.pointer, arbitrary);
    return arbitrary;
  }

  #lazily(node: SchemaNode): fc.Arbitrary<Json> {
    return fc.constant(undefined).chain(() => this.valuesOf(node));
  }

  /** Values that may violate a keyword that the generator does not use. */
  #candidates(node: SchemaNode): fc.Arbitrary<Json> {
    const { $ref, description: _, ...siblings } = node.schema;
    if ($ref !== undefined) {
      const target = schemaAt(this.#document, $ref.replace(/^#/, ''));
      if (Object.keys(siblings).length === 0) return this.valuesOf(target);
      return this.#candidates({ ...node, schema: merge([follow(this.#document, target).schema, siblings]) });
    }
    const { allOf, anyOf, oneOf, ...rest } = node.schema;
    if (allOf !== undefined) {
      const parts = allOf.map((part) => follow(this.#document, { ...node, schema: part }).schema);
      return this.#candidates({ ...node, schema: merge([...parts, rest]) });
    }
    if (rest.const !== undefined) return fc.constant(rest.const);
    if (rest.enum !== undefined) return fc.constantFrom(...rest.enum);
    if (anyOf !== undefined) return this.#alternatives(anyOf.map((part, index) => within(node, part, 'anyOf', index)));
    if (oneOf !== undefined) return this.#alternatives(oneOf.map((part, index) => within(node, part, 'oneOf', index)));
    return fc.oneof(...typesOf(rest).map((type) => this.#ofType(node, type)));
  }

  #alternatives(nodes: readonly SchemaNode[]): fc.Arbitrary<Json> {
    // fast-check takes the first alternative at the maximum depth.
    const simplestFirst = nodes.toSorted(
      (a, b) => Number(a.schema.$ref !== undefined) - Number(b.schema.$ref !== undefined),
    );
    const constraints = { maxDepth, depthIdentifier: this.#depthIdentifier, withCrossShrink: true };
    return fc.oneof(constraints, ...simplestFirst.map((node) => this.#lazily(node)));
  }

  #ofType(node: SchemaNode, type: TypeName): fc.Arbitrary<Json> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return numbers(node.schema, type === 'integer');
      case 'string':
        return stringsOf(node.schema);
      case 'array':
        return this.#lists(node);
      case 'object':
        return this.#objects(node);
    }
  }

  #objects(node: SchemaNode): fc.Arbitrary<Json> {
    const { properties = {}, required = [] } = node.schema;
    const members: Record<string, fc.Arbitrary<Json>> = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        this.#lazily(within(node, schema, 'properties', name)),
      ]),
    );
    const requiredKeys = required.filter((name) => name in members);
    return fc.record(members, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<Json>;
  }

  #lists(node: SchemaNode): fc.Arbitrary<Json> {
    const { items = {}, minItems: min = 0, maxItems: max = Number.POSITIVE_INFINITY, uniqueItems } = node.schema;
    const maxLength = Math.max(min, Math.min(max, this.#maxItems));
    const length = { minLength: min, maxLength, depthIdentifier: this.#depthIdentifier };
    const item = this.#lazily(within(node, items, 'items'));
    return uniqueItems ? fc.uniqueArray(item, { ...length, comparator: 'IsStrictlyEqual' }) : fc.array(item, length);
  }
}

/**
 * Values that satisfy the schema, shrinking to simple ones. A filter validates every value, so keywords that the generator
 * does not use cost time. fast-check throws only when it finds no valid value.
 */
export const validValues = (
  document: SchemaDocument,
  node: SchemaNode,
  options: ValidOptions = {},
): fc.Arbitrary<Json> => new ValidValues(document, options).valuesOf(node);
