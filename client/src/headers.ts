/** What the headers of an answer tell. */

/** Where the key stands in its rate limit (IETF draft RateLimit fields); what the answer did not tell is undefined. */
export interface RateLimit {
  /** Requests in a window. */
  readonly limit: number | undefined;
  readonly windowSeconds: number | undefined;
  /** Requests left now. */
  readonly remaining: number;
  /** Seconds until all of them are back. */
  readonly resetSeconds: number | undefined;
}

const member = (field: string | null, name: string): number | undefined => {
  const found = new RegExp(`;\\s*${name}=(\\d+)`).exec(field ?? '');
  return found ? Number(found[1]) : undefined;
};

/** Undefined where the server does not limit. */
function readRateLimit(headers: Headers): RateLimit | undefined {
  const now = headers.get('ratelimit');
  const policy = headers.get('ratelimit-policy');
  const remaining = member(now, 'r');
  if (remaining === undefined) return undefined;
  return { limit: member(policy, 'q'), windowSeconds: member(policy, 'w'), remaining, resetSeconds: member(now, 't') };
}

/** Seconds that `Retry-After` asks to wait, given as a number or as a date (RFC 9110 §10.2.3); undefined where it says nothing. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** What every answer tells. */
export const readContext = (headers: Headers): { requestId: string | undefined; rateLimit: RateLimit | undefined } => ({
  requestId: headers.get('x-request-id') ?? undefined,
  rateLimit: readRateLimit(headers),
});
