/** Reads the values of parameters by their style (OpenAPI 3.1, "Style Values"; RFC 6570). */
import { hasMembers, isObject } from '../text/object.ts';
import type { Parameter } from './openapi.ts';
import { resolve } from './plain-document.ts';

/** What a schema says about the types of its values, alternatives included. */
export interface Shape {
  /** Empty where every type is allowed. */
  readonly types: ReadonlySet<string>;
  /** The schema of a member of an object. */
  readonly member: (name: string) => Shape;
  /** The schema of an item of a list. */
  readonly item: (index: number) => Shape;
  /** The names of the declared members. */
  readonly members: ReadonlySet<string>;
  /** Whether an object can have members that are not declared. */
  readonly isOpen: boolean;
}

const typeOfValue = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'bigint' ? 'integer' : typeof value;

/** Maximum depth of alternatives and references. */
const maxDepth = 20;

/** All schemas that a value of a schema may have to conform to: itself, its references, parts and alternatives. */
function alternatives(document: object, schema: unknown, depth = 0): Record<string, unknown>[] {
  if (!isObject(schema) || depth > maxDepth) return [];
  const { $ref, allOf, anyOf, oneOf } = schema;
  const parts = [allOf, anyOf, oneOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  const target = typeof $ref === 'string' ? [resolve<unknown>(document, { $ref })] : [];
  return [schema, ...[...target, ...parts].flatMap((part) => alternatives(document, part, depth + 1))];
}

function typesOf(schemas: readonly Record<string, unknown>[]): Set<string> {
  return new Set(
    schemas.flatMap((schema) => {
      if (schema.type !== undefined) return [schema.type].flat().map(String);
      if ('const' in schema) return [typeOfValue(schema.const)];
      if (Array.isArray(schema.enum)) return schema.enum.map(typeOfValue);
      if (schema.items !== undefined || schema.prefixItems !== undefined) return ['array'];
      return schema.properties !== undefined ? ['object'] : [];
    }),
  );
}

/** The shape of the values of a schema. */
export function shapeOf(document: object, ...described: readonly unknown[]): Shape {
  const schemas = described.flatMap((schema) => alternatives(document, schema));
  const pick = (select: (schema: Record<string, unknown>) => unknown): Shape => {
    const found = schemas.map(select).filter((schema) => schema !== undefined);
    return shapeOf(document, ...found);
  };
  const propertiesOf = ({ properties }: Record<string, unknown>): Record<string, unknown> =>
    isObject(properties) ? properties : {};
  return {
    types: typesOf(schemas),
    members: new Set(schemas.flatMap((schema) => Object.keys(propertiesOf(schema)))),
    isOpen: schemas.some(
      (schema) =>
        isObject(schema.additionalProperties) ||
        schema.additionalProperties === true ||
        isObject(schema.patternProperties),
    ),
    member: (name) =>
      pick((schema) => {
        const properties = propertiesOf(schema);
        return Object.hasOwn(properties, name)
          ? properties[name]
          : (Object.values(isObject(schema.patternProperties) ? schema.patternProperties : {})[0] ??
              schema.additionalProperties);
      }),
    item: (index) =>
      pick((schema) => (Array.isArray(schema.prefixItems) ? schema.prefixItems[index] : undefined) ?? schema.items),
  };
}

const integer = /^-?\d+$/;
const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The values that a text can mean, the most special first; the text itself where it means nothing else. */
function scalars({ types }: Shape, text: string): unknown[] {
  const found: unknown[] = [];
  const value = Number(text);
  if (types.has('integer') && integer.test(text) && Number.isSafeInteger(value)) found.push(value);
  if (types.has('number') && number.test(text) && Number.isFinite(value)) found.push(value);
  if (types.has('integer') && !types.has('number') && /^-?\d+\.0+$/.test(text)) found.push(value);
  if (types.has('boolean') && (text === 'true' || text === 'false')) found.push(text === 'true');
  if (types.has('null') && text === 'null' && !types.has('string')) found.push(null);
  found.push(text);
  return found;
}

/** The value of a text inside a list or an object. */
const scalar = (shape: Shape, text: string): unknown => scalars(shape, text)[0];

const listOf = (shape: Shape, texts: readonly string[]): unknown[] =>
  texts.map((text, index) => scalar(shape.item(index), text));

function objectOf(shape: Shape, pairs: readonly (readonly [string, string])[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [name, text] of pairs) {
    const value = scalar(shape.member(name), text);
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return object;
}

/** Pairs from names and values in turn. Undefined for an odd number. */
function inTurn(texts: readonly string[]): [string, string][] | undefined {
  if (texts.length % 2 === 1) return undefined;
  return texts.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, texts[index + 1]!]] : []));
}

