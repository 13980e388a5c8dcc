/** The rate limiter: decisions for each key, independent of the HTTP framework. */
import { createTokenBucket, waitSeconds, type Bucket } from './token-bucket.ts';
import type { RateLimit } from './rate.ts';

export interface RateLimitDecision {
  readonly allowed: boolean;
  /** The value of the header RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). */
  readonly policy: string;
  /** The value of the header RateLimit: `r` requests remain; the bucket is full again in `t` seconds. */
  readonly state: string;
  /** Seconds until the next request is allowed, at least 1. Meaningful only when `allowed` is false. */
  readonly retryAfter: number;
}

/** The part of a key that the limiter needs. The limiter identifies the key by this object. */
interface RateLimitedKey {
  /** The rate limit of the key; undefined for the default rate limit. */
  readonly rate: RateLimit | 'off' | undefined;
}

/** Consumes one request of a key; undefined for a key without a rate limit. */
export type ConsumeRateLimit = (key: RateLimitedKey) => RateLimitDecision | undefined;

/** Creates a rate limiter with one token bucket for each key. A bucket is garbage collected with its key. */
export function createRateLimiter(defaultLimit: RateLimit | 'off'): ConsumeRateLimit {
  const buckets = new WeakMap<RateLimitedKey, { readonly bucket: Bucket; readonly policy: string }>();
  return (key) => {
    const limit = key.rate ?? defaultLimit;
    if (limit === 'off') return undefined;
    let entry = buckets.get(key);
    if (entry === undefined) {
      entry = {
        bucket: createTokenBucket(limit),
        policy: `"default";q=${limit.requests};w=${Math.ceil(limit.periodMs / 1000)}`,
      };
      buckets.set(key, entry);
    }
    const { allowed, remaining, fullInMs, nextInMs } = entry.bucket.consume();
    const state = `"default";r=${remaining};t=${waitSeconds(fullInMs)}`;
    return { allowed, policy: entry.policy, state, retryAfter: waitSeconds(nextInMs) };
  };
}
