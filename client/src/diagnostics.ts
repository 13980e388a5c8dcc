/**
 * Publishes calls on the tracing channel `@social-data/client:call` of `node:diagnostics_channel`, for OpenTelemetry and other
 * tracers. The context has `operation`, `method`, `url`, and after the call `status`, `attempts` or `error`. Loaded at the
 * first call that a tracer observes.
 */
import type { Call, Sent } from './exchange.ts';

/** What subscribers get. */
export interface TracedCall {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  status?: number;
  attempts?: number;
}

/** The members of a tracing channel of `node:diagnostics_channel` that the client uses. */
export interface TracingChannel {
  /** Undefined before Node 20.13. */
  readonly hasSubscribers?: boolean;
  tracePromise<Result>(run: () => Promise<Result>, context: TracedCall): Promise<Result>;
}

/** Runs a call and publishes it. */
export function trace(
  channel: TracingChannel,
  { path, operation: { method } }: Call,
  baseUrl: string,
  run: () => Promise<Sent>,
): Promise<Sent> {
  const context: TracedCall = { operation: `${method} ${path}`, method, url: baseUrl + path };
  return channel.tracePromise(async () => {
    const sent = await run();
    context.status = sent.response.status;
    context.attempts = sent.failed.attempts;
    return sent;
  }, context);
}