/** Pairs from texts such as `name=value`. Undefined for a text without `=`. */
function equations(texts: readonly string[], decode: Decode): [string, string][] | undefined {
  const pairs = texts.map((text): [string, string] | undefined => {
    const equals = text.indexOf('=');
    return equals < 0 ? undefined : [decode(text.slice(0, equals)), decode(text.slice(equals + 1))];
  });
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
}

/** Decodes a part of a value after it has been split. */
export type Decode = (text: string) => string;

/** The possible values of a parameter in one text, such as `a,b`; the first that conforms to the schema is meant. */
function valuesOfText(
  shape: Shape,
  text: string,
  {
    split,
    explode,
    decode,
  }: { readonly split: (text: string) => string[]; readonly explode: boolean; readonly decode: Decode },
): unknown[] {
  const parts = split(text);
  const pairs = shape.types.has('object')
    ? explode
      ? equations(parts, decode)
      : inTurn(parts.map(decode))
    : undefined;
  const structured = [
    ...(pairs === undefined ? [] : [objectOf(shape, pairs)]),
    ...(shape.types.has('array') ? [listOf(shape, parts.map(decode))] : []),
  ];
  const plain = scalars(shape, decode(text));
  // One text without delimiters is a scalar rather than a list of one item, where both are possible.
  return allowsScalars(shape) && parts.length === 1 ? [...plain, ...structured] : [...structured, ...plain];
}

/** Whether a value may be neither a list nor an object. */
const allowsScalars = ({ types }: Shape): boolean => [...types].some((type) => type !== 'array' && type !== 'object');

/** Whether a value may be a list or an object. */
export const isStructured = ({ types }: Shape): boolean => types.has('array') || types.has('object');

const byComma = (text: string): string[] => text.split(',');
const byEncodedComma = (text: string): string[] => text.split(/%2c/i);
/** The delimiter itself, or in percent-encoding where it does not occur itself. */
const byBar = (text: string): string[] => (text.includes('|') ? text.split('|') : text.split(/%7c/i));
const bySpace = (text: string): string[] => text.split(/%20|\+| /);

/** The possible values of a parameter in the path, as the request has it, or undefined if its prefix is missing. */
export function pathValues(
  { name, style, explode }: Parameter,
  shape: Shape,
  raw: string,
  decode: Decode,
): unknown[] | undefined {
  const read = (text: string, split: (part: string) => string[]): unknown[] =>
    valuesOfText(shape, text, { split, explode, decode });
  if (style === 'label')
    return raw.startsWith('.') ? read(raw.slice(1), explode ? (text) => text.split('.') : byComma) : undefined;
  if (style !== 'matrix') return read(raw, byComma);
  if (!raw.startsWith(';')) return undefined;
  const parts = raw.slice(1).split(';');
  // The name may be percent-encoded.
  const texts = parts.map((part) => {
    const equals = part.indexOf('=');
    return equals >= 0 && decode(part.slice(0, equals)) === name ? part.slice(equals + 1) : undefined;
  });
  if (explode && shape.types.has('object')) {
    const pairs = equations(parts, decode);
    return pairs === undefined ? undefined : [objectOf(shape, pairs)];
  }
  if (!texts.every((text) => text !== undefined)) return undefined;
  if (explode && shape.types.has('array'))
    return [listOf(shape, texts.map(decode)), ...scalars(shape, decode(texts[0]!))];
  return texts.length === 1 ? read(texts[0]!, byComma) : undefined;
}

