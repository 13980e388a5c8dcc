/** The token bucket of the rate limits. */
import { TokenBucket } from 'limiter';
import type { RateLimit, RateLimitDecision } from '../ports/rate-limiter.ts';

export interface Bucket {
  /** Consumes one request if one remains. */
  consume(): RateLimitDecision;
  /** The current state; consumes nothing. */
  peek(): RateLimitDecision;
}

/** Refills are fractions. This margin prevents the rejection of a caller that waited for the reported time. */
const roundingMs = 0.001;

/**
 * Creates a full bucket. The library `limiter` is a true token bucket on the monotonic clock: exact, synchronous,
 * without a timer. rate-limiter-flexible counts in fixed windows, with a timer and promises for each key; bottleneck
 * is a job queue.
 */
export function createTokenBucket(limit: RateLimit): Bucket {
  return new LimitedBucket(limit);
}

/** A class, because each connection has a bucket: closures would need three times the memory. */
class LimitedBucket implements Bucket {
  readonly #limit: RateLimit;
  readonly #bucket: TokenBucket;

  constructor(limit: RateLimit) {
    const { requests, periodMs } = limit;
    this.#limit = limit;
    this.#bucket = new TokenBucket({ bucketSize: requests, tokensPerInterval: requests, interval: periodMs });
    this.#bucket.content = requests;
  }

  consume(): RateLimitDecision {
    return this.#state(this.#bucket.tryRemoveTokens(1));
  }

  peek(): RateLimitDecision {
    this.#bucket.drip();
    return this.#state(this.#bucket.content >= 1);
  }

  #state(allowed: boolean): RateLimitDecision {
    const { requests, periodMs } = this.#limit;
    const { content } = this.#bucket;
    const msPerToken = periodMs / requests;
    return {
      allowed,
      limit: this.#limit,
      remaining: Math.floor(content),
      fullInMs: (requests - content) * msPerToken,
      nextInMs: content < 1 ? (1 - content) * msPerToken + roundingMs : 0,
    };
  }
}

/** Converts a wait in milliseconds to whole seconds, at least 1. Ignores `roundingMs` when it rounds up. */
export const waitSeconds = (ms: number): number => Math.max(1, Math.ceil((ms - 2 * roundingMs) / 1000));
