/** A timeline: a list of tweet ordinals, sorted by (created_at, id), oldest first. Readers start at the newest. */

import { tableMemory } from './table-memory.ts';

/** Orders two ordinals by (created_at, id): negative when the first is older. */
export type Order = (a: number, b: number) => number;

/** Ordinals that the caller must not change. */
export interface Ordinals extends Iterable<number> {
  readonly length: number;
  readonly [index: number]: number;
  slice(start?: number, end?: number): Uint32Array;
}

/** Read access to a timeline. */
export interface TimelineReader {
  readonly length: number;
  /** The ordinals, oldest first; valid until the next change. */
  sorted(order: Order): Ordinals;
  /** The ordinals for which `before` is true: see Timeline. */
  upTo(order: Order, before: (ordinal: number) => boolean): Ordinals;
}

/** The ordinals of several sorted lists, newest first, each once. The lists must not change meanwhile. */
export function* newestFirst(lists: readonly Ordinals[], order: Order): Generator<number, void> {
  const ends = lists.map(({ length }) => length);
  const newestOf = (list: Ordinals, index: number): number | undefined => list[(ends[index] ?? 0) - 1];
  for (;;) {
    let newest: number | undefined;
    for (const [index, list] of lists.entries()) {
      const ordinal = newestOf(list, index);
      if (ordinal !== undefined && (newest === undefined || order(ordinal, newest) > 0)) newest = ordinal;
    }
    if (newest === undefined) return;
    for (const [index, list] of lists.entries())
      if (newestOf(list, index) === newest) ends[index] = (ends[index] ?? 0) - 1;
    yield newest;
  }
}

/** From this length, the ordinals are in table memory; for shorter lists, its allocation would cost too much. */
const longLength = 4096;

/**
 * The room of a long list in proportion to its length: a quarter more on average. Of different lists, a different one: else the lists of
 * frequent words, which grow at the same rate, would move all at the same time.
 */
const roomOf = (length: number): number => Math.ceil(length * (1.125 + Math.random() / 4));

const ordinalMemory = (length: number): Uint32Array =>
  length < longLength ? new Uint32Array(length) : new Uint32Array(tableMemory(length * Uint32Array.BYTES_PER_ELEMENT));

