/** Prints results: cards and tables on a terminal, JSON, lines of JSON or CSV otherwise. */
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { Io } from './io.ts';

export type Format = 'table' | 'json' | 'jsonl' | 'csv';
type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text without line breaks and control characters: data of others must not control the terminal. */
export const clean = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Cf}]+/gu, (found) => (/^\u200d+$/.test(found) ? found : ' '))
    .replace(/\s+/g, ' ')
    .trim();

const graphemes = new Intl.Segmenter();

/** A text that is at most as wide as `width` columns; a wide character has two. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let start = '';
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(start + segment) >= width) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}

/** A text in lines that are at most as wide as `width` columns, broken at spaces where that is possible. */
function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/(?<=\s)/)) {
    const isLong = stringWidth(word.trimEnd()) > width;
    for (const part of isLong ? Array.from(graphemes.segment(word), ({ segment }) => segment) : [word]) {
      const line = lines.at(-1) ?? '';
      if (line !== '' && stringWidth((line + part).trimEnd()) > width) lines.push(part);
      else lines[lines.length - 1] = line + part;
    }
  }
  return lines.map((line) => line.trimEnd());
}

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

/** A time for a table: minutes or hours for the last day, else the date without what is obvious. */
function shortTime(value: string, now: number): string {
  const date = new Date(value);
  const minutes = Math.floor((now - date.getTime()) / 60_000);
  if (minutes >= 0 && minutes < 60) return `${minutes}m`;
  if (minutes >= 0 && minutes < 1_440) return `${Math.floor(minutes / 60)}h`;
  const isThisYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
  const parts = isThisYear
    ? ({ month: 'short', day: 'numeric' } as const)
    : ({ month: 'short', year: 'numeric' } as const);
  return date.toLocaleDateString('en-US', { ...parts, timeZone: 'UTC' });
}

/** The text of a value in one line; of an object, what names it. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isTime(value)) return `${value.slice(0, 16).replace('T', ' ')} UTC`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (!isObject(value)) return clean(String(value));
  const { author, text, username, url, name, title } = value;
  if (isObject(author) && typeof text === 'string') return `${valueText(author)}: ${clean(text)}`;
  if (typeof username === 'string' && username !== '') return clean(`@${username}`);
  const named = [url, name, title].find((each) => typeof each === 'string' && each !== '');
  return clean(typeof named === 'string' ? named : JSON.stringify(value));
}

/** The columns of the common records, in this order; other records show their first simple members. */
const preferred = [
  'event',
  'created_at',
  'author',
  'username',
  'name',
  'title',
  'text',
  'like_count',
  'followers_count',
  'member_count',
  'role',
  'id',
];
/** The columns that get the room that the others leave. */
const wide = ['text', 'title', 'name'];
/** The width that a wide column should have before the others keep theirs. */
const wideColumns = 40;
const narrowColumns = 12;

function columnsOf(rows: readonly object[], width: number): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  // On a narrow terminal the text of a tweet needs the room.
  const known = preferred.filter(
    (name) => names.has(name) && !(name === 'like_count' && width < 100 && names.has('text')),
  );
  return known.length > 1 ? known : [...names].slice(0, 6);
}

/** `like_count` as `likes`, `reply_count` as `replies`. */
function countName(member: string): string {
  const name = member.replace(/_count$/, '').replaceAll('_', ' ');
  return /(?:s|ing|media)$/.test(name) ? name : `${name.replace(/y$/, 'ie')}s`;
}
const heading = (member: string): string =>
  member === 'created_at' ? 'time' : member.endsWith('_count') ? countName(member) : member.replaceAll('_', ' ');

/** How wide the columns are: the wide one gets what is left, the others shrink for it, and the id shrinks last. */
function widthsOf(columns: readonly string[], cells: readonly (readonly string[])[], width: number): number[] {
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => stringWidth(row[index] ?? ''))));
  const available = width - 2 * (columns.length - 1);
  const flexible = columns.indexOf(wide.find((name) => columns.includes(name)) ?? '');
  const excess = (): number => widths.reduce((sum, each) => sum + each, 0) - available;
  const shrink = (index: number, least: number): void => {
    widths[index] = Math.max(Math.min(widths[index] ?? 0, least), (widths[index] ?? 0) - Math.max(0, excess()));
  };
  const id = columns.lastIndexOf('id');
  if (flexible >= 0) shrink(flexible, wideColumns);
  for (let index = columns.length - 1; index >= 0; index--)
    if (index !== id && index !== flexible) shrink(index, narrowColumns);
  if (flexible >= 0) shrink(flexible, narrowColumns);
  for (let index = columns.length - 1; index >= 0; index--) if (index !== id) shrink(index, 1);
  if (id >= 0) shrink(id, 1);
  return widths;
}

