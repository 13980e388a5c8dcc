/** The text format of a rate limit. */
import { durationMs } from './duration.ts';

/** The format of a rate, for error messages. */
export const rateSyntax = "'6000/1m', '100/s' or '5000/1h', or 'off'";

/** Parses a rate such as `6000/1m`; undefined for an invalid text. */
export function readRate(text: string): { readonly requests: number; readonly periodMs: number } | 'off' | undefined {
  if (text === 'off') return 'off';
  const [, requests, count, unit] = /^([1-9]\d{0,8})\/([1-9]\d{0,3})?([smh])$/.exec(text) ?? [];
  const periodMs = durationMs(`${count ?? 1}${unit}`, 'smh');
  return requests === undefined || periodMs === undefined ? undefined : { requests: Number(requests), periodMs };
}
