/** The admission of a request: authentication, rate limit, scope. The one place that decides about all three. */
import type { IncomingMessage } from 'node:http';
import { forbidden, ServiceError, unavailable } from '../../contract/service-error.ts';
import type { Authenticate } from '../../keys/authenticator.ts';
import { waitSeconds } from '../../keys/token-bucket.ts';
import type { AuthenticatedKey } from '../../ports/keys.ts';
import type { RateLimitDecision, RateLimiter } from '../../ports/rate-limiter.ts';
import { StoreError } from '../../ports/storage.ts';
import { authenticationError } from './credentials.ts';
import type { Exchange } from './exchange.ts';

export interface AdmissionParts {
  readonly authenticate: Authenticate;
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly rateLimiter: RateLimiter;
}

const isPending = <Value extends object>(
  value: Value | Promise<Value | undefined>,
): value is Promise<Value | undefined> => 'then' in value;

/** The error of a limiter: 503 if its storage cannot be reached. */
const limiterError = (error: unknown): unknown =>
  error instanceof StoreError ? unavailable('the rate limit cannot be checked at the moment', 1) : error;

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
    const decision = consume(this.#parts.rateLimiter, key);
    if (decision === undefined) return undefined;
    if (!isPending(decision)) return enforce(exchange, decision);
    return decision.then(
      (decided) => decided && enforce(exchange, decided),
      (error: unknown) => {
        throw limiterError(error);
      },
    );
  }

  /** Checks that the key of an admitted request has the scope. Throws 403. */
  authorize({ key }: Exchange, scope: string): void {
    const scopes: ReadonlySet<string> | undefined = key?.scopes;
    if (scopes?.has(scope) !== true) throw forbidden(scope);
  }
}

function consume(limiter: RateLimiter, key: Parameters<RateLimiter['consume']>[0]): ReturnType<RateLimiter['consume']> {
  try {
    return limiter.consume(key);
  } catch (error) {
    throw limiterError(error);
  }
}

/**
 * Adds the state of the rate limit to the response headers (IETF draft-ietf-httpapi-ratelimit-headers): `q` requests in
 * `w` seconds; `r` requests remain, and the bucket is full again in `t` seconds. Throws 429.
 */
function enforce(
  { headers }: Exchange,
  { allowed, limit, remaining, fullInMs, nextInMs }: RateLimitDecision,
): undefined {
  headers.push(
    'RateLimit-Policy',
    `"default";q=${limit.requests};w=${Math.ceil(limit.periodMs / 1000)}`,
    'RateLimit',
    `"default";r=${remaining};t=${waitSeconds(fullInMs)}`,
  );
  if (allowed) return undefined;
  const wait = waitSeconds(nextInMs);
  const message = `rate limit exceeded; retry in ${wait} s`;
  throw new ServiceError(429, message, { 'Retry-After': String(wait) });
}
