/** The first and the last steps of every request that Express handles: the exchange, admission, and errors. */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { badRequest } from '../../contract/service-error.ts';
import type { Security } from '../security.ts';
import type { Admission } from '../pipeline/admission.ts';
import type { ExtractCredentials } from '../pipeline/credentials.ts';
import type { ErrorResponder } from '../pipeline/error-responder.ts';
import { Exchange } from '../pipeline/exchange.ts';
import { requestId } from '../pipeline/request-log.ts';
import { initialFacts, whenFinished, type BeginTrace, type OnFinished } from '../pipeline/request-summary.ts';
import { pathOf } from '../pipeline/request-target.ts';
import './locals.ts';

/**
 * Opens the exchange of a request: its id, its credentials, which it removes from the request, and its summary. Converts
 * HEAD to GET (Node itself omits the body of the response), and removes Content-Type from GET: it has no meaning there,
 * and express-openapi-validator would cache a compiled validator for each value.
 */
export function openExchange(
  extractCredentials: ExtractCredentials,
  { onFinished, beginTrace }: { readonly onFinished: OnFinished; readonly beginTrace: BeginTrace },
): RequestHandler {
  return (request, response, next) => {
    const traced = beginTrace(request.headers['traceparent'], () => request.headers['tracestate']);
    const facts = initialFacts(requestId(request.get('x-request-id')), request.method, traced);
    response.set('X-Request-Id', facts.id);
    if (request.method === 'HEAD') request.method = 'GET';
    if (request.method === 'GET') delete request.headers['content-type'];
    const credentials = extractCredentials(request);
    const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
    response.locals.exchange = new Exchange(request, response, facts, credentials, { acceptEncoding, ifNoneMatch });
    whenFinished(response, pathOf(request.originalUrl), facts, onFinished);
    next();
  };
}

/** Finds what a request needs. */
export type FindSecurity = (request: Request, response: Response) => Security;

/** Authenticates the request and consumes its rate limit. */
export function admit(admission: Admission, find: FindSecurity): RequestHandler {
  return (request, response, next) => {
    const pending = admission.admit(response.locals.exchange, find(request, response));
    if (pending === undefined) next();
    else pending.then(() => next(), next);
  };
}

/** Sends the error response for everything that the middleware throws. */
export const errorMiddleware =
  (respond: ErrorResponder): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) =>
    // What Express throws for a parameter in the path that is no percent-encoded UTF-8.
    respond(
      error instanceof URIError ? badRequest('the path is not valid percent-encoded UTF-8') : error,
      response.locals.exchange,
    );
