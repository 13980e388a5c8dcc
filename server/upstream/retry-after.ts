/**
 * The milliseconds that a Retry-After field of another service asks for, by the time `now` (milliseconds since 1970);
 * undefined where there is none that can be read. Seconds or a date (RFC 9110, section 10.2.3).
 */
export function retryAfterMs(field: string | null | undefined, now: number): number | undefined {
  const value = field?.trim() ?? '';
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