const noBorders = Object.fromEntries(
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
    .split(' ')
    .map((name) => [name, '']),
);

/** Cells in columns. */
function grid(cells: readonly (readonly string[])[], widths: readonly number[]): string {
  const table = new Table({
    chars: { ...noBorders, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: [...widths],
  });
  table.push(...cells.map((row) => row.map((text, index) => cut(text, widths[index] ?? 0))));
  return `${table.toString().replace(/ +$/gm, '')}\n`;
}

/** Rows as a table that is at most as wide as the terminal. */
export function table(rows: readonly object[], width: number, hasHeadings = true): string {
  if (rows.length === 0) return '';
  const columns = columnsOf(rows, width);
  const now = Date.now();
  const cells = [
    ...(hasHeadings ? [columns.map(heading)] : []),
    ...rows.map((row) =>
      columns.map((name) => {
        const value = (row as Members)[name];
        return name === 'created_at' && isTime(value) ? shortTime(value, now) : valueText(value);
      }),
    ),
  ];
  return grid(cells, widthsOf(columns, cells, width));
}

/** The record in an answer: its only member that is an object with an id or a name, else the answer itself. */
function recordIn(value: Members): { record: Members; rest: Members } {
  const found = Object.entries(value).filter(([, member]) => isObject(member) && 'id' in member);
  const [only, ...others] = found;
  if ('id' in value || only === undefined || others.length > 0) return { record: value, rest: {} };
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== only[0]));
  return { record: only[1] as Members, rest };
}

/** The members that are not shown before, each with its name; an object by its own members. */
function facts(members: Members, prefix = ''): [string, string][] {
  return Object.entries(members).flatMap(([name, value]): [string, string][] => {
    const label = `${prefix}${name}`.replaceAll('_', ' ');
    const isEmpty =
      value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (isEmpty) return [];
    const isNamed = isObject(value) && ['username', 'url', 'name', 'title', 'text'].some((each) => each in value);
    return isObject(value) && !isNamed && prefix === '' ? facts(value, `${label} `) : [[label, valueText(value)]];
  });
}

/** Whether a value is a list of objects. */
const isList = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** The lists of an answer that is no record itself, as tables below its card: each with its name if there are several. */
function listsOf(value: Members, width: number): { text: string[]; names: ReadonlySet<string> } {
  const lists = 'id' in value ? [] : Object.entries(value).filter(([, member]) => isList(member));
  const text = lists.map(([name, items]) => {
    const rows = table(items as readonly object[], width).trimEnd();
    return lists.length > 1 ? `${heading(name)}\n${rows}` : rows;
  });
  return { text, names: new Set(lists.map(([name]) => name)) };
}

