/** How long the archive keeps tweets. */
import { durationMs } from '../text/duration.ts';

/** Tweets up to this age in milliseconds, this number of tweets, or all. */
export type Retain = { readonly ageMs: number } | { readonly tweets: number } | 'off';

const hourMs = 3_600_000;

/** Parses a duration such as `90d` or `0` to milliseconds; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  return text === '0' ? 0 : /^0\d/.test(text) ? undefined : durationMs(text, 'mhdw');
}

/** Parses `off`, a duration from one hour on, or a number of tweets; undefined for any other text. */
export function readRetain(text: string): Retain | undefined {
  if (text === 'off') return text;
  if (/^[1-9]\d{0,11}$/.test(text)) return { tweets: Number(text) };
  const ageMs = readDuration(text);
  return ageMs === undefined || ageMs < hourMs ? undefined : { ageMs };
}
