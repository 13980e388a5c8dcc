/**
 * Streams the JSON values of an input: the lines of JSON Lines, the elements of an array, a sequence of values, or the
 * array in a JavaScript file of a personal archive. Holds one value in memory at a time.
 */
import { TimeSlice } from '../process/time-slice.ts';
import { ValueScanner, type InputValue } from './value-scanner.ts';

/**
 * The maximum size of a value in bytes. Of a larger object the elements of its lists are the values; others are
 * skipped.
 */
export const maxValueBytes = 16 * 1024 * 1024;
/** The number of lines and bytes of the sample that decides whether the input is JSON Lines. */
const sampleLines = 20;
const sampleBytes = 256 * 1024;
/**
 * What the reader passes on at once: a small compressed file can contain millions of values, and the thread may also answer
 * requests. `maxLines`: also empty ones; `pieceBytes`: of a chunk that is scanned for brackets.
 */
const maxValues = 100;
const maxLines = 1000;
const pieceBytes = 64 * 1024;
const newline = 10;

/**
 * The values of an input, at most 100 at once. Between them the thread does what waits. Chunk boundaries are arbitrary. Closes `chunks` also if the caller stops early. `maxBytes`:
 * the maximum size of one value.
 */
export async function* inputValues(
  chunks: AsyncIterable<Buffer>,
  maxBytes = maxValueBytes,
): AsyncGenerator<InputValue[], void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const sample: Buffer[] = [];
  let bytes = 0;
  let newlines = 0;
  // The sample must contain whole lines, even if a line is as long as the largest value.
  while (bytes <= maxBytes && newlines < sampleLines && !(newlines > 0 && bytes >= sampleBytes)) {
    const { value, done } = await iterator.next();
    if (done) break;
    sample.push(value);
    bytes += value.length;
    for (let at = value.indexOf(newline); at !== -1 && newlines < sampleLines; at = value.indexOf(newline, at + 1))
      newlines++;
  }
  const replayed = async function* (): AsyncGenerator<Buffer, void> {
    yield* sample.splice(0);
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  const slice = new TimeSlice();
  try {
    const head = headOf(sample);
    if (isCsv(head)) return yield [{ line: 1, reason: csvReason }];
    const found = isJsonLines(head) ? lines(replayed(), maxBytes) : stream(replayed(), maxBytes);
    for await (const values of found) {
      for (let from = 0; from < values.length; from += maxValues) {
        yield values.length <= maxValues ? values : values.slice(from, from + maxValues);
        if (slice.isOver) await slice.next();
      }
      if (slice.isOver) await slice.next();
    }
  } finally {
    await iterator.return?.();
  }
}

/** The first lines of an input that are not empty. */
const headOf = (sample: readonly Buffer[]): string[] =>
  Buffer.concat(sample)
    .toString()
    .replace(/^\ufeff/, '')
    .split('\n', sampleLines)
    .filter((line) => line.trim() !== '');

/**
 * Whether at least half of the first lines are complete objects. So a broken line does not hide JSON Lines, and a
 * single element on its own line inside a larger value does not look like JSON Lines.
 */
const isJsonLines = (first: readonly string[]): boolean =>
  first.length > 0 && first.filter(isObject).length * 2 >= first.length;

const csvReason =
  'CSV is not supported: import JSON or JSON Lines instead, which the tool that wrote the file usually offers too (formats: README, "Your own data")';
const separators = [',', ';', '\t'];
/** A name of a column, in quotation marks or without. */
const columnName = /^"?[\p{L}_][\p{L}\p{M}\p{N} _.:()/#-]{0,60}"?$/u;

/** Whether the first line has names of columns, and the second one values; or the first lines have the same number of values. */
function isCsv([header = '', ...rows]: readonly string[]): boolean {
  if (/^\s*[[{]|=\s*[[{]?\s*$/.test(header) || [header, ...rows].some(isObject)) return false;
  return separators.some((separator) => {
    const values = (line: string): string[] =>
      line
        .trim()
        .replaceAll(/"(?:[^"]|"")*"/g, '""')
        .split(separator);
    const names = header.trim().split(separator);
    if (names.length > 1 && names.every((name) => columnName.test(name.trim())))
      return rows.length === 0 ? names.length > 2 : values(rows[0] ?? '').length > 1;
    const columns = values(header).length;
    return columns > 2 && rows.length > 0 && rows.slice(0, 5).every((row) => values(row).length === columns);
  });
}

function isObject(line: string): boolean {
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function* lines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<InputValue[], void> {
  let line = 0;
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  const endLine = (chunk: Buffer, start: number, end: number, values: InputValue[]): void => {
    line++;
    const size = heldBytes + end - start;
    const isWhole = pieces.length === 0;
    const whole = isWhole ? chunk : Buffer.concat([...pieces, chunk.subarray(start, end)]);
    pieces = [];
    heldBytes = 0;
    if (size > maxBytes) return void values.push({ line, reason: tooLarge(maxBytes) });
    // A view of each line would cost more than its text.
    const text = (isWhole ? whole.toString('utf8', start, end) : whole.toString()).trim();
    if (text !== '') values.push({ line, text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text });
  };
  for await (const chunk of chunks) {
    let values: InputValue[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      endLine(chunk, start, end, values);
      start = end + 1;
      if (values.length < maxValues && line % maxLines !== 0) continue;
      yield values;
      values = [];
    }
    heldBytes += chunk.length - start;
    // Beyond the limit, only the length is stored.
    if (heldBytes <= maxBytes) pieces.push(Buffer.from(chunk.subarray(start)));
    else pieces = [];
    if (values.length > 0) yield values;
  }
  const last: InputValue[] = [];
  endLine(Buffer.alloc(0), 0, 0, last);
  if (last.length > 0) yield last;
}

async function* stream(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<InputValue[], void> {
  const scanner = new ValueScanner(maxBytes, tooLarge(maxBytes));
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += pieceBytes)
      yield scanner.push(chunk.subarray(from, from + pieceBytes));
  }
  const last = scanner.end();
  if (last.length > 0) yield last;
}

const tooLarge = (maxBytes: number): string =>
  `larger than ${maxBytes >= 1024 * 1024 ? `${maxBytes / 1024 / 1024} MB` : `${maxBytes} bytes`}`;
