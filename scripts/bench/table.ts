/** Tables and statistics of the benchmarks. */

/** Formats rows as an aligned Markdown table with the columns of the first row. All columns but the first are right-aligned. */
export function markdownTable(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => String(row[name] ?? '')));
  const widths = names.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(names), rule, ...cells.map(line)].join('\n');
}

/** A number to three significant digits, with separators from a thousand on. */
export const shown = (value: number): string =>
  Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString('en')
    : Number(value.toPrecision(3)).toLocaleString('en', { maximumSignificantDigits: 3 });

/** The percentile by the nearest-rank method. NaN for an empty list. */
export const percentile = (values: readonly number[], share: number): number =>
  values.length === 0
    ? Number.NaN
    : (values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN);

/** The median: of an even number of values, the mean of the middle ones. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  const middle = ordered.length / 2;
  return ((ordered[Math.ceil(middle) - 1] ?? Number.NaN) + (ordered[Math.floor(middle)] ?? Number.NaN)) / 2;
}