export class Timeline implements TimelineReader {
  #ordinals: Uint32Array = new Uint32Array(2);
  #length = 0;
  /** The length of the sorted prefix; the next read sorts the rest. */
  #sorted = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a tweet in amortised constant time, also where tweets arrive out of order. */
  add(ordinal: number, order: Order): void {
    if (this.#length === this.#ordinals.length) this.#enlarge();
    if (this.#sorted === this.#length && (this.#length === 0 || order(this.#ordinals[this.#length - 1]!, ordinal) < 0))
      this.#sorted++;
    this.#ordinals[this.#length++] = ordinal;
  }

  /** As `add`, for a tweet that is newer than all in the list. */
  push(ordinal: number): void {
    if (this.#sorted === this.#length) this.#sorted++;
    if (this.#length === this.#ordinals.length) this.#enlarge();
    this.#ordinals[this.#length++] = ordinal;
  }

  #enlarge(): void {
    const larger = ordinalMemory(this.#length < 64 ? this.#length * 2 : roomOf(this.#length));
    larger.set(this.#ordinals);
    this.#ordinals = larger;
  }

  /** Removes tweets. Cost: linear in the length of the list; rare. */
  remove(ordinals: Pick<ReadonlySet<number>, 'has'>): void {
    this.#retain((ordinal) => !ordinals.has(ordinal));
  }

  /**
   * Removes one ordinal at once: a binary search in the sorted part, a scan of the unsorted rest, and one move of the
   * newer ordinals. Returns whether the list contained it.
   */
  removeOne(ordinal: number, order: Order): boolean {
    let index = this.#search((each) => order(each, ordinal) < 0, this.#sorted);
    // A tweet that came back has the place of the removed one, which may still be in the list.
    while (index < this.#sorted && this.#ordinals[index] !== ordinal && order(this.#ordinals[index]!, ordinal) === 0)
      index++;
    if (index === this.#sorted || this.#ordinals[index] !== ordinal) {
      index = this.#ordinals.subarray(0, this.#length).indexOf(ordinal, this.#sorted);
      if (index < 0) return false;
    }
    this.#ordinals.copyWithin(index, index + 1, this.#length);
    if (index < this.#sorted) this.#sorted--;
    this.#length--;
    return true;
  }

  /** Removes the ordinals that are gone. Cost: linear in the length of the list; `TimelineSweep` does it in steps. */
  sweep(isGone: (ordinal: number) => boolean): void {
    this.#retain((ordinal) => !isGone(ordinal));
  }

  /** An empty timeline with room for a number of ordinals. */
  static withCapacity(capacity: number): Timeline {
    const timeline = new Timeline();
    if (capacity > timeline.#ordinals.length) timeline.#ordinals = ordinalMemory(capacity);
    return timeline;
  }

  /**
   * A timeline with a copy of these ordinals in this order, of which the first `sorted` are in chronological order. A long one has room for
   * more.
   */
  static copyOf(ordinals: Uint32Array, sorted: number): Timeline {
    const timeline = new Timeline();
    const { length } = ordinals;
    if (length === 0) return timeline;
    timeline.#ordinals = ordinalMemory(length < longLength ? length : roomOf(length));
    timeline.#ordinals.set(ordinals);
    timeline.#length = length;
    timeline.#sorted = sorted;
    return timeline;
  }

  /** The length of the part that is sorted already. */
  get sortedLength(): number {
    return this.#sorted;
  }

  /** The ordinals as they are stored; valid until the next change or read. */
  get stored(): { readonly ordinals: Uint32Array; readonly sorted: number } {
    return { ordinals: this.#ordinals.subarray(0, this.#length), sorted: this.#sorted };
  }

  /** The ordinals, oldest first; valid until the next change. */
  sorted(order: Order): Uint32Array {
    this.#sort(order);
    return this.#ordinals.subarray(0, this.#length);
  }

  /**
   * The ordinals for which `before` is true, oldest first. `before` must be true up to some position and false behind
   * it, because this is a binary search. The result is valid until the next change.
   */
  upTo(order: Order, before: (ordinal: number) => boolean): Uint32Array {
    this.#sort(order);
    return this.#ordinals.subarray(0, this.#search(before, this.#length));
  }

  #retain(isRetained: (ordinal: number) => boolean): void {
    let retained = 0;
    let sorted = 0;
    for (let index = 0; index < this.#length; index++) {
      const ordinal = this.#ordinals[index]!;
      if (!isRetained(ordinal)) continue;
      this.#ordinals[retained++] = ordinal;
      if (index < this.#sorted) sorted++;
    }
    this.#length = retained;
    this.#sorted = sorted;
  }

  /** The number of ordinals below `end` for which `before` is true; it is true up to some position and false behind it. */
  #search(before: (ordinal: number) => boolean, end: number): number {
    let low = 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (before(this.#ordinals[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Sorts the unsorted rest and merges it into the sorted prefix, from the end. Cost: linear in the number of ordinals from the
   * oldest one of the rest on. A place is written only after its ordinal was moved.
   */
  #sort(order: Order): void {
    if (this.#sorted === this.#length) return;
    const ordinals = this.#ordinals;
    const rest = ordinals.slice(this.#sorted, this.#length).sort(order);
    for (let index = this.#length - 1, f = this.#sorted - 1, l = rest.length - 1; l >= 0; index--) {
      ordinals[index] = f >= 0 && order(ordinals[f]!, rest[l]!) > 0 ? ordinals[f--]! : rest[l--]!;
    }
    this.#sorted = this.#length;
  }
}
