/** Rate limits: their values and their text format. */
import type { RateLimit } from '../ports/rate-limiter.ts';

export type { RateLimit } from '../ports/rate-limiter.ts';

/** The format of a rate, for error messages. */
export const rateSyntax = "'6000/1m', '100/s' or '5000/1h', or 'off'";

const periods = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Parses a rate such as `6000/1m`; undefined for an invalid text. */
export function readRate(text: string): RateLimit | 'off' | undefined {
  if (text === 'off') return 'off';
  const [, requests, count = '1', unit] = /^([1-9]\d{0,8})\/([1-9]\d{0,3})?([smh])$/.exec(text) ?? [];
  if (requests === undefined) return undefined;
  return { requests: Number(requests), periodMs: Number(count) * periods[unit as keyof typeof periods] };
}
