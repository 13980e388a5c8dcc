/** The steps that read the parameters and the body of a request by the contract. */
import type { RequestHandler } from 'express';
import { lazy } from '../../collections/lazy.ts';
import type { OpenApiDocument, OperationMetadata } from '../../contract/openapi.ts';
import { normaliseDocument } from '../../contract/plain-document.ts';
import { compilerWithin } from '../../contract/schema-compiler.ts';
import { BodyValidators } from './body-validator.ts';
import { readBody } from './body.ts';
import { readParameters } from './parameters.ts';
import { hasPlainBody, hasPlainParameters } from './plain-parts.ts';
import { checkParameters } from './query-names.ts';

export class RequestReaders {
  readonly #document: OpenApiDocument;
  readonly #validators: BodyValidators;
  readonly #compiler: () => ReturnType<typeof compilerWithin>;

  constructor(contract: OpenApiDocument) {
    const document = normaliseDocument(contract);
    this.#document = document;
    this.#validators = new BodyValidators(document);
    const options = { direction: 'request', verbose: true, allErrors: true, useDefaults: true } as const;
    this.#compiler = lazy(() => compilerWithin(document, options));
  }

  /** Whether express-openapi-validator validates the parameters of an operation. */
  hasPlainParameters(metadata: OperationMetadata): boolean {
    return hasPlainParameters(this.#document, metadata);
  }

  /**
   * The steps of an operation. express-openapi-validator comes after them: it validates the parameters and the body that it reads
   * right; the other ones are validated here.
   */
  steps(metadata: OperationMetadata): RequestHandler[] {
    const document = this.#document;
    const parameters = this.hasPlainParameters(metadata)
      ? checkParameters(metadata)
      : readParameters(document, metadata, (schema) => this.#compiler()(schema));
    const { requestBody } = metadata;
    if (requestBody === undefined) return [parameters];
    const isPlain = hasPlainBody(document, requestBody);
    return [parameters, readBody(requestBody, { document, validators: this.#validators, isPlain })];
  }
}
