/**
 * The trace that a request belongs to (W3C Trace Context): its id is in the log, and requests to other services that the request causes carry it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span whose children the requests to other services are: 16 hexadecimal digits. */
  readonly spanId: string;
  /** Two hexadecimal digits; the last bit says whether the caller records the trace. */
  readonly flags: string;
  /** The header `tracestate`; undefined without one. */
  readonly state: string | undefined;
}

const current = new AsyncLocalStorage<TraceContext>();

/** Version, trace, span, flags; a later version than 00 may have more after them. */
const syntax = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Maximum length of both headers in characters; the specification demands that at least 512 of `tracestate` are carried on. */
const maxLength = 512;

/** Whether a text can be sent on as `tracestate`: only whether it is printable and short, because it is for others. */
const isState = (text: unknown): text is string =>
  typeof text === 'string' && text.length > 0 && text.length <= maxLength && /^[ -~]*$/.test(text);

/** The trace of these headers; undefined where `traceparent` is missing or invalid. Then `tracestate` has no meaning. */
export function readTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > maxLength) return undefined;
  const [, version, traceId, spanId, flags, more] = syntax.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, flags, state: isState(tracestate) ? tracestate : undefined };
}

/** Runs a function, and everything that it causes, as a part of a trace; without one, as it is. */
export const inTrace = <Result>(context: TraceContext | undefined, run: () => Result): Result =>
  context === undefined ? run() : current.run(context, run);

/** The headers of a request to another service; none where the request of no caller, or of one without a trace, causes it. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const context = current.getStore();
  if (context === undefined) return {};
  const { traceId, spanId, flags, state } = context;
  // Only the flag of version 00 has a meaning.
  const recorded = (Number.parseInt(flags, 16) & 1).toString(16).padStart(2, '0');
  return {
    traceparent: `00-${traceId}-${spanId}-${recorded}`,
    ...(state === undefined ? {} : { tracestate: state }),
  };
}
