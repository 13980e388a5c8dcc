/** The stable order of unsigned 32-bit keys, by a radix sort: several times faster than a comparison sort of numbers. */

const digitBits = 11;
const digits = 1 << digitBits;

export class RadixOrder {
  #places: Uint32Array;
  #spare: Uint32Array;
  readonly #starts = new Uint32Array(digits);

  /** `maxLength`: the maximum number of keys. */
  constructor(maxLength: number) {
    this.#places = new Uint32Array(maxLength);
    this.#spare = new Uint32Array(maxLength);
  }

  /** The places of the keys, from the smallest key to the largest. The array is valid until the next call. */
  of(keys: Uint32Array): Uint32Array {
    const { length } = keys;
    let largest = 0;
    for (let place = 0; place < length; place++) {
      this.#places[place] = place;
      if (keys[place]! > largest) largest = keys[place]!;
    }
    for (let shift = 0; shift < 32 && largest >>> shift > 0; shift += digitBits) this.#sortBy(keys, shift);
    return this.#places.subarray(0, length);
  }

  /** Sorts the places by one digit of their keys. */
  #sortBy(keys: Uint32Array, shift: number): void {
    const { length } = keys;
    const [starts, places, sorted] = [this.#starts, this.#places, this.#spare];
    starts.fill(0);
    for (let place = 0; place < length; place++) starts[(keys[place]! >>> shift) & (digits - 1)]!++;
    let start = 0;
    for (let digit = 0; digit < digits; digit++) {
      const count = starts[digit]!;
      starts[digit] = start;
      start += count;
    }
    for (let at = 0; at < length; at++) {
      const place = places[at]!;
      sorted[starts[(keys[place]! >>> shift) & (digits - 1)]!++] = place;
    }
    [this.#places, this.#spare] = [sorted, places];
  }
}
