/** Parses the expiry time of a key. */
import { durationMs } from '../text/duration.ts';

const date = /^\d{4}-\d\d-\d\d$/;
/** RFC 3339 §5.6. Date.parse alone accepts many other formats, in local time. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** Whether the date exists: JavaScript converts a nonexistent date (2027-02-30) to another one. */
const isCalendarDay = (text: string): boolean => {
  const day = text.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};

/**
 * Parses a duration from `now` (milliseconds since 1970) such as `30d`, a date (00:00 UTC), or an RFC 3339 timestamp.
 * Throws an Error with the expected formats for any other text, and for a time in the past.
 */
export function readExpiry(text: string, now: number): Date {
  const duration = text.startsWith('0') ? undefined : durationMs(text, 'mhdw');
  const at =
    duration !== undefined
      ? now + duration
      : (date.test(text) || timestamp.test(text)) && isCalendarDay(text)
        ? Date.parse(text)
        : NaN;
  if (Number.isNaN(at) || at > 8.64e15) {
    throw new Error(
      `'${text}' is not a valid expiry: use '30d' (m, h, d or w), '2027-01-31' (from 00:00 UTC on), or '2027-01-31T18:00:00Z'`,
    );
  }
  if (at <= now) throw new Error(`${new Date(at).toISOString()} is in the past`);
  return new Date(at);
}
