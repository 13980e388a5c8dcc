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
/** The last day that was written, with `T`: the times of an archive mostly are in their order. */
let writtenDay = Number.NaN;
let writtenText = '';
/** The numbers from 0 to 99, in two digits. */
const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** The text that `Date.prototype.toISOString` returns for a time in milliseconds since the epoch. Throws RangeError for an invalid time. */
export function toIsoTime(time: number): string {
  if (!Number.isInteger(time)) return new Date(time).toISOString();
  const day = Math.floor(time / dayMs);
  if (day !== writtenDay) {
    const text = new Date(time).toISOString();
    // Other years have more digits.
    if (text.length !== format.length) return text;
    [writtenDay, writtenText] = [day, text.slice(0, 11)];
  }
  const ms = time - day * dayMs;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const [hour, minute, second] = [Math.floor(minutes / 60), minutes % 60, seconds % 60];
  const fraction = ms % 1000;
  return `${writtenText}${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[second]}.${Math.floor(fraction / 100)}${twoDigits[fraction % 100]}Z`;
}
