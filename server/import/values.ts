/**
 * Finds the JSON values of an input while it streams by: the lines of JSON Lines, the elements of an array, values one after the
 * other, and the array that a personal archive's JavaScript assigns. Holds one value at a time.
 */
import { ValueScanner, type InputValue } from './value-scanner.ts';

/** A larger value is not held in memory: an object gives its lists' elements instead, anything else is passed over. */
export const maxValueBytes = 16 * 1024 * 1024;
/** So many lines at the start tell whether the input is JSON Lines. */
const tellingLines = 20;
const tellingBytes = 256 * 1024;
const newline = 10;

/**
 * The values of an input. `chunks` may be cut anywhere; it is closed also when the values are not read to their end. `most`
 * bounds one value, in bytes.
 */
export async function* inputValues(
  chunks: AsyncIterable<Buffer>,
  most = maxValueBytes,
): AsyncGenerator<InputValue[], void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const held: Buffer[] = [];
  let bytes = 0;
  let newlines = 0;
  // Enough of the start to see whole lines, were they as long as a value may be.
  while (bytes <= most && newlines < tellingLines && !(newlines > 0 && bytes >= tellingBytes)) {
    const { value, done } = await iterator.next();
    if (done) break;
    held.push(value);
    bytes += value.length;
    for (let at = value.indexOf(newline); at !== -1 && newlines < tellingLines; at = value.indexOf(newline, at + 1))
      newlines++;
  }
  const all = async function* (): AsyncGenerator<Buffer, void> {
    yield* held.splice(0);
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  try {
    yield* isJsonLines(Buffer.concat(held)) ? lines(all(), most) : stream(all(), most);
  } finally {
    await iterator.return?.();
  }
}

/**
 * Whether at least half of the first lines are objects from end to end. One broken line, the first too, thus does not make a
 * stream of JSON Lines; nor does an element on a line of its own inside a larger value make JSON Lines of that.
 */
function isJsonLines(head: Buffer): boolean {
  const first = head
    .toString()
    .replace(/^\ufeff/, '')
    .split('\n', tellingLines)
    .filter((line) => line.trim() !== '');
  return first.length > 0 && first.filter(isObject).length * 2 >= first.length;
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

async function* lines(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<InputValue[], void> {
  let line = 0;
  let pieces: Buffer[] = [];
  let held = 0;
  const take = (end: Buffer): InputValue[] => {
    line++;
    const bytes = pieces.length === 0 ? end : Buffer.concat([...pieces, end]);
    const size = held + end.length;
    pieces = [];
    held = 0;
    if (size > most) return [{ line, reason: tooLarge(most) }];
    const text = bytes.toString().trim();
    return text === '' ? [] : [{ line, text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text }];
  };
  for await (const chunk of chunks) {
    const found: InputValue[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      found.push(...take(chunk.subarray(start, end)));
      start = end + 1;
    }
    held += chunk.length - start;
    // Beyond the limit only the length is kept.
    if (held <= most) pieces.push(Buffer.from(chunk.subarray(start)));
    else pieces = [];
    if (found.length > 0) yield found;
  }
  const last = take(Buffer.alloc(0));
  if (last.length > 0) yield last;
}

async function* stream(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<InputValue[], void> {
  const scanner = new ValueScanner(most, tooLarge(most));
  for await (const chunk of chunks) {
    const found = scanner.push(chunk);
    if (found.length > 0) yield found;
  }
  const last = scanner.end();
  if (last.length > 0) yield last;
}

const tooLarge = (most: number): string =>
  `larger than ${most >= 1024 * 1024 ? `${most / 1024 / 1024} MB` : `${most} bytes`}`;
