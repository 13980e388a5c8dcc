/**
 * The budget of requests to one host: a few at a time, within the documented rate, and none while the host asks to wait.
 */
import { bulkhead } from 'cockatiel';
import { retryAfterMs } from '../../upstream/retry-after.ts';
import { SourceError } from '../../ports/live-source.ts';
import type { Clock } from '../clock.ts';
import type { HttpResponse } from '../http.ts';

export interface RequestLimit {
  readonly requests: number;
  readonly periodMs: number;
  readonly burst: number;
  /** The number of processes that share the limit; 1 by default. It may change at any time. */
  readonly sharedBy?: () => number;
}

/**
 * The documented limit of the public AppView: 3,000 requests in 5 minutes for an address. A tenth is left to the fills and to
 * others.
 */
const followLimit: RequestLimit = { requests: 2_700, periodMs: 300_000, burst: 300 };
const maxConcurrent = 4;
/** A request waits so long for its turn; then it fails, and its caller decides. */
const maxWaitMs = 60_000;
/** The requests of a window that are left unused, because the host counts requests that are on the way. */
const reserve = 2 * maxConcurrent;
/** The pause after a 429 without a time, and the maximum of any pause. */
const pauseMs = { fallback: 30_000, max: 600_000 } as const;

export class RequestBudget {
  readonly #clock: Clock;
  readonly #limit: RequestLimit;
  #tokens: number;
  #refilledAt: number;
  #pausedUntil = 0;
  readonly #turns = bulkhead(maxConcurrent, Infinity);

  constructor(clock: Clock, limit: RequestLimit = followLimit) {
    this.#clock = clock;
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#refilledAt = clock.now();
  }

  /** Runs a request when it is its turn. Rejects with SourceError where that would take more than a minute. */
  async run<Result>(request: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const { promise: cancelled, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(new SourceError('the request was cancelled'));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const sent = this.#turns.execute(async () => {
      await this.#rate(signal);
      return await request();
    }, signal);
    // One that waits for its turn ends at once, not when the turn comes.
    return Promise.race([cancelled, sent]).finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** Reads the limits that a response states. Returns the time to wait after a rejected request in milliseconds. */
  read(response: Pick<HttpResponse, 'status' | 'header'>): number | undefined {
    const now = this.#clock.now();
    const reset = Number(response.header('ratelimit-reset')) * 1000 - now;
    const untilReset = Number.isFinite(reset) && reset > 0 ? reset : undefined;
    const asked = retryAfterMs(response.header('retry-after'), now);
    const remaining = Number(response.header('ratelimit-remaining') ?? Number.NaN);
    let wait = response.status === 429 ? (asked ?? untilReset ?? pauseMs.fallback) : undefined;
    if (response.status === 503) wait = asked;
    if (wait === undefined && remaining <= reserve) wait = untilReset;
    if (wait === undefined) return undefined;
    const bounded = Math.min(wait, pauseMs.max);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + bounded);
    return bounded;
  }

  async #rate(signal: AbortSignal): Promise<void> {
    for (let wait = this.#wait(); wait > 0; wait = this.#wait()) {
      if (wait > maxWaitMs)
        throw new SourceError(`the platform asks to wait for ${Math.ceil(wait / 1000)} s`, { retryAfterMs: wait });
      await this.#clock.sleep(wait, signal);
      if (signal.aborted) throw new SourceError('the request was cancelled');
    }
    this.#tokens--;
  }

  /** The time until a request is possible, in milliseconds. */
  #wait(): number {
    const now = this.#clock.now();
    const { requests, periodMs, burst, sharedBy = () => 1 } = this.#limit;
    const processes = sharedBy();
    const perMs = requests / periodMs / processes;
    this.#tokens = Math.min(Math.max(1, burst / processes), this.#tokens + Math.max(0, now - this.#refilledAt) * perMs);
    this.#refilledAt = now;
    return Math.max(this.#pausedUntil - now, this.#tokens < 1 ? Math.ceil((1 - this.#tokens) / perMs) : 0, 0);
  }
}
