/** Normal forms of JSON Schema (2020-12, in OpenAPI 3.1): schemas that accept the same values get the same form. */
import { child, isObject, type At, type Json } from './document.ts';

/** The kinds of value that exclude each other; `number` is `integer` and `fraction`. */
const atoms = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'] as const;
export type Atom = (typeof atoms)[number];

/** Annotation keywords, which do not affect validation. */
export const documentation = [
  'title',
  'description',
  'summary',
  'example',
  'examples',
  'externalDocs',
  '$comment',
  'x-expected',
] as const;
const annotations = new Set<string>([
  ...documentation,
  'deprecated',
  'default',
  'readOnly',
  'writeOnly',
  'discriminator',
  'xml',
  '$defs',
  'definitions',
]);
export const isAnnotation = (keyword: string): boolean => annotations.has(keyword) || keyword.startsWith('x-');

/** Whether a schema accepts every value: it is missing, `true`, or has no constraints. */
export const acceptsAll = (schema: unknown): boolean =>
  schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));

/** Canonical JSON: equal values give the same text, independent of the order of members. */
export const stable = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  ) ?? 'undefined';
/** Whether two JSON values are equal, independent of the order of members. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** Whether two JSON values are equal and lead nowhere else, so that nothing about them can differ. */
export const selfContained = (a: unknown, b: unknown): boolean => same(a, b) && !refers(a);
const refers = (value: unknown): boolean =>
  isObject(value)
    ? '$ref' in value || '$dynamicRef' in value || Object.keys(value).some((key) => refers(value[key]))
    : Array.isArray(value) && value.some(refers);

function atomOf(value: unknown): Atom {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value as Atom;
}
const atomsOfType = (type: string): readonly Atom[] => (type === 'number' ? ['integer', 'fraction'] : [type as Atom]);

/** The types of a schema; undefined without `type`, which permits every type. */
export const typesOf = ({ type }: Json): string[] | undefined =>
  typeof type === 'string' ? [type] : Array.isArray(type) ? type.filter((name) => typeof name === 'string') : undefined;

/** The values that `enum` and `const` leave and the type does not refuse; undefined where neither stands. */
export function valuesOf(schema: Json): unknown[] | undefined {
  const listed = Array.isArray(schema.enum) ? (schema.enum as unknown[]) : undefined;
  const values =
    'const' in schema ? [schema.const].filter((value) => listed?.some((other) => same(value, other)) ?? true) : listed;
  const types = typesOf(schema)?.flatMap(atomsOfType);
  return values?.filter((value) => types === undefined || types.includes(atomOf(value)));
}

/** The kinds of value that type, `enum` and `const` leave. */
export function atomsOf(schema: Json): ReadonlySet<Atom> {
  const values = valuesOf(schema);
  return new Set(values ? values.map(atomOf) : (typesOf(schema)?.flatMap(atomsOfType) ?? atoms));
}

type Bound = { readonly value: number; readonly exclusive: boolean };
/** The lower (`sign` 1) or upper (-1) bound of numbers, of integers the inclusive one; negated if upper: larger is tighter. */
export function boundOf(schema: Json, sign: 1 | -1): Bound {
  const [inclusive, exclusive] =
    sign === 1 ? [schema.minimum, schema.exclusiveMinimum] : [schema.maximum, schema.exclusiveMaximum];
  const candidates: Bound[] = [{ value: -Infinity, exclusive: false }];
  if (typeof inclusive === 'number') candidates.push({ value: sign * inclusive, exclusive: false });
  if (typeof exclusive === 'number') candidates.push({ value: sign * exclusive, exclusive: true });
  const kinds = atomsOf(schema);
  const whole = kinds.has('integer') && !kinds.has('fraction');
  return candidates
    .map((bound) =>
      whole && Number.isFinite(bound.value)
        ? { value: bound.exclusive ? Math.floor(bound.value) + 1 : Math.ceil(bound.value), exclusive: false }
        : bound,
    )
    .reduce((a, b) => (compareBounds(a, b) >= 0 ? a : b));
}
/** Positive when `a` is the tighter bound, 0 when both are the same. */
export const compareBounds = (a: Bound, b: Bound): number =>
  a.value === b.value ? Number(a.exclusive) - Number(b.exclusive) : a.value > b.value ? 1 : -1;

