// Written by `npm run generate` from spec/. Do not edit.
import type { ValidateFunction } from 'ajv';

/** Whether a value has the form of an OpenAPI 3.1 document. */
export const isOpenApi: ValidateFunction;
