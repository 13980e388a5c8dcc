/** Words of reports. */

/** The beginning of a long text. */
export const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
/** Alternatives in a row. */
export const list = (values: readonly unknown[]): string => values.join(' or ');
