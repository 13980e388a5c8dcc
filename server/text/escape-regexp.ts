/** A text as a part of a regular expression of JavaScript or PostgreSQL. */
export const escapeRegExp = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N}_]/gv, String.raw`\$&`);
