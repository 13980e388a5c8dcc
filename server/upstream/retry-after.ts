/**
 * The delay of a Retry-After field in milliseconds, at the time `now` (milliseconds since 1970); undefined if the field
 * is absent or invalid. The field contains seconds or a date (RFC 9110, section 10.2.3).
 */
export function retryAfterMs(field: string | null | undefined, now: number): number | undefined {
  const value = field?.trim() ?? '';
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
