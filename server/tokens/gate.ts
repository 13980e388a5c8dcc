/** What stands between us and the aggregator, so that we neither ask more than it allows nor wait for it while it is down. */
import { BrokenCircuitError, circuitBreaker, ConsecutiveBreaker, ExponentialBackoff, handleType } from 'cockatiel';
import { createBuckets } from '../http/rate-limit.ts';

/** `failed`: no usable answer. `limited`: it may not be asked now. `open`: not asked, because it failed again and again. */
export type Refusal = 'failed' | 'limited' | 'open';

/** Why there is no answer; the message tells what happened. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly refusal: Refusal;
  /** With `limited`: when to come back, where the aggregator says so. */
  readonly retryAfterMs: number | undefined;

  constructor(refusal: Refusal, message: string, options: { retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.refusal = refusal;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * The aggregator allows 300 requests a minute to each endpoint for pairs. 60 at once and 240 more over a minute are never more
 * than 300 in any minute.
 */
const limit = { requests: 60, periodMs: 15_000 };

/** So many faults one after the other open the breaker. */
const faults = 5;
/** How long it stays open, at first and at most; each failed trial makes it longer. */
const breakMs = { initialDelay: 5_000, maxDelay: 120_000 };

/** How long a 429 keeps us away: what it says within these bounds, or the first. */
const pauseMs = { least: 5_000, most: 600_000 };

/** Runs a call to an endpoint, or throws a NoAnswer without running it. */
export type Gate = <T>(endpoint: string, call: () => Promise<T>) => Promise<T>;

/** `now` is a clock in milliseconds that never goes back; the breaker has the system's. */
export function createGate(now: () => number): Gate {
  const draw = createBuckets(limit, now);
  const breaker = circuitBreaker(handleType(NoAnswer, ({ refusal }) => refusal === 'failed'), {
    halfOpenAfter: new ExponentialBackoff(breakMs),
    breaker: new ConsecutiveBreaker(faults),
  });
  const pausedUntil = new Map<string, number>();

  return async (endpoint, call) => {
    if (now() < (pausedUntil.get(endpoint) ?? 0)) throw new NoAnswer('limited', `${endpoint} asked us to wait`);
    try {
      return await breaker.execute(() => {
        // In here, so that a request that is not made for the open breaker is not counted.
        if (!draw(endpoint).allowed) throw new NoAnswer('limited', `${endpoint} was asked as often as it allows`);
        return call();
      });
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw new NoAnswer('open', 'the aggregator failed again and again', { cause: error });
      if (error instanceof NoAnswer && error.retryAfterMs !== undefined) {
        pausedUntil.set(endpoint, now() + Math.min(Math.max(error.retryAfterMs, pauseMs.least), pauseMs.most));
      }
      throw error;
    }
  };
}
