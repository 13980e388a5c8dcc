/** The response headers that concern later calls: rate limit, Retry-After and request id, and how calls wait after a 429. */
import { sleep } from './abort.ts';

/** The rate limit state of the key (IETF draft RateLimit fields); a value that the response omits is undefined. */
export interface RateLimit {
  /** Requests per window. */
  readonly limit: number | undefined;
  readonly windowSeconds: number | undefined;
  /** Requests that remain in the current window. */
  readonly remaining: number;
  /** Seconds until the full quota is available again. */
  readonly resetSeconds: number | undefined;
}

const parameterOf = (field: string | null, name: string): number | undefined => {
  const match = new RegExp(`;\\s*${name}=(\\d+)`).exec(field ?? '');
  return match ? Number(match[1]) : undefined;
};

/** Undefined when the server has no rate limit. */
function readRateLimit(headers: Headers): RateLimit | undefined {
  const state = headers.get('ratelimit');
  const policy = headers.get('ratelimit-policy');
  const remaining = parameterOf(state, 'r');
  if (remaining === undefined) return undefined;
  return {
    limit: parameterOf(policy, 'q'),
    windowSeconds: parameterOf(policy, 'w'),
    remaining,
    resetSeconds: parameterOf(state, 't'),
  };
}

/** `Retry-After` in seconds, from a number (also a fraction, as some proxies send it) or a date (RFC 9110 §10.2.3); undefined when it is missing or invalid. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The metadata that every response carries. */
export const readContext = (headers: Headers): { requestId: string | undefined; rateLimit: RateLimit | undefined } => ({
  requestId: headers.get('x-request-id') ?? undefined,
  rateLimit: readRateLimit(headers),
});

/** How long a call may wait. */
interface Patience {
  readonly retries: number;
  readonly budgetMs: number;
  readonly baseMs: number;
}

/** Lets calls wait after a 429, so that they do not fail one by one. */
export class Pauses {
  /** Until when calls wait, by path; '' is for all. */
  readonly #until = new Map<string, number>();

  /** Lets new calls wait for `ms`: all of them if the rate limit of the key is used up, else those of the same path. */
  add(path: string, ms: number, rateLimit: RateLimit | undefined): void {
    const scope = rateLimit?.remaining === 0 ? '' : path;
    this.#until.set(scope, Math.max(this.#until.get(scope) ?? 0, Date.now() + ms));
  }

  /** Waits while other calls wait, if the policy of the call permits such a delay. */
  async wait(
    path: string,
    { retries, budgetMs, baseMs }: Patience,
    signal: AbortSignal | null | undefined,
  ): Promise<void> {
    const until = Math.max(this.#until.get('') ?? 0, this.#until.get(path) ?? 0);
    const waitMs = until - Date.now();
    // The jitter keeps waiting calls from starting at the same time.
    if (retries > 0 && waitMs > 0 && waitMs <= budgetMs) await sleep(waitMs + Math.random() * baseMs, signal);
  }
}
