/** Abort signals: one listener for each signal, however many calls use it. */
import { AbortError, type Failed } from './failure.ts';

/** The error for what the caller aborted, such as `call`. */
export const abortError = (what: string, failed: Failed, reason?: unknown): AbortError =>
  new AbortError(`the caller aborted the ${what}`, failed, reason);

const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts, not when it was aborted before. Returns a function that ends this. The client adds one
 * listener to a signal, because Node warns about more than ten.
 */
export function onAbort(signal: AbortSignal | null | undefined, callback: () => void): () => void {
  if (!signal) return () => {};
  let waiting = callbacks.get(signal);
  if (waiting === undefined) {
    const added = new Set<() => void>();
    callbacks.set(signal, (waiting = added));
    signal.addEventListener('abort', () => added.forEach((each) => each()), { once: true });
  }
  waiting.add(callback);
  return () => void waiting.delete(callback);
}

/** Resolves after the delay, or immediately when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(finish, signal?.aborted ? 0 : ms);
    const forget = onAbort(signal, finish);
  });
}
