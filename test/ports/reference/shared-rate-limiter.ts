/** A simple adapter whose limiters share their buckets, as those of several processes share a database. */
import type { RateLimit, RateLimitDecision, RateLimitedKey, RateLimiter } from '../../../server/ports/rate-limiter.ts';

/** A row of the shared storage. */
interface Row {
  tokens: number;
  at: number;
}

/** The storage: it takes tokens of a bucket in one step, as one UPDATE does. */
export class SharedBuckets {
  readonly #rows = new Map<string, Row>();

  /** Takes up to `wanted` whole tokens; returns how many, and the tokens that are left. */
  async take(id: string, { requests, periodMs }: RateLimit, wanted: number): Promise<{ taken: number; left: number }> {
    await Promise.resolve();
    const now = performance.now();
    const row = this.#rows.get(id) ?? { tokens: requests, at: now };
    row.tokens = Math.min(requests, row.tokens + ((now - row.at) * requests) / periodMs);
    row.at = now;
    const taken = Math.min(wanted, Math.floor(row.tokens + 1e-9));
    row.tokens -= taken;
    this.#rows.set(id, row);
    return { taken, left: row.tokens };
  }
}

/** The limiter of one process: it takes slices of a twentieth of the limit, and answers from its slice. */
export class SharedRateLimiter implements RateLimiter {
  readonly #buckets: SharedBuckets;
  readonly #defaultLimit: RateLimit | 'off';
  readonly #slices = new Map<string, { tokens: number; left: number }>();
  /** The calls for a key run one after the other. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(buckets: SharedBuckets, defaultLimit: RateLimit | 'off') {
    this.#buckets = buckets;
    this.#defaultLimit = defaultLimit;
  }

  async consume({ id, rate }: RateLimitedKey): Promise<RateLimitDecision | undefined> {
    const limit = rate ?? this.#defaultLimit;
    if (limit === 'off') return undefined;
    const decision = (this.#queues.get(id) ?? Promise.resolve()).then(() => this.#decide(id, limit));
    this.#queues.set(id, decision);
    return decision;
  }

  async #decide(id: string, limit: RateLimit): Promise<RateLimitDecision> {
    const slice = this.#slices.get(id) ?? { tokens: 0, left: 0 };
    this.#slices.set(id, slice);
    if (slice.tokens === 0) {
      const { taken, left } = await this.#buckets.take(id, limit, Math.max(1, Math.floor(limit.requests / 20)));
      Object.assign(slice, { tokens: taken, left });
    }
    const allowed = slice.tokens > 0;
    if (allowed) slice.tokens -= 1;
    const rest = slice.tokens + slice.left;
    const msPerToken = limit.periodMs / limit.requests;
    return {
      allowed,
      limit,
      remaining: Math.floor(rest),
      fullInMs: (limit.requests - rest) * msPerToken,
      nextInMs: rest >= 1 ? 0 : (1 - rest) * msPerToken,
    };
  }
}
