/** The admission of a request: authentication, rate limit, scope. The one place that decides about all three. */
import type { IncomingMessage } from 'node:http';
import { forbidden } from '../../contract/service-error.ts';
import type { Authenticate } from '../../keys/authenticator.ts';
import { consumeRequest, requireAllowed } from '../../keys/rate-limit.ts';
import { waitSeconds } from '../../keys/token-bucket.ts';
import type { AuthenticatedKey } from '../../ports/keys.ts';
import type { RateLimitDecision, RateLimiter } from '../../ports/rate-limiter.ts';
import { authenticationError } from './credentials.ts';
import type { Exchange } from './exchange.ts';

export interface AdmissionParts {
  readonly authenticate: Authenticate;
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly rateLimiter: RateLimiter;
}

export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Authenticates the request, then consumes one request of its key and adds the RateLimit headers to the response.
   * Returns a promise where the rate limiter decides asynchronously. Throws, or rejects with, ServiceError 401, 429 or
   * 503.
   */
  admit(exchange: Exchange): Promise<void> | undefined {
    const { request, credentials } = exchange;
    const { authenticate, addressOf } = this.#parts;
    const key = authenticate(credentials.keys, addressOf(request), request.socket);
    if ('reason' in key) throw authenticationError(key, credentials.locations);
    return this.admitKey(exchange, key);
  }

  /** As `admit`, for a key that is authenticated already. */
  admitKey(exchange: Exchange, key: AuthenticatedKey): Promise<void> | undefined {
    exchange.key = key;
    exchange.facts.keyId = key.id;
    return consumeRequest(this.#parts.rateLimiter, key, (decision) => enforce(exchange, decision));
  }

  /** Checks that the key of an admitted request has the scope. Throws 403. */
  authorize({ key }: Exchange, scope: string): void {
    const scopes: ReadonlySet<string> | undefined = key?.scopes;
    if (scopes?.has(scope) !== true) throw forbidden(scope);
  }
}

/**
 * Adds the state of the rate limit to the response headers (IETF draft-ietf-httpapi-ratelimit-headers): `q` requests in
 * `w` seconds; `r` requests remain, and the bucket is full again in `t` seconds. Throws 429.
 */
function enforce({ headers }: Exchange, decision: RateLimitDecision): void {
  const { limit, remaining, fullInMs } = decision;
  headers.push(
    'RateLimit-Policy',
    `"default";q=${limit.requests};w=${Math.ceil(limit.periodMs / 1000)}`,
    'RateLimit',
    `"default";r=${remaining};t=${waitSeconds(fullInMs)}`,
  );
  requireAllowed(decision);
}
