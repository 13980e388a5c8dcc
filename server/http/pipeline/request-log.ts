/** The request log: one line for each request. */
import { randomUUID } from 'node:crypto';
import type { Level, Logger } from 'pino';
import { operations } from '../../../generated/operations.ts';
import { createPathNames } from './logged-path.ts';
import { isProbe } from './probes.ts';
import type { OnFinished } from './request-summary.ts';

/**
 * New ids consist of a random prefix for each start of the server, and a counter: they need not be unpredictable, but
 * they must be unique.
 */
const idPrefix = randomUUID().slice(0, 24);
let count = 0;
const newId = (): string => idPrefix + (count += 1).toString(16).padStart(12, '0');

/** Returns the caller's request id where it is short and safe in a log, else a new id. */
export const requestId = (provided: string | undefined): string =>
  provided !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(provided) ? provided : newId();

/**
 * Logs each finished request once, without a word of the caller: the path by its template, an error by its code and the
 * parameter of the contract. Only the request id and the id of the trace can be chosen by the caller, so that both find the same request. A server
 * error is logged with its cause, also where it broke off a response of another status. `paths`: the paths of the contract.
 */
export function logTo(
  logger: Logger,
  paths: readonly string[] = Object.values(operations).map(({ path }) => path),
): OnFinished {
  const nameOf = createPathNames(paths);
  return ({
    path,
    ms,
    status,
    completed,
    facts: { id, method, operationId, keyId, code, parameter, trace, fault },
  }) => {
    const isFailed = status >= 500 || fault !== undefined;
    const level: Level = isFailed ? (fault === undefined ? 'warn' : 'error') : isProbe(path) ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const entry = {
      id,
      method,
      path: nameOf(path),
      status,
      ms: Math.round(ms * 100) / 100,
      trace: trace?.traceId,
      operation: operationId,
      key: keyId,
      code,
      parameter,
    };
    if (isFailed) logger[level]({ ...entry, err: fault }, 'request failed');
    else logger[level](entry, completed ? 'request completed' : 'request aborted');
  };
}
