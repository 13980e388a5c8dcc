/** Limits the invalid credentials that one network may send. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../collections/growing-cache.ts';
import type { RateLimit } from '../ports/rate-limiter.ts';
import { createTokenBucket, waitSeconds, type Bucket } from './token-bucket.ts';

/**
 * Networks with invalid credentials that are remembered, most recent first. A limit per network cannot stop an attacker with
 * more networks.
 */
const maxNetworks = 10_000;

export class FailureLimit {
  readonly #limit: RateLimit | 'off';
  readonly #onBlocked: ((network: string) => void) | undefined;
  readonly #byNetwork = new LRUCache<string, { readonly bucket: Bucket; isReported: boolean }>(atMost(maxNetworks));

  /** `onBlocked` is called when a network is blocked; again only after its bucket was full again. */
  constructor(limit: RateLimit | 'off', onBlocked?: (network: string) => void) {
    this.#limit = limit;
    this.#onBlocked = onBlocked;
  }

  /** Whether no network is remembered. */
  get isUnused(): boolean {
    return this.#byNetwork.size === 0;
  }

  /** Counts an invalid credential. */
  record(network: string): void {
    if (this.#limit === 'off') return;
    let entry = this.#byNetwork.get(network);
    if (entry === undefined) {
      entry = { bucket: createTokenBucket(this.#limit), isReported: false };
      this.#byNetwork.set(network, entry);
    }
    entry.bucket.consume();
  }

  /** Seconds for which a network is still blocked; 0 when it is not blocked. */
  blockedSeconds(network: string): number {
    const entry = this.#byNetwork.get(network);
    if (entry === undefined) return 0;
    const { allowed, nextInMs, fullInMs } = entry.bucket.peek();
    if (fullInMs <= 0) this.#byNetwork.delete(network);
    if (allowed) return 0;
    if (!entry.isReported) this.#onBlocked?.(network);
    entry.isReported = true;
    return waitSeconds(nextInMs);
  }
}
