/** When a call is sent again, and after how long. */
import { ApiError, ConnectionError, TimeoutError, type SocialDataError } from './errors.ts';

export interface Retry {
  /** How often a call is sent again at most; 0 never. */
  readonly retries: number;
  /** The longest wait before the first repeat; it doubles from one to the next. */
  readonly baseMs: number;
  /** The longest wait, unless the service asks for more. */
  readonly capMs: number;
  /** All waiting and trying of a call together; a repeat that would begin later is not made. */
  readonly budgetMs: number;
  /** `safe` as if the operation changed and cost nothing; by default what the spec says (`x-repeat`). */
  readonly repeat?: 'safe' | 'refused';
}

/** A number stands for `retries`, false for none. */
export type RetryOption = Partial<Retry> | number | false;

export const defaultRetry: Retry = { retries: 3, baseMs: 250, capMs: 8_000, budgetMs: 60_000 };

export function retryOf(option: RetryOption | undefined, base: Retry): Retry {
  if (option === undefined) return base;
  return typeof option === 'object' ? { ...base, ...option } : { ...base, retries: Number(option) };
}

const transient = new Set([429, 502, 503, 504]);

/** Whether the fault may pass by itself, and a repeat do no harm. */
function isRepeatable(error: SocialDataError, repeat: 'safe' | 'refused'): boolean {
  // 429 comes before anything is done; after anything else the call may have been carried out.
  if (error instanceof ApiError) return repeat === 'safe' ? transient.has(error.status) : error.status === 429;
  return repeat === 'safe' && (error instanceof ConnectionError || error instanceof TimeoutError);
}

/**
 * Milliseconds to wait before the call is sent again, or undefined where it is not. `repeats` counts those already made, `spentMs`
 * the time since the first try. Full jitter (Brooker, "Exponential Backoff and Jitter", AWS 2015), on top of what the service asks for,
 * so that callers who were refused together do not come back together.
 */
export function delayBefore(
  error: SocialDataError,
  repeat: 'safe' | 'refused',
  retry: Retry,
  repeats: number,
  spentMs: number,
): number | undefined {
  if (repeats >= retry.retries || !isRepeatable(error, retry.repeat ?? repeat)) return undefined;
  const asked =
    error instanceof ApiError
      ? (error.retryAfter ?? (error.rateLimit?.remaining === 0 ? error.rateLimit.resetSeconds : 0) ?? 0)
      : 0;
  const wait = asked * 1000 + Math.random() * Math.min(retry.capMs, retry.baseMs * 2 ** repeats);
  return spentMs + wait > retry.budgetMs ? undefined : wait;
}

/** Resolves after the time, at once when the signal aborts. */
export function sleep(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted ? 0 : ms);
    signal?.addEventListener('abort', end);
  });
}
