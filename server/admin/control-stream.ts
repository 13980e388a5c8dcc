/**
 * The format of a streamed answer on the control socket: an HTTP response whose body is text, with JSON in a header before
 * it and JSON in a trailer after it. A response without the trailer was cut off.
 */

/** The header with the JSON before the body. */
export const headHeader = 'x-head';
/** The trailer with `{ value }` or `{ error }`. */
export const endTrailer = 'x-end';

/** JSON as the text of a header, which must be ASCII. */
export const encodeMember = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
/** The JSON in a header or trailer. Throws an Error if it is absent or broken. */
export const decodeMember = <Value>(text: string | string[] | undefined): Value =>
  JSON.parse(decodeURIComponent(String(text)));
