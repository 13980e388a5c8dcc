/** Parses the points in time that operator commands take, such as `--since 90d`. */
import { readDuration } from '../config/retain.ts';

const date = /^\d{4}-\d\d-\d\d$/;
/** RFC 3339 §5.6. Date.parse alone accepts many other formats, in local time. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

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
