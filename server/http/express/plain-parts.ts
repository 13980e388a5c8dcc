/**
 * Which parts of a contract express-openapi-validator gets: those that it reads right. It has faults with alternatives of schemas
 * (it validates by the wrong branch of a `discriminator`), with boolean schemas, and with most keywords of JSON Schema 2020-12;
 * with members that every object inherits; it cannot read cookies without another parser, most styles, media types of parameters, and files. `parameters.ts` and `body.ts` read
 * the rest.
 */
import type { OpenApiDocument, OperationMetadata, Parameter, RequestBody } from '../../contract/openapi.ts';
import { resolve } from '../../contract/plain-document.ts';
import { isFrameRequestHeader } from '../../contract/frame-headers.ts';
import { isObject } from '../../text/object.ts';

const simple = new Set([
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength'],
  ...['maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems', 'minProperties'],
  ...['maxProperties', 'title', 'description', 'default', 'deprecated', 'example', 'examples', '$comment'],
]);
const unions = ['oneOf', 'anyOf', 'allOf'];

/** Whether every object has a member of this name, such as `constructor`: the validator finds it where it was not sent. */
const isInherited = (name: unknown): boolean => typeof name === 'string' && name in {};

/** Whether a schema consists of keywords that the validator knows. `withUnions`: whether it may have alternatives. */
export function isPlainSchema(
  document: object,
  described: unknown,
  withUnions: boolean,
  seen = new Set<unknown>(),
): boolean {
  if (!isObject(described)) return false;
  if (seen.has(described)) return true;
  seen.add(described);
  const inner = (schema: unknown): boolean => isPlainSchema(document, schema, withUnions, seen);
  if (typeof described.$ref === 'string')
    return (
      Object.keys(described).every((name) => ['$ref', 'description'].includes(name)) &&
      described.$ref.startsWith('#/components/schemas/') &&
      inner(resolve<unknown>(document, { $ref: described.$ref }))
    );
  return Object.entries(described).every(([name, value]) => {
    if (name === 'required') return Array.isArray(value) && !value.some(isInherited);
    if (simple.has(name) || name.startsWith('x-')) return true;
    if (name === 'properties')
      return isObject(value) && !Object.keys(value).some(isInherited) && Object.values(value).every(inner);
    if (name === 'items') return inner(value);
    if (name === 'additionalProperties') return typeof value === 'boolean' || inner(value);
    return withUnions && unions.includes(name) && Array.isArray(value) && value.every(inner);
  });
}

/** Whether a parameter is a text or a whole number in the usual style. */
function isPlainParameter(document: object, parameter: Parameter): boolean {
  const { in: place, name, style, mediaType, allowEmptyValue, schema } = parameter;
  const isUsual =
    style === (place === 'query' ? 'form' : 'simple') && mediaType === undefined && allowEmptyValue !== true;
  if (!isUsual || isInherited(name) || !isPlainSchema(document, schema, false)) return false;
  if (place === 'header') return schema.type === 'string' && isFrameRequestHeader(name);
  return schema.type === 'string' || (schema.type === 'integer' && schema.enum === undefined && !('const' in schema));
}

/** Whether the validator reads all parameters of an operation right. */
export function hasPlainParameters(document: OpenApiDocument, metadata: OperationMetadata): boolean {
  const { parameters, pathParameters, headerParameters, cookieParameters } = metadata;
  const all = [...parameters.values(), ...pathParameters.values(), ...headerParameters.values()];
  return cookieParameters.size === 0 && all.every((parameter) => isPlainParameter(document, parameter));
}

/** Whether the validator validates the body of an operation right: JSON without alternatives, and always given. */
export function hasPlainBody(document: OpenApiDocument, { required, content }: RequestBody): boolean {
  const media = content.get('application/json');
  return required && content.size === 1 && media !== undefined && isPlainSchema(document, media.schema, false);
}
