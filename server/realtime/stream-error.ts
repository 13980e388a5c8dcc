/** The refusals of the event stream as errors of HTTP, for a stream that has no messages yet. */
import { ServiceError, unavailable, type ErrorStatus } from '../contract/service-error.ts';
import { closeCodes } from './limits.ts';
import { MessageError } from './messages.ts';

/** Seconds after which a connection of the key may have ended. */
const retrySeconds = 5;

/** The error for a connection that is rejected (`restart`, `rate` or `connections`), or for a subscription that cannot start. Others stay as they are. */
export function streamError(reason: unknown): unknown {
  if (reason === 'restart') return unavailable(closeCodes.restart[1], 1);
  if (reason === 'rate' || reason === 'connections')
    return new ServiceError(429, closeCodes[reason][1], { 'Retry-After': String(retrySeconds) });
  if (!(reason instanceof MessageError)) return reason;
  const { status, message, details } = reason;
  const { oldest_cursor: oldest, retry_after_s: retryAfter } = details;
  return new ServiceError(
    status as ErrorStatus,
    `${message}${oldest === undefined ? '' : `; the oldest cursor is ${oldest}`}`,
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  );
}
