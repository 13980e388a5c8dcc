/** The log of requests: one line for each. */
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Level, Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import './locals.ts';

/** Takes over the caller's request id where it is short and harmless in a log, else makes one; tells it in X-Request-Id. */
export const identify: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  request.id = given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
  response.set('X-Request-Id', request.id);
  next();
};

/** The paths that probes and collectors ask for all day. */
const routine = new Set(['/healthz', '/readyz', '/metrics']);

function level(request: Request, response: Response): Level {
  if (response.statusCode >= 500) return response.err ? 'error' : 'warn';
  return routine.has(request.path) ? 'debug' : 'info';
}

const line = (request: Request, response: Response, ms: number) => ({
  method: response.locals.method,
  path: request.originalUrl.split('?', 1)[0],
  status: response.statusCode,
  ms,
  operation: response.locals.operationId,
  key: response.locals.keyId,
  error: response.locals.error,
});

/**
 * Logs each request once, when it is over: never its query, headers or body, because these may hold keys and what people
 * search for. Faults of the server come with the error that caused them.
 */
export function logRequests(logger: Logger): RequestHandler {
  return pinoHttp<Request, Response>({
    logger,
    quietReqLogger: true,
    quietResLogger: true,
    customAttributeKeys: { reqId: 'id' },
    serializers: { req: () => undefined },
    customLogLevel: level,
    customSuccessObject: (request, response, { responseTime }) => line(request, response, responseTime),
    customErrorObject: (request, response, _error, { responseTime }) => ({
      ...line(request, response, responseTime),
      err: response.err,
    }),
    customErrorMessage: () => 'request failed',
  });
}
