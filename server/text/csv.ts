/** CSV (RFC 4180), written by csv-stringify. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let library: typeof import('csv-stringify/sync') | undefined;

/** What a spreadsheet takes for a formula after it has removed white space. The writer knows those without it. */
const hiddenFormula = /^[\s\0]+[=+\-@＝＋－＠]/;

export interface CsvOptions {
  /** Whether texts that a spreadsheet would run as a formula get an apostrophe before them; numbers never do. */
  readonly isGuarded?: boolean;
}

/**
 * Records of CSV with CRLF, one for each row. Undefined and null are empty, booleans are `true` and `false`, objects are their JSON.
 */
export const csvOf = (rows: readonly (readonly unknown[])[], { isGuarded = true }: CsvOptions = {}): string =>
  // Loaded at the first table: few services send one.
  (library ??= require('csv-stringify/sync') as typeof import('csv-stringify/sync')).stringify(rows as unknown[][], {
    record_delimiter: '\r\n',
    escape_formulas: isGuarded,
    cast: {
      boolean: String,
      object: (value: object) => JSON.stringify(value),
      ...(isGuarded ? { string: (text: string) => (hiddenFormula.test(text) ? `'${text}` : text) } : {}),
    },
  });
