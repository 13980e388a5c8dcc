/** Splits a byte stream into JSON values by their brackets alone; the parser validates each value later. */

/**
 * A value of the input, or the reason why it is unusable. `line`: its first line, from 1. `elements`: the reason
 * concerns a wrapper whose elements are the last `elements` values; ignore the reason if one of them was recognised.
 */
export type InputValue =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly reason: string }
  | { readonly line: number; readonly reason: string; readonly elements: number };

const newline = 10;
const quote = 34;
const comma = 44;
const semicolon = 59;
const equals = 61;
const bracket = 91;
const backslash = 92;
const brace = 123;

const unterminated = 'the value that starts here has no end: the file is truncated or damaged';

const colon = 58;
/** Members of records that wrappers do not have: an object with a scalar value for one of them is a record. */
const recordMembers = new Set(['kind', 'id_str', 'text', 'full_text']);
const maxRecordMemberLength = 9;

/** The classes of bytes outside strings. */
const plain = 0;
const blank = 1;
const opener = 2;
const closer = 3;
const kinds = new Uint8Array(256);
// The byte order mark counts as blank.
for (const byte of [9, 10, 13, 32, 0xef, 0xbb, 0xbf]) kinds[byte] = blank;
for (const byte of [bracket, brace]) kinds[byte] = opener;
for (const byte of [bracket + 2, brace + 2]) kinds[byte] = closer;

/** The offset of the next byte in a string that is not plain text, or the end. Most bytes are such text: the loop is short. */
function endOfText(chunk: Buffer, from: number): number {
  let at = from;
  for (const { length } = chunk; at < length; at++) {
    const byte = chunk[at];
    if (byte === quote || byte === backslash || byte === newline) break;
  }
  return at;
}

/**
 * Finds the values: the elements of an outer array, or a sequence of values. Skips `name =` before them. An object
 * larger than `maxBytes` counts as a wrapper: the scanner starts again at its beginning and returns the elements of its
 * arrays. An object with a member that only records have is not a wrapper: the scanner reports it as too large.
 */
export class ValueScanner {
  readonly #maxBytes: number;
  readonly #tooLarge: string;
  #line = 1;
  /** The number of open brackets of the current value, including its own. */
  #depth = 0;
  #valueLine = 1;
  #pieces: Buffer[] = [];
  /** The number of bytes of the current value, including discarded ones. */
  #heldBytes = 0;
  #inArray = false;
  /** The number of open objects of the wrapper; 0 outside a wrapper. */
  #wrappers = 0;
  /** Whether the next brace opens a wrapper. */
  #unwrap = false;
  /** The first line of the wrapper, and the number of values in it so far. */
  #wrapperLine = 1;
  #elements = 0;
  /**
   * The last string directly inside the wrapper, up to the maximum length of a member name; and the name before the
   * last colon.
   */
  #string = '';
  #member = '';
  /** Whether the current value is a record and so not a wrapper. */
  #isRecord = false;
  #inString = false;
  #escaped = false;
  /** The first line of text outside values, or 0; and the last non-blank byte of that text. */
  #strayLine = 0;
  #strayLast = 0;

  /** `maxBytes`: the maximum size of one value; `tooLarge`: the reason for a larger one. */
  constructor(maxBytes: number, tooLarge: string) {
    this.#maxBytes = maxBytes;
    this.#tooLarge = tooLarge;
  }

  /** The values that end in this chunk, and the unusable text in it. */
  push(chunk: Buffer): InputValue[] {
    const values: InputValue[] = [];
    this.#scan(chunk, values);
    return values;
  }

