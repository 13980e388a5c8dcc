/**
 * Finds the ordinal of a decimal id. The ids are in a column by ordinal; the hash table outside the JavaScript heap holds the
 * ordinals.
 */
import { randomInt } from 'node:crypto';
import type { Column } from './column.ts';
import { freeSlot, GrowingSlots } from './growing-slots.ts';
import {
  bytesOf,
  readNumbers,
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from './saved-table.ts';

/** A number of so many digits is below 2^64. */
const maxDigits = 19;
const zero = '0'.charCodeAt(0);
/** The digits of the lower part of an id; a product with it is an exact number. */
const lowDigits = 9;
const lowFactor = 10 ** lowDigits;

export class IdIndex implements SavedTable {
  readonly #ids: Column<BigUint64Array>;
  /** The ids as pairs of 32-bit halves, which are compared without an allocation. */
  #halves: Uint32Array = new Uint32Array(0);
  /** The array of ids that the halves belong to. */
  #halved: BigUint64Array | undefined;
  readonly #slots = new GrowingSlots();
  #size = 0;
  /** A random start of the hash, so that nobody can choose ids that collide. */
  #seed = randomInt(2 ** 32);
  /** The ordinals of ids such as `007`. */
  readonly #others = new Map<string, number>();
  /** The lower and the upper half of the id of the current call. */
  readonly #wanted = new Uint32Array(2);
  /** The text of that id: a change looks its id up several times. */
  #wantedText: string | undefined;

  /** Whether a text is a decimal id: the only way to write its number, below 2^64. */
  static isId(text: string): boolean {
    return text.length <= maxDigits && /^(?:0|[1-9]\d*)$/.test(text);
  }

  /** `ids`: the column with the ids by ordinal. */
  constructor(ids: Column<BigUint64Array>) {
    this.#ids = ids;
  }

  get size(): number {
    return this.#size + this.#others.size;
  }

  /** The length of the hash table. */
  get slots(): number {
    return this.#slots.now.length;
  }

  get(id: string): number | undefined {
    if (this.#size === 0 || !this.#read(id)) return this.#others.get(id);
    return this.#ordinalOfWanted();
  }

  /** Adds an id that the index does not have. The column already has it at this ordinal. */
  add(id: string, ordinal: number): void {
    if (!this.#read(id)) return void this.#others.set(id, ordinal);
    this.#slots.reserve(this.#size, this.#hashOf);
    this.#slots.put(ordinal, this.#hashOfWanted());
    this.#size++;
  }

  /** Removes an id, if the index has it. */
  delete(id: string): void {
    if (!this.#read(id)) return void this.#others.delete(id);
    const ordinal = this.#ordinalOfWanted();
    if (ordinal === undefined) return;
    this.#slots.remove(ordinal, this.#hashOfWanted());
    this.#size--;
  }

  /** Without the column of ids. */
  *save(): Sections {
    yield bytesOf(Float64Array.of(this.#seed, this.#size));
    yield* this.#slots.save();
    yield* saveValues(this.#others);
  }

  load(reader: SectionReader): void {
    const [seed = 0, size = 0] = readNumbers(reader, Float64Array);
    [this.#seed, this.#size] = [seed, size];
    this.#slots.load(reader);
    for (const [id, ordinal] of readValues<[string, number]>(reader)) this.#others.set(id, ordinal);
  }

  /** Reads the id of the current call. Returns false for a text that `isId` rejects. */
  #read(id: string): boolean {
    if (id === this.#wantedText) return true;
    const { length } = id;
    if (length === 0 || length > maxDigits || (length > 1 && id.charCodeAt(0) === zero)) return false;
    let [upper, lower] = [0, 0];
    for (let index = 0; index < length; index++) {
      const digit = id.charCodeAt(index) - zero;
      if (digit < 0 || digit > 9) return false;
      if (index < length - lowDigits) upper = upper * 10 + digit;
      else lower = lower * 10 + digit;
    }
    // Two parts of the upper digits, so that both products are exact.
    const upperHigh = Math.floor(upper / 2 ** 16);
    const top = upperHigh * lowFactor;
    const topHigh = Math.floor(top / 2 ** 16);
    const rest = (top - topHigh * 2 ** 16) * 2 ** 16 + (upper - upperHigh * 2 ** 16) * lowFactor + lower;
    const carry = Math.floor(rest / 2 ** 32);
    this.#wanted[0] = rest - carry * 2 ** 32;
    this.#wanted[1] = topHigh + carry;
    this.#wantedText = id;
    return true;
  }

  /** The ordinal of the id of the current call. */
  #ordinalOfWanted(): number | undefined {
    const { now, before } = this.#slots;
    return this.#find(now) ?? (before === undefined ? undefined : this.#find(before));
  }

  #find(slots: Int32Array): number | undefined {
    const [low, high] = [this.#wanted[0]!, this.#wanted[1]!];
    const halves = this.#currentHalves();
    const mask = slots.length - 1;
    let slot = this.#hash(low, high) & mask;
    for (let entry = slots[slot]!; entry !== freeSlot; entry = slots[slot]!) {
      const place = 2 * (entry - 1);
      if (entry > freeSlot && halves[place] === low && halves[place + 1] === high) return entry - 1;
      slot = (slot + 1) & mask;
    }
    return undefined;
  }

  readonly #hashOf = (ordinal: number): number => {
    const halves = this.#currentHalves();
    return this.#hash(halves[2 * ordinal]!, halves[2 * ordinal + 1]!);
  };

  #hashOfWanted(): number {
    return this.#hash(this.#wanted[0]!, this.#wanted[1]!);
  }

  #currentHalves(): Uint32Array {
    const { values } = this.#ids;
    if (this.#halved !== values) {
      this.#halves = new Uint32Array(values.buffer);
      this.#halved = values;
    }
    return this.#halves;
  }

  #hash(low: number, high: number): number {
    let hash = Math.imul(low ^ this.#seed, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ high, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return hash ^ (hash >>> 16);
  }
}
