/** Enforces a deadline on calls to a provider. */
import { ProviderError } from '../ports/assistant-provider.ts';

/** Time for a provider to report the result of an aborted call, in milliseconds. */
const graceMs = 1_000;

/**
 * Runs a call that is aborted after `ms`, or when `caller` aborts, and rethrows its error. If the call does not end
 * after the abort, throws a ProviderError that counts all questions.
 */
export async function withDeadline<T>(
  ms: number,
  caller: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
  const signal = AbortSignal.any([caller, deadline]);
  const overdue = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    const fault = caller.aborted ? 'aborted' : 'timeout';
    timer = setTimeout(
      () => overdue.reject(new ProviderError(fault, 'the provider did not stop after an abort', Infinity)),
      graceMs,
    );
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([run(signal), overdue.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Whether a signal aborted because of its timeout, not because the caller disconnected. */
export const isTimeout = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';
