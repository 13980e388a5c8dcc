/**
 * Numbers for strings of which none is removed, and the texts of the new ones for another thread. A look-up that finds a string reads one line
 * of the cache for the slot and one for the text; a `StringTable`, which stores less for each string, reads four. Open addressing with
 * linear probing.
 */
import { randomInt } from 'node:crypto';
import { hashUnits } from './string-hash.ts';

/** The texts of new strings: their UTF-16 units, and the end of each of them. */
export interface NewTexts {
  readonly units: Uint16Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** A slot: the hash of a string, 1 more than its place or 0 for a free slot, and the start and the end of its text. */
const slotBits = 2;
const minSlots = 1024;

export class StringNumbers {
  readonly #first: number;
  #slots = new Uint32Array(minSlots << slotBits);
  #mask = minSlots - 1;
  /** A random start of the hash, so that nobody can choose strings that collide. */
  readonly #seed = randomInt(2 ** 32);
  #units = new Uint16Array(1024);
  #length = 0;
  #count = 0;
  /** The ends of the texts since the last call of `take`, and where the first of them starts. */
  #ends: number[] = [];
  #taken = 0;
  /** The units of the string of the current call. */
  #text = new Uint16Array(64);

  /** `first`: the lowest number that a string gets. */
  constructor(first = 0) {
    this.#first = first;
  }

  /** The number of strings. */
  get count(): number {
    return this.#count;
  }

  /** The number of a string. A new string gets the next one. */
  number(text: string): number {
    const { length } = text;
    if (length > this.#text.length) this.#text = new Uint16Array(2 * length);
    for (let index = 0; index < length; index++) this.#text[index] = text.charCodeAt(index);
    return this.numberOf(this.#text, 0, length);
  }

  /** As `number`, for the string whose UTF-16 units are in a range of an array. */
  numberOf(units: Uint16Array, start: number, end: number): number {
    const hash = hashUnits(units, start, end, this.#seed);
    const slots = this.#slots;
    let at = (hash & this.#mask) << slotBits;
    for (let place = slots[at + 1]!; place !== 0; place = slots[at + 1]!) {
      if (slots[at] === hash && this.#isText(slots[at + 2]!, slots[at + 3]!, units, start, end))
        return this.#first + place - 1;
      at = (at + (1 << slotBits)) & ((this.#mask << slotBits) | ((1 << slotBits) - 1));
    }
    return this.#first + this.#add(at, hash, units, start, end);
  }

  #isText(from: number, to: number, units: Uint16Array, start: number, end: number): boolean {
    if (to - from !== end - start) return false;
    for (let index = 0; index < end - start; index++)
      if (this.#units[from + index] !== units[start + index]) return false;
    return true;
  }

  /** Adds a string at a free slot; returns its place from 0. */
  #add(at: number, hash: number, units: Uint16Array, start: number, end: number): number {
    this.#reserve(end - start);
    const from = this.#length;
    for (let index = start; index < end; index++) this.#units[this.#length++] = units[index]!;
    this.#ends.push(this.#length - this.#taken);
    const place = this.#count++;
    this.#slots.set([hash, place + 1, from, this.#length], at);
    if (this.#count * 2 > this.#mask + 1) this.#enlarge();
    return place;
  }

  /** The texts of the strings since the last call. */
  take(): NewTexts {
    const taken = { units: this.#units.slice(this.#taken, this.#length), ends: Uint32Array.from(this.#ends) };
    this.#taken = this.#length;
    this.#ends = [];
    return taken;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#units.length) return;
    const larger = new Uint16Array(2 * (this.#length + length));
    larger.set(this.#units.subarray(0, this.#length));
    this.#units = larger;
  }

  #enlarge(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    this.#mask = (this.#slots.length >>> slotBits) - 1;
    for (let from = 0; from < before.length; from += 1 << slotBits) {
      if (before[from + 1] === 0) continue;
      let slot = before[from]! & this.#mask;
      while (this.#slots[(slot << slotBits) + 1] !== 0) slot = (slot + 1) & this.#mask;
      for (let place = 0; place < 1 << slotBits; place++)
        this.#slots[(slot << slotBits) + place] = before[from + place]!;
    }
  }
}
