/** Cuts a stream of bytes into JSON values by their brackets alone; whether a value is good JSON is for the parser to say. */

/**
 * A value of the input, or the reason why there is none; `line` is where it begins, from 1. `elements`: the reason is about a wrapper, whose
 * elements are the last so many values. It counts only where none of those elements was recognised.
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

const endless = 'the value that begins here does not end: the file is cut off or broken';

const colon = 58;
/** Members that records have and wrappers do not: an object that has one of them with a plain value is a record. */
const recordMembers = new Set(['kind', 'id_str', 'text', 'full_text']);
const longestRecordMember = 9;

/** What a byte outside a string is. */
const other = 0;
const blank = 1;
const opener = 2;
const closer = 3;
const kinds = new Uint8Array(256);
// The byte order mark counts as blank.
for (const byte of [9, 10, 13, 32, 0xef, 0xbb, 0xbf]) kinds[byte] = blank;
for (const byte of [bracket, brace]) kinds[byte] = opener;
for (const byte of [bracket + 2, brace + 2]) kinds[byte] = closer;

/**
 * The values are the elements of an outer array, or stand one after the other; `name =` before them is passed over. An object
 * that is larger than `most` bytes is taken for a wrapper: from its beginning on, the elements of the arrays in it are the
 * values. It is no wrapper, and reported as too large, where it has a member that only records have.
 */
export class ValueScanner {
  readonly #most: number;
  readonly #tooLarge: string;
  #line = 1;
  /** Open brackets of the value under way, its own included. */
  #depth = 0;
  #valueLine = 1;
  #pieces: Buffer[] = [];
  /** Bytes of the value under way, also where they are not kept. */
  #held = 0;
  #inArray = false;
  /** Open objects of a wrapper; 0 outside of one. */
  #wrappers = 0;
  /** Set while a wrapper's first brace is still to come. */
  #unwrap = false;
  /** The line on which the wrapper begins, and how many values were found in it. */
  #wrapperLine = 1;
  #elements = 0;
  /** The last string directly inside the wrapper, as far as it may be the name of a member of a record; and the name before a colon. */
  #string = '';
  #member = '';
  /** Whether the value under way is known to be a record, which must not be taken for a wrapper. */
  #isRecord = false;
  #inString = false;
  #escaped = false;
  /** Where text began that is no value, or 0; and its last byte that is not blank. */
  #strayLine = 0;
  #strayLast = 0;

  /** `most` bounds one value, in bytes; `tooLarge` is the reason given for one beyond it. */
  constructor(most: number, tooLarge: string) {
    this.#most = most;
    this.#tooLarge = tooLarge;
  }

  /** The values that end in this chunk, and what in it is none. */
  push(chunk: Buffer): InputValue[] {
    const found: InputValue[] = [];
    this.#scan(chunk, found);
    return found;
  }

