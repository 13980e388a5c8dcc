/**
 * The rate limiter of several instances: a bucket for each key in the database. An instance takes slices of a twentieth of
 * the limit and answers from its slice, so the instances together never permit more than the limit.
 *
 * While the database is away, an instance permits its share of the refill, and subtracts that from the bucket afterwards.
 */
import { StoreError } from '../../../ports/storage.ts';
import type { RateLimit, RateLimitDecision, RateLimitedKey, RateLimiter } from '../../../ports/rate-limiter.ts';
import type { Database } from './database.ts';
import { takeTokens, type TokensRow } from './statements.ts';

export interface RateLimiterOptions {
  readonly database: Database;
  /** The limit of the keys that have none of their own. */
  readonly defaultLimit: RateLimit | 'off';
  /** The number of other instances. */
  readonly others: () => number;
  /** Milliseconds since the epoch, instead of the clock of the database. */
  readonly now?: () => number;
}

/** What an instance knows of a bucket. */
interface Slice {
  /** The tokens that this instance has taken and not used. */
  tokens: number;
  /** The tokens in the bucket when the last slice was taken. */
  left: number;
  /** Tokens that were used without the database. */
  debt: number;
  /** Since when the database is away, by `performance.now`, and the tokens of this time that are not used. */
  away: { at: number; tokens: number } | undefined;
  /** No token is in the bucket before this time, by `performance.now`. */
  emptyUntil: number;
  taking: Promise<void> | undefined;
}

const sliceShare = 20;
/** After this time a slice of a key without requests is forgotten. */
const maxSlices = 10_000;

export class PostgresRateLimiter implements RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #slices = new Map<string, Slice>();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
  }

  consume({ id, rate }: RateLimitedKey): RateLimitDecision | undefined | Promise<RateLimitDecision | undefined> {
    const limit = rate ?? this.#options.defaultLimit;
    if (limit === 'off') return undefined;
    const slice = this.#sliceOf(id);
    if (slice.tokens >= 1 || performance.now() < slice.emptyUntil) return decide(slice, limit);
    return this.#decideLater(id, slice, limit);
  }

  /** Other calls may use the slice that this one takes, so it repeats that until the bucket is empty. */
  async #decideLater(id: string, slice: Slice, limit: RateLimit): Promise<RateLimitDecision> {
    while (slice.tokens < 1 && performance.now() >= slice.emptyUntil) await this.#take(id, slice, limit);
    return decide(slice, limit);
  }

  #sliceOf(id: string): Slice {
    let slice = this.#slices.get(id);
    if (slice === undefined) {
      if (this.#slices.size >= maxSlices) this.#slices.clear();
      slice = { tokens: 0, left: 0, debt: 0, away: undefined, emptyUntil: Number.NEGATIVE_INFINITY, taking: undefined };
      this.#slices.set(id, slice);
    }
    return slice;
  }

  /** Takes a slice; the calls during that share it. */
  #take(id: string, slice: Slice, limit: RateLimit): Promise<void> {
    slice.taking ??= this.#takeSlice(id, slice, limit).finally(() => (slice.taking = undefined));
    return slice.taking;
  }

  async #takeSlice(id: string, slice: Slice, limit: RateLimit): Promise<void> {
    const { requests, periodMs } = limit;
    const wanted = Math.max(1, Math.floor(requests / sliceShare));
    const debt = slice.debt;
    try {
      const at = this.#options.now?.();
      const [row] = await this.#options.database.run<TokensRow>(takeTokens(id, limit, { wanted, debt, at }));
      slice.tokens += row?.taken ?? 0;
      slice.left = row?.tokens_left ?? 0;
      slice.debt -= debt;
      slice.away = undefined;
      const isEmpty = slice.tokens < 1;
      slice.emptyUntil = isEmpty
        ? performance.now() + ((1 - slice.left) * periodMs) / requests
        : Number.NEGATIVE_INFINITY;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#takeShare(slice, limit);
    }
  }

  /** The share of this instance in the refill since the database is away. The first request is permitted. */
  #takeShare(slice: Slice, { requests, periodMs }: RateLimit): void {
    const now = performance.now();
    const perMs = requests / periodMs / (this.#options.others() + 1);
    const away = (slice.away ??= { at: now, tokens: 1 });
    away.tokens = Math.min(Math.max(1, requests / sliceShare), away.tokens + (now - away.at) * perMs);
    away.at = now;
    const taken = Math.floor(away.tokens);
    away.tokens -= taken;
    slice.tokens += taken;
    slice.debt += taken;
    slice.left = 0;
    slice.emptyUntil = taken >= 1 ? Number.NEGATIVE_INFINITY : now + (1 - away.tokens) / perMs;
  }
}

function decide(slice: Slice, limit: RateLimit): RateLimitDecision {
  const allowed = slice.tokens >= 1;
  if (allowed) slice.tokens -= 1;
  const rest = slice.tokens + Math.max(0, slice.left);
  const msPerToken = limit.periodMs / limit.requests;
  return {
    allowed,
    limit,
    remaining: Math.floor(rest),
    fullInMs: (limit.requests - rest) * msPerToken,
    nextInMs: rest >= 1 ? 0 : (1 - rest) * msPerToken,
  };
}
