/** Writes every error: the one place where something thrown becomes an answer. */
import { inspect } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorRequestHandler, Response } from 'express';
import { ServiceError } from '../errors.ts';
import './locals.ts';
import type { Facts, OpenApiDocument } from './openapi.ts';
import { ContractBreach } from './validation.ts';

const internal = new ServiceError(500, 'internal error');

function write(response: Response, { status, message, headers }: ServiceError): void {
  const body = Buffer.from(JSON.stringify({ error: message }));
  response.locals.error = message;
  // Only what was read has a place in the event stream.
  response.removeHeader('X-Event-Cursor');
  for (const [name, value] of Object.entries(headers)) response.set(name, value);
  response.status(status).type('json').set('Cache-Control', 'no-store').set('Content-Length', String(body.length));
  response.end(body);
}

/**
 * Answers what was thrown. A ServiceError is told as it is, everything else becomes a 500 that tells nothing, with the thing
 * itself for the log. An error that its operation does not declare, or whose body is not the contract's Error, does not leave
 * either: express-openapi-validator checks no answer from 500 upwards, so this does.
 */
export function answerErrors(document: OpenApiDocument, facts: Facts): ErrorRequestHandler {
  const isError = new Ajv2020({ strict: false }).compile({ components: document.components, $ref: '#/components/schemas/Error' });
  const breach = (response: Response, { status, message }: ServiceError): ContractBreach | undefined => {
    const id = response.locals.operationId;
    if (!isError({ error: message })) return new ContractBreach(id, `the body of the ${status} is not an Error`, isError.errors);
    if (id !== undefined && !facts[id].statuses.has(status)) return new ContractBreach(id, `status ${status} is not declared`);
    return undefined;
  };
  return (thrown: unknown, _request, response, _next) => {
    const known = thrown instanceof ServiceError ? thrown : undefined;
    const fault = known ? breach(response, known) : thrown;
    if (fault !== undefined) response.err = fault instanceof Error ? fault : new Error(`thrown, but no Error: ${inspect(fault)}`);
    if (response.headersSent) response.destroy();
    else write(response, fault === undefined ? known! : internal);
  };
}
