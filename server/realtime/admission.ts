/** Decides which WebSocket connections are accepted: authentication, scope, overload, and the limits of a key. */
import { streamScopes } from '../../generated/scopes.ts';
import { createTokenBucket, type Bucket } from '../keys/token-bucket.ts';
import type { Authenticate, AuthenticationFailure } from '../keys/authenticator.ts';
import type { AuthenticatedKey } from '../ports/keys.ts';
import type { CloseReason, Limits } from './limits.ts';
import { hasParameters } from './path.ts';

export interface AdmissionParts {
  /** Authenticates the presented API keys. */
  readonly authenticate: Authenticate;
  readonly limits: Limits;
  /** The open connections of a key in the other processes that share the storage. */
  readonly connectionsElsewhere: (keyId: string) => number;
  /** Called once for each new connection: whether the server is overloaded. */
  readonly isOverloaded: () => boolean;
}

/** Why a connection is closed when its authentication failed. */
const authenticationRejections = {
  invalid: 'key',
  failures: 'rate',
  unavailable: 'overload',
} as const satisfies Record<AuthenticationFailure['reason'], CloseReason>;

export class Admission {
  readonly #parts: AdmissionParts;
  /** Open connections by key id. */
  readonly #open = new Map<string, number>();
  readonly #connectBuckets = new WeakMap<AuthenticatedKey, Bucket>();
  #isStopping = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** From now on, rejects every connection because the server restarts. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Authenticates an upgrade and checks the connection limits. `target` does not contain the key. */
  admit(
    presented: readonly string[],
    address: string,
    target: string,
  ): AuthenticatedKey | { readonly rejected: CloseReason } {
    const { authenticate, isOverloaded } = this.#parts;
    // First, because it avoids all other work.
    if (isOverloaded()) return { rejected: 'overload' };
    const key = authenticate(presented, address);
    if ('reason' in key) return { rejected: authenticationRejections[key.reason] };
    if (!key.scopes.has(streamScopes.connect)) return { rejected: 'scope' };
    if (hasParameters(target)) return { rejected: 'parameter' };
    const rejected = this.admitKey(key);
    return rejected === undefined ? key : { rejected };
  }

  /** Checks the limits of a key that is authenticated and has the scope. Returns why the connection is rejected. */
  admitKey(key: AuthenticatedKey): 'restart' | 'rate' | 'connections' | undefined {
    const { limits, connectionsElsewhere } = this.#parts;
    if (this.#isStopping) return 'restart';
    if (!this.#consumeConnect(key)) return 'rate';
    const open = (this.#open.get(key.id) ?? 0) + connectionsElsewhere(key.id);
    return open < limits.connections ? undefined : 'connections';
  }

  /** The open connections by key id. */
  get open(): ReadonlyMap<string, number> {
    return this.#open;
  }

  opened(keyId: string): void {
    this.#open.set(keyId, (this.#open.get(keyId) ?? 0) + 1);
  }

  closed(keyId: string): void {
    const remaining = (this.#open.get(keyId) ?? 0) - 1;
    if (remaining > 0) this.#open.set(keyId, remaining);
    else this.#open.delete(keyId);
  }

  #consumeConnect(key: AuthenticatedKey): boolean {
    const { limits } = this.#parts;
    const counted = key.issuer ?? key;
    let bucket = this.#connectBuckets.get(counted);
    if (bucket === undefined) {
      bucket = createTokenBucket({ requests: limits.connectsPerMinute * limits.connections, periodMs: 60_000 });
      this.#connectBuckets.set(counted, bucket);
    }
    return bucket.consume().allowed;
  }
}
