/**
 * Whether a text is an id in its only form: up to 19 digits without leading zeros. Tables and columns have ids as numbers, so `01` would find
 * the record of `1`.
 */
export const isId = (text: string): boolean => /^(?:0|[1-9][0-9]{0,18})$/.test(text);

/** Compares two ids as numbers. */
export const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
