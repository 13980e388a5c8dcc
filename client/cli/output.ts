/** Prints results: tables on a terminal, JSON otherwise. */
import { stripVTControlCharacters } from 'node:util';
import type { Io } from './io.ts';

export type Format = 'table' | 'json' | 'jsonl';

/** The text of a value in a cell, without line breaks and control characters of a terminal. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return clean(String(value));
  const { username, name } = value as { username?: unknown; name?: unknown };
  if (typeof username === 'string') return clean(`@${username}`);
  return clean(typeof name === 'string' ? name : JSON.stringify(value));
}
// Data of others must not control the terminal.
const clean = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The columns that fit for the common records, in this order; other records show their first simple members. */
const preferred = [
  'event',
  'id',
  'created_at',
  'author',
  'username',
  'name',
  'text',
  'title',
  'like_count',
  'followers_count',
  'member_count',
];

function columnsOf(rows: readonly object[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const known = preferred.filter((name) => names.has(name));
  return known.length > 1 ? known : [...names].slice(0, 6);
}

const cut = (text: string, width: number): string => {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
};

/** Rows as a table that is at most as wide as the terminal: the widest column gives way. */
export function table(rows: readonly object[], width: number): string {
  if (rows.length === 0) return '';
  const columns = columnsOf(rows);
  const cells = [
    columns,
    ...rows.map((row) => columns.map((name) => cellText((row as Record<string, unknown>)[name]))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => [...(row[index] ?? '')].length)));
  for (let excess = widths.reduce((sum, each) => sum + each + 2, -2) - width; excess > 0;) {
    const widest = Math.max(...widths);
    if (widest <= 8) break;
    const give = Math.min(excess, widest - 8);
    widths[widths.indexOf(widest)] = widest - give;
    excess -= give;
  }
  const line = (row: readonly string[]): string =>
    row
      .map((text, index) => cut(text, widths[index] ?? 0).padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return `${cells.map(line).join('\n')}\n`;
}

/** Prints one result. */
export function printOne(io: Io, value: unknown, format: Format): void {
  if (format !== 'table') return io.write(`${JSON.stringify(value, null, format === 'json' ? 2 : 0)}\n`);
  const members = Object.entries(value as object);
  const width = Math.max(0, ...members.map(([name]) => name.length));
  for (const [name, member] of members) io.write(`${name.padEnd(width)}  ${cellText(member)}\n`);
}

/** Prints items as they come: lines of JSON, or one table for each part. */
export function printItems(io: Io, items: readonly object[], format: Format): void {
  if (format === 'table') io.write(table(items, io.columns));
  else for (const item of items) io.write(`${JSON.stringify(item)}\n`);
}

/** Prints the value of a response: texts and bytes as they are, the items of a stream as lines of JSON, nothing for no body. */
export async function printAnswer(io: Io, value: unknown, format: Format): Promise<void> {
  if (value === undefined) return;
  if (typeof value === 'string') return io.write(value);
  if (value instanceof Blob) return io.write(new Uint8Array(await value.arrayBuffer()));
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && Symbol.asyncIterator in value) {
    for await (const item of value as AsyncIterable<unknown>) io.write(`${JSON.stringify(item)}\n`);
    return;
  }
  printOne(io, value, isObject && !Array.isArray(value) ? format : format === 'table' ? 'json' : format);
}
