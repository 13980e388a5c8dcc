/** The ids of posts of X contain their time: milliseconds since 2010-11-04T01:42:54.657Z in the bits from 22 on. */

const epochMs = 1_288_834_974_657;
const timeBits = 22n;
/** Earlier ids were plain numbers. */
const firstWithTime = 29_700_859_247n;

/** The smallest id of a time in milliseconds since 1970. */
export const idAt = (ms: number): string => String(BigInt(Math.max(0, Math.floor(ms - epochMs))) << timeBits);

/** The time of an id in milliseconds since 1970; undefined for an id without a time. */
export function timeOf(id: string): number | undefined {
  const number = BigInt(id);
  return number < firstWithTime ? undefined : Number(number >> timeBits) + epochMs;
}

/** An id that is earlier by this time; the id itself where it has no time. */
export function earlier(id: string, ms: number): string {
  const time = timeOf(id);
  return time === undefined ? id : idAt(time - ms);
}

export const later = (a: string, b: string): string => (BigInt(a) > BigInt(b) ? a : b);
export const earliest = (a: string, b: string): string => (BigInt(a) < BigInt(b) ? a : b);

/** Whether a text is the id of a post or an account. */
export const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9]{1,19}$/.test(value);
