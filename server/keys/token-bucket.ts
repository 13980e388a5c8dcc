/** Token buckets. */
import { TokenBucket } from 'limiter';
import type { RateLimit } from './rate.ts';

export interface BucketState {
  readonly allowed: boolean;
  /** Whole requests left now. */
  readonly remaining: number;
  /** Milliseconds until the bucket is full again. */
  readonly fullInMs: number;
  /** Milliseconds until there is a request to take; 0 while some are left. */
  readonly nextInMs: number;
}

export interface Bucket {
  /** Takes a request out, where there is one. */
  consume(): BucketState;
  /** How things are now; takes nothing. */
  peek(): BucketState;
}

/** What flows in are fractions: their rounding errors must not have a caller refused who waited as long as it was told. */
const roundingMs = 0.001;

/**
 * A bucket that is full at first. By `limiter`: a true token bucket on the monotonic clock, exact about what is left, synchronous and
 * without a timer. rate-limiter-flexible counts in fixed windows, with a timer and promises for each key; bottleneck is a queue of jobs.
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

/** Milliseconds as whole seconds to wait, at least 1; `roundingMs` is not another second. */
export const waitSeconds = (ms: number): number => Math.max(1, Math.ceil((ms - 2 * roundingMs) / 1000));