/** A record as a card: who and when, its text, its counts, its other members, and the lists that it has. */
export function card(whole: Members, width: number): string {
  const { text: lists, names } = listsOf(whole, width);
  const value = Object.fromEntries(Object.entries(whole).filter(([member]) => !names.has(member)));
  const { record, rest } = recordIn(value);
  const { name, username, author, title, created_at: time, text, description, summary, ...others } = record;
  const unknown = rest['unknown_counts'];
  const { name: authorName } = isObject(author) ? author : {};
  const who = [name ?? authorName, username === undefined ? author : { username }, title, time].map(valueText);
  const body = [text, description, summary].find((each) => typeof each === 'string' && each !== '');
  const counts = Object.entries(others).filter(
    ([member, count]) => member.endsWith('_count') && typeof count === 'number',
  );
  const count = ([member, number]: [string, unknown]): string =>
    `${Array.isArray(unknown) && unknown.includes(member) ? '?' : (number as number).toLocaleString('en-US')} ${countName(member)}`;
  const shown = new Set(counts.map(([member]) => member));
  const { unknown_counts: _, ...remaining } = rest;
  const left = facts(
    Object.fromEntries(Object.entries({ ...others, ...remaining }).filter(([member]) => !shown.has(member))),
  );
  const labels = Math.max(0, ...left.map(([label]) => stringWidth(label)));
  const lines = left.flatMap(([label, fact]) =>
    wrapped(fact, Math.max(width - labels - 2, narrowColumns)).map(
      (line, index) => `${index === 0 ? label.padEnd(labels) : ' '.repeat(labels)}  ${line}`,
    ),
  );
  const parts = [
    wrapped(who.filter((each) => each !== '').join('  '), width),
    typeof body === 'string' ? body.split('\n').flatMap((line) => wrapped(clean(line), width)) : [],
    wrapped(counts.map(count).join('  '), width),
    lines,
    ...lists.map((list) => [list]),
  ];
  const shownParts = parts.map((part) => part.join('\n')).filter((part) => part !== '');
  const nothing = Object.keys(whole).map((member) => `no ${heading(member)}`);
  return `${(shownParts.length === 0 ? nothing : shownParts).join('\n\n')}\n`;
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** A text that a spreadsheet would run as a formula gets an apostrophe before it, as in the CSV of the service. */
const guarded = (text: string): string => (/^[\t\r]|^[\s\0]*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text);
/** A line of CSV (RFC 4180). */
const csvLine = (values: readonly unknown[]): string =>
  `${values
    .map((value) => {
      if (value === undefined || value === null) return '';
      if (typeof value === 'string') return quoted(guarded(value));
      return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
    })
    .join(',')}\r\n`;

/** The value of a column such as `author.username`. */
const valueAt = (row: unknown, column: string): unknown =>
  column.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), row);

/** The columns of one record: its members, and those of its objects. */
const ownColumns = (row: Members): string[] =>
  Object.entries(row).flatMap(([name, value]) =>
    isObject(value) ? Object.keys(value).map((member) => `${name}.${member}`) : [name],
  );

/** Prints one result. */
export function printOne(io: Io, value: unknown, format: Format): void {
  if (format === 'table' && isObject(value)) io.write(card(value, io.columns));
  else if (format === 'csv' && isObject(value)) {
    const columns = ownColumns(value);
    io.write(csvLine(columns) + csvLine(columns.map((column) => valueAt(value, column))));
  } else io.write(`${JSON.stringify(value, null, format === 'jsonl' ? 0 : 2)}\n`);
}

/** Prints the items of a list as they come: `add` takes those of a page, `end` comes after the last page. */
export interface ItemPrinter {
  add(items: readonly object[]): void;
  end(): void;
}

/** Prints items as one array of JSON, as lines of JSON, as CSV with these columns, or as a table. */
export function itemPrinter(io: Io, format: Format, columns: readonly string[]): ItemPrinter {
  let count = 0;
  let head = format === 'csv' ? csvLine(columns) : '';
  const texts: Readonly<Record<Format, (items: readonly object[]) => string>> = {
    table: (items) => table(items, io.columns, count === 0),
    json: (items) => items.map((item, index) => `${count + index === 0 ? '[' : ',\n'}${JSON.stringify(item)}`).join(''),
    jsonl: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''),
    csv: (items) => items.map((item) => csvLine(columns.map((column) => valueAt(item, column)))).join(''),
  };
  return {
    add(items) {
      const text = head + texts[format](items);
      if (text !== '') io.write(text);
      head = '';
      count += items.length;
    },
    end() {
      if (format === 'json') io.write(count === 0 ? '[]\n' : ']\n');
    },
  };
}

/** Prints the value of a response: texts and bytes as they are, the items of a stream as lines of JSON, nothing for no body. */
export async function printAnswer(io: Io, value: unknown, format: Format): Promise<void> {
  if (value === undefined) return;
  if (typeof value === 'string') return io.write(value);
  if (value instanceof Blob) return io.write(new Uint8Array(await value.arrayBuffer()));
  if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) {
    for await (const item of value as AsyncIterable<unknown>) io.write(`${JSON.stringify(item)}\n`);
    return;
  }
  printOne(io, value, format);
}
