/** When a key ends, as the operator writes it. */

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const date = /^\d{4}-\d\d-\d\d$/;
/** RFC 3339 §5.6; Date.parse alone would take much else, in local time. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** Of a date that is none (2027-02-30) JavaScript makes another one. */
const isCalendarDay = (text: string): boolean => {
  const day = text.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};

/**
 * A span from `now` (milliseconds since 1970) on such as `30d`, a day, on which the key ends at 00:00 UTC, or a time of RFC 3339.
 * Throws an Error that says what was expected for anything else, and for a time that is past.
 */
export function readExpiry(text: string, now: number): Date {
  const [, count, unit] = /^([1-9]\d{0,5})([mhdw])$/.exec(text) ?? [];
  const at =
    count !== undefined
      ? now + Number(count) * units[unit as keyof typeof units]
      : (date.test(text) || timestamp.test(text)) && isCalendarDay(text)
        ? Date.parse(text)
        : NaN;
  if (Number.isNaN(at) || at > 8.64e15) {
    throw new Error(
      `'${text}' is no expiry: write '30d' (m, h, d or w), '2027-01-31' (from 00:00 UTC on), or '2027-01-31T18:00:00Z'`,
    );
  }
  if (at <= now) throw new Error(`${new Date(at).toISOString()} is past: such a key would never be valid`);
  return new Date(at);
}
