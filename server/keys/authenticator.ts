/** Who may come in: the one place where a presented key is judged, for requests and for event streams alike. */
import { LRUCache } from 'lru-cache';
import { createTokenBucket, waitSeconds, type Bucket } from './token-bucket.ts';
import type { Keys, AuthenticatedKey } from './keys.ts';
import { networkPrefix } from './network-prefix.ts';
import type { RateLimit } from './rate.ts';

/** `invalid`: no key, more than one, or none of ours. `failures`: too many wrong keys came from there; `retryAfter` in seconds, from 1. */
export type AuthenticationFailure =
  | { readonly reason: 'invalid' }
  | { readonly reason: 'failures'; readonly retryAfter: number };

/** Judges the keys that were presented from an address, by a connection. The key, or why it may not enter. */
export type Authenticate = (
  presented: readonly string[],
  address: string,
  connection?: object,
) => AuthenticatedKey | AuthenticationFailure;

export interface AuthenticatorOptions {
  readonly keys: Pick<Keys, 'verify'>;
  /** Wrong keys that may come from one address. */
  readonly failures: RateLimit | 'off';
  /** Told when an address has sent too many; again only after all of them were forgotten. */
  readonly onBlocked?: (network: string) => void;
}

/** Addresses that are remembered for their wrong keys, the latest. Who has more of them is not held up by a limit for each anyway. */
const maxNetworks = 10_000;

const invalid: AuthenticationFailure = { reason: 'invalid' };

/**
 * An address that sent too many wrong keys is refused, whatever it sends, so that it does not learn from the answer whether a guess
 * was right. But many callers may share an address (an office, a proxy that TRUST_PROXY does not name), and one with a wrong key must
 * not shut out all others: a key that came from there the last time it was used still passes. The hash that this takes costs a fraction
 * of what reading the request did.
 */
export function createAuthenticator({ keys, failures, onBlocked }: AuthenticatorOptions): Authenticate {
  const failuresByNetwork = new LRUCache<string, { readonly bucket: Bucket; isReported: boolean }>({
    max: maxNetworks,
  });

  function recordFailure(network: string, limit: RateLimit): AuthenticationFailure {
    let entry = failuresByNetwork.get(network);
    if (entry === undefined) {
      entry = { bucket: createTokenBucket(limit), isReported: false };
      failuresByNetwork.set(network, entry);
    }
    entry.bucket.consume();
    return invalid;
  }

  /** Seconds for which nothing new may come from a network; 0 where it may. */
  function blockedSeconds(network: string): number {
    const entry = failuresByNetwork.get(network);
    if (entry === undefined) return 0;
    const { allowed, nextInMs, fullInMs } = entry.bucket.peek();
    if (fullInMs <= 0) failuresByNetwork.delete(network);
    if (allowed) return 0;
    if (!entry.isReported) onBlocked?.(network);
    entry.isReported = true;
    return waitSeconds(nextInMs);
  }

  return (presented, address, connection) => {
    const key = presented[0];
    if (key === undefined || key === '' || presented.length > 1) return invalid;
    const verified = keys.verify(key, connection);
    // Almost every request: nobody guesses at all, or not from there.
    if (verified !== undefined && (failuresByNetwork.size === 0 || verified.lastUse.from === address))
      return recordUse(verified, address);
    if (failures === 'off') return verified === undefined ? invalid : recordUse(verified, address);
    const network = networkPrefix(address);
    const retryAfter = blockedSeconds(network);
    if (retryAfter > 0 && (verified === undefined || networkPrefix(verified.lastUse.from) !== network))
      return { reason: 'failures', retryAfter };
    return verified === undefined ? recordFailure(network, failures) : recordUse(verified, address);
  };
}

function recordUse(key: AuthenticatedKey, address: string): AuthenticatedKey {
  key.lastUse.at = Date.now();
  key.lastUse.from = address;
  return key;
}
