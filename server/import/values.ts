/**
 * Finds the JSON values of an input while it streams by: the lines of JSON Lines, the elements of an array, values one after the
 * other, and the array that a personal archive's JavaScript assigns. Holds one value at a time.
 */

/** A value of the input, or why there is none; `line` is where it begins, from 1. */
export type InputValue = { readonly line: number; readonly text: string } | { readonly line: number; readonly reason: string };

/** A larger value is passed over. */
const mostBytes = 64 * 1024 * 1024;
const tooLarge = `larger than ${mostBytes / 1024 / 1024} MB`;

const newline = 10;
const quote = 34;
const comma = 44;
const backslash = 92;
const openers = new Set([123, 91]);
const closers = new Set([125, 93]);
const blanks = new Set([9, 10, 13, 32, 0xef, 0xbb, 0xbf]);

/** The values of an input. `chunks` may be cut anywhere; it is closed also when the values are not read to their end. */
export async function* inputValues(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputValue[], void> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    let head: Buffer = Buffer.alloc(0);
    // The first line tells lines from a stream of values: a line that is an object from end to end.
    let isLines: boolean | undefined;
    while (isLines === undefined) {
      const { value, done } = await iterator.next();
      if (!done) head = Buffer.concat([head, value]);
      isLines = beginsWithLine(head, done === true);
    }
    const whole = async function* (): AsyncGenerator<Buffer, void> {
      if (head.length > 0) yield head;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    };
    yield* isLines ? lines(whole()) : stream(whole());
  } finally {
    await iterator.return?.();
  }
}

/** Whether the first line that is not blank is an object from end to end; undefined while it has not ended. */
function beginsWithLine(head: Buffer, ended: boolean): boolean | undefined {
  const text = head.toString('latin1').replace(/^[\xef\xbb\xbf\s]+/, '');
  const end = text.indexOf('\n');
  if (text !== '' && !text.startsWith('{')) return false;
  if (end === -1 && !ended && head.length < mostBytes) return undefined;
  return (end === -1 ? text : text.slice(0, end)).trimEnd().endsWith('}');
}

async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputValue[], void> {
  let line = 0;
  let pieces: Buffer[] = [];
  let held = 0;
  const take = (end: Buffer): InputValue[] => {
    line++;
    const bytes = pieces.length === 0 ? end : Buffer.concat([...pieces, end]);
    const size = held + end.length;
    pieces = [];
    held = 0;
    if (size > mostBytes) return [{ line, reason: tooLarge }];
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
    if (held <= mostBytes) pieces.push(Buffer.from(chunk.subarray(start)));
    else pieces = [];
    if (found.length > 0) yield found;
  }
  const last = take(Buffer.alloc(0));
  if (last.length > 0) yield last;
}

/** Values by their brackets; what stands between them (commas, the brackets of an outer array, `name = `) is passed over. */
async function* stream(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputValue[], void> {
  let line = 1;
  let valueLine = 1;
  /** Open brackets, those of an outer array aside. */
  let depth = 0;
  let inOuterArray = false;
  let inString = false;
  let escaped = false;
  let strayLine = 0;
  let pieces: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    const found: InputValue[] = [];
    let start = depth > 0 ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === newline) line++;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
      } else if (byte === quote) {
        if (depth > 0) inString = true;
      } else if (openers.has(byte)) {
        if (depth === 0 && byte === 91 && !inOuterArray) {
          inOuterArray = true;
          continue;
        }
        if (depth++ === 0) {
          start = at;
          valueLine = line;
        }
      } else if (closers.has(byte)) {
        if (depth === 0) {
          inOuterArray = false;
        } else if (--depth === 0) {
          const size = held + at + 1 - start;
          const text = size > mostBytes ? undefined : Buffer.concat([...pieces, chunk.subarray(start, at + 1)]).toString();
          found.push(text === undefined ? { line: valueLine, reason: tooLarge } : { line: valueLine, text });
          pieces = [];
          held = 0;
          start = -1;
        }
      } else if (depth === 0 && inOuterArray && byte !== comma && !blanks.has(byte) && strayLine !== line) {
        strayLine = line;
        found.push({ line, reason: 'not a JSON object' });
      }
    }
    if (start !== -1) {
      held += chunk.length - start;
      if (held <= mostBytes) pieces.push(Buffer.from(chunk.subarray(start)));
      else pieces = [];
    }
    if (found.length > 0) yield found;
  }
  if (depth > 0) yield [{ line: valueLine, reason: 'the value that begins here does not end: the file is cut off or broken' }];
}
