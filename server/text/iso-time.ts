/** Reads and writes times in the format of `Date.prototype.toISOString`. Several times faster than `Date`. */

const format = 'dddd-dd-ddTdd:dd:dd.dddZ';
const zero = '0'.charCodeAt(0);
const digit = 'd'.charCodeAt(0);
const formatUnits = Uint8Array.from(format, (character) => character.charCodeAt(0));
const daysPerMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** The days from 1970-01-01 to the first day of a month from 0, by http://howardhinnant.github.io/date_algorithms.html. */
function daysBefore(year: number, month: number): number {
  // Years begin in March, so that a leap day is the last one.
  const shifted = month < 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5);
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

interface ReadTime {
  text: string;
  time: number;
}

/** The last two times that were read: a tweet has a time of its creation and one of its observation, and each is read several times. */
let last: ReadTime = { text: '', time: Number.NaN };
let before: ReadTime = { text: '', time: Number.NaN };

/**
 * The milliseconds since the epoch of a time that `toISOString` would write in the same way, with a year of four digits; NaN
 * for every other text.
 */
export function parseIsoTime(text: unknown): number {
  if (text === last.text) return last.time;
  if (typeof text !== 'string' || text.length !== format.length) return Number.NaN;
  if (text !== before.text) {
    const time = isoTime(text);
    if (Number.isNaN(time)) return time;
    before.text = text;
    before.time = time;
  }
  [last, before] = [before, last];
  return last.time;
}

/** As `parseIsoTime`, for a text of the length of the format. */
function isoTime(text: string): number {
  for (let index = 0; index < formatUnits.length; index++) {
    const unit = text.charCodeAt(index);
    const isDigit = unit >= zero && unit <= zero + 9;
    if (formatUnits[index] === digit ? !isDigit : unit !== formatUnits[index]) return Number.NaN;
  }
  const number = (at: number, length: number): number => {
    let value = 0;
    for (let index = at; index < at + length; index++) value = value * 10 + text.charCodeAt(index) - zero;
    return value;
  };
  const [year, month, day] = [number(0, 4), number(5, 2) - 1, number(8, 2)];
  const [hour, minute, second] = [number(11, 2), number(14, 2), number(17, 2)];
  const days = (daysPerMonth[month] ?? 0) + (month === 1 && isLeap(year) ? 1 : 0);
  if (day < 1 || day > days || hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const seconds = ((daysBefore(year, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second;
  return seconds * 1000 + number(20, 3);
}

/** The milliseconds since the epoch of a time in any format that `Date.parse` reads; NaN for an unusable one. */
export function parseTime(text: string): number {
  const time = parseIsoTime(text);
  return Number.isNaN(time) ? Date.parse(text) : time;
}

const dayMs = 86_400_000;
const numbers = (count: number, digits: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'));
/** The parts of a text: fewer and longer ones are joined faster. */
const minutes = numbers(24, 2).flatMap((hour) => numbers(60, 2).map((minute) => `${hour}:${minute}:`));
const seconds = numbers(60, 2).map((second) => `${second}.`);
const fractions = numbers(1000, 3).map((fraction) => `${fraction}Z`);

interface WrittenDay {
  /** Since the epoch. */
  day: number;
  /** With the `T` behind it. */
  text: string;
}

/** The last two days that were written, as the last two times that were read. */
let lastDay: WrittenDay = { day: Number.NaN, text: '' };
let dayBefore: WrittenDay = { day: Number.NaN, text: '' };

/** The text that `Date.prototype.toISOString` returns for a time in milliseconds since the epoch. Throws RangeError for an invalid time. */
export function toIsoTime(time: number): string {
  if (!Number.isInteger(time)) return new Date(time).toISOString();
  const day = Math.floor(time / dayMs);
  if (day !== lastDay.day) {
    if (day !== dayBefore.day) {
      const text = new Date(time).toISOString();
      // Years before 0 and after 9999 have more digits.
      if (text.length !== format.length) return text;
      dayBefore.day = day;
      dayBefore.text = text.slice(0, 11);
    }
    [lastDay, dayBefore] = [dayBefore, lastDay];
  }
  const ms = time - day * dayMs;
  const second = Math.floor(ms / 1000);
  const minute = Math.floor(second / 60);
  return `${lastDay.text}${minutes[minute]}${seconds[second - minute * 60]}${fractions[ms - second * 1000]}`;
}
