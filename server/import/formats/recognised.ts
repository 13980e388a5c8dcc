/** What a format makes of a value of the input. */
import type { ArchiveRecord } from '../../platforms/archive/records.ts';

/** The records that a value holds, or why it holds none. */
export type Recognised = { readonly records: ArchiveRecord[] } | { readonly reason: string };

/** A parsed JSON object whose members nobody has looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const fields = (value: unknown): Fields => (isFields(value) ? value : {});
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** A text that may be empty: a profile whose description was taken back. */
export const freeText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** A text that is there and not empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
/** A decimal id: a text, or a number so small (as in the first years) that no digit of it can have been lost. */
export function id(value: unknown): string | undefined {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof digits === 'string' && /^[0-9]{1,19}$/.test(digits) ? digits : undefined;
}
/** The id of a place. */
export const placeId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z0-9]{1,32}$/.test(value) ? value : undefined;
/** A count, also one written as text, as personal archives do. */
export function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
export const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** RFC 3339 and what the platform writes; each with its zone, or the time would depend on that of this machine. */
const rfc3339 = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/i;
const platformTime =
  /^[A-Z][a-z]{2},? (\d\d? [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{2} \d\d?) \d\d:\d\d:\d\d [+-]\d{4}( \d{4})?$/;

/**
 * A time in any form that the platform writes, as RFC 3339 in UTC with milliseconds; undefined for one that is none.
 */
export function timestamp(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const isRfc3339 = rfc3339.test(value);
  if (!isRfc3339 && !platformTime.test(value)) return undefined;
  const milliseconds = Date.parse(isRfc3339 ? value.toUpperCase().replace(' ', 'T') : value);
  const written = Number.isNaN(milliseconds) ? '' : new Date(milliseconds).toISOString();
  // Years beyond four digits are written otherwise.
  return written.length === 24 ? written : undefined;
}

/** Leaves out the members that are undefined: what is unknown is not said. */
export function withoutUndefined<Entity extends object>(
  entity: Entity,
): { [Name in keyof Entity]: Exclude<Entity[Name], undefined> } {
  for (const name of Object.keys(entity) as (keyof Entity)[]) if (entity[name] === undefined) delete entity[name];
  return entity as { [Name in keyof Entity]: Exclude<Entity[Name], undefined> };
}
