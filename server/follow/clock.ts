/** The time, which tests replace, so that nothing waits for time to pass. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after this time, or when the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(Math.min(ms, maxTimerMs), undefined, { signal, ref: false }).catch(() => {}),
};

/** Runs a function once after a delay in milliseconds. Returns a function that cancels it. */
export function schedule(clock: Clock, ms: number, run: () => void): () => void {
  const cancelled = new AbortController();
  void clock.sleep(ms, cancelled.signal).then(() => {
    if (!cancelled.signal.aborted) run();
  });
  return () => cancelled.abort();
}
