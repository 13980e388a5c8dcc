/** The result of a format for one input value, and helpers that read members of unvalidated JSON. */
import { isId } from '../domain/record-id.ts';
import type { ArchiveRecord } from '../domain/records.ts';
import { parseIsoTime } from '../text/iso-time.ts';
import { isObject } from '../text/object.ts';

/**
 * The records of a value, or the reason why it has none. `isWhole`: the whole input value is the only record, without a change.
 * `place`: the value without records, for its line.
 */
export type Recognised =
  | { readonly records: ArchiveRecord[]; readonly isWhole?: boolean }
  | { readonly reason: string; readonly place?: JsonPlace };

/** A value of a parsed JSON text: an object or a list, or an element of a list, which can be a text or a number. */
export type JsonPlace = object | { readonly list: readonly unknown[]; readonly index: number };

/** A parsed JSON object with unvalidated members. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields: (value: unknown) => value is Fields = isObject;
export const fields = (value: unknown): Fields => (isFields(value) ? value : {});
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** A text that may be empty, such as a removed profile description. */
export const freeText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** A non-empty text. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
/** The maximum length of a description of a picture: above the limits of the platforms. */
const maxAltText = 10_000;
/** The description of a picture, shortened where it is too long; undefined where it is missing or blank. */
export const altText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, maxAltText).toWellFormed() : undefined;
/** Whether an id was a number that is not exact in JavaScript, since the last question. */
let sawInexactId = false;

/** Whether `id` has met such a number since the last call: `parseExactly` reads the value with all digits. */
export function takeInexactId(): boolean {
  const saw = sawInexactId;
  sawInexactId = false;
  return saw;
}

/** A decimal id without leading zeros: a text, or a safe integer (as in the first years), which has lost no digits. */
export function id(value: unknown): string | undefined {
  if (typeof value !== 'number') return typeof value === 'string' && isId(value) ? value : undefined;
  if (Number.isSafeInteger(value)) return isId(String(value)) ? String(value) : undefined;
  sawInexactId = true;
  return undefined;
}
/** The id of a place. */
export const placeId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z0-9]{1,32}$/.test(value) ? value : undefined;
/** A count; personal archives write counts as text. */
export function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
export const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/**
 * RFC 3339 and the formats of the platform, each with a zone: otherwise the result would depend on the zone of this
 * machine. The archives until 2019 write a blank before the zone.
 */
const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?) ?(Z|[+-]\d\d:?\d\d)$/i;
const platformTimes = [
  /^[A-Z][a-z]{2},? (?<day>\d\d?) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) (?<zone>[+-]\d{4})$/,
  /^[A-Z][a-z]{2},? (?<month>[A-Z][a-z]{2}) (?<day>\d\d?) (?<time>\d\d:\d\d:\d\d) (?<zone>[+-]\d{4}) (?<year>\d{4})$/,
];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A time in the form `2026-03-04T05:06:07+0100`, and its day; undefined for a text in no known format. */
function partsOf(value: string): { day: string; time: string } | undefined {
  const [, year, month, day, time, zone] = rfc3339.exec(value) ?? [];
  if (year !== undefined) return { day: `${year}-${month}-${day}`, time: `${time}${zone?.toUpperCase()}` };
  const groups = platformTimes.map((format) => format.exec(value)?.groups).find((found) => found !== undefined);
  const number = months.indexOf(groups?.month ?? '') + 1;
  if (groups === undefined || number === 0) return undefined;
  const pad = (part: unknown): string => String(part).padStart(2, '0');
  return { day: `${groups.year}-${pad(number)}-${pad(groups.day)}`, time: `${groups.time}${groups.zone}` };
}

/** Whether a day exists: JavaScript takes 2026-02-30 for another one. */
function isCalendarDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/**
 * Converts a time in any format of the platform to RFC 3339 in UTC with milliseconds; undefined for an invalid time.
 */
export function timestamp(value: unknown): string | undefined {
  // Most times are in the format of the archive.
  if (typeof value !== 'string') return undefined;
  if (!Number.isNaN(parseIsoTime(value))) return value;
  const parts = partsOf(value);
  if (parts === undefined || !isCalendarDay(parts.day) || parts.time.startsWith('24')) return undefined;
  const milliseconds = Date.parse(`${parts.day}T${parts.time}`);
  const written = Number.isNaN(milliseconds) ? '' : new Date(milliseconds).toISOString();
  // Years with more than four digits have another format.
  return written.length === 24 ? written : undefined;
}

/** As `timestamp`, for formats that also write a time of UTC without a zone, such as `2013-01-31 23:26:12`. */
export const utcTimestamp = (value: unknown): string | undefined =>
  timestamp(value) ?? (typeof value === 'string' ? timestamp(`${value}Z`) : undefined);

/** The members of an object: one that can be undefined is optional instead. */
export type WithoutUndefined<Entity> = {
  [Name in keyof Entity as undefined extends Entity[Name] ? never : Name]: Entity[Name];
} & { [Name in keyof Entity as undefined extends Entity[Name] ? Name : never]?: Exclude<Entity[Name], undefined> };

/** Deletes the undefined members of an object and returns the object. */
export function withoutUndefined<const Entity extends object>(entity: Entity): WithoutUndefined<Entity>;
export function withoutUndefined(entity: Record<string, unknown>): Record<string, unknown> {
  for (const name of Object.keys(entity)) if (entity[name] === undefined) delete entity[name];
  return entity;
}
