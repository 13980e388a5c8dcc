/** The log of requests: one line for each. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Level, Logger } from 'pino';
import type { OnFinished } from './request-summary.ts';
import '../express/locals.ts';
import { isProbe } from '../server/probes.ts';

/** New ids are a random beginning for each start of the server, and a count: nobody has to guess them, but they must not repeat. */
const beginning = randomUUID().slice(0, 24);
let count = 0;
const newId = (): string => beginning + (count += 1).toString(16).padStart(12, '0');

/** The caller's request id where it is short and harmless in a log, else a new one. */
export const requestId = (given: string | undefined): string =>
  given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newId();

/** Tells the id of a request in X-Request-Id. */
export const identify: RequestHandler = (request, response, next) => {
  response.locals.id = requestId(request.get('x-request-id'));
  response.set('X-Request-Id', response.locals.id);
  next();
};

/**
 * Logs a request once, when it is over: never its query, headers or body, because these may hold keys and what people
 * search for. Faults of the server come with the error that caused them.
 */
export function logTo(logger: Logger): OnFinished {
  return ({ path, ms, status, completed, locals: { id, method, operationId, keyId, error, fault } }) => {
    const level: Level = status >= 500 ? (fault === undefined ? 'warn' : 'error') : isProbe(path) ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const line = {
      id,
      method,
      path,
      status,
      ms: Math.round(ms * 100) / 100,
      operation: operationId,
      key: keyId,
      error,
    };
    if (status >= 500) logger[level]({ ...line, err: fault }, 'request failed');
    else logger[level](line, completed ? 'request completed' : 'request aborted');
  };
}
