/** Reads the members of forms: `application/x-www-form-urlencoded`, and the fields of `multipart/form-data`. */
import { mediaKind, mediaTypeOf } from './media-type.ts';
import { parameterOf, type Encoding, type Media, type OpenApiDocument, type Parameter } from './openapi.ts';
import { belongsTo, queryValues, shapeOf, type RawPair, type Shape } from './parameter-value.ts';
import { resolve } from './plain-document.ts';
import { badRequest, ServiceError } from './service-error.ts';
import { isObject } from '../text/object.ts';

/** A member of a form. */
export interface FormMember {
  readonly name: string;
  readonly schema: unknown;
  readonly shape: Shape;
  readonly parameter: Parameter;
  readonly encoding: Encoding | undefined;
  /** Whether its values are files. */
  readonly isFile: boolean;
  /** Whether it can have several values. */
  readonly isList: boolean;
}

/** Whether a schema describes bytes (OpenAPI 3.1, "Considerations for File Uploads", and `format: binary` of 3.0). */
function isBinary(document: object, described: unknown, contentType: string | undefined): boolean {
  const schema = resolve<unknown>(document, described as object);
  const isBytes =
    contentType !== undefined && contentType.split(',').every((type) => mediaKind(type.trim()) === 'binary');
  if (!isObject(schema)) return isBytes;
  if (schema.format === 'binary') return true;
  if (typeof schema.contentMediaType === 'string' && schema.contentEncoding === undefined) return true;
  return (
    schema.type === undefined &&
    schema.$ref === undefined &&
    schema.properties === undefined &&
    schema.enum === undefined &&
    isBytes
  );
}

/** The declared members of a form, those of the parts of `allOf` included. */
export function formMembers(document: OpenApiDocument, { schema, encoding }: Media): Map<string, FormMember> {
  const properties = new Map<string, unknown>();
  const collect = (described: unknown, depth: number): void => {
    const part = resolve<unknown>(document, described as object);
    if (!isObject(part) || depth > 20) return;
    for (const [name, property] of Object.entries(isObject(part.properties) ? part.properties : {}))
      properties.set(name, property);
    for (const each of Array.isArray(part.allOf) ? part.allOf : []) collect(each, depth + 1);
  };
  collect(schema, 0);
  return new Map([...properties].map(([name, property]) => [name, memberOf(document, name, property, encoding[name])]));
}

function memberOf(
  document: OpenApiDocument,
  name: string,
  schema: unknown,
  encoding: Encoding | undefined,
): FormMember {
  const shape = shapeOf(document, schema);
  const resolved = resolve<unknown>(document, schema as object);
  const isList = shape.types.has('array');
  const items = isObject(resolved) ? resolved.items : undefined;
  const { style, explode } = encoding ?? {};
  const described = { name, in: 'query', ...(style && { style }), ...(explode !== undefined && { explode }) };
  return {
    name,
    schema,
    shape,
    encoding,
    isList,
    isFile: isBinary(document, isList ? (items ?? {}) : schema, encoding?.contentType),
    parameter: parameterOf(document, { ...described, schema: {} }),
  };
}

/** Whether a member is written as JSON: an object, or a list of objects, unless the contract states another way. */
export function isJsonMember({ encoding, shape }: FormMember): boolean {
  if (encoding?.contentType !== undefined) return mediaKind(encoding.contentType) === 'json';
  if (encoding?.style !== undefined) return false;
  return shape.types.has('object') || shape.item(0).types.has('object');
}

/** Parses a member that is written as JSON. Throws 400. */
export function parseMember(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`member '${name}' of the body is not valid JSON`);
  }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest('the body is not valid percent-encoded UTF-8');
  }
};

/** The value of an encoded form. Throws 400. */
export function parseForm(members: ReadonlyMap<string, FormMember>, text: string): Record<string, unknown> {
  const groups = new Map<string, RawPair[]>();
  for (const pair of text.split('&').filter((each) => each !== '')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const owner = [...members.values()].find(({ parameter, shape }) => belongsTo(parameter, shape, name));
    const key = owner?.name ?? name;
    groups.set(key, [...(groups.get(key) ?? []), { name, raw: equals < 0 ? '' : pair.slice(equals + 1) }]);
  }
  const entries = [...groups].map(([name, pairs]) => [name, valueOf(name, members.get(name), pairs)]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function valueOf(name: string, member: FormMember | undefined, pairs: readonly RawPair[]): unknown {
  const texts = pairs.map(({ raw }) => decode(raw));
  if (member === undefined) return texts.length === 1 ? texts[0] : texts;
  if (isJsonMember(member)) return jsonValue(name, member, texts);
  const values = queryValues(member.parameter, member.shape, pairs, decode);
  if (values === undefined) throw badRequest(`member '${name}' of the body is given more than once`);
  return values[0];
}

/** The value of a member that is written as JSON: a list can be one text, or one text for each item. */
export function jsonValue(name: string, member: FormMember, texts: readonly string[]): unknown {
  const values = texts.map((text) => parseMember(name, text));
  if (!member.isList) {
    if (values.length > 1) throw badRequest(`member '${name}' of the body is given more than once`);
    return values[0];
  }
  return values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
}

/** Throws 415 for a part whose media type the contract does not list. */
export function checkPartType({ name, encoding }: FormMember, contentType: string): void {
  const allowed = encoding?.contentType?.split(',').map((type) => type.trim());
  if (allowed === undefined) return;
  const [type = '', subtype = ''] = mediaTypeOf(contentType).split('/');
  const fits = allowed.some((each) => {
    const [allowedType, allowedSubtype] = mediaTypeOf(each).split('/');
    return (allowedType === '*' || allowedType === type) && (allowedSubtype === '*' || allowedSubtype === subtype);
  });
  if (!fits)
    throw new ServiceError(
      415,
      `member '${name}' of the body must be ${allowed.join(' or ')}, not '${type}/${subtype}'`,
    );
}

/** The schema of a form without what its files are: Ajv knows no files. */
export function schemaWithoutFiles(
  document: OpenApiDocument,
  { schema = {} }: Media,
  members: ReadonlyMap<string, FormMember>,
): object {
  const files = [...members.values()].filter(({ isFile }) => isFile);
  if (files.length === 0) return schema;
  const strip = (described: unknown, depth: number): unknown => {
    const part = resolve<unknown>(document, described as object);
    if (!isObject(part) || depth > 20) return part;
    const properties = isObject(part.properties) ? { ...part.properties } : undefined;
    for (const { name, isList } of files)
      if (properties !== undefined && Object.hasOwn(properties, name)) {
        const own = resolve<unknown>(document, properties[name] as object);
        const { minItems, maxItems } = isObject(own) ? own : {};
        const count = { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) };
        properties[name] = isList ? { type: 'array', ...count } : {};
      }
    return {
      ...part,
      ...(properties && { properties }),
      ...(Array.isArray(part.allOf) && { allOf: part.allOf.map((each) => strip(each, depth + 1)) }),
    };
  };
  return strip(schema, 0) as object;
}
