/** The admission of a request: authentication, rate limit, scope. The one place that decides about all three. */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { scopes as allScopes } from '../../../generated/scopes.ts';
import { atMost } from '../../collections/growing-cache.ts';
import type { Security, AcceptedScheme } from '../security.ts';
import { forbidden, ServiceError } from '../../contract/service-error.ts';
import type { Authenticate } from '../../keys/authenticator.ts';
import { FailureLimit } from '../../keys/failure-limit.ts';
import { networkPrefix } from '../../keys/network-prefix.ts';
import { consumeRequest, requireAllowed } from '../../keys/rate-limit.ts';
import { waitSeconds } from '../../keys/token-bucket.ts';
import type { Caller } from '../../ports/authenticator.ts';
import type { AuthenticatedKey, KeyScope } from '../../ports/keys.ts';
import type { RateLimit, RateLimitDecision, RateLimitedKey, RateLimiter } from '../../ports/rate-limiter.ts';
import { authenticationError, type Credential } from './credentials.ts';
import type { Exchange } from './exchange.ts';

export interface AdmissionParts {
  readonly authenticate: Authenticate;
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly rateLimiter: RateLimiter;
  /** Invalid credentials of other authenticators that one network may send; by default any number. */
  readonly failures?: RateLimit | 'off';
}

/** The callers and networks whose rate limits are remembered, most recent first. */
const maxCallers = 10_000;

/** The credentials of a request that an operation accepts. */
export function credentialsFor(
  { credentials }: Pick<Exchange, 'credentials'>,
  { places }: Security,
): readonly Credential[] {
  const [first] = credentials;
  // Nearly every request: it needs no other list.
  if (credentials.length === 1 && first !== undefined && places.has(first.place)) return credentials;
  return credentials.filter(({ place }) => places.has(place));
}

/** Another caller as a key. */
const keyOf = ({ id, scopes }: Caller, { rate }: RateLimitedKey): AuthenticatedKey => ({
  id,
  rate,
  scopes: new Set((scopes === 'all' ? Object.keys(allScopes) : scopes) as Iterable<KeyScope>),
  expiresAt: Infinity,
  lastUse: { at: 0, from: '' },
});

export class Admission {
  readonly #parts: AdmissionParts;
  /** What counts the requests of other callers and of networks. The limiter needs the same object each time. */
  readonly #counted = new LRUCache<string, RateLimitedKey & { network?: string }>(atMost(maxCallers));
  readonly #failures: FailureLimit;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#failures = new FailureLimit(parts.failures ?? 'off');
  }

  /**
   * Authenticates the request, then consumes one request of its key and adds the RateLimit headers to the response. A request
   * without a credential, where the operation permits that, has no key: it is counted for its network. Returns a promise where the
   * rate limiter or an authenticator decides asynchronously. Throws, or rejects with, ServiceError 401, 429 or 503.
   */
  admit(exchange: Exchange, security: Security): Promise<void> | undefined {
    const counted = this.identify(exchange, security);
    return counted instanceof Promise
      ? counted.then((caller) => this.consume(exchange, caller))
      : this.consume(exchange, counted);
  }

  /**
   * Authenticates the request and returns what counts its requests; consumes none. Throws, or rejects with, ServiceError 401, 429
   * or 503.
   */
  identify(exchange: Exchange, security: Security): RateLimitedKey | Promise<RateLimitedKey> {
    const { request } = exchange;
    const { authenticate, addressOf } = this.#parts;
    const credentials = credentialsFor(exchange, security);
    const [credential] = credentials;
    if (credential === undefined && security.isOptional)
      return this.#countedAs(`address ${networkPrefix(addressOf(request))}`);
    if (security.others.length > 0 && credentials.length === 1) {
      const others = security.others.filter(({ place }) => place === credential?.place);
      if (others.length > 0) return this.#identifyOther(exchange, security, others);
    }
    const presented = credentials.map(({ value }) => value);
    const key = authenticate(presented, addressOf(request), request.socket);
    if ('reason' in key) throw authenticationError(key, security, credentials);
    exchange.key = key;
    exchange.facts.keyId = key.id;
    return key;
  }

  /** Consumes one request of a caller, and adds the RateLimit headers to the response. Throws, or rejects with, ServiceError 429 or 503. */
  consume(exchange: Exchange, counted: RateLimitedKey): Promise<void> | undefined {
    return consumeRequest(this.#parts.rateLimiter, counted, (decision) => enforce(exchange, decision));
  }

  #countedAs(id: string): RateLimitedKey & { network?: string } {
    const known = this.#counted.get(id) ?? { id, rate: undefined };
    this.#counted.set(id, known);
    return known;
  }

  /** Authenticates a credential of another authenticator. Two schemes can have it at the same place. */
  async #identifyOther(
    exchange: Exchange,
    security: Security,
    schemes: readonly AcceptedScheme[],
  ): Promise<RateLimitedKey> {
    const credentials = credentialsFor(exchange, security);
    const network = networkPrefix(this.#parts.addressOf(exchange.request));
    let caller: Caller | undefined;
    try {
      for (const { authenticator, described } of schemes)
        caller ??= await authenticator?.authenticate(credentials[0]?.value ?? '', described);
    } catch {
      throw authenticationError({ reason: 'unavailable' }, security, credentials);
    }
    const counted = caller && this.#countedAs(`caller ${caller.id}`);
    const retryAfter = this.#failures.blockedSeconds(network);
    // A caller that this network is known for is not locked out by others there.
    if (retryAfter > 0 && counted?.network !== network)
      throw authenticationError({ reason: 'failures', retryAfter }, security, credentials);
    if (caller === undefined || counted === undefined) {
      this.#failures.record(network);
      throw authenticationError({ reason: 'invalid' }, security, credentials);
    }
    counted.network = network;
    exchange.key = keyOf(caller, counted);
    exchange.facts.keyId = caller.id;
    return counted;
  }

  /** As `admit`, for a key that is authenticated already. */
  admitKey(exchange: Exchange, key: AuthenticatedKey): Promise<void> | undefined {
    exchange.key = key;
    exchange.facts.keyId = key.id;
    return this.consume(exchange, key);
  }

  /** Checks that the key of an admitted request has the scope. A request without a key needs none. Throws 403. */
  authorize({ key }: Exchange, scope: string, { schemes, others, isOptional, realm }: Security): void {
    if (key === undefined && isOptional) return;
    const scopes: ReadonlySet<string> | undefined = key?.scopes;
    if (scopes?.has(scope) === true) return;
    if (others.length < schemes.length) throw forbidden(scope, realm);
    throw new ServiceError(403, `the caller lacks the scope '${scope}'`);
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
