/** Sends every error: the one place that converts a thrown value into a response. */
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
  const { headers: errorHeaders, body } = errorResponse(message);
  // An error response has no event cursor, because it contains no data.
  response.removeHeader('X-Event-Cursor');
  for (const [name, value] of Object.entries({ ...headers, ...errorHeaders })) response.setHeader(name, value);
  response.statusCode = status;
  response.end(body);
}

/** Sends the error response for a thrown value, and records the error in the locals. */
export type ErrorResponder = (
  thrown: unknown,
  response: ServerResponse,
  locals: Pick<Express.Locals, 'operationId' | 'error' | 'fault'>,
) => void;

/**
 * Creates the error responder. It sends a ServiceError unchanged. Everything else becomes a 500 with a neutral message,
 * and the original error goes to the log. The same applies to an error that the operation does not declare, or whose
 * body does not match the contract's Error: express-openapi-validator does not check responses from 500 upwards, so the
 * responder checks them.
 */
export function createErrorResponder(document: OpenApiDocument, metadata: OperationMetadataMap): ErrorResponder {
  const errorValidator = lazy(() => compilerWithin(document)({ $ref: '#/components/schemas/Error' }));
  const findBreach = (
    id: Express.Locals['operationId'],
    { status, message }: ServiceError,
  ): ContractBreach | undefined => {
    const isError = errorValidator();
    if (!isError({ error: message }))
      return new ContractBreach(id, `the body of the ${status} is not an Error`, isError.errors);
    if (id !== undefined && !metadata[id].statuses.has(status))
      return new ContractBreach(id, `status ${status} is not declared`);
    return undefined;
  };
  return (thrown, response, locals) => {
    const serviceError = thrown instanceof ServiceError ? thrown : undefined;
    const fault = serviceError ? findBreach(locals.operationId, serviceError) : thrown;
    if (fault !== undefined)
      locals.fault = fault instanceof Error ? fault : new Error(`thrown value is not an Error: ${inspect(fault)}`);
    if (response.headersSent) return void response.destroy();
    const sent = fault === undefined ? serviceError! : internal;
    locals.error = sent.message;
    write(response, sent);
  };
}

/** The same as the error middleware of Express. */
export const errorMiddleware =
  (respond: ErrorResponder): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) =>
    respond(error, response, response.locals as Express.Locals);
