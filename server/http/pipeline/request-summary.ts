/** What is done about a request when it is over, whichever way it took. */
import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import '../express/locals.ts';

/** A request that is over. */
export interface RequestSummary {
  /** The path of the target, without its query. */
  readonly path: string;
  readonly status: number;
  /** Milliseconds from the request head to the end of the answer. */
  readonly ms: number;
  /** Whether the answer was sent to its end; false where the caller hung up. */
  readonly completed: boolean;
  readonly locals: Pick<Express.Locals, 'id' | 'method' | 'operationId' | 'keyId' | 'error' | 'fault'>;
}
export type OnFinished = (over: RequestSummary) => void;

/** Calls back once, when the answer was sent or cannot be any more; the time counts from now on. */
export function whenFinished(
  response: ServerResponse,
  path: string,
  locals: RequestSummary['locals'],
  conclude: OnFinished,
): void {
  const start = performance.now();
  // It comes once only, so nothing needs to take the listener away again.
  response.on('close', () => {
    conclude({
      path,
      status: response.statusCode,
      ms: performance.now() - start,
      completed: response.writableFinished,
      locals,
    });
  });
}

/** Aborts when the caller hangs up; asked for only where somebody listens. */
export function signalOf(response: ServerResponse): AbortSignal {
  const hangUp = new AbortController();
  if (response.destroyed) hangUp.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) hangUp.abort();
    });
  return hangUp.signal;
}

/** The same as a step of Express. */
export function summariseRequests(conclude: OnFinished): RequestHandler {
  return (request, response, next) => {
    whenFinished(response, request.originalUrl.split('?', 1)[0]!, response.locals as Express.Locals, conclude);
    next();
  };
}
