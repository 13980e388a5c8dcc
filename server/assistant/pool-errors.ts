/** The errors of the account pool for callers, and the results of failed questions. */
import type { Schemas } from '../contract/operations.ts';
import { unavailable, type ServiceError } from '../contract/service-error.ts';
import type { LeaseResult } from '../ports/account-pool.ts';
import { ProviderError } from '../ports/assistant-provider.ts';

/** `Retry-After` in seconds if an operator must add an account first. */
const operatorRetrySeconds = 600;
/** `Retry-After` in seconds while the pool cannot be written. */
const storageRetrySeconds = 60;

/**
 * ServiceError 503 for a pool without a free account. `seconds` is the time until an account may be free. If there is
 * no account at all, waiting does not help.
 */
export function noAccountAvailable(
  { capable, untested, incapable }: Schemas['PoolStatus'],
  seconds: number,
): ServiceError {
  if (capable + untested + incapable === 0) {
    return unavailable(
      'no assistant account is configured: the operator adds one with `npm run accounts -- add`',
      operatorRetrySeconds,
    );
  }
  const wholeSeconds = Math.max(1, Math.ceil(seconds));
  return unavailable(`no assistant account is free; retry in ${wholeSeconds} s`, wholeSeconds);
}

/** ServiceError 503 for a pool that cannot be written. */
export const poolUnavailable = (cause: Error): ServiceError =>
  Object.assign(unavailable('the assistant is unavailable: its usage cannot be stored', storageRetrySeconds), {
    cause,
  });

/** The result of a question that failed with this error. A question counts unless the error says that it did not. */
export const leaseResultOf = (error: unknown, questions: number): LeaseResult =>
  error instanceof ProviderError
    ? {
        outcome: error.fault,
        counted: Math.min(Math.max(error.counted, 0), questions),
        retryAfterMs: error.retryAfterMs,
      }
    : { outcome: 'failed', counted: questions };
