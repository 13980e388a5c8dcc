/**
 * Compiles the JSON Schemas of this project: those of the contract, and those that validate files and responses of
 * other services.
 */
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { dateTime } from './date-time.ts';

/**
 * Creates an Ajv for schemas that are known to be valid: those of the linted contract and of this code. It does not
 * validate them against the meta-schema: to compile the meta-schema takes longer than to compile most schemas, for each
 * new Ajv.
 */
export function schemaCompiler(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ meta: false, validateSchema: false, ...options });
  ajvFormats.default(ajv);
  ajv.addFormat('date-time', dateTime);
  return ajv;
}

/**
 * Creates a function that compiles schemas with references to `#/components` of a document. All schemas share the
 * compiled components. The function throws when a reference points to nothing.
 */
export function compilerWithin({ components }: { readonly components: unknown }): (schema: object) => ValidateFunction {
  const $defs: object[] = [];
  const ajv = schemaCompiler({ strict: false, logger: false }).addSchema({ components, $defs }, 'document');
  return (schema) => ajv.getSchema(`document#/$defs/${$defs.push(schema) - 1}`)!;
}
