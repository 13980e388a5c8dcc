/** Reads the response headers that concern later calls: rate limit, Retry-After and request id. */

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
