/** Consumes requests of a key, for HTTP and `/ws` alike, and words the refusal. */
import { ServiceError, unavailable } from '../contract/service-error.ts';
import type { RateLimitDecision, RateLimitedKey, RateLimiter } from '../ports/rate-limiter.ts';
import { StoreError } from '../ports/storage.ts';
import { waitSeconds } from './token-bucket.ts';

/** The error of a limiter: 503 if its storage cannot be reached. */
const limiterError = (error: unknown): unknown =>
  error instanceof StoreError ? unavailable('the rate limit cannot be checked at the moment', 1) : error;

const isPending = <Value extends object>(
  value: Value | Promise<Value | undefined>,
): value is Promise<Value | undefined> => 'then' in value;

/** What a limiter counts the requests of a token by: its key, so that the limit applies to the sum of its tokens. */
type Counted = RateLimitedKey & { readonly issuer?: RateLimitedKey | undefined };

/**
 * Consumes one request of a key, or of the key of a token, and passes the decision to `enforce`, which is not called for a key without a rate limit.
 * Returns a promise only where the limiter decides asynchronously. Throws, or rejects with, ServiceError 503 if the
 * storage of the limiter cannot be reached, and what `enforce` throws.
 */
export function consumeRequest(
  limiter: RateLimiter,
  key: Counted,
  enforce: (decision: RateLimitDecision) => void,
): Promise<void> | undefined {
  let decision: ReturnType<RateLimiter['consume']>;
  try {
    decision = limiter.consume(key.issuer ?? key);
  } catch (error) {
    throw limiterError(error);
  }
  if (decision !== undefined && isPending(decision)) return enforceLater(decision, enforce);
  if (decision !== undefined) enforce(decision);
  return undefined;
}

const enforceLater = (
  decision: Promise<RateLimitDecision | undefined>,
  enforce: (decision: RateLimitDecision) => void,
): Promise<void> =>
  decision.then(
    (decided) => decided && enforce(decided),
    (error: unknown) => {
      throw limiterError(error);
    },
  );

/** Throws ServiceError 429 with Retry-After if the rate limit refuses the request. */
export function requireAllowed({ allowed, nextInMs }: RateLimitDecision): void {
  if (allowed) return;
  const wait = waitSeconds(nextInMs);
  throw new ServiceError(429, `rate limit exceeded; retry in ${wait} s`, { 'Retry-After': String(wait) });
}
