/** Parses the points in time that operator commands take, such as `--since 90d`. */

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const date = /^\d{4}-\d\d-\d\d$/;
/** RFC 3339 §5.6. Date.parse alone accepts many other formats, in local time. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** Parses a duration such as `90d` or `12h` to milliseconds; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const match = /^(0|[1-9]\d{0,5})([mhdw])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * units[match[2] as keyof typeof units];
}

/** Whether the date exists: JavaScript converts a nonexistent date (2027-02-30) to another one. */
function isCalendarDay(text: string): boolean {
  const day = text.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/**
 * Parses a duration before `now`, a date (00:00 UTC) or an RFC 3339 timestamp to milliseconds since 1970. Throws an Error
 * with the expected formats for any other text.
 */
export function readPointInTime(text: string, now: number): number {
  const duration = readDuration(text);
  if (duration !== undefined) return now - duration;
  const at = (date.test(text) || timestamp.test(text)) && isCalendarDay(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new Error(
    `'${text}' is no time: write '90d' (m, h, d or w ago), '2026-01-31' (from 00:00 UTC on), or '2026-01-31T18:00:00Z'`,
  );
}
