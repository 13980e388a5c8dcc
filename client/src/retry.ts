/** The retry policy: when the client retries a call, and after which delay. */
import { checkNumber, defined } from './defined.ts';
import type { SocialDataError } from './failure.ts';
import type { ApiError } from './error-of.ts';

/** When the client retries a call, and after which delay. */
export interface Retry {
  /** The maximum number of retries of a call, default 3; 0 disables retries. */
  readonly retries: number;
  /** The maximum delay before the first retry, in ms, default 250; each further retry doubles it. */
  readonly baseMs: number;
  /** The maximum delay in ms, default 8,000, unless the service requests a longer one. */
  readonly capMs: number;
  /** The total time of all attempts and delays of a call, in ms, default 60,000; the client starts no retry after it. */
  readonly budgetMs: number;
  /** `safe` treats the operation as free and without side effects; the default is `x-repeat` of the spec. */
  readonly repeat?: 'safe' | 'refused';
}

/** A number sets `retries`; false disables retries. */
export type RetryOption = { readonly [Name in keyof Retry]?: Retry[Name] | undefined } | number | false;

export const defaultRetry: Retry = { retries: 3, baseMs: 250, capMs: 8_000, budgetMs: 60_000 };

/** The retry policy of a call: the defined members of the option, applied to the policy of the client. */
export function retryOf(option: RetryOption | undefined, base: Retry): Retry {
  if (option === undefined) return base;
  const given = defined(typeof option === 'object' ? option : { retries: Number(option) });
  for (const [name, value] of Object.entries(given)) if (name !== 'repeat') checkNumber(`retry.${name}`, value);
  return Object.assign({ ...base }, given);
}

const transient = new Set([429, 502, 503, 504]);

/** A failed attempt: the error of a response, or of an attempt without one. */
export type Failure = SocialDataError & Partial<Pick<ApiError, 'status' | 'retryAfter' | 'rateLimit'>>;

/** The delay in ms that an error response requests; 0 where it requests none. */
export const requestedMs = ({ retryAfter, rateLimit }: Failure): number =>
  1000 * (retryAfter ?? (rateLimit?.remaining === 0 ? rateLimit.resetSeconds : 0) ?? 0);

/**
 * Milliseconds to wait before the next attempt, or undefined when the client must not retry. `repeats` is the number of
 * retries so far, `spentMs` the time since the first attempt. Full jitter (Brooker, "Exponential Backoff and Jitter",
 * AWS 2015) is added to the delay that the service requests, so that clients rejected at the same time do not retry at
 * the same time.
 */
export function delayBefore(
  error: Failure,
  repeat: 'safe' | 'refused' | undefined,
  retry: Retry,
  repeats: number,
  spentMs: number,
): number | undefined {
  // The service sends 429 before it executes the call; with any other error it may have executed the call.
  const { status = 429 } = error;
  const isRepeatable = (retry.repeat ?? repeat) === 'refused' ? error.status === 429 : transient.has(status);
  const wait = requestedMs(error) + Math.random() * Math.min(retry.capMs, retry.baseMs * 2 ** repeats);
  return repeats < retry.retries && isRepeatable && spentMs + wait <= retry.budgetMs ? wait : undefined;
}
