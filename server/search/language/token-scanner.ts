/**
 * The tokenizer for indexed texts. It finds the same tokens and punctuation runs as `tokensOf` and `signRuns`, without a string
 * for each: the folded text is a sequence of UTF-16 units, and a token is a part of it.
 *
 * Most characters fold alone, whatever stands beside them: a table has the folded unit and the class of each, computed at the
 * first use. A text with another character, such as the vowel sign of a script, goes through the regular expressions.
 */
import { fold, isIgnored, signRuns, tokensOf } from './tokenizer.ts';

/** Classes of a folded unit; a unit can be a token alone and also a sign. */
const letter = 1;
const single = 2;
const sign = 4;
/** The unit folds to one unit of the classes above, or of none: a blank. */
const foldsAlone = 8;
/** The unit leaves no trace: the accent of a letter, or the selector of an emoji. */
const vanishes = 16;
/** The unit folds to several units. */
const expands = 32;
/** The unit is half of a character. */
const isHalf = 64;
/** The folded form depends on the units beside it. */
const needsContext = 128;

/** The planes of characters that the tables cover: the basic one, and the emoji. */
const units = 0x1_0000;
const firstEmoji = 0x1_f000;
const lastEmoji = 0x1_fbff;

const isMark = /\p{M}/u;
/** The letters of Hangul syllables: adjacent ones are joined. */
const jamo = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;
const isSyllable = /^[\uac00-\ud7a3]$/;

const minUnits = 1024;

/** The classes of a folded character, as the tokenizer shows them: two letters are one token, two others are two. */
const classesOf = (character: string): number =>
  [0, letter, single][tokensOf(character + character).length]! | (signRuns(character).length > 0 ? sign : 0);

/** A copy with space for a number of values. */
function enlarged<Values extends Uint16Array | Uint32Array>(values: Values, length: number): Values {
  const larger = new (values.constructor as new (length: number) => Values)(Math.max(length, 2 * values.length));
  larger.set(values);
  return larger;
}

export class TokenScanner {
  /** The folded units of the text of the last scan; some of them belong to no token. */
  #units = new Uint16Array(minUnits);
  #length = 0;
  /** The start and the end of each token in the units. */
  #bounds = new Uint32Array(2 * minUnits);
  #count = 0;
  /** The start of the run of letters or signs at the end of the units; -1 without one. */
  #word = -1;
  #run = -1;
  #runs: string[] = [];
  readonly #classes = new Uint8Array(units);
  readonly #folded = new Uint16Array(units);
  readonly #expanded = new Map<number, string>();
  readonly #emoji = new Uint8Array(lastEmoji - firstEmoji + 1);

  /** The folded units of the last text, in which the tokens are; valid until the next scan. */
  get units(): Uint16Array {
    return this.#units;
  }

  /** The number of tokens of the last text. */
  get count(): number {
    return this.#count;
  }

  /** The start of a token in `units`. */
  start(token: number): number {
    return this.#bounds[2 * token]!;
  }

  /** The end of a token in `units`. */
  end(token: number): number {
    return this.#bounds[2 * token + 1]!;
  }

  /** The punctuation runs of the last text. */
  get signRuns(): readonly string[] {
    return this.#runs;
  }

  /** Finds the tokens and the punctuation runs of a text. */
  scan(text: string): void {
    this.#length = this.#count = 0;
    this.#word = this.#run = -1;
    this.#runs = [];
    this.#reserve(text.length + 1);
    if (this.#scanUnits(text)) this.#endRuns();
    else this.#scanByPattern(text);
  }

  /** Returns false where a character needs its context. */
  #scanUnits(text: string): boolean {
    const { length } = text;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      const kind = this.#classes[unit]! || this.#classify(unit);
      if (kind & foldsAlone) {
        this.#push(this.#folded[unit]!, kind);
      } else if (kind & expands) {
        this.#expand(unit, length - index);
      } else if (kind & isHalf) {
        index++;
        if (!this.#pushEmoji(unit, text.charCodeAt(index))) return false;
      } else if (kind & needsContext) {
        return false;
      }
    }
    return true;
  }

