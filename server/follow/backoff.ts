/** The time between two attempts: exponential with full jitter, or what the platform asks for. */
import { ExponentialBackoff, fullJitterGenerator, type IBackoff } from 'cockatiel';
import { SourceError } from '../ports/live-source.ts';

const limits = { initialDelay: 250, maxDelay: 30_000, generator: fullJitterGenerator };
/** The time after an error that a repetition does not fix, such as an unknown account, in milliseconds. */
export const permanentRetryMs = 600_000;
/** The longest time that a platform can ask for, in milliseconds. */
const maxRetryAfterMs = 24 * 60 * 60 * 1000;

export class Backoff {
  #state: IBackoff<unknown> | undefined;

  /** The time to wait before the next attempt, in milliseconds. */
  next(error?: unknown): number {
    this.#state = this.#state === undefined ? new ExponentialBackoff(limits).next() : this.#state.next(undefined);
    if (!(error instanceof SourceError)) return this.#state.duration;
    const asked = Math.min(error.retryAfterMs ?? 0, maxRetryAfterMs);
    return Math.max(this.#state.duration, asked, error.isPermanent ? permanentRetryMs : 0);
  }

  /** After a success: the next failure begins with the shortest time. */
  reset(): void {
    this.#state = undefined;
  }
}
