/** Arbitrary values that satisfy a schema. */
import fc from 'fast-check';
import { Heights, UnsatisfiableSchema } from './height.ts';
import {
  satisfies,
  schemaAt,
  syntaxExamples,
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

/** The number of references after which a value of a recursive schema becomes as small as it can be. */
const maxDepth = 2;

/** The number of successive values that violate the schema, after which the generator gives up. */
const maxRejected = 2_000;

/** The values that are wanted. Generating throws an UnsatisfiableSchema after `most` successive ones that are not. */
export function selected(
  values: fc.Arbitrary<Json>,
  isWanted: (value: Json) => boolean,
  pointer: string,
  most: number,
): fc.Arbitrary<Json> {
  let rejected = 0;
  return values.filter((value) => {
    if (isWanted(value)) {
      rejected = 0;
      return true;
    }
    if (++rejected < most) return false;
    rejected = 0;
    throw new UnsatisfiableSchema(pointer, `no value was found in ${most} attempts`);
  });
}

/** The stricter of two bounds. */
const stricter = (
  choose: (...bounds: number[]) => number,
  one: number | undefined,
  other: number | undefined,
): number | undefined => (one === undefined ? other : other === undefined ? one : choose(one, other));

const bounds: readonly (readonly [keyof Schema, (...bounds: number[]) => number])[] = [
  ...(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const).map(
    (name) => [name, Math.max] as const,
  ),
  ...(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const).map(
    (name) => [name, Math.min] as const,
  ),
];

const both = (one: Schema | undefined, other: Schema | undefined): Schema | undefined =>
  one === undefined || other === undefined || one === other ? (one ?? other) : { allOf: [one, other] };

/** The schema of the values of both schemas. What it cannot say is left to the validation. */
function merge(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...one, ...other };
  for (const [name, choose] of bounds) {
    const bound = stricter(choose, one[name] as number | undefined, other[name] as number | undefined);
    if (bound !== undefined) merged[name] = bound;
  }
  const properties: Record<string, Schema> = { ...one.properties };
  for (const [name, schema] of Object.entries(other.properties ?? {}))
    properties[name] = both(Object.hasOwn(properties, name) ? properties[name] : undefined, schema)!;
  if (one.properties ?? other.properties) merged.properties = properties;
  if (one.required ?? other.required)
    merged.required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  const items = both(one.items, other.items);
  if (items !== undefined) merged.items = items;
  if (one.enum !== undefined && other.enum !== undefined)
    merged.enum = one.enum.filter((value) =>
      other.enum!.some((each) => JSON.stringify(each) === JSON.stringify(value)),
    );
  if (one.type !== undefined && other.type !== undefined) {
    const types = typesOf(other);
    const common = typesOf(one).filter(
      (type) => types.includes(type) || (type === 'integer' && types.includes('number')),
    );
    const integer = types.includes('integer') && typesOf(one).includes('number') ? ['integer'] : [];
    merged.type = [...new Set([...common, ...integer])];
  }
  // Unions of both stay as parts; one of each is chosen in turn.
  const unions = [one, other].flatMap(({ anyOf, oneOf }) => [
    ...(anyOf === undefined ? [] : [{ anyOf }]),
    ...(oneOf === undefined ? [] : [{ anyOf: oneOf }]),
  ]);
  delete merged.anyOf;
  delete merged.oneOf;
  const [union, ...rest] = unions;
  return { ...merged, ...union, ...(rest.length > 0 && { allOf: rest }) };
}

/** The range of numbers with one bound, such as counts; large numbers are covered by the boundary values. */
const defaultSpan = 1_000_000;

function numbers({ schema, pointer }: SchemaNode, integer: boolean): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = multipleOf ?? 1;
  const empty = (): never => {
    throw new UnsatisfiableSchema(pointer, 'no number is within its limits');
  };
  const low = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + (integer ? 1 : 0));
  const high = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - (integer ? 1 : 0));
  const min = low ?? (high === undefined ? -defaultSpan : high - defaultSpan);
  const max = high ?? min + defaultSpan;
  if (integer || multipleOf !== undefined) {
    const range = { min: Math.ceil(min / step), max: Math.floor(max / step) };
    if (range.min > range.max) return empty();
    // Steps such as 0.01 are no exact numbers; their multiples have as many digits as the step.
    const digits = /\.(\d+)$/.exec(String(step))?.[1]?.length ?? 0;
    return fc.integer(range).map((times) => Number((times * step).toFixed(digits)));
  }
  if (min > max) return empty();
  return fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
}

/** How deep a value is inside of another one: the number of references, and whether it must be as small as possible. */
interface Depth {
  readonly references: number;
  readonly isMinimal: boolean;
}

