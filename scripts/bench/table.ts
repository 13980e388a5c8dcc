/** Tables and statistics of the benchmarks. */

export type Row = Readonly<Record<string, string | number>>;

/** Formats rows as an aligned Markdown table with the columns of the first row. All columns but the first are right-aligned. */
export function markdownTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => String(row[name] ?? '')));
  const widths = names.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(names), rule, ...cells.map(line)].join('\n');
}

/** Milliseconds to three significant digits. */
export const milliseconds = (ms: number): string =>
  ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(3);

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The percentile by the nearest-rank method. NaN for an empty list. */
export const percentile = (values: readonly number[], share: number): number =>
  values.length === 0
    ? Number.NaN
    : (values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN);
