/** The result of a format for one input value, and helpers that read members of unvalidated JSON. */
import { isId } from '../../domain/record-id.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import { isObject } from '../../text/object.ts';

/** The records of a value, or the reason why it has none. `isWhole`: the whole input value is the only record, without a change. */
export type Recognised =
  | { readonly records: ArchiveRecord[]; readonly isWhole?: boolean }
  | { readonly reason: string };

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
/** A decimal id without leading zeros: a text, or a safe integer (as in the first years), which has lost no digits. */
export function id(value: unknown): string | undefined {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof digits === 'string' && isId(digits) ? digits : undefined;
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
 * machine.
 */
const rfc3339 = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/i;
const platformTime =
  /^[A-Z][a-z]{2},? (\d\d? [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{2} \d\d?) \d\d:\d\d:\d\d [+-]\d{4}( \d{4})?$/;

/**
 * Converts a time in any format of the platform to RFC 3339 in UTC with milliseconds; undefined for an invalid time.
 */
export function timestamp(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const isRfc3339 = rfc3339.test(value);
  if (!isRfc3339 && !platformTime.test(value)) return undefined;
  const milliseconds = Date.parse(isRfc3339 ? value.toUpperCase().replace(' ', 'T') : value);
  const written = Number.isNaN(milliseconds) ? '' : new Date(milliseconds).toISOString();
  // Years with more than four digits have another format.
  return written.length === 24 ? written : undefined;
}

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