/** Keywords that say nothing about values, so that a union beside them stands alone. */
const annotations = new Set(
  'title description default example examples deprecated readOnly writeOnly discriminator externalDocs xml $comment $defs'.split(
    ' ',
  ),
);
const constrains = (schema: object): boolean =>
  Object.keys(schema).some((name) => !annotations.has(name) && !name.startsWith('x-'));

/** Builds the arbitraries of one document. */
class ValidValues {
  readonly #document: SchemaDocument;
  readonly #options: ValidOptions;
  readonly #heights: Heights;
  /** By schema and depth, so that a recursive schema has few arbitraries. */
  readonly #cache = new Map<Schema, Map<string, fc.Arbitrary<Json>>>();
  readonly #depthIdentifier = fc.createDepthIdentifier();

  constructor(document: SchemaDocument, options: ValidOptions) {
    this.#document = document;
    this.#options = options;
    this.#heights = new Heights(document);
  }

  /** Throws an UnsatisfiableSchema where every value would contain itself. */
  valuesOf(node: SchemaNode, depth: Depth = { references: 0, isMinimal: false }): fc.Arbitrary<Json> {
    const schema = node.schema as Schema | boolean;
    if (schema === true) return fc.constantFrom<Json>('a', 1, true, null);
    if (schema === false) throw new UnsatisfiableSchema(node.pointer, 'the schema `false` has no value');
    const byDepth = this.#cache.get(schema) ?? new Map<string, fc.Arbitrary<Json>>();
    this.#cache.set(schema, byDepth);
    const key = `${depth.references} ${depth.isMinimal} ${node.pointer}`;
    const cached = byDepth.get(key);
    if (cached !== undefined) return cached;
    // A member of a merged schema has no pointer of its own; the filter of the merged schema checks it.
    const hasPointer = valueAt(this.#document, node.pointer) === schema;
    const known = this.#options.known?.(node);
    if (known === undefined && hasPointer && this.#heights.of(node) === Infinity)
      throw new UnsatisfiableSchema(node.pointer, 'the schema has no value: every value would contain itself');
    const candidates = known ?? this.#candidates(node, depth);
    const arbitrary = hasPointer ? this.#checked(node, candidates) : candidates;
    byDepth.set(key, arbitrary);
    return arbitrary;
  }

  /** The candidates that satisfy the schema. Generating throws an UnsatisfiableSchema after too many that do not. */
  #checked(node: SchemaNode, candidates: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
    return selected(candidates, (value) => satisfies(this.#document, node, value), node.pointer, maxRejected);
  }

  #lazily(node: SchemaNode, depth: Depth): fc.Arbitrary<Json> {
    return fc.constant(undefined).chain(() => this.valuesOf(node, depth));
  }

  #isPossible(node: SchemaNode): boolean {
    return this.#options.known?.(node) !== undefined || this.#heights.of(node) < Infinity;
  }

  /** The schema of a reference, and how deep its values are. */
  #target($ref: string, { references, isMinimal }: Depth): { target: SchemaNode; depth: Depth } {
    const target = schemaAt(this.#document, decodeURIComponent($ref.replace(/^#/, '')));
    const isDeep = references >= maxDepth && this.#heights.isRecursive(target.pointer);
    return { target, depth: { references: Math.min(references + 1, maxDepth), isMinimal: isMinimal || isDeep } };
  }

  /** Values that may violate a keyword that the generator does not use. */
  #candidates(node: SchemaNode, depth: Depth): fc.Arbitrary<Json> {
    const { $ref, ...siblings } = node.schema;
    if ($ref !== undefined) {
      const { target, depth: inner } = this.#target($ref, depth);
      if (!constrains(siblings)) return this.valuesOf(target, inner);
      return this.#candidates({ ...node, schema: merge(this.#flat(target.schema, inner), siblings) }, inner);
    }
    const { allOf, if: condition, then = {}, else: otherwise = {}, ...own } = node.schema;
    if (allOf !== undefined) {
      const [only, ...others] = allOf;
      if (only !== undefined && others.length === 0 && !constrains(own) && condition === undefined)
        return this.valuesOf(within(node, only, 'allOf', 0), depth);
      const whole = { ...own, ...(condition && { if: condition, then, else: otherwise }) };
      const schema = allOf.map((part) => this.#flat(part, depth)).reduce(merge, whole);
      return this.#candidates({ ...node, schema }, depth);
    }
    if (condition !== undefined)
      return fc.oneof(
        ...[both(condition, then)!, otherwise].map((part) =>
          this.#candidates({ ...node, schema: merge(own, this.#flat(part, depth)) }, depth),
        ),
      );
    return this.#unionOrPlain(node, depth);
  }

  #unionOrPlain(node: SchemaNode, depth: Depth): fc.Arbitrary<Json> {
    const { anyOf, oneOf, ...rest } = node.schema;
    const examples = syntaxExamples(rest);
    if (examples !== undefined) return fc.constantFrom(...examples);
    if (rest.const !== undefined) return fc.constant(rest.const);
    if (rest.enum !== undefined) {
      if (rest.enum.length === 0) throw new UnsatisfiableSchema(node.pointer, 'no value is in all lists of `enum`');
      return fc.constantFrom(...rest.enum);
    }
    const [name, union, others] =
      anyOf === undefined
        ? (['oneOf', oneOf, rest] as const)
        : (['anyOf', anyOf, { ...rest, ...(oneOf && { oneOf }) }] as const);
    if (union !== undefined)
      return this.#alternatives(
        union.map((part, index) => {
          const alternative = within(node, part, name, index);
          // The alternatives of a merged schema stand elsewhere.
          return constrains(others) ? { node: alternative, beside: others } : { node: alternative };
        }),
        depth,
      );
    const types = typesOf(rest).filter(
      (type) => !depth.isMinimal || !['array', 'object'].includes(type) || typesOf(rest).length === 1,
    );
    if (types.length === 0) throw new UnsatisfiableSchema(node.pointer, 'its parts have no type in common');
    return fc.oneof(...types.map((type) => this.#ofType(node, type, depth)));
  }

  /** A schema without references and `allOf` at its top. */
  #flat(schema: Schema, depth: Depth, chain = 0): Schema {
    if (typeof schema !== 'object' || chain > 20) return schema === (false as unknown) ? { enum: [] } : {};
    const { $ref, allOf = [], ...own } = schema;
    const parts = [...($ref === undefined ? [] : [this.#target($ref, depth).target.schema]), ...allOf].map((part) =>
      this.#flat(part, depth, chain + 1),
    );
    return parts.reduce(merge, own);
  }

  #alternatives(all: readonly { node: SchemaNode; beside?: Schema }[], depth: Depth): fc.Arbitrary<Json> {
    const heightOf = ({ node }: { node: SchemaNode }): number => this.#heights.of(node);
    // fast-check takes the first alternative at the maximum depth, and shrinks towards it.
    const possible = all.filter((each) => this.#isPossible(each.node)).toSorted((a, b) => heightOf(a) - heightOf(b));
    const [first] = possible;
    if (first === undefined) throw new UnsatisfiableSchema(all[0]?.node.pointer ?? '', 'no alternative has a value');
    const chosen = depth.isMinimal ? [first] : possible;
    const arbitraries = chosen.map(({ node, beside }) =>
      beside === undefined
        ? this.#lazily(node, depth)
        : fc.constant(undefined).chain(() => {
            const part = this.#flat(node.schema, depth);
            return this.#candidates({ ...node, pointer: `${node.pointer}/`, schema: merge(beside, part) }, depth);
          }),
    );
    const constraints = { maxDepth: 2, depthIdentifier: this.#depthIdentifier, withCrossShrink: true };
    return fc.oneof(constraints, ...arbitraries);
  }

  #ofType(node: SchemaNode, type: TypeName, depth: Depth): fc.Arbitrary<Json> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return numbers(node, type === 'integer');
      case 'string':
        return stringsOf(node.schema);
      case 'array':
        return this.#lists(node, depth);
      case 'object':
        return this.#objects(node, depth);
    }
  }

  #objects(node: SchemaNode, depth: Depth): fc.Arbitrary<Json> {
    const { properties = {}, required = [], minProperties = 0 } = node.schema;
    const usable = Object.entries(properties).filter(([name, schema]) => {
      const member = within(node, schema, 'properties', name);
      return required.includes(name) || (!depth.isMinimal && this.#isPossible(member));
    });
    const members: Record<string, fc.Arbitrary<Json>> = Object.fromEntries(
      usable.map(([name, schema]) => [name, this.#lazily(within(node, schema, 'properties', name), depth)]),
    );
    const other = this.#otherMember(node, depth);
    const missing = required.filter((name) => !Object.hasOwn(members, name));
    for (const name of missing) members[name] = other(name);
    const requiredKeys = required.filter((name) => Object.hasOwn(members, name));
    const record = fc.record(members, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<Record<string, Json>>;
    return this.#withOthers(node, record, { other, minProperties, isMinimal: depth.isMinimal });
  }

  /** The values of a member that `properties` does not have. */
  #otherMember(node: SchemaNode, depth: Depth): (name: string) => fc.Arbitrary<Json> {
    const { patternProperties = {}, additionalProperties } = node.schema;
    return (name) => {
      const [pattern] = Object.keys(patternProperties).filter((each) => new RegExp(each, 'u').test(name));
      if (pattern !== undefined)
        return this.#lazily(within(node, patternProperties[pattern]!, 'patternProperties', pattern), depth);
      if (typeof additionalProperties === 'object')
        return this.#lazily(within(node, additionalProperties, 'additionalProperties'), depth);
      return fc.constantFrom<Json>('a', 1);
    };
  }

  /** The objects, some with members that `properties` does not have, where the schema describes such members. */
  #withOthers(
    node: SchemaNode,
    record: fc.Arbitrary<Record<string, Json>>,
    {
      other,
      minProperties,
      isMinimal,
    }: { other: (name: string) => fc.Arbitrary<Json>; minProperties: number; isMinimal: boolean },
  ): fc.Arbitrary<Json> {
    const {
      patternProperties = {},
      additionalProperties,
      propertyNames,
    } = node.schema as Schema & { propertyNames?: Schema };
    const [pattern] = Object.keys(patternProperties);
    const isDescribed = pattern !== undefined || typeof additionalProperties === 'object' || minProperties > 0;
    if (!isDescribed || (isMinimal && minProperties === 0)) return record;
    const names =
      pattern !== undefined
        ? stringsOf({ pattern })
        : propertyNames === undefined
          ? fc.stringMatching(/^[a-z]{1,6}$/)
          : this.#lazily(within(node, propertyNames, 'propertyNames'), { references: 0, isMinimal }).map(String);
    return record.chain((value) => {
      const missing = Math.max(0, minProperties - Object.keys(value).length);
      return fc
        .uniqueArray(names, { minLength: missing, maxLength: Math.max(missing, isMinimal ? 0 : 2) })
        .chain((added) =>
          fc
            .record(
              Object.fromEntries(
                added.filter((name) => !Object.hasOwn(value, name)).map((name) => [name, other(name)]),
              ),
              {
                noNullPrototype: true,
              },
            )
            .map((rest): Json => ({ ...value, ...rest })),
        );
    });
  }

  #lists(node: SchemaNode, depth: Depth): fc.Arbitrary<Json> {
    const { items = {}, prefixItems = [], contains, minContains = 1, uniqueItems } = node.schema;
    const { minItems: least = 0, maxItems: most = Number.POSITIVE_INFINITY } = node.schema;
    const min = contains === undefined ? least : Math.max(least, minContains);
    const item = within(node, items, 'items');
    const tuple = prefixItems.map((each, index) => this.#lazily(within(node, each, 'prefixItems', index), depth));
    const hasItems = (items as unknown) !== false && this.#isPossible(item);
    const rest = (from: number): fc.Arbitrary<Json[]> => {
      const minLength = Math.max(0, min - from);
      const wanted = depth.isMinimal || !hasItems ? minLength : Math.max(minLength, this.#options.maxItems ?? 3);
      const maxLength = Math.max(minLength, Math.min(most - from, wanted));
      if (maxLength <= 0) return fc.constant([]);
      if (!hasItems) throw new UnsatisfiableSchema(item.pointer, 'its items have no value');
      const length = { minLength, maxLength, depthIdentifier: this.#depthIdentifier };
      const one = this.#lazily(item, depth);
      return uniqueItems
        ? fc.uniqueArray(one, { ...length, selector: (each) => JSON.stringify(each) })
        : fc.array(one, length);
    };
    const size = Math.min(tuple.length, most);
    const lists: fc.Arbitrary<Json[]> =
      size === 0
        ? rest(0)
        : fc.tuple(fc.tuple(...tuple.slice(0, size)), rest(size)).map(([first, others]) => [...first, ...others]);
    if (contains === undefined || minContains === 0) return lists;
    const contained = fc.array(this.#lazily(within(node, contains, 'contains'), depth), {
      minLength: minContains,
      maxLength: minContains,
    });
    return fc
      .tuple(contained, lists)
      .map(([some, others]) => [
        ...others.slice(0, tuple.length),
        ...some,
        ...others.slice(tuple.length + some.length),
      ]);
  }
}

/**
 * Values that satisfy the schema, shrinking to simple ones. A filter validates every value, so keywords that the generator
 * does not use cost time. Throws an UnsatisfiableSchema, at once or when fast-check asks for a value, where there is none or none
 * is found.
 */
export const validValues = (
  document: SchemaDocument,
  node: SchemaNode,
  options: ValidOptions = {},
): fc.Arbitrary<Json> => new ValidValues(document, options).valuesOf(node);
