/** Reads the parts of thrown values, which can be of any type. */

/** The message of an error, or the value as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of a system error, such as `ENOENT`; undefined for any other value. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
