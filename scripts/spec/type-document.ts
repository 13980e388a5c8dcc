/** Prepares a document for openapi-typescript, so that its types say what the server and the client do. */
import { DirectedSchemas, hasDirections } from '../../server/contract/direction.ts';
import { mediaKind } from '../../server/contract/media-type.ts';
import { isObject } from '../../server/text/object.ts';

type Json = Record<string, unknown>;
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** A copy in which `change` has replaced the members of objects; `path` are the names that lead to them. */
function mapMembers(
  value: unknown,
  change: (object: Json, path: readonly string[]) => Json,
  path: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((each, index) => mapMembers(each, change, [...path, String(index)]));
  if (!isObject(value)) return value;
  const members = Object.entries(change(value, path)).map(([name, each]) => [
    name,
    mapMembers(each, change, [...path, name]),
  ]);
  return Object.fromEntries(members);
}

/** Whether a path leads to the data of an example, a default or a constant. */
const isData = (path: readonly string[]): boolean =>
  path.some(
    (name, index) =>
      ['example', 'examples', 'default', 'const', 'enum'].includes(name) && path[index - 1] !== 'properties',
  );

/**
 * Without the names of the operations of webhooks and callbacks, which this service does not serve, and without `discriminator`:
 * in 3.1 it is an annotation, of which openapi-typescript makes types that no validator checks.
 */
export const withoutForeignNames = (document: object): object =>
  mapMembers(document, (object, path) => {
    if (isData(path)) return object;
    const { discriminator: _, ...rest } = object;
    const isSchema = _ !== undefined && isObject(_) && path.at(-1) !== 'properties';
    const own = isSchema ? rest : object;
    if (path[0] !== 'webhooks' && !path.includes('callbacks')) return own;
    const { operationId, ...operation } = own;
    return operationId !== undefined && 'responses' in own ? operation : own;
  }) as object;

/** With `format: binary` at the members of forms that are files by their encoding alone. */
export const withBinaryParts = (document: object): object =>
  mapMembers(document, (object) => {
    const { encoding, schema } = object;
    if (!isObject(encoding) || !isObject(schema) || !isObject(schema.properties)) return object;
    const properties = Object.entries(schema.properties).map(([name, property]) => {
      const { contentType } = objectOf(encoding[name]);
      const isFile =
        typeof contentType === 'string' && contentType.split(',').every((type) => mediaKind(type.trim()) === 'binary');
      return [name, isFile ? asFile(property) : property];
    });
    return { ...object, schema: { ...schema, properties: Object.fromEntries(properties) } };
  }) as object;

function asFile(property: unknown): unknown {
  const { type, items, $ref } = objectOf(property);
  if (type === 'array') return { ...objectOf(property), items: asFile(items) };
  return type === undefined && $ref === undefined
    ? { ...objectOf(property), type: 'string', format: 'binary' }
    : property;
}

const prefix = '#/components/schemas/';
const refersTo = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"/]+)"/g)].map(([, name = '']) => name);

/** The schemas that have members for one direction only, also in what they refer to. */
function directedNames(schemas: Json): Set<string> {
  const names = new Set(Object.keys(schemas).filter((name) => hasDirections(schemas[name])));
  for (let size = -1; size !== names.size;) {
    size = names.size;
    for (const [name, schema] of Object.entries(schemas))
      if (refersTo(schema).some((each) => names.has(each))) names.add(name);
  }
  return names;
}

/**
 * With schemas of one direction: a component `X` that has `readOnly` or `writeOnly` members, itself or in what it refers to, is that of
 * responses, and `XInput` that of requests. Request bodies and parameters refer to `XInput`.
 */
export function directedTypes(document: object): object {
  if (!hasDirections(document)) return document;
  const components = objectOf((document as Json).components);
  const schemas = objectOf(components.schemas);
  const directed = directedNames(schemas);
  const inputName = (name: string): string => {
    const input = `${name}Input`;
    return Object.hasOwn(schemas, input) ? inputName(input) : input;
  };
  const request = new DirectedSchemas(document, 'request', 'omit');
  const response = new DirectedSchemas(document, 'response', 'omit');
  const toInput = (value: unknown): unknown =>
    mapMembers(value, (object) => {
      const name =
        typeof object.$ref === 'string' && object.$ref.startsWith(prefix) ? object.$ref.slice(prefix.length) : '';
      return directed.has(name) ? { ...object, $ref: `${prefix}${inputName(name)}` } : object;
    });
  const isInput = (path: readonly string[]): boolean =>
    path.some((name) => ['requestBody', 'requestBodies', 'parameters'].includes(name));
  const places = mapMembers({ ...(document as Json), components: { ...components, schemas: {} } }, (object, path) => {
    if (!('schema' in object) || isData(path)) return object;
    const schema = isInput(path) ? toInput(request.convert(object.schema)) : response.convert(object.schema);
    return { ...object, schema };
  }) as Json;
  const all = Object.entries(schemas).flatMap(([name, schema]): [string, unknown][] =>
    directed.has(name)
      ? [
          [name, response.convert(schema)],
          [inputName(name), toInput(request.convert(schema))],
        ]
      : [[name, schema]],
  );
  return { ...places, components: { ...objectOf(places.components), schemas: Object.fromEntries(all) } };
}
