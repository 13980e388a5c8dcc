/**
 * express-openapi-validator for a contract that is known to be valid: loaded and prepared at the first request that it validates, or
 * before it by `prepare`. A request waits for it: none passes without its validation.
 */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { lazy } from '../../collections/lazy.ts';
import type { OpenApiDocument, OperationMetadata } from '../../contract/openapi.ts';
import type { OperationId } from '../../contract/operations.ts';
import type { Validator } from './openapi-validator.ts';

/** Runs handlers one after the other, as a router does. */
function runAll(handlers: readonly RequestHandler[], request: Request, response: Response, next: NextFunction): void {
  let index = 0;
  const step = (error?: unknown): void => {
    const handler = error === undefined ? handlers[index++] : undefined;
    if (handler === undefined) return next(error);
    try {
      void handler(request, response, step);
    } catch (thrown) {
      next(thrown);
    }
  };
  step();
}

export class DeferredValidator implements Pick<Validator, 'validate'> {
  #validator: Validator | undefined;
  readonly #load: () => Promise<Validator>;

  constructor(document: OpenApiDocument) {
    this.#load = lazy(async () => {
      const { createValidator } = await import('./openapi-validator.ts');
      return (this.#validator = await createValidator(document));
    });
  }

  /** Loads and prepares the validator, unless a request has done so. */
  async prepare(): Promise<void> {
    await this.#load();
  }

  validate(id: OperationId, operation: OperationMetadata): RequestHandler[] {
    let steps: readonly RequestHandler[] | undefined;
    const run = (validator: Validator, ...call: Parameters<RequestHandler>): void => {
      steps ??= validator.validate(id, operation);
      runAll(steps, ...call);
    };
    return [
      (...call) => {
        if (this.#validator !== undefined) return run(this.#validator, ...call);
        // Express answers a rejection with an error.
        return this.#load().then((validator) => run(validator, ...call));
      },
    ];
  }
}
