/** The contract that a mock serves. */
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import type { SpecFiles } from '../files/spec-files.ts';

/** A contract with its source text. */
export interface Spec {
  readonly document: OpenApiDocument;
  /** One document, also where the contract consists of several files. */
  readonly text: string;
  readonly files: SpecFiles;
}