  /** What is left when the input has ended. */
  end(): InputValue[] {
    const found: InputValue[] = [];
    this.#endStray(found);
    if (this.#depth > 0) found.push({ line: this.#valueLine, reason: endless });
    else if (this.#wrappers > 0) found.push({ line: this.#wrapperLine, reason: endless });
    return found;
  }

  #scan(chunk: Buffer, found: InputValue[]): void {
    let start = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#depth > 0) {
        at = this.#inside(chunk, at);
        if (this.#depth > 0) break;
        this.#take(chunk.subarray(start, at), found);
        start = at;
      } else {
        at = this.#between(chunk, at, found);
        start = Math.max(0, at - 1);
      }
    }
    if (this.#depth > 0) this.#hold(chunk.subarray(start), found);
  }

  /** Reads on in a value; returns the place after its end, or the end of the chunk. */
  #inside(chunk: Buffer, from: number): number {
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let at = from;
    while (at < chunk.length && depth > 0) {
      const byte = chunk[at++]!;
      if (byte === newline) {
        this.#line++;
        // No string of JSON goes over a line: one that does is broken, and must not hide the brackets to come.
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

  /** Reads on between values; returns the place after the bracket that opens the next one, or the end of the chunk. */
  #between(chunk: Buffer, from: number, found: InputValue[]): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      const kind = kinds[byte]!;
      if (byte === newline) {
        if (!this.#inArray && this.#strayLast !== equals) this.#endStray(found);
        this.#inString = this.#escaped = false;
        this.#line++;
      } else if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
        if (this.#inString && this.#string.length <= longestRecordMember) this.#string += String.fromCharCode(byte);
      } else if (byte === quote) {
        this.#inString = true;
        this.#string = '';
        this.#stray(byte);
        if (this.#seesRecord()) return at;
      } else if (kind === opener) {
        this.#member = '';
        if (this.#opens(byte, found)) return at + 1;
      } else if (kind === closer) {
        this.#closes(byte, found);
      } else if (byte === comma || byte === semicolon) {
        this.#endStray(found);
      } else if (byte === colon) {
        this.#member = this.#string;
        this.#stray(byte);
      } else if (kind === other) {
        this.#stray(byte);
        if (this.#seesRecord()) return at;
      }
    }
    return chunk.length;
  }

  /**
   * Whether a plain value begins here that makes the wrapper a record. The record is then read to its end as one value that is too large.
   */
  #seesRecord(): boolean {
    const isRecord = this.#wrappers === 1 && !this.#inArray && recordMembers.has(this.#member);
    this.#member = '';
    if (!isRecord) return false;
    this.#inString = false;
    this.#wrappers = 0;
    this.#depth = 1;
    this.#valueLine = this.#wrapperLine;
    this.#held = this.#most + 1;
    this.#isRecord = true;
    return true;
  }

  /** Whether this bracket opens a value; else it opens the outer array or a wrapper. */
  #opens(byte: number, found: InputValue[]): boolean {
    this.#endStray(found);
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

  #closes(byte: number, found: InputValue[]): void {
    if (this.#inArray && byte === bracket + 2) {
      this.#endStray(found);
      this.#inArray = false;
    } else if (!this.#inArray && this.#wrappers > 0) {
      if (--this.#wrappers === 0)
        found.push({ line: this.#wrapperLine, reason: this.#tooLarge, elements: this.#elements });
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

  /** Text between values. The names and plain members of a wrapper are none of ours. */
  #stray(byte: number): void {
    if (this.#wrappers > 0 && !this.#inArray) return;
    if (this.#strayLine === 0) this.#strayLine = this.#line;
    this.#strayLast = byte;
  }

  #endStray(found: InputValue[]): void {
    const isAssignment = !this.#inArray && this.#strayLast === equals;
    if (this.#strayLine > 0 && !isAssignment) {
      found.push({ line: this.#strayLine, reason: 'not a JSON object' });
      if (this.#wrappers > 0) this.#elements++;
    }
    this.#strayLine = this.#strayLast = 0;
  }

  /** The value under way is complete with these bytes. */
  #take(last: Buffer, found: InputValue[]): void {
    const pieces = this.#pieces.length === 0 ? [last] : [...this.#pieces, last];
    const isTooLarge = this.#held + last.length > this.#most;
    this.#pieces = [];
    this.#held = 0;
    if (isTooLarge && this.#isWrapper()) return this.#rescan(pieces, found);
    this.#isRecord = false;
    if (this.#wrappers > 0) this.#elements++;
    if (isTooLarge) found.push({ line: this.#valueLine, reason: this.#tooLarge });
    else found.push({ line: this.#valueLine, text: (pieces.length === 1 ? last : Buffer.concat(pieces)).toString() });
  }

  /** The value under way goes on in the next chunk. */
  #hold(rest: Buffer, found: InputValue[]): void {
    this.#held += rest.length;
    if (this.#held <= this.#most) this.#pieces.push(Buffer.from(rest));
    else if (this.#isWrapper()) this.#rescan([...this.#pieces, rest], found);
    // Beyond the limit only the length is kept.
    else this.#pieces = [];
  }

  #isWrapper(): boolean {
    return !this.#inArray && this.#wrappers === 0 && !this.#isRecord;
  }

  #rescan(pieces: Buffer[], found: InputValue[]): void {
    this.#line = this.#valueLine;
    this.#depth = this.#held = 0;
    this.#pieces = [];
    this.#inString = this.#escaped = false;
    this.#unwrap = true;
    for (const piece of pieces) this.#scan(piece, found);
  }
}
