/** Reads the parts of thrown values, which can be of any type. */
import { types } from 'node:util';

/** The message of an error, or the value as text. */
export const messageOf = (error: unknown): string => (types.isNativeError(error) ? error.message : String(error));

/** The code of a system error, such as `ENOENT`; undefined for any other value. */
export const codeOf = (error: unknown): string | undefined =>
  types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
