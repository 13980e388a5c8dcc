/**
 * The only module that knows express-openapi-validator. Its public function reads and compiles the schema of OpenAPI, and looks for
 * references to other files, at each start; so this project creates its validator from a prepared document, with modules below `dist`
 * that the package does not promise. `test/http/validator-library.test.ts` names the version that they are tested with.
 *
 * It also makes the library cheap. To resolve a reference, its preprocessor compiles the target and throws the compiled function away: a third of the time
 * that the service takes to start. Here it reads the target from the document, which gives the same object.
 * Each of its compiled schemas contains the whole document, for references, and Ajv looks at all of a schema for parts with
 * a name of their own: half of the time of the first call of an operation. Here Ajv sees none of the document; references
 * still find their targets. A contract gives no part a name of its own (`$id`, `$anchor`): the start refuses it.
 */
import { createRequire } from 'node:module';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { resolve } from '../../contract/plain-document.ts';

export { BadRequest, InternalServerError, OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
export type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';

/** The file with the JSON Schema of OpenAPI 3.1 documents, as the library corrects it. */
export const documentSchemaFile = (): string =>
  createRequire(import.meta.url).resolve('express-openapi-validator/dist/framework/openapi.v3_1.modified.schema.json');

/** The parts of an OpenAPI document that each compiled schema contains. */
type ProcessedDocument = { readonly paths?: object; readonly components?: object };

/** The parts of the preprocessor that its types do not show. */
interface Preprocessor {
  readonly apiDoc: object;
  resolveSchema(value: unknown): unknown;
  preProcess(): { readonly apiDoc: ProcessedDocument; readonly apiDocRes: ProcessedDocument | null };
}

/** Makes the members of an object accessible by their names only. */
function hideMembers(object: object | undefined): void {
  for (const name of Object.keys(object ?? {})) Object.defineProperty(object, name, { enumerable: false });
}

const prototype = SchemaPreprocessor.prototype as unknown as Preprocessor;
const { preProcess } = prototype;

/** Changes the preprocessor of the library, for all validators of this process. */
export function simplifyPreprocessor(): void {
  prototype.resolveSchema = function (value) {
    return value ? resolve(this.apiDoc, value) : null;
  };
  prototype.preProcess = function () {
    const processed = preProcess.call(this);
    for (const document of [processed.apiDoc, processed.apiDocRes]) {
      hideMembers(document?.paths);
      hideMembers(document?.components);
    }
    return processed;
  };
}
