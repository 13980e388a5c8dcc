/**
 * Publishes each call on the tracing channel `@social-data/client:call` of `node:diagnostics_channel`, for OpenTelemetry and
 * other tracers. The context has `operation`, `method`, `url`, and after the call `status`, `attempts` or `error`.
 */

/** What subscribers get. */
export interface TracedCall {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  status?: number;
  attempts?: number;
}
interface TracingChannel {
  /** Undefined before Node 20.13. */
  readonly hasSubscribers?: boolean;
  tracePromise<Result>(run: () => Promise<Result>, context: TracedCall): Promise<Result>;
}
interface Builtins {
  readonly getBuiltinModule?: (name: string) => { tracingChannel(name: string): TracingChannel } | undefined;
}

/** A function that runs a call and publishes it; it only runs it in runtimes without the module. */
export function tracer(): <Result>(context: TracedCall, run: () => Promise<Result>) => Promise<Result> {
  const { process }: { readonly process?: Builtins } = globalThis as object;
  const channel = process?.getBuiltinModule?.('node:diagnostics_channel')?.tracingChannel('@social-data/client:call');
  return (context, run) =>
    channel === undefined || channel.hasSubscribers === false ? run() : channel.tracePromise(run, context);
}
