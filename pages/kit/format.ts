/** Numbers and times in words. */

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

/** All digits: 171,508. */
export const full = (count: number): string => whole.format(count);
/** Few digits: 171.5K. */
export const compact = (count: number): string => (count < 10_000 ? whole.format(count) : short.format(count));

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${full(count)} ${count === 1 ? one : many}`;

export const longTime = (at: string): string => clock.format(new Date(at));
export const monthOf = (at: string): string => month.format(new Date(at));
const hourAndMinute = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

export const clockOf = (at: number): string => hourAndMinute.format(at);
const utcDayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const utcDateOf = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Days of UTC, for figures whose steps are those of UTC. */
export const utcDay = (at: number): string => utcDayOf.format(at);
export const utcDate = (at: number): string => utcDateOf.format(at);
export const dayOf = (at: string | number): string => day.format(new Date(at));

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The age of a time, or its day: 12s, 5m, 3h, 4 Mar, 4 Mar 2024. */
export function age(at: string, now = Date.now()): string {
  const date = new Date(at);
  const ms = now - date.getTime();
  if (ms >= 0 && ms < minuteMs) return `${Math.max(1, Math.floor(ms / 1000))}s`;
  if (ms >= 0 && ms < hourMs) return `${Math.floor(ms / minuteMs)}m`;
  if (ms >= 0 && ms < dayMs) return `${Math.floor(ms / hourMs)}h`;
  return (date.getFullYear() === new Date(now).getFullYear() ? day : dayOfYear).format(date);
}
