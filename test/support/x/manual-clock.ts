/** A clock that a test moves: nothing waits for time to pass. */
import type { Clock } from '../../../server/follow/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export class ManualClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper: Sleeper = {
      at: this.#now + ms,
      wake: () => {
        this.#sleepers.delete(sleeper);
        resolve();
      },
    };
    this.#sleepers.add(sleeper);
    signal.addEventListener('abort', sleeper.wake, { once: true });
    return promise;
  }

  /** The times until the sleepers wake, in milliseconds. */
  get waits(): number[] {
    return Array.from(this.#sleepers, ({ at }) => at - this.#now);
  }

  /** This time passes. */
  pass(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers) if (sleeper.at <= this.#now) sleeper.wake();
  }
}

/** Resolves when a condition is true, which the work of other tasks must bring about. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => void setImmediate(resolve));
}
