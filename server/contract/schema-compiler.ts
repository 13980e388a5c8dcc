/** How JSON Schemas of our own are compiled: those of the contract, and of what comes from files and other services. */
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/**
 * An Ajv for schemas that are known to be schemas, as the contract is, which was linted, and what stands in our code. It does not check
 * them against the meta-schema: to compile that takes longer than to compile most of them, anew for each Ajv.
 */
export function schemaCompiler(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ meta: false, validateSchema: false, ...options });
  ajvFormats.default(ajv);
  return ajv;
}

/**
 * Compiles schemas that refer to `#/components` of a document, each component once for all of them. The returned function throws when a
 * schema refers to what is not there.
 */
export function compilerWithin({ components }: { readonly components: unknown }): (schema: object) => ValidateFunction {
  const $defs: object[] = [];
  const ajv = schemaCompiler({ strict: false, logger: false }).addSchema({ components, $defs }, 'document');
  return (schema) => ajv.getSchema(`document#/$defs/${$defs.push(schema) - 1}`)!;
}
