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
  const { requests, periodMs } = limit;
  const bucket = new TokenBucket({ bucketSize: requests, tokensPerInterval: requests, interval: periodMs });
  const msPerToken = periodMs / requests;
  bucket.content = requests;
  const state = (allowed: boolean): RateLimitDecision => ({
    allowed,
    limit,
    remaining: Math.floor(bucket.content),
    fullInMs: (requests - bucket.content) * msPerToken,
    nextInMs: bucket.content < 1 ? (1 - bucket.content) * msPerToken + roundingMs : 0,
  });
  return {
    consume: () => state(bucket.tryRemoveTokens(1)),
    peek() {
      bucket.drip();
      return state(bucket.content >= 1);
    },
  };
}

/** Converts a wait in milliseconds to whole seconds, at least 1. Ignores `roundingMs` when it rounds up. */
export const waitSeconds = (ms: number): number => Math.max(1, Math.ceil((ms - 2 * roundingMs) / 1000));
