/** The rate limit of fills: a token bucket for each caller. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../collections/growing-cache.ts';
import { ServiceError } from '../../contract/service-error.ts';
import type { Clock } from '../clock.ts';

/** The requests of a caller that may fetch something. */
const limit = { requests: 30, periodMs: 60_000 } as const;
const msPerToken = limit.periodMs / limit.requests;
const maxCallers = 10_000;

export class FillLimit {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #buckets = new LRUCache<string, { readonly tokens: number; readonly at: number }>(atMost(maxCallers));

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Takes one request of a caller. Throws 429 with the time until the next one. */
  take(caller: string): void {
    const now = this.#clock.now();
    const { tokens, at } = this.#buckets.get(caller) ?? { tokens: limit.requests, at: now };
    const current = Math.min(limit.requests, tokens + Math.max(0, now - at) / msPerToken);
    if (current < 1) {
      const seconds = Math.max(1, Math.ceil(((1 - current) * msPerToken) / 1000));
      const message = `too many requests that fetch data from a live platform; retry in ${seconds} s`;
      throw new ServiceError(429, message, { 'Retry-After': String(seconds) });
    }
    this.#buckets.set(caller, { tokens: current - 1, at: now });
  }
}

/** What one request may take: once, however many fills it needs. */
export class FillCharge {
  readonly #limit: FillLimit;
  readonly #caller: string;
  #isTaken = false;

  constructor(limit: FillLimit, caller: string) {
    this.#limit = limit;
    this.#caller = caller;
  }

  /** Throws 429. */
  take(): void {
    if (this.#isTaken) return;
    this.#limit.take(this.#caller);
    this.#isTaken = true;
  }
}
