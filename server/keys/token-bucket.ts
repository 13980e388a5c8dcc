/** The token bucket of the rate limits. */
import { TokenBucket } from 'limiter';
import type { RateLimit } from './rate.ts';

export interface BucketState {
  readonly allowed: boolean;
  /** Whole requests that remain. */
  readonly remaining: number;
  /** Milliseconds until the bucket is full again. */
  readonly fullInMs: number;
  /** Milliseconds until the next request is allowed; 0 while requests remain. */
  readonly nextInMs: number;
}

export interface Bucket {
  /** Consumes one request if one remains. */
  consume(): BucketState;
  /** The current state; consumes nothing. */
  peek(): BucketState;
}

/** Refills are fractions. This margin prevents the rejection of a caller that waited for the reported time. */
const roundingMs = 0.001;

/**
 * Creates a full bucket. The library `limiter` is a true token bucket on the monotonic clock: exact, synchronous,
 * without a timer. rate-limiter-flexible counts in fixed windows, with a timer and promises for each key; bottleneck
 * is a job queue.
 */
export function createTokenBucket({ requests, periodMs }: RateLimit): Bucket {
  const bucket = new TokenBucket({ bucketSize: requests, tokensPerInterval: requests, interval: periodMs });
  const msPerToken = periodMs / requests;
  bucket.content = requests;
  const state = (allowed: boolean): BucketState => ({
    allowed,
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
