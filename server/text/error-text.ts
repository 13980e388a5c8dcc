/** Reads the parts of thrown values, which can be of any type. */

/**
 * Whether a value is an object with this member. `instanceof Error` is no test: the errors of Node come from another realm
 * where the code runs in a context of its own, as in tests.
 */
const hasText = <Name extends string>(value: unknown, name: Name): value is Record<Name, string> =>
  typeof value === 'object' &&
  value !== null &&
  name in value &&
  typeof (value as Record<Name, unknown>)[name] === 'string';

/** The message of an error, or the value as text. */
export const messageOf = (error: unknown): string => (hasText(error, 'message') ? error.message : String(error));

/** The code of a system error, such as `ENOENT`; undefined for any other value. */
export const codeOf = (error: unknown): string | undefined => (hasText(error, 'code') ? error.code : undefined);
