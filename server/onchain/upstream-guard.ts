/** The upstream guard: rate limit, time limit and circuit breaker for calls to the aggregator. */
import type { IBackoff, IBackoffFactory } from 'cockatiel';
import { lazy } from '../collections/lazy.ts';
import { createTokenBucket } from '../keys/token-bucket.ts';

/** `failed`: no usable response. `limited`: the rate limit is reached. `open`: the circuit breaker is open. */
export type GuardRejection = 'failed' | 'limited' | 'open';

/** The reason why there is no result. The message describes the cause. */
export class UpstreamUnavailableError extends Error {
  override readonly name = 'NoAnswer';
  readonly reason: GuardRejection;
  /** With `limited`: the time that the aggregator requests before the next call, if any. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: GuardRejection,
    message: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * The aggregator allows 300 requests a minute for pairs. A burst of 60 and 240 more in a minute stay within 300 in any
 * minute. Its documentation is unclear whether the limit is per endpoint; a common limit for all endpoints is valid in
 * both cases.
 */
const limit = { requests: 60, periodMs: 15_000 };

/** Time limit of a call in milliseconds. */
export const callTimeoutMs = 4_000;

/** Consecutive failures that open the breaker. */
const maxConsecutiveFailures = 5;
/**
 * How long the breaker stays open, at first and at most; each failed trial doubles the time. Jitter would separate many
 * clients, but this is a single client, and jitter can shorten the first time to a few milliseconds.
 */
const breakerBackoff = { initialDelay: 5_000, maxDelay: 120_000 };

/** Minimum and maximum pause after a 429, in milliseconds. Without a `Retry-After`, the minimum applies. */
const pauseMs = { min: 5_000, max: 600_000 };

/**
 * Runs a call, or throws UpstreamUnavailableError without running it. Returns the result of the call or rethrows its
 * error; after `callTimeoutMs` it throws UpstreamUnavailableError. `signal` aborts when the call has ended in any way,
 * so that nothing of it stays open.
 */
export type UpstreamGuard = <T>(call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Applies the same backoff durations with a monotonic clock. The breaker uses the system clock; if that clock is set
 * back by an hour while the breaker is open, the breaker would stay open for another hour. So the duration is reported
 * as either infinite (not over) or negative infinite (over).
 */
function monotonicBackoff<T>(spans: IBackoffFactory<T>, now: () => number): IBackoffFactory<T> {
  return {
    next(context): IBackoff<T> {
      const span = spans.next(context);
      const endsAt = now() + span.duration;
      return {
        get duration() {
          return now() < endsAt ? Infinity : -Infinity;
        },
        next: monotonicBackoff(span, now).next,
      };
    },
  };
}

/** The time limit and the breaker. cockatiel is loaded at the first call: few services resolve tokens soon after their start. */
async function openPolicies(now: () => number) {
  const library = await import('cockatiel');
  const { circuitBreaker, ConsecutiveBreaker, ExponentialBackoff, handleType, noJitterGenerator: generator } = library;
  const { BrokenCircuitError, TaskCancelledError, timeout, TimeoutStrategy } = library;
  // Aggressive: does not wait for a call that ignores its signal. In a trial, such a call would block all others.
  const deadline = timeout(callTimeoutMs, TimeoutStrategy.Aggressive);
  const breaker = circuitBreaker(
    handleType(UpstreamUnavailableError, ({ reason }) => reason === 'failed').orType(TaskCancelledError),
    {
      halfOpenAfter: monotonicBackoff(new ExponentialBackoff({ ...breakerBackoff, generator }), now),
      breaker: new ConsecutiveBreaker(maxConsecutiveFailures),
    },
  );
  return { deadline, breaker, BrokenCircuitError, TaskCancelledError };
}

/** Creates a guard. `now` is a monotonic clock in milliseconds. */
export function createUpstreamGuard(now: () => number): UpstreamGuard {
  const bucket = createTokenBucket(limit);
  const policies = lazy(() => openPolicies(now));
  let pausedUntil = -Infinity;

  return async (call) => {
    if (now() < pausedUntil) throw new UpstreamUnavailableError('limited', 'the aggregator requested a pause');
    const { deadline, breaker, BrokenCircuitError, TaskCancelledError } = await policies();
    try {
      return await breaker.execute(() => {
        // Inside the breaker, so that a call that the open breaker rejects uses no token.
        if (!bucket.consume().allowed)
          throw new UpstreamUnavailableError('limited', 'the rate limit of the aggregator is reached');
        return deadline.execute((_context, signal) => call(signal));
      });
    } catch (error) {
      if (error instanceof BrokenCircuitError)
        throw new UpstreamUnavailableError('open', 'the aggregator failed too often', { cause: error });
      if (error instanceof TaskCancelledError)
        throw new UpstreamUnavailableError('failed', 'no response in time', { cause: error });
      if (error instanceof UpstreamUnavailableError && error.retryAfterMs !== undefined) {
        pausedUntil = now() + Math.min(Math.max(error.retryAfterMs, pauseMs.min), pauseMs.max);
      }
      throw error;
    }
  };
}
