/** A clock that a test moves: nothing waits for time to pass. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../server/follow/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** The number of turns of the event loop that follow a sleeper before the next one wakes. */
const turnsBetween = 5;

export class ManualClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();
  readonly #shortMs: number;
  /** The durations of all sleeps so far, in milliseconds. */
  readonly sleeps: number[] = [];

  /** Sleeps of at most `shortMs`, such as the window of a batch, end in the next turn of the event loop, and no time passes. */
  constructor(now = Date.parse('2026-11-22T12:00:00.000Z'), shortMs = -1) {
    this.#now = now;
    this.#shortMs = shortMs;
  }

  readonly now = (): number => this.#now;

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.sleeps.push(ms);
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper = { at: this.#now + ms, wake: () => resolve() };
    signal.addEventListener('abort', sleeper.wake, { once: true });
    if (ms <= this.#shortMs) setImmediate(sleeper.wake);
    else this.#sleepers.add(sleeper);
    await promise;
    this.#sleepers.delete(sleeper);
    signal.removeEventListener('abort', sleeper.wake);
  }

  /** The times until the sleepers wake, in milliseconds. */
  get waits(): number[] {
    return Array.from(this.#sleepers, ({ at }) => at - this.#now);
  }

  /** Waits until somebody sleeps for exactly this time from now on, and lets it pass. */
  async passWhenAwaited(ms: number): Promise<void> {
    while (!this.waits.includes(ms)) await turn();
    await this.pass(ms);
  }

  /** This time passes: wakes the sleepers that are due, in order, each with what follows from it. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.at);
      this.#wake(next);
      for (let turns = 0; turns < turnsBetween; turns++) await turn();
    }
    this.#now = end;
  }

  /** This time is over at once: wakes all sleepers that are due. */
  jump(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers) if (sleeper.at <= this.#now) this.#wake(sleeper);
  }

  /** Sets the time without waking anybody. */
  set(now: number): void {
    this.#now = now;
  }

  #next(end: number): Sleeper | undefined {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers)
      if (sleeper.at <= end && (next === undefined || sleeper.at < next.at)) next = sleeper;
    return next;
  }

  #wake(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper);
    sleeper.wake();
  }
}

/** Resolves when a condition is true, which the work of other tasks must bring about. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}
