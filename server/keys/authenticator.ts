/** Authentication of API keys for HTTP requests and WebSocket connections. */
import { FailureLimit } from './failure-limit.ts';
import type { AuthenticatedKey, Keys } from '../ports/keys.ts';
import type { RateLimit } from '../ports/rate-limiter.ts';
import { StoreError } from '../ports/storage.ts';
import { networkPrefix } from './network-prefix.ts';
import type { VerifyToken } from './tokens.ts';

/**
 * `invalid`: no key, more than one key, or an unknown key. `failures`: the network sent too many invalid keys; `retryAfter` is in seconds,
 * at least 1. `unavailable`: the stored keys are not known.
 */
export type AuthenticationFailure =
  | { readonly reason: 'invalid' }
  | { readonly reason: 'failures'; readonly retryAfter: number }
  | { readonly reason: 'unavailable' };

/**
 * Authenticates the keys that a client address presented. Returns the key, or the reason for the rejection.
 * `connection`: the object under which `Keys.verify` caches the key.
 */
export type Authenticate = (
  presented: readonly string[],
  address: string,
  connection?: object,
) => AuthenticatedKey | AuthenticationFailure;

export interface AuthenticatorOptions {
  readonly keys: Pick<Keys, 'verify' | 'recordUse'>;
  /** Verifies signed tokens; without it there are none. */
  readonly tokens?: VerifyToken | undefined;
  /** Invalid keys that one network may send. */
  readonly failures: RateLimit | 'off';
  /** Called when a network is blocked; called again only after its bucket was full again. */
  readonly onBlocked?: (network: string) => void;
}

const invalid: AuthenticationFailure = { reason: 'invalid' };
const unavailable: AuthenticationFailure = { reason: 'unavailable' };

/**
 * Creates the authenticator. A network that sent too many invalid keys is blocked even for valid keys, so that the
 * response does not disclose whether a guess was right. Many callers can share an address (an office, a proxy that
 * TRUST_PROXY does not name), so a key whose last use came from the same network is still accepted. The hash for this
 * check costs a fraction of parsing the request.
 */
export function createAuthenticator({ keys, tokens, failures, onBlocked }: AuthenticatorOptions): Authenticate {
  const limit = new FailureLimit(failures, onBlocked);

  function accept(key: AuthenticatedKey, address: string): AuthenticatedKey {
    keys.recordUse(key, address);
    return key;
  }

  function authenticate(key: string, address: string, connection?: object): AuthenticatedKey | AuthenticationFailure {
    const verified = tokens?.isToken(key) === true ? tokens.verify(key) : keys.verify(key, connection);
    // The common case: no network has sent an invalid key, or the key was last used from this address.
    if (verified !== undefined && (limit.isUnused || verified.lastUse.from === address))
      return accept(verified, address);
    if (failures === 'off') return verified === undefined ? invalid : accept(verified, address);
    const network = networkPrefix(address);
    const retryAfter = limit.blockedSeconds(network);
    if (retryAfter > 0 && (verified === undefined || networkPrefix(verified.lastUse.from) !== network))
      return { reason: 'failures', retryAfter };
    if (verified !== undefined) return accept(verified, address);
    limit.record(network);
    return invalid;
  }

  return (presented, address, connection) => {
    const key = presented[0];
    if (key === undefined || key === '' || presented.length > 1) return invalid;
    try {
      return authenticate(key, address, connection);
    } catch (error) {
      if (error instanceof StoreError) return unavailable;
      throw error;
    }
  };
}
