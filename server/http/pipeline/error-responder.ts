/** Sends every error: the one place that converts a thrown value into a response. */
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { ServiceError, type ErrorStatus } from '../../contract/service-error.ts';
import { lazy } from '../../collections/lazy.ts';
import { compilerWithin } from '../../contract/schema-compiler.ts';
import type { OperationId } from '../../contract/operations.ts';
import type { OperationMetadata, OperationMetadataMap, OpenApiDocument } from '../../contract/openapi.ts';
import { ContractBreach } from './contract-breach.ts';
import { errorResponse } from './error-body.ts';
import { setHeaderPairs, type Exchange } from './exchange.ts';

/** The kind of an error in the log. */
const codes: Readonly<Record<ErrorStatus, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'content_too_large',
  415: 'unsupported_media_type',
  426: 'upgrade_required',
  429: 'too_many_requests',
  500: 'internal',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
};

/** The parameter that the message of an error begins with, if the contract has it: any other name is a word of the caller. */
function parameterIn(message: string, metadata: OperationMetadata | undefined): string | undefined {
  const name = /^(?:parameter |member |header )?'([\w.-]{1,64})'/.exec(message)?.[1];
  if (name === undefined || metadata === undefined) return undefined;
  const { parameters, pathParameters, headerParameters, body } = metadata;
  const isKnown =
    parameters.has(name) ||
    pathParameters.has(name) ||
    headerParameters.has(name.toLowerCase()) ||
    Object.hasOwn(body?.properties ?? {}, name);
  return isKnown ? name : undefined;
}

const internal = new ServiceError(500, 'internal error');

/** Writes an error response. Throws for a header value that HTTP does not permit. */
function write(
  response: ServerResponse,
  headers: readonly string[],
  { status, message, headers: own }: ServiceError,
): void {
  const { headers: errorHeaders, body } = errorResponse(message);
  setHeaderPairs(response, headers);
  // An error response has no event cursor, because it contains no data.
  response.removeHeader('X-Event-Cursor');
  for (const [name, value] of Object.entries({ ...own, ...errorHeaders })) response.setHeader(name, value);
  response.statusCode = status;
  response.end(body);
}

/** Sends the error response for a thrown value, and records the error in the facts of the request. Never throws. */
export type ErrorResponder = (thrown: unknown, exchange: Pick<Exchange, 'response' | 'headers' | 'facts'>) => void;

const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`thrown value is not an Error: ${inspect(thrown)}`);

/**
 * Creates the error responder. It sends a ServiceError unchanged. Everything else becomes a 500 with a neutral message,
 * and the original error goes to the log. The same applies to an error that the operation does not declare, or whose
 * body does not match the contract's Error: express-openapi-validator does not check responses from 500 upwards, so the
 * responder checks them.
 */
export function createErrorResponder(document: OpenApiDocument, metadata: OperationMetadataMap): ErrorResponder {
  const errorValidator = lazy(() => compilerWithin(document)({ $ref: '#/components/schemas/Error' }));
  const findBreach = (id: OperationId | undefined, { status, message }: ServiceError): ContractBreach | undefined => {
    const isError = errorValidator();
    if (!isError({ error: message }))
      return new ContractBreach(id, `the body of the ${status} is not an Error`, isError.errors);
    if (id !== undefined && !metadata[id].statuses.has(status))
      return new ContractBreach(id, `status ${status} is not declared`);
    return undefined;
  };

  /** The error to send, and the server fault that it represents. */
  function classify(thrown: unknown, id: OperationId | undefined): { sent: ServiceError; fault: Error | undefined } {
    if (!(thrown instanceof ServiceError)) return { sent: internal, fault: toError(thrown) };
    const fault = findBreach(id, thrown);
    return { sent: fault === undefined ? thrown : internal, fault };
  }

  return (thrown, { response, headers, facts }) => {
    try {
      const { sent, fault } = classify(thrown, facts.operationId);
      if (fault !== undefined) facts.fault = fault;
      if (response.headersSent) return void response.destroy();
      facts.code = codes[sent.status];
      facts.parameter = parameterIn(sent.message, facts.operationId && metadata[facts.operationId]);
      write(response, headers, sent);
    } catch (error) {
      writeInternal(toError(error), response, facts);
    }
  };
}

/** Sends a 500 without the headers that could not be written; closes the connection where that fails too. */
function writeInternal(fault: Error, response: ServerResponse, facts: Exchange['facts']): void {
  facts.fault = fault;
  facts.code = codes[500];
  try {
    write(response, [], internal);
  } catch {
    response.destroy();
  }
}