  /** The remaining results at the end of the input. */
  end(): InputValue[] {
    const values: InputValue[] = [];
    this.#endStray(values);
    if (this.#depth > 0) values.push({ line: this.#valueLine, reason: unterminated });
    else if (this.#wrappers > 0) values.push({ line: this.#wrapperLine, reason: unterminated });
    return values;
  }

  #scan(chunk: Buffer, values: InputValue[]): void {
    let start = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#depth > 0) {
        at = this.#scanValue(chunk, at);
        if (this.#depth > 0) break;
        this.#complete(chunk.subarray(start, at), values);
        start = at;
      } else {
        at = this.#scanBetween(chunk, at, values);
        start = Math.max(0, at - 1);
      }
    }
    if (this.#depth > 0) this.#buffer(chunk.subarray(start), values);
  }

  /** Reads inside a value; returns the offset behind its end, or the end of the chunk. */
  #scanValue(chunk: Buffer, from: number): number {
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let at = from;
    while (at < chunk.length && depth > 0) {
      if (inString && !escaped) {
        at = endOfText(chunk, at);
        if (at === chunk.length) break;
      }
      const byte = chunk[at++]!;
      if (byte === newline) {
        this.#line++;
        // A JSON string cannot contain a newline: a broken one must not hide the following brackets.
        inString = escaped = false;
      } else if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
      } else if (byte === quote) {
        inString = true;
      } else {
        const kind = kinds[byte]!;
        if (kind === opener) depth++;
        else if (kind === closer) depth--;
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    return at;
  }

  /** Reads between values; returns the offset behind the opening bracket of the next one, or the end of the chunk. */
  #scanBetween(chunk: Buffer, from: number, values: InputValue[]): number {
    for (let at = from; at < chunk.length; at++) {
      if (this.#inString && !this.#escaped && this.#string.length > maxRecordMemberLength) {
        at = endOfText(chunk, at);
        if (at === chunk.length) break;
      }
      const byte = chunk[at]!;
      const kind = kinds[byte]!;
      if (byte === newline) {
        if (!this.#inArray && this.#strayLast !== equals) this.#endStray(values);
        this.#inString = this.#escaped = false;
        this.#line++;
      } else if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
        if (this.#inString && this.#string.length <= maxRecordMemberLength) this.#string += String.fromCharCode(byte);
      } else if (byte === quote) {
        this.#inString = true;
        this.#string = '';
        this.#stray(byte);
        if (this.#detectRecord()) return at;
      } else if (kind === opener) {
        this.#member = '';
        if (this.#opens(byte, values)) return at + 1;
      } else if (kind === closer) {
        this.#closes(byte, values);
      } else if (byte === comma || byte === semicolon) {
        this.#endStray(values);
      } else if (byte === colon) {
        this.#member = this.#string;
        this.#stray(byte);
      } else if (kind === plain) {
        this.#stray(byte);
        if (this.#detectRecord()) return at;
      }
    }
    return chunk.length;
  }

  /**
   * Whether a scalar starts here that makes the wrapper a record. The scanner then reads the record as one too large
   * value.
   */
  #detectRecord(): boolean {
    const isRecord = this.#wrappers === 1 && !this.#inArray && recordMembers.has(this.#member);
    this.#member = '';
    if (!isRecord) return false;
    this.#inString = false;
    this.#wrappers = 0;
    this.#depth = 1;
    this.#valueLine = this.#wrapperLine;
    this.#heldBytes = this.#maxBytes + 1;
    this.#isRecord = true;
    return true;
  }

  /** Whether this bracket opens a value; otherwise it opens the outer array or a wrapper. */
  #opens(byte: number, values: InputValue[]): boolean {
    this.#endStray(values);
    if (!this.#inArray && byte === bracket) {
      this.#inArray = true;
      return false;
    }
    if (!this.#inArray && (this.#wrappers > 0 || this.#unwrap)) {
      if (this.#unwrap) this.#beginWrapper();
      this.#wrappers++;
      return false;
    }
    this.#depth = 1;
    this.#valueLine = this.#line;
    return true;
  }

  #closes(byte: number, values: InputValue[]): void {
    if (this.#inArray && byte === bracket + 2) {
      this.#endStray(values);
      this.#inArray = false;
    } else if (!this.#inArray && this.#wrappers > 0) {
      if (--this.#wrappers === 0)
        values.push({ line: this.#wrapperLine, reason: this.#tooLarge, elements: this.#elements });
    } else {
      this.#stray(byte);
    }
  }

  #beginWrapper(): void {
    this.#unwrap = false;
    this.#wrapperLine = this.#line;
    this.#elements = 0;
    this.#string = this.#member = '';
  }

  /** Records text between values. Ignores the names and scalar members of a wrapper. */
  #stray(byte: number): void {
    if (this.#wrappers > 0 && !this.#inArray) return;
    if (this.#strayLine === 0) this.#strayLine = this.#line;
    this.#strayLast = byte;
  }

  #endStray(values: InputValue[]): void {
    const isAssignment = !this.#inArray && this.#strayLast === equals;
    if (this.#strayLine > 0 && !isAssignment) {
      values.push({ line: this.#strayLine, reason: 'not a JSON object' });
      if (this.#wrappers > 0) this.#elements++;
    }
    this.#strayLine = this.#strayLast = 0;
  }

  /** Completes the current value with these bytes. */
  #complete(last: Buffer, values: InputValue[]): void {
    const pieces = this.#pieces.length === 0 ? [last] : [...this.#pieces, last];
    const isTooLarge = this.#heldBytes + last.length > this.#maxBytes;
    this.#pieces = [];
    this.#heldBytes = 0;
    if (isTooLarge && this.#isWrapper()) return this.#rescan(pieces, values);
    this.#isRecord = false;
    if (this.#wrappers > 0) this.#elements++;
    if (isTooLarge) values.push({ line: this.#valueLine, reason: this.#tooLarge });
    else values.push({ line: this.#valueLine, text: (pieces.length === 1 ? last : Buffer.concat(pieces)).toString() });
  }

  /** Buffers the part of the current value in this chunk. */
  #buffer(rest: Buffer, values: InputValue[]): void {
    this.#heldBytes += rest.length;
    if (this.#heldBytes <= this.#maxBytes) this.#pieces.push(Buffer.from(rest));
    else if (this.#isWrapper()) this.#rescan([...this.#pieces, rest], values);
    // Beyond the limit, the scanner stores only the length.
    else this.#pieces = [];
  }

  #isWrapper(): boolean {
    return !this.#inArray && this.#wrappers === 0 && !this.#isRecord;
  }

  #rescan(pieces: Buffer[], values: InputValue[]): void {
    this.#line = this.#valueLine;
    this.#depth = this.#heldBytes = 0;
    this.#pieces = [];
    this.#inString = this.#escaped = false;
    this.#unwrap = true;
    for (const piece of pieces) this.#scan(piece, values);
  }
}
