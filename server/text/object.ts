/** Reads objects whose shape is not known, such as parsed JSON. */

/** Whether a value is an object or an array. */
export const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a value is an object and no array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  hasMembers(value) && !Array.isArray(value);

/** A member of a value of any type; undefined if the value is no object or has no such member. */
export const memberOf = (value: unknown, name: string): unknown => (hasMembers(value) ? value[name] : undefined);

/** The names of the members of an object whose type lists all of them. */
export const keysOf = <Value extends object>(value: Value): (keyof Value & string)[] =>
  Object.keys(value) as (keyof Value & string)[];
