/**
 * A stable sort of pairs of unsigned 32-bit numbers by their first number: a radix sort, several times faster than a comparison sort. It
 * moves the whole pairs, so that each pass reads the memory in order.
 */

const digitBits = 11;
const digits = 1 << digitBits;

export class PairSorter {
  #keys: Uint32Array;
  #values: Uint32Array;
  #spareKeys: Uint32Array;
  #spareValues: Uint32Array;
  #length = 0;
  /** The bits that at least one key has. */
  #keyBits = 0;
  readonly #starts = new Uint32Array(digits);

  /** `capacity`: the maximum number of pairs. A pair takes 16 bytes. */
  constructor(capacity: number) {
    this.#keys = new Uint32Array(capacity);
    this.#values = new Uint32Array(capacity);
    this.#spareKeys = new Uint32Array(capacity);
    this.#spareValues = new Uint32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a pair. Returns false when the capacity is reached: `take` must come before the next pair. */
  add(key: number, value: number): boolean {
    const place = this.#length++;
    this.#keys[place] = key;
    this.#values[place] = value;
    this.#keyBits |= key;
    return this.#length < this.#keys.length;
  }

  /**
   * Removes all pairs and returns them, from the smallest key to the largest; pairs with equal keys in the order in which they were
   * added. The arrays are valid until the next call of `add`.
   */
  take(): { readonly keys: Uint32Array; readonly values: Uint32Array } {
    for (let shift = 0; shift < 32 && this.#keyBits >>> shift !== 0; shift += digitBits) this.#sortBy(shift);
    const length = this.#length;
    this.#length = 0;
    this.#keyBits = 0;
    return { keys: this.#keys.subarray(0, length), values: this.#values.subarray(0, length) };
  }

  /** Sorts the pairs by one digit of their keys. */
  #sortBy(shift: number): void {
    const length = this.#length;
    const [starts, keys, values] = [this.#starts, this.#keys, this.#values];
    const [sortedKeys, sortedValues] = [this.#spareKeys, this.#spareValues];
    starts.fill(0);
    for (let place = 0; place < length; place++) starts[(keys[place]! >>> shift) & (digits - 1)]!++;
    let start = 0;
    for (let digit = 0; digit < digits; digit++) {
      const count = starts[digit]!;
      starts[digit] = start;
      start += count;
    }
    for (let place = 0; place < length; place++) {
      const key = keys[place]!;
      const target = starts[(key >>> shift) & (digits - 1)]!++;
      sortedKeys[target] = key;
      sortedValues[target] = values[place]!;
    }
    [this.#keys, this.#spareKeys] = [sortedKeys, keys];
    [this.#values, this.#spareValues] = [sortedValues, values];
  }
}
