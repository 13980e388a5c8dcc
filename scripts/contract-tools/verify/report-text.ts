/** Text helpers for reports. */

/** Truncates a text to 60 characters. */
export const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
/** Joins alternatives with `or`. */
export const list = (values: readonly unknown[]): string => values.join(' or ');
