/**
 * Makes express-openapi-validator cheap.
 * To resolve a reference, its preprocessor compiles the target and throws the compiled function away: a third of the time
 * that the service takes to start. Here it reads the target from the document, which gives the same object.
 * Each of its compiled schemas contains the whole document, for references, and Ajv looks at all of a schema for parts with
 * a name of their own: half of the time of the first call of an operation. Here Ajv sees none of the document; references
 * still find their targets. A contract gives no part a name of its own (`$id`, `$anchor`): the start refuses it.
 */
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { resolve } from '../../contract/plain-document.ts';

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
