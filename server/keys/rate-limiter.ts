/** The rate limiter of one process: a token bucket in memory for each key. */
import type { RateLimit, RateLimitDecision, RateLimitedKey, RateLimiter } from '../ports/rate-limiter.ts';
import { createTokenBucket, type Bucket } from './token-bucket.ts';

/** The adapter of one process. A bucket is garbage collected with its key. All buckets are full after a restart. */
export class LocalRateLimiter implements RateLimiter {
  readonly #defaultLimit: RateLimit | 'off';
  readonly #buckets = new WeakMap<RateLimitedKey, Bucket>();

  /** `defaultLimit`: the limit of the keys that have none of their own. */
  constructor(defaultLimit: RateLimit | 'off') {
    this.#defaultLimit = defaultLimit;
  }

  consume(key: RateLimitedKey): RateLimitDecision | undefined {
    const limit = key.rate ?? this.#defaultLimit;
    if (limit === 'off') return undefined;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) this.#buckets.set(key, (bucket = createTokenBucket(limit)));
    return bucket.consume();
  }
}