  /** Adds a folded unit. The units have space for it. */
  #push(unit: number, kind: number): void {
    const at = this.#length++;
    this.#units[at] = unit;
    if (kind & letter) {
      if (this.#word < 0) this.#word = at;
      if (this.#run >= 0) this.#endRun(at);
      return;
    }
    if (this.#word >= 0) this.#endWord(at);
    if (kind & single) this.#addToken(at, at + 1);
    if (kind & sign) {
      if (this.#run < 0) this.#run = at;
    } else if (this.#run >= 0) this.#endRun(at);
  }

  #endRuns(): void {
    if (this.#word >= 0) this.#endWord(this.#length);
    if (this.#run >= 0) this.#endRun(this.#length);
  }

  #endWord(end: number): void {
    this.#addToken(this.#word, end);
    this.#word = -1;
  }

  #endRun(end: number): void {
    this.#runs.push(this.#textOf(this.#run, end));
    this.#run = -1;
  }

  #addToken(start: number, end: number): void {
    if (2 * this.#count + 2 > this.#bounds.length) this.#bounds = enlarged(this.#bounds, 2 * this.#count + 2);
    this.#bounds[2 * this.#count] = start;
    this.#bounds[2 * this.#count + 1] = end;
    this.#count++;
  }

  #textOf(start: number, end: number): string {
    let text = '';
    for (let index = start; index < end; index++) text += String.fromCharCode(this.#units[index]!);
    return text;
  }

  /** Adds the units that a unit folds to; `rest`: how many further units the text can add. */
  #expand(unit: number, rest: number): void {
    const folded = this.#expanded.get(unit) ?? '';
    this.#reserve(this.#length + folded.length + rest);
    for (let index = 0; index < folded.length; index++) {
      const each = folded.charCodeAt(index);
      this.#push(each, this.#classes[each]! || this.#classify(each));
    }
  }

  /** Adds an emoji that is a token. Returns false for any other character outside the basic plane. */
  #pushEmoji(high: number, low: number): boolean {
    const index = ((high - 0xd800) << 10) + (low - 0xdc00) + units - firstEmoji;
    if (!(low >= 0xdc00 && low <= 0xdfff) || index < 0 || index >= this.#emoji.length) return false;
    const kind = this.#emoji[index]! || this.#classifyEmoji(index);
    if (kind & vanishes) return true;
    if (!(kind & foldsAlone)) return false;
    this.#endRuns();
    const at = this.#length;
    this.#length += 2;
    this.#units[at] = high;
    this.#units[at + 1] = low;
    this.#addToken(at, at + 2);
    return true;
  }

  #scanByPattern(text: string): void {
    this.#length = this.#count = 0;
    this.#word = this.#run = -1;
    for (const token of tokensOf(text)) {
      this.#reserve(this.#length + token.length);
      const start = this.#length;
      for (let index = 0; index < token.length; index++) this.#units[this.#length++] = token.charCodeAt(index);
      this.#addToken(start, this.#length);
    }
    this.#runs = signRuns(text);
  }

  #reserve(length: number): void {
    if (length > this.#units.length) this.#units = enlarged(this.#units, length);
  }

  #classify(unit: number): number {
    const kind = this.#kindOf(unit);
    this.#classes[unit] = kind;
    return kind;
  }

  #kindOf(unit: number): number {
    const text = String.fromCharCode(unit);
    if (unit >= 0xd800 && unit <= 0xdfff) return unit < 0xdc00 ? isHalf : needsContext;
    if (isIgnored(text)) return vanishes;
    const decomposed = text.normalize('NFKD');
    const joins = isMark.test(decomposed[0]!) || (jamo.test(decomposed) && !isSyllable.test(text));
    if (joins) return needsContext;
    const folded = fold(text);
    if (folded === '' || fold(folded) !== folded || /[\ud800-\udfff]/.test(folded)) return needsContext;
    if (folded.length > 1) {
      this.#expanded.set(unit, folded);
      // Each of the units that it folds to must fold alone to itself.
      const areFolded = Array.from(folded, (each) => this.#foldsToItself(each)).every(Boolean);
      return areFolded ? expands : needsContext;
    }
    this.#folded[unit] = folded.charCodeAt(0);
    return foldsAlone | classesOf(folded);
  }

  #foldsToItself(character: string): boolean {
    const unit = character.charCodeAt(0);
    const kind = this.#classes[unit]! || this.#classify(unit);
    return (kind & foldsAlone) !== 0 && this.#folded[unit] === unit;
  }

  #classifyEmoji(index: number): number {
    const text = String.fromCodePoint(firstEmoji + index);
    const folded = fold(text);
    const kind =
      folded === '' ? vanishes : folded === text && classesOf(text) === single ? foldsAlone | single : needsContext;
    this.#emoji[index] = kind;
    return kind;
  }
}
