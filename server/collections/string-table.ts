/**
 * Numbers for strings: a new string gets the next number, or that of a removed one. The strings and the hash table are outside
 * the JavaScript heap: a million strings cost the garbage collector nothing, and there is no limit of 2^24 as for a Map. A
 * string must not have lone surrogates.
 */
import { randomInt } from 'node:crypto';
import { Column } from './column.ts';
import { freeSlot, GrowingSlots } from './growing-slots.ts';
import { NumberColumn } from './number-column.ts';
import { bytesOf, readNumbers, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';
import { SlabAllocator } from './slab-allocator.ts';
import { hashUnits } from './string-hash.ts';

/** Stands for the handle of a number that no string has. */
const noHandle = 0;

export class StringTable implements SavedTable {
  readonly #texts = new SlabAllocator();
  /** By number: 1 more than the handle of the string, and its hash. */
  readonly #handles = new NumberColumn();
  readonly #hashes = new Column(new Uint32Array(0));
  readonly #freeNumbers = new Column(new Uint32Array(0));
  readonly #slots = new GrowingSlots();
  /** A random start of the hash, so that nobody can choose strings that collide. */
  #seed = randomInt(2 ** 32);
  /** The UTF-16 units of the string of the current call. */
  #units = new Uint16Array(64);

  /** The number of strings. */
  get size(): number {
    return this.#handles.length - this.#freeNumbers.length;
  }

  /** The length of the hash table. */
  get slots(): number {
    return this.#slots.now.length;
  }

  /** The number of a string; undefined for an unknown one. */
  find(text: string): number | undefined {
    const units = this.#unitsOf(text);
    return this.#find(units, 0, text.length, hashUnits(units, 0, text.length, this.#seed));
  }

  /** The number of a string, which an unknown string gets now. */
  number(text: string): number {
    return this.numberOf(this.#unitsOf(text), 0, text.length);
  }

  /** As `number`, for the string whose UTF-16 units are in a range of an array. */
  numberOf(units: Uint16Array, start: number, end: number): number {
    const hash = hashUnits(units, start, end, this.#seed);
    const existing = this.#find(units, start, end, hash);
    if (existing !== undefined) return existing;
    this.#slots.reserve(this.size, this.#hashOf);
    const number = this.#freeNumbers.pop() ?? this.#handles.length;
    this.#handles.put(number, 1 + this.#texts.putUnits(units, start, end));
    this.#hashes.put(number, hash);
    this.#slots.put(number, hash);
    return number;
  }

  /** The string with a number; undefined where no string has the number. */
  text(number: number): string | undefined {
    const handle = number < this.#handles.length ? this.#handles.get(number) : noHandle;
    return handle === noHandle ? undefined : this.#texts.get(handle - 1);
  }

  /** Removes the string with a number, if there is one. */
  remove(number: number): void {
    if (number >= this.#handles.length || this.#handles.get(number) === noHandle) return;
    // By its number: strings with lone surrogates have the same stored form.
    this.#slots.remove(number, this.#hashes.get(number));
    this.#texts.remove(this.#handles.get(number) - 1);
    this.#handles.put(number, noHandle);
    this.#freeNumbers.push(number);
  }

  *save(): Sections {
    yield bytesOf(Float64Array.of(this.#seed));
    yield* this.#texts.save();
    yield* this.#handles.save();
    yield* this.#hashes.save();
    yield* this.#freeNumbers.save();
    yield* this.#slots.save();
  }

  load(reader: SectionReader): void {
    const [seed = 0] = readNumbers(reader, Float64Array);
    this.#seed = seed;
    this.#texts.load(reader);
    this.#handles.load(reader);
    this.#hashes.load(reader);
    this.#freeNumbers.load(reader);
    this.#slots.load(reader);
  }

  /** The number of a string; undefined for an unknown one. */
  #find(units: Uint16Array, start: number, end: number, hash: number): number | undefined {
    const { now, before } = this.#slots;
    return (
      this.#findIn(now, units, start, end, hash) ??
      (before === undefined ? undefined : this.#findIn(before, units, start, end, hash))
    );
  }

  #findIn(slots: Int32Array, units: Uint16Array, start: number, end: number, hash: number): number | undefined {
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let entry = slots[slot]!; entry !== freeSlot; entry = slots[slot]!) {
      const number = entry - 1;
      const isCandidate = entry > freeSlot && this.#hashes.get(number) === hash;
      if (isCandidate && this.#texts.equals(this.#handles.get(number) - 1, units, start, end)) return number;
      slot = (slot + 1) & mask;
    }
    return undefined;
  }

  readonly #hashOf = (number: number): number => this.#hashes.get(number);

  /** The units of a string, from index 0; valid until the next call. */
  #unitsOf(text: string): Uint16Array {
    const { length } = text;
    if (length > this.#units.length) this.#units = new Uint16Array(2 * length);
    const units = this.#units;
    for (let index = 0; index < length; index++) units[index] = text.charCodeAt(index);
    return units;
  }
}
