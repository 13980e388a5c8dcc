/** What stands between us and the aggregator, so that we neither ask more than it allows nor wait for it while it is down. */
import {
  BrokenCircuitError,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleType,
  noJitterGenerator,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  type IBackoff,
  type IBackoffFactory,
} from 'cockatiel';
import { createTokenBucket } from '../keys/token-bucket.ts';

/** `failed`: no usable answer. `limited`: it may not be asked now. `open`: not asked, because it failed again and again. */
export type GuardRefusal = 'failed' | 'limited' | 'open';

/** Why there is no answer; the message tells what happened. */
export class UpstreamUnavailableError extends Error {
  override readonly name = 'NoAnswer';
  readonly refusal: GuardRefusal;
  /** With `limited`: when to come back, where the aggregator says so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    refusal: GuardRefusal,
    message: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.refusal = refusal;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * The aggregator allows 300 requests a minute for pairs. 60 at once and 240 more over a minute are never more than 300 in any
 * minute. Its references differ on whether that is for each endpoint or for all: kept for all together, it holds either way.
 */
const limit = { requests: 60, periodMs: 15_000 };

/** How long a call may take, in milliseconds. */
export const callMs = 4_000;

/** So many faults one after the other open the breaker. */
const faults = 5;
/**
 * How long it stays open, at first and at most; each failed trial doubles it. Without jitter, which may make the first one a few
 * milliseconds: it keeps many clients apart, and we are one.
 */
const breakMs = { initialDelay: 5_000, maxDelay: 120_000, generator: noJitterGenerator };

/** How long a 429 keeps us away: what it says within these bounds, or the first. */
const pauseMs = { least: 5_000, most: 600_000 };

/**
 * Runs a call, or throws a NoAnswer without running it. What the call gives or throws comes out; after `callMs` a NoAnswer does.
 * `signal` aborts when the call has ended, however it ended, so that nothing of it is left open.
 */
export type UpstreamGuard = <T>(call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * The same spans by a clock that never goes back. The breaker counts them by the system's: set back by an hour while it is open, that would
 * keep it open for an hour more. So what it compares with is a span that is either not over at all or long over.
 */
function steady<T>(spans: IBackoffFactory<T>, now: () => number): IBackoffFactory<T> {
  return {
    next(context): IBackoff<T> {
      const span = spans.next(context);
      const endsAt = now() + span.duration;
      return {
        get duration() {
          return now() < endsAt ? Infinity : -Infinity;
        },
        next: steady(span, now).next,
      };
    },
  };
}

/** `now` is a clock in milliseconds that never goes back. */
export function createUpstreamGuard(now: () => number): UpstreamGuard {
  const bucket = createTokenBucket(limit);
  // Aggressive: it does not wait for a call that takes no notice of its signal, which in a trial would hold up all others.
  const deadline = timeout(callMs, TimeoutStrategy.Aggressive);
  const breaker = circuitBreaker(
    handleType(UpstreamUnavailableError, ({ refusal }) => refusal === 'failed').orType(TaskCancelledError),
    {
      halfOpenAfter: steady(new ExponentialBackoff(breakMs), now),
      breaker: new ConsecutiveBreaker(faults),
    },
  );
  let pausedUntil = -Infinity;

  return async (call) => {
    if (now() < pausedUntil) throw new UpstreamUnavailableError('limited', 'the aggregator asked us to wait');
    try {
      return await breaker.execute(() => {
        // In here, so that a request that is not made for the open breaker is not counted.
        if (!bucket.consume().allowed)
          throw new UpstreamUnavailableError('limited', 'the aggregator was asked as often as it allows');
        return deadline.execute((_context, signal) => call(signal));
      });
    } catch (error) {
      if (error instanceof BrokenCircuitError)
        throw new UpstreamUnavailableError('open', 'the aggregator failed too often', { cause: error });
      if (error instanceof TaskCancelledError)
        throw new UpstreamUnavailableError('failed', 'no answer in time', { cause: error });
      if (error instanceof UpstreamUnavailableError && error.retryAfterMs !== undefined) {
        pausedUntil = now() + Math.min(Math.max(error.retryAfterMs, pauseMs.least), pauseMs.most);
      }
      throw error;
    }
  };
}
