/** What each key may still ask for: plain values, so that any server of HTTP can tell them. */
import { createTokenBucket, waitSeconds, type Bucket } from './token-bucket.ts';
import type { RateLimit } from './rate.ts';

export interface RateLimitDecision {
  readonly allowed: boolean;
  /** The field RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). */
  readonly policy: string;
  /** The field RateLimit: `r` requests left, full again in `t` seconds. */
  readonly state: string;
  /** Seconds until there is a request to take, at least 1; only to be told where none is left. */
  readonly retryAfter: number;
}

/** What decides about a key's bucket; the object itself stands for the key, as long as the key is valid. */
interface RateLimitedKey {
  /** Its own rate; undefined for the usual one. */
  readonly rate: RateLimit | 'off' | undefined;
}

/** Draws a request of a key; undefined for one without a limit. */
export type ConsumeRateLimit = (key: RateLimitedKey) => RateLimitDecision | undefined;

/**
 * Gives each key its bucket. A bucket lives as long as its key: what was revoked leaves nothing
 * behind, and the number of buckets is that of the keys.
 */
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