const coupled = [
  ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ['items', 'prefixItems', 'unevaluatedItems'],
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
  ['type', 'enum', 'const'],
];

/** The schema with the inline parts of `allOf` written into it, where no keyword of one part is read together with another's. */
export function flattened(schema: Json): Json {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...rest } = schema;
  const remaining: unknown[] = [];
  let merged: Json = rest;
  for (const part of allOf as unknown[]) {
    const keys = isObject(part) ? Object.keys(part).filter((key) => !isAnnotation(key)) : [];
    const clashes = (key: string): boolean => {
      const group = coupled.find((keywords) => keywords.includes(key)) ?? [key];
      return (
        group.some((keyword) => keyword in merged) &&
        !group.every((keyword) => same(merged[keyword], (part as Json)[keyword]))
      );
    };
    if (!isObject(part) || '$ref' in part || 'allOf' in part || keys.some(clashes)) remaining.push(part);
    else merged = { ...part, ...merged };
  }
  return remaining.length > 0 ? { ...merged, allOf: remaining } : merged;
}

/** Which keyword lists the alternatives of a schema; undefined where it has none. */
export const unionOf = (schema: Json): 'oneOf' | 'anyOf' | undefined =>
  Array.isArray(schema.oneOf) ? 'oneOf' : Array.isArray(schema.anyOf) ? 'anyOf' : undefined;
/** Whether the alternatives are all that the schema demands. */
export const isPureUnion = (schema: Json): boolean => {
  const demands = Object.keys(schema).filter((key) => !isAnnotation(key));
  return demands.length === 1 && unionOf(schema) !== undefined;
};

/** A schema of several types as one alternative for each of them; otherwise the schema itself. */
export function splitByType(at: At): At[] {
  const schema = at.value as Json;
  const types = typesOf(schema) ?? [];
  if (types.length < 2) return [at];
  const demands = Object.fromEntries(Object.entries(schema).filter(([key]) => !isAnnotation(key)));
  return types.map((type) => ({ ...at, value: { ...demands, type }, variant: type }));
}

/** The discriminant of an object schema: the constants of its required members. */
export function tagOf(schema: Json, follow: (name: string) => unknown): string | undefined {
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  const constants = required.flatMap((name) => {
    const member = follow(name);
    const values = isObject(member) ? valuesOf(member) : undefined;
    return values?.length === 1 ? [[name, values[0]]] : [];
  });
  return constants.length > 0 ? stable(constants.sort()) : undefined;
}

/** Whether no value is valid by both schemas, judging by types, enumerations and required members. */
export function excludes(a: At, b: At, followA: (at: At) => At, followB: (at: At) => At): boolean {
  const [x, y] = [followA(a).value, followB(b).value];
  if (x === false || y === false) return true;
  if (!isObject(x) || !isObject(y)) return false;
  const common = atomsOf(x).intersection(atomsOf(y));
  if (common.size === 0) return true;
  const [mine, others] = [valuesOf(x), valuesOf(y)];
  if (mine && others && !mine.some((value) => others.some((other) => same(value, other)))) return true;
  if ([...common].some((kind) => kind !== 'object')) return false;
  const [left, right] = [requiredOf(x), requiredOf(y)];
  const closedTo = (schema: Json, names: readonly string[]): boolean =>
    schema.additionalProperties === false &&
    !('patternProperties' in schema) &&
    names.some((name) => !Object.hasOwn(schema.properties ?? {}, name));
  if (closedTo(x, right) || closedTo(y, left)) return true;
  // What one of them demands stands in every value that fits both.
  return [...left, ...right].some((name) => {
    const [p, q] = [memberValues(followA(a), name, followA), memberValues(followB(b), name, followB)];
    return p !== undefined && q !== undefined && !p.some((value) => q.some((other) => same(value, other)));
  });
}
const memberValues = (schema: At, name: string, follow: (at: At) => At): unknown[] | undefined => {
  const member = child(schema, 'properties', name);
  if (member.value === undefined) return undefined;
  const { value } = follow(member);
  return isObject(value) ? valuesOf(value) : undefined;
};

/** The required members of a schema. */
export const requiredOf = (schema: Json): string[] =>
  Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
