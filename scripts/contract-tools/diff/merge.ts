/**
 * Writes the parts of an `allOf` into one schema, references included, so that two structures with the same meaning compare
 * as equal: a reference and an `allOf` of only that reference, or a schema and the base and extension it was split into.
 */
import { isAnnotation, requiredOf, same, typesOf } from './canonical.ts';
import { address, child, children, isObject, items, type At, type Json, type Revision } from './document.ts';

/** A reference to a place of the same document, so that what is merged keeps its own position. */
const referenceTo = ({ pointer }: At): Json => ({ $ref: `#${encodeURI(pointer)}` });
const merge = (one: unknown, other: unknown): unknown => (same(one, other) ? one : { allOf: [one, other] });

/** Merges the value of a keyword of two schemas; undefined where that is not possible. */
type MergeKeyword = (one: unknown, other: unknown) => unknown;
const larger: MergeKeyword = (one, other) => Math.max(Number(one), Number(other));
const smaller: MergeKeyword = (one, other) => Math.min(Number(one), Number(other));

const mergers: Readonly<Record<string, MergeKeyword>> = {
  minLength: larger,
  maxLength: smaller,
  minItems: larger,
  maxItems: smaller,
  minProperties: larger,
  maxProperties: smaller,
  minimum: larger,
  maximum: smaller,
  exclusiveMinimum: larger,
  exclusiveMaximum: smaller,
  uniqueItems: (one, other) => one === true || other === true,
  required: (one, other) => [...new Set([...requiredOf({ required: one }), ...requiredOf({ required: other })])],
  items: merge,
  propertyNames: merge,
  type(one, other) {
    const [types, others] = [typesOf({ type: one }) ?? [], typesOf({ type: other }) ?? []];
    const common = types.filter((type) => others.includes(type) || (type === 'integer' && others.includes('number')));
    const integers = others.filter((type) => type === 'integer' && types.includes('number') && !types.includes(type));
    const both = [...common, ...integers];
    return both.length === 0 ? undefined : both.length === 1 ? both[0] : both;
  },
  properties(one, other) {
    if (!isObject(one) || !isObject(other)) return undefined;
    const shared = Object.entries(other).map(([name, schema]) => [
      name,
      Object.hasOwn(one, name) ? merge(one[name], schema) : schema,
    ]);
    return { ...one, ...Object.fromEntries(shared) };
  },
};

/** Keywords that are read together: those of a group can come from one part only. */
const groups = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
  ['items', 'prefixItems', 'unevaluatedItems'],
];
/** Keywords that look at the properties beside them. */
const rests = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'];

/** Whether a schema excludes additional properties, and another one has some. */
function closesAgainst(closed: Json, other: Json): boolean {
  if (!rests.some((keyword) => keyword in closed && closed[keyword] !== true)) return false;
  const known = isObject(closed.properties) ? closed.properties : {};
  return Object.keys(isObject(other.properties) ? other.properties : {}).some((name) => !Object.hasOwn(known, name));
}

const assertionsOf = (schema: Json): string[] => Object.keys(schema).filter((key) => !isAnnotation(key));

/** One schema for two; undefined where their keywords cannot be written into one. */
function mergeSchemas(one: Json, other: Json): Json | undefined {
  // `unevaluatedProperties` of the outer schema sees the properties of its parts.
  const { unevaluatedProperties: _, ...inner } = one;
  if (closesAgainst(inner, other) || closesAgainst(other, one)) return undefined;
  const [mine, others] = [assertionsOf(one), assertionsOf(other)];
  // In a part, they see only the properties and items of this part.
  if (others.some((key) => key.startsWith('unevaluated'))) return undefined;
  const isSplit = (group: readonly string[]): boolean => {
    const [ours, theirs] = [mine, others].map((keys) => keys.filter((key) => group.includes(key)).join());
    if (ours === '' || theirs === '' || (ours === 'items' && theirs === 'items')) return false;
    return !group.every((key) => same(one[key], other[key]));
  };
  if (groups.some(isSplit)) return undefined;
  const merged: Json = { ...other, ...one };
  for (const key of others) {
    if (!mine.includes(key) || same(one[key], other[key])) continue;
    const value = mergers[key]?.(one[key], other[key]);
    if (value === undefined) return undefined;
    merged[key] = value;
  }
  return merged;
}

/** A schema whose properties and items are references to their places. */
function placed(at: At): Json {
  const schema = at.value as Json;
  const properties = child(at, 'properties');
  return {
    ...schema,
    ...(isObject(schema.properties) && {
      properties: Object.fromEntries(children(properties).map(([name, inner]) => [name, referenceTo(inner)])),
    }),
    ...(isObject(schema.items) && { items: referenceTo(child(at, 'items')) }),
  };
}

/**
 * The schema at a place with all parts of its `allOf` and its `$ref` written into it; undefined where they cannot be
 * written into one schema, or the schema is a part of itself.
 */
export function mergedSchema(revision: Revision, at: At, within: readonly string[] = []): Json | undefined {
  const { value } = at;
  if (!isObject(value) || within.includes(address(at))) return undefined;
  const { allOf: _, $ref, ...own } = within.length === 0 ? value : placed(at);
  const inner = [...within, address(at)];
  const parts = items(child(at, 'allOf'));
  if (typeof $ref === 'string') parts.push({ ...at, value: { $ref }, variant: 'its $ref' });
  return parts.reduce<Json | undefined>((merged, part) => {
    if (part.value === true) return merged;
    const schema = mergedSchema(revision, revision.follow(part), inner);
    return merged && schema && mergeSchemas(merged, schema);
  }, own);
}

/** The references among the parts of an `allOf`, in any depth of it. */
export const referencesOf = (schema: Json): string[] =>
  (Array.isArray(schema.allOf) ? schema.allOf : [])
    .flatMap((part: unknown) =>
      isObject(part) ? [...(typeof part.$ref === 'string' ? [part.$ref] : []), ...referencesOf(part)] : [],
    )
    .toSorted();

/** The keywords with a list of parts. */
const combinations = ['allOf', 'anyOf', 'oneOf'];

/**
 * A schema that only wraps another one (`allOf`, `anyOf` or `oneOf` with one part, and annotations) as that one with these
 * annotations. Any other schema stays as it is.
 */
export function unwrapped(at: At): At {
  const { value } = at;
  if (!isObject(value)) return at;
  const [keyword, ...others] = assertionsOf(value);
  if (keyword === undefined || others.length > 0 || !combinations.includes(keyword)) return at;
  const parts = value[keyword];
  if (!Array.isArray(parts) || parts.length !== 1) return at;
  const [part] = parts as unknown[];
  if (part === true) return at;
  const { [keyword]: _, ...annotations } = value;
  // Annotations of the wrapper describe it; without any, it is the part.
  if (Object.keys(annotations).length === 0 || !isObject(part)) return unwrapped(child(at, keyword, 0));
  return unwrapped({ ...at, value: { ...part, ...annotations }, variant: 'unwrapped' });
}
