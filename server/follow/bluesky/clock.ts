/** The time. Tests replace it, so that nothing waits for time to pass. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs a function once after a delay in milliseconds. Returns a function that cancels it. */
  schedule(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits. Resolves early when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const finish = (): void => resolve();
  const cancel = clock.schedule(ms, finish);
  signal?.addEventListener('abort', finish, { once: true });
  return promise.finally(() => {
    cancel();
    signal?.removeEventListener('abort', finish);
  });
}
