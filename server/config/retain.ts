/** How long the archive keeps tweets. */

/** Tweets up to this age in milliseconds, this number of tweets, or all. */
export type Retain = { readonly ageMs: number } | { readonly tweets: number } | 'off';

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Parses a duration such as `90d` or `0` to milliseconds; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const match = /^(0|[1-9]\d{0,5})([mhdw])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * units[match[2] as keyof typeof units];
}

/** Parses `off`, a duration from one hour on, or a number of tweets; undefined for any other text. */
export function readRetain(text: string): Retain | undefined {
  if (text === 'off') return text;
  if (/^[1-9]\d{0,11}$/.test(text)) return { tweets: Number(text) };
  const ageMs = readDuration(text);
  return ageMs === undefined || ageMs < units.h ? undefined : { ageMs };
}
