/** What a format makes of a value of the input. */
import type { ArchiveRecord } from '../../archive/records.ts';

/** The records that a value holds, or why it holds none. */
export type Recognised = { readonly records: ArchiveRecord[] } | { readonly reason: string };

/** A parsed JSON object whose members nobody has looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
export const fields = (value: unknown): Fields => (isFields(value) ? value : {});
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** A text that is there and not empty. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
/** A decimal id: a text, or a number so small (as in the first years) that no digit of it can have been lost. */
export function id(value: unknown): string | undefined {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof digits === 'string' && /^[0-9]{1,19}$/.test(digits) ? digits : undefined;
}
/** A count, also one written as text, as personal archives do. */
export function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
export const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** A time in any form that the platform writes, as RFC 3339 in UTC with milliseconds. */
export function timestamp(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const milliseconds = Date.parse(value);
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString();
}

/** Leaves out the members that are undefined: what is unknown is not said. */
export function known<Thing extends object>(thing: Thing): { [Name in keyof Thing]: Exclude<Thing[Name], undefined> } {
  for (const name of Object.keys(thing) as (keyof Thing)[]) if (thing[name] === undefined) delete thing[name];
  return thing as { [Name in keyof Thing]: Exclude<Thing[Name], undefined> };
}
