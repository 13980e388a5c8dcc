/** A clock that a test moves. Short timers, such as the window of a batch, run by themselves. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../server/follow/bluesky/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();
  readonly #shortMs: number;

  /** Timers of at most `shortMs` run in the next turn of the event loop, and time does not pass. */
  constructor(now = Date.parse('2026-11-22T12:00:00.000Z'), shortMs = 20) {
    this.#now = now;
    this.#shortMs = shortMs;
  }

  now(): number {
    return this.#now;
  }

  schedule(ms: number, run: () => void): () => void {
    if (ms <= this.#shortMs) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Whether somebody waits for exactly this time from now on. */
  isAwaited(ms: number): boolean {
    return [...this.#timers].some(({ at }) => at === this.#now + ms);
  }

  /** Waits until somebody waits for this time, and lets it pass. */
  async passWhenAwaited(ms: number): Promise<void> {
    while (!this.isAwaited(ms)) await turn();
    await this.pass(ms);
  }

  /** Lets time pass; runs the timers that are due, in order, and what follows from them. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      const [next] = due;
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      for (let turns = 0; turns < 5; turns++) await turn();
    }
    this.#now = end;
  }

  /** Sets the time without running a timer. */
  set(now: number): void {
    this.#now = now;
  }
}