/** The possible values of a parameter in a header or a cookie. */
export const fieldValues = ({ explode, style }: Parameter, shape: Shape, raw: string, decode: Decode): unknown[] =>
  valuesOfText(shape, raw, {
    split: (text) => text.split(',').map((part) => (style === 'simple' ? part.trim() : part)),
    explode: style === 'simple' && explode,
    decode,
  });

/** A pair of a query: the decoded name, and the value as it was sent. */
export interface RawPair {
  readonly name: string;
  readonly raw: string;
}

/** The name of a member of a deepObject, such as `min` of `filter[min]`. */
function memberName(parameter: string, name: string): string | undefined {
  if (!name.startsWith(`${parameter}[`) || !name.endsWith(']')) return undefined;
  const inner = name.slice(parameter.length + 1, -1);
  return /^[^[\]]*$/.test(inner) ? inner : /^[^[\]]*\]\[$/.test(inner) ? inner.slice(0, -2) : undefined;
}

/** Whether a pair of the query belongs to a parameter. An open object takes every pair that is not another parameter's. */
export function belongsTo({ name, style, explode }: Parameter, shape: Shape, pair: string): boolean {
  if (style === 'deepObject') return memberName(name, pair) !== undefined;
  if (style === 'form' && explode && shape.types.has('object') && !shape.types.has('array') && pair !== name)
    return shape.members.has(pair);
  return pair === name;
}

/** The members of a deepObject; a member that is repeated is a list. */
function deepObject(
  { name }: Parameter,
  shape: Shape,
  pairs: readonly RawPair[],
  decode: Decode,
): Record<string, unknown> {
  const texts = Map.groupBy(pairs, (pair) => memberName(name, pair.name) ?? '');
  const object: Record<string, unknown> = {};
  for (const [member, given] of texts) {
    const own = shape.member(member);
    const values = given.map(({ raw }) => decode(raw));
    const value = own.types.has('array') ? listOf(own, values) : values.length > 1 ? values : scalar(own, values[0]!);
    Object.defineProperty(object, member, { value, enumerable: true, writable: true, configurable: true });
  }
  return object;
}

/**
 * The possible values of a parameter in the query, or of a field of a form, from the pairs that belong to it. Undefined where a
 * scalar is given more than once.
 */
export function queryValues(
  parameter: Parameter,
  shape: Shape,
  pairs: readonly RawPair[],
  decode: Decode,
): unknown[] | undefined {
  const { name, style, explode } = parameter;
  if (style === 'deepObject') return [deepObject(parameter, shape, pairs, decode)];
  const raws = pairs.map(({ raw }) => raw);
  if (explode && style === 'form') {
    const isObjectOnly = shape.types.has('object') && !shape.types.has('array');
    if (isObjectOnly && pairs.some((pair) => pair.name !== name))
      return [
        objectOf(
          shape,
          pairs.map((pair) => [pair.name, decode(pair.raw)] as const),
        ),
      ];
    if (shape.types.has('array')) {
      const list = listOf(shape, raws.map(decode));
      return raws.length === 1 && allowsScalars(shape) ? [...scalars(shape, decode(raws[0]!)), list] : [list];
    }
  }
  // Repeated names of a list in another style are one list, as for explode.
  if (raws.length > 1) return shape.types.has('array') ? [listOf(shape, raws.map(decode))] : undefined;
  const split = { pipeDelimited: byBar, spaceDelimited: bySpace }[style as string] ?? byComma;
  const text = raws[0]!;
  const options = { explode: explode && style === 'form', decode };
  const values = valuesOfText(shape, text, { split, ...options });
  // Many programs encode the delimiter too: it is one where the text as a single item does not conform to the schema.
  const isEncoded = split === byComma && !text.includes(',') && /%2c/i.test(text);
  return isEncoded ? [...values, ...valuesOfText(shape, text, { split: byEncodedComma, ...options })] : values;
}

/** The text of a header value, as the style `simple` writes it. */
export function headerText({ explode, mediaType }: Parameter, value: unknown): string {
  if (mediaType !== undefined) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(String).join(',');
  if (!hasMembers(value)) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}${explode ? '=' : ','}${String(member)}`)
    .join(',');
}
