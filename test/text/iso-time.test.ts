import { expect, test } from '@jest/globals';
import { rounds } from '../support/rounds.ts';
import fc from '../support/property.ts';
import { parseIsoTime, parseTime, toIsoTime } from '../../server/text/iso-time.ts';

/** What `parseIsoTime` promises, by the functions of JavaScript. */
function expected(text: string): number {
  const time = Date.parse(text);
  return text.length === 24 && !Number.isNaN(time) && new Date(time).toISOString() === text ? time : Number.NaN;
}

test('times from the year 0 to 9999 has the time that Date gives', () => {
  const first = Date.parse('0000-01-01T00:00:00.000Z');
  const dayMs = 86_400_000;
  const wrong: string[] = [];
  // The step is no whole number of days, so that the times of the day differ.
  for (let time = first; time < Date.UTC(10_000, 0, 1); time += 7 * dayMs + 123_457) {
    const text = new Date(time).toISOString();
    if (parseIsoTime(text) !== time) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});

test('days that do not exist and other formats are no such time', () => {
  const numbers = fc.tuple(
    fc.constantFrom('0000', '1900', '1970', '2000', '2023', '2024', '2100', '9999', '-001', '+123', '20 4'),
    ...[13, 32, 24, 60, 60].map((max) => fc.integer({ min: 0, max: max + 1 }).map((n) => String(n).padStart(2, '0'))),
    fc.constantFrom('000', '001', '999', '1', '1000', 'abc'),
    fc.constantFrom('Z', 'z', '+00:00', '', ' '),
  );
  const property = fc.property(numbers, ([year, month, day, hour, minute, second, fraction, zone]) => {
    const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zone}`;
    expect(parseIsoTime(text)).toBe(expected(text));
    expect(parseTime(text)).toBe(Date.parse(text));
  });
  fc.assert(property, { numRuns: rounds(2000) });
  for (const other of [undefined, null, 5, [], { length: 24 }]) expect(parseIsoTime(other)).toBeNaN();
});

test('a time that was read before has the same value', () => {
  const days = ['2026-01-01', '2026-01-02', '2026-02-30', '2026-01-03'];
  const property = fc.property(fc.array(fc.constantFrom(...days), { maxLength: 20 }), (read) => {
    for (const day of read) expect(parseIsoTime(`${day}T00:00:00.000Z`)).toBe(expected(`${day}T00:00:00.000Z`));
  });
  fc.assert(property, { numRuns: rounds(300) });
});

test('times are written as Date writes them', () => {
  const times = fc.oneof(
    fc.integer({ min: Date.parse('-000001-12-31T00:00:00.000Z'), max: Date.UTC(10_000, 0, 2) }),
    fc.integer({ min: -3 * 86_400_000, max: 3 * 86_400_000 }),
    fc.constantFrom(0, -0, -1, 86_399_999, 86_400_000, 1.5, 8.64e15, -8.64e15),
  );
  const property = fc.property(fc.array(times, { maxLength: 5 }), (written) => {
    for (const time of written) expect(toIsoTime(time)).toBe(new Date(time).toISOString());
  });
  fc.assert(property, { numRuns: rounds(1000) });
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])
    expect(() => toIsoTime(time)).toThrow(RangeError);
});
