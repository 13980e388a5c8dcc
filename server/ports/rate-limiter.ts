/** The port to rate limiters: decides for each request whether the rate limit of its key permits it. */

/** A bucket of `requests` tokens, refilled evenly over `periodMs`. */
export interface RateLimit {
  readonly requests: number;
  readonly periodMs: number;
}

/** The part of a key that a limiter needs. The object is the same for all requests of the key while the key is valid. */
export interface RateLimitedKey {
  readonly id: string;
  /** The rate limit of the key; undefined for the default rate limit of the service. */
  readonly rate: RateLimit | 'off' | undefined;
}

/** Whether a request is permitted, and the state of its bucket. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  /** The limit of the bucket. */
  readonly limit: RateLimit;
  /** Whole requests that remain. An adapter that several processes share may report fewer than there are. */
  readonly remaining: number;
  /** Milliseconds until the bucket is full again. */
  readonly fullInMs: number;
  /** Milliseconds until the next request is permitted; 0 while requests remain. */
  readonly nextInMs: number;
}

/**
 * Consumes tokens of the buckets. All processes that share an adapter's storage together never permit more requests
 * of a key than its limit; a process may hold a slice of the tokens, so they may permit fewer for a moment.
 */
export interface RateLimiter {
  /**
   * Consumes one request of a key; undefined for a key without a rate limit. An adapter that decides in this process
   * returns the decision itself, so that the request is answered in the same turn of the event loop. Throws, or
   * rejects with, StoreError when the storage of the buckets cannot be reached; the request is then answered with 503.
   */
  consume(key: RateLimitedKey): RateLimitDecision | undefined | Promise<RateLimitDecision | undefined>;
}
