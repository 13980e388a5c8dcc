/** A call to a provider that ends, whatever the provider does. */
import { ProviderError } from '../ports/assistant-provider.ts';

/** How long a provider may take to tell how a call ended that was cut off. */
const graceMs = 1_000;

/**
 * Runs a call that is aborted after `ms`, or when `caller` aborts. Throws what it throws; where it does not end even then, a
 * ProviderError that counts everything.
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
      () => overdue.reject(new ProviderError(fault, 'the provider did not end when it was aborted', Infinity)),
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

/** Whether a signal aborted because its time was over, and not because the caller hung up. */
export const isTimeout = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';
