/**
 * Parses JSON with what `JSON.parse` loses: the line of each value, and the digits of large numbers. It takes several times as long, so
 * an import uses it only for a value whose result needs one of the two.
 */
import type { JsonPlace } from '../formats/recognised.ts';

export interface ExactJson {
  /** The value. A number that is not exact in JavaScript is a text with the digits of the input. */
  readonly value: unknown;
  /** The line of a value, from 1 for the first line of the text. */
  lineOf(place: JsonPlace): number;
}

const [tab, newline, carriageReturn, blank, quote, comma] = [9, 10, 13, 32, 34, 44];
const [colon, bracket, backslash, closingBracket, brace, closingBrace] = [58, 91, 92, 93, 123, 125];
const isEnd = (code: number): boolean =>
  code === comma || code === closingBracket || code === closingBrace || code === colon || code <= blank;

/** A list or an object that is not complete, with the name of its next member. */
interface Open {
  readonly value: Record<string, unknown> | unknown[];
  name: string | undefined;
}

/** Reads a text that `JSON.parse` accepts. Not recursive: an input can nest values without a limit. */
class ExactReader implements ExactJson {
  value: unknown;
  readonly #text: string;
  readonly #open: Open[] = [];
  readonly #lines = new Map<object, number>();
  /** The lines of the elements of each list. */
  readonly #elementLines = new Map<readonly unknown[], number[]>();
  #line = 1;

  constructor(text: string) {
    this.#text = text;
    for (let at = 0; at < text.length;) at = this.#read(at);
  }

  lineOf(place: JsonPlace): number {
    if ('list' in place && 'index' in place) {
      const { list, index } = place as Extract<JsonPlace, { list: unknown }>;
      const line = this.#elementLines.get(list)?.[index];
      if (line !== undefined) return line;
    }
    return this.#lines.get(place) ?? 1;
  }

  /** Reads what starts at an offset; returns the offset behind it. */
  #read(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code === newline) this.#line++;
    if (
      code === newline ||
      code === blank ||
      code === tab ||
      code === carriageReturn ||
      code === comma ||
      code === colon
    )
      return at + 1;
    if (code === brace || code === bracket) this.#begin(code === brace ? {} : []);
    else if (code === closingBrace || code === closingBracket) this.#open.pop();
    else return this.#readScalar(at, code);
    return at + 1;
  }

  #readScalar(at: number, code: number): number {
    const end = code === quote ? this.#endOfString(at) : this.#endOfWord(at);
    const literal = this.#text.slice(at, end);
    const scalar: unknown = JSON.parse(literal);
    const isInexact = typeof scalar === 'number' && Number.isInteger(scalar) && !Number.isSafeInteger(scalar);
    this.#put(isInexact ? literal : scalar);
    return end;
  }

  #endOfString(start: number): number {
    for (let at = start + 1; ; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) return at + 1;
      if (code === backslash) at++;
    }
  }

  #endOfWord(start: number): number {
    let at = start + 1;
    while (at < this.#text.length && !isEnd(this.#text.charCodeAt(at))) at++;
    return at;
  }

  #begin(value: Open['value']): void {
    this.#put(value);
    this.#lines.set(value, this.#line);
    if (Array.isArray(value)) this.#elementLines.set(value, []);
    this.#open.push({ value, name: undefined });
  }

  /** Adds a value to the list or the object around it; the first text of a member is its name. */
  #put(value: unknown): void {
    const around = this.#open.at(-1);
    if (around === undefined) this.value = value;
    else if (Array.isArray(around.value)) {
      around.value.push(value);
      this.#elementLines.get(around.value)?.push(this.#line);
    } else if (around.name === undefined) around.name = String(value);
    else {
      // An assignment would set the prototype for the name `__proto__`.
      const members = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(around.value, around.name, members);
      around.name = undefined;
    }
  }
}

/** Parses a text that `JSON.parse` accepts. */
export const parseExactly = (text: string): ExactJson => new ExactReader(text);
