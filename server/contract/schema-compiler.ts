/**
 * Compiles the JSON Schemas of this project: those of the contract, and those that validate files and responses of
 * other services.
 */
import { createRequire } from 'node:module';
import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { lazy } from '../collections/lazy.ts';
import { isObject } from '../text/object.ts';
import { dateTime } from './date-time.ts';
import { DirectedSchemas, hasDirections, type Direction } from './direction.ts';

const require = createRequire(import.meta.url);

/** Ajv, whose ninety modules no start needs. Not by `import`, because the first schema is compiled within a request. */
const library = lazy(() => ({
  ...(require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')),
  addFormats: (require('ajv-formats') as typeof import('ajv-formats')).default,
}));

/**
 * Creates an Ajv for schemas that are known to be valid: those of the linted contract and of this code. It does not
 * validate them against the meta-schema: to compile the meta-schema takes longer than to compile most schemas, for each
 * new Ajv.
 */
export function schemaCompiler(options: Options = {}): Ajv2020 {
  const { Ajv2020, addFormats } = library();
  const ajv = new Ajv2020({ meta: false, validateSchema: false, ...options });
  addFormats(ajv);
  ajv.addFormat('date-time', dateTime);
  return ajv;
}

const inherited =
  /"(?:constructor|toString|toLocaleString|valueOf|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|__\w+__)"/;

/**
 * Whether a document names a member that every object inherits, such as `constructor`. Its schemas must be compiled with
 * `ownProperties`, or an object without the member has a value that they refuse. For all others that would only cost time.
 */
export const namesInherited = (document: object): boolean => inherited.test(JSON.stringify(document));

/** Compiles a schema with references to the components of a document. */
export type CompileSchema = (schema: object) => ValidateFunction;

/**
 * Creates a function that compiles schemas with references to `#/components` of a document. All schemas share the
 * compiled components, which the first schema creates. With a direction, the members of the other one are forbidden. The function throws when a reference
 * points to nothing.
 */
export function compilerWithin(
  document: { readonly components?: unknown },
  { direction, ...options }: Options & { readonly direction?: Direction } = {},
): CompileSchema {
  const $defs: object[] = [];
  const open = lazy(() => {
    const directed =
      direction === undefined || !hasDirections(document)
        ? undefined
        : new DirectedSchemas(document, direction, 'forbid');
    const ownProperties = namesInherited(document);
    const ajv = schemaCompiler({ strict: false, logger: false, ownProperties, ...options }).addSchema(
      { components: directed === undefined ? document.components : componentsOf(document, directed), $defs },
      'document',
    );
    return { ajv, directed };
  });
  return (schema) => {
    const { ajv, directed } = open();
    const converted = directed === undefined ? schema : (directed.convert(schema) as object);
    return ajv.getSchema(`document#/$defs/${$defs.push(converted) - 1}`)!;
  };
}

/** The components with schemas of one direction; those of media types and parameters are compiled one by one. */
function componentsOf({ components }: { readonly components?: unknown }, directed: DirectedSchemas): unknown {
  if (!isObject(components) || !isObject(components.schemas)) return components;
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, directed.convert(schema)]);
  return { ...components, schemas: Object.fromEntries(schemas) };
}
