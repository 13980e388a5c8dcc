/**
 * The slots of a hash table with open addressing and linear probing, outside the JavaScript heap. Where they are full, new ones replace
 * them in steps: each further entry moves a few of the old ones, so that no call moves all of them.
 */
import { bytesOf, readNumbers, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';

const minSlots = 1024;
/** What a slot holds: nothing, nothing any more, or 1 more than a number. New memory is free slots. */
export const freeSlot = 0;
const removedSlot = -1;
/** Old slots per new entry. There is room for at least a quarter as many entries as old slots, so 4 would be enough. */
const movesPerEntry = 16;

export class GrowingSlots implements SavedTable {
  /** The slots, which get new entries. The caller only reads them. */
  now = new Int32Array(minSlots);
  /** The slots that these replace, with the entries that were not moved yet. */
  before: Int32Array | undefined;
  /** The first slot of `before` that was not moved. */
  #next = 0;
  /** The number of slots that are not free, when all entries are moved. */
  #used = 0;

  /**
   * Makes room for a further entry, which the caller then puts with `put`. `size`: the number of entries. `hashOf`: the hash of the entry
   * with a number.
   */
  reserve(size: number, hashOf: (number: number) => number): void {
    if (this.before !== undefined) this.#move(this.before, movesPerEntry, hashOf);
    if ((this.#used + 1) * 2 > this.now.length) this.#replace(size, hashOf);
    this.#used++;
  }

  /** Puts a number that no slot has. */
  put(number: number, hash: number): void {
    const mask = this.now.length - 1;
    let slot = hash & mask;
    while (this.now[slot] !== freeSlot) slot = (slot + 1) & mask;
    this.now[slot] = number + 1;
  }

  /** Removes a number, if a slot has it. */
  remove(number: number, hash: number): void {
    if (!removeFrom(this.now, number, hash) && this.before !== undefined) removeFrom(this.before, number, hash);
  }

  /** Begins to replace the slots: without the removed ones, and by twice as many where they are full without those. */
  #replace(size: number, hashOf: (number: number) => number): void {
    if (this.before !== undefined) this.#move(this.before, this.before.length, hashOf);
    this.before = this.now;
    this.#next = 0;
    this.now = new Int32Array((size + 1) * 4 > this.before.length ? this.before.length * 2 : this.before.length);
    this.#used = size;
  }

  #move(before: Int32Array, slots: number, hashOf: (number: number) => number): void {
    const end = Math.min(before.length, this.#next + slots);
    for (; this.#next < end; this.#next++) {
      const entry = before[this.#next]!;
      if (entry <= freeSlot) continue;
      this.put(entry - 1, hashOf(entry - 1));
      before[this.#next] = removedSlot;
    }
    if (end === before.length) this.before = undefined;
  }

  *save(): Sections {
    yield bytesOf(Float64Array.of(this.#next, this.#used));
    yield bytesOf(this.now);
    yield bytesOf(this.before ?? new Int32Array(0));
  }

  load(reader: SectionReader): void {
    const [next = 0, used = 0] = readNumbers(reader, Float64Array);
    [this.#next, this.#used] = [next, used];
    this.now = readNumbers(reader, Int32Array);
    const before = readNumbers(reader, Int32Array);
    this.before = before.length === 0 ? undefined : before;
  }
}

function removeFrom(slots: Int32Array, number: number, hash: number): boolean {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== number + 1) {
    if (slots[slot] === freeSlot) return false;
    slot = (slot + 1) & mask;
  }
  slots[slot] = removedSlot;
  return true;
}
