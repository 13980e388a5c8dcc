/** Durations with a unit, such as `90d`. */

const unitsMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Parses a whole number with one of these units (letters of `smhdw`) to milliseconds; undefined for any other text.
 * `maxDigits`: the maximum number of digits.
 */
export function durationMs(text: string, units: string, maxDigits = 6): number | undefined {
  const [digits, unit] = [text.slice(0, -1), text.slice(-1)];
  const unitMs = units.includes(unit) ? unitsMs[unit] : undefined;
  const isCount = /^\d+$/.test(digits) && digits.length <= maxDigits;
  return unitMs === undefined || !isCount ? undefined : Number(digits) * unitMs;
}
