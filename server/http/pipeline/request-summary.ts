/** The summary of a finished request, for both request paths. */
import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import '../express/locals.ts';

/** The facts about a finished request. */
export interface RequestSummary {
  /** The path of the target, without its query. */
  readonly path: string;
  readonly status: number;
  /** Milliseconds from the request headers to the end of the response. */
  readonly ms: number;
  /** Whether the whole response was sent; false where the caller closed the connection. */
  readonly completed: boolean;
  readonly locals: Pick<Express.Locals, 'id' | 'method' | 'operationId' | 'keyId' | 'error' | 'fault'>;
}
export type OnFinished = (summary: RequestSummary) => void;

/** Calls `onFinished` once, when the response was sent or can no longer be sent. The duration starts at this call. */
export function whenFinished(
  response: ServerResponse,
  path: string,
  locals: RequestSummary['locals'],
  onFinished: OnFinished,
): void {
  const start = performance.now();
  // The event fires only once, so the listener needs no removal.
  response.on('close', () => {
    onFinished({
      path,
      status: response.statusCode,
      ms: performance.now() - start,
      completed: response.writableFinished,
      locals,
    });
  });
}

/** A signal that aborts when the caller closes the connection. Create it only where it is used. */
export function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
    });
  return controller.signal;
}

/** The same as Express middleware. */
export function summariseRequests(onFinished: OnFinished): RequestHandler {
  return (request, response, next) => {
    whenFinished(response, request.originalUrl.split('?', 1)[0]!, response.locals as Express.Locals, onFinished);
    next();
  };
}
