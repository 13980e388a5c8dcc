/** Writes every error: the one place where something thrown becomes an answer. */
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import type { ErrorRequestHandler } from 'express';
import { ServiceError } from '../../contract/service-error.ts';
import { lazy } from '../../collections/lazy.ts';
import { compilerWithin } from '../../contract/schema-compiler.ts';
import { errorResponse } from './error-body.ts';
import '../express/locals.ts';
import type { OperationMetadataMap, OpenApiDocument } from '../../contract/openapi.ts';
import { ContractBreach } from '../express/openapi-validator.ts';

const internal = new ServiceError(500, 'internal error');

function write(response: ServerResponse, { status, message, headers }: ServiceError): void {
  const { head, body } = errorResponse(message);
  // Only what was read has a place in the event stream.
  response.removeHeader('X-Event-Cursor');
  for (const [name, value] of Object.entries({ ...headers, ...head })) response.setHeader(name, value);
  response.statusCode = status;
  response.end(body);
}

/** Answers what was thrown, and notes it in the locals. */
export type ErrorResponder = (
  thrown: unknown,
  response: ServerResponse,
  locals: Pick<Express.Locals, 'operationId' | 'error' | 'fault'>,
) => void;

/**
 * Answers what was thrown. A ServiceError is told as it is, everything else becomes a 500 that tells nothing, with the thing
 * itself for the log. An error that its operation does not declare, or whose body is not the contract's Error, does not leave
 * either: express-openapi-validator checks no answer from 500 upwards, so this does.
 */
export function createErrorResponder(document: OpenApiDocument, facts: OperationMetadataMap): ErrorResponder {
  const errorValidator = lazy(() => compilerWithin(document)({ $ref: '#/components/schemas/Error' }));
  const breach = (id: Express.Locals['operationId'], { status, message }: ServiceError): ContractBreach | undefined => {
    const isError = errorValidator();
    if (!isError({ error: message }))
      return new ContractBreach(id, `the body of the ${status} is not an Error`, isError.errors);
    if (id !== undefined && !facts[id].statuses.has(status))
      return new ContractBreach(id, `status ${status} is not declared`);
    return undefined;
  };
  return (thrown, response, locals) => {
    const known = thrown instanceof ServiceError ? thrown : undefined;
    const fault = known ? breach(locals.operationId, known) : thrown;
    if (fault !== undefined)
      locals.fault = fault instanceof Error ? fault : new Error(`thrown, but no Error: ${inspect(fault)}`);
    if (response.headersSent) return void response.destroy();
    const told = fault === undefined ? known! : internal;
    locals.error = told.message;
    write(response, told);
  };
}

/** The same as the last step of Express. */
export const errorMiddleware =
  (answer: ErrorResponder): ErrorRequestHandler =>
  (thrown: unknown, _request, response, _next) =>
    answer(thrown, response, response.locals as Express.Locals);
