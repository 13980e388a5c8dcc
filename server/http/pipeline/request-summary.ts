/** The summary of a finished request: the source of the request log and the request metrics. */
import type { ServerResponse } from 'node:http';
import type { OperationId } from '../../contract/operations.ts';
import type { RequestSpan } from '../../observability/span-export.ts';
import type { TraceContext } from '../../observability/trace-context.ts';

/** The facts about a request for the log and the metrics. The steps of the pipeline add to it. */
export interface RequestFacts {
  /** The request id, as sent in X-Request-Id. */
  readonly id: string;
  /** The original method; `request.method` is GET for HEAD. */
  readonly method: string;
  /** The operation of the contract that the request addresses; set after authentication. */
  operationId: OperationId | undefined;
  /** The name of the authenticated API key; never the key itself. */
  keyId: string | undefined;
  /** The kind of the error response, such as `bad_request`. Its message is for the caller only: it can quote the request. */
  code: string | undefined;
  /** The parameter of the contract that the error is about, if it is about one. */
  parameter: string | undefined;
  /** The trace that the request belongs to; undefined without one. */
  readonly trace: TraceContext | undefined;
  /** The span of the request, where spans are exported. */
  readonly span: RequestSpan | undefined;
  /** The server error that caused the response; only for the log. */
  fault: Error | undefined;
}

/** The trace and the span of a request. */
export interface TracedRequest {
  readonly trace?: TraceContext | undefined;
  readonly span?: RequestSpan | undefined;
}

/** Begins the trace of a request by its headers. */
export type BeginTrace = (traceparent: unknown, tracestate: () => unknown) => TracedRequest;

/** The facts at the start of a request. */
export const initialFacts = (id: string, method: string, traced: TracedRequest = {}): RequestFacts => ({
  id,
  method,
  trace: traced.trace,
  span: traced.span,
  operationId: undefined,
  keyId: undefined,
  code: undefined,
  parameter: undefined,
  fault: undefined,
});

/** The facts about a finished request. */
export interface RequestSummary {
  /** The path of the target, without its query. */
  readonly path: string;
  readonly status: number;
  /** Milliseconds from the request headers to the end of the response. */
  readonly ms: number;
  /** Whether the whole response was sent; false if the caller closed the connection. */
  readonly completed: boolean;
  readonly facts: RequestFacts;
}
export type OnFinished = (summary: RequestSummary) => void;

/**
 * Calls all observers of finished requests. An observer that throws does not affect the others, nor the process:
 * `onFault` gets its error.
 */
export function observeAll(observers: readonly OnFinished[], onFault: (error: unknown) => void): OnFinished {
  return (summary) => {
    for (const observer of observers) {
      try {
        observer(summary);
      } catch (error) {
        onFault(error);
      }
    }
  };
}

/** Calls `onFinished` once, when the response was sent or can no longer be sent. The duration starts at this call. */
export function whenFinished(
  response: ServerResponse,
  path: string,
  facts: RequestFacts,
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
      facts,
    });
  });
}

/** A signal that aborts when the caller closes the connection. Create it only if it is used. */
export function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
    });
  return controller.signal;
}
