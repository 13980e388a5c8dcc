/** Pairs of a term and a tweet that wait to be added to the lists of the terms, many at a time and sorted by term. */
import { RadixOrder } from '../../collections/radix-order.ts';

/** Adds the tweets in the range from `start` to `end` to the list of a term. `newest`: see `OrdinalLists.addRun`. */
export type AddRun = (term: number, ordinals: Uint32Array, newest: Uint8Array, start: number, end: number) => void;

export class PendingPostings {
  readonly #capacity: number;
  readonly #terms: Uint32Array;
  readonly #ordinals: Uint32Array;
  readonly #newest: Uint8Array;
  #length = 0;
  readonly #order: RadixOrder;
  /** The ordinals and the flags sorted by term, while they go to the lists. */
  readonly #sortedOrdinals: Uint32Array;
  readonly #sortedNewest: Uint8Array;

  /** `capacity`: the maximum number of pairs. A pair takes 22 bytes. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#terms = new Uint32Array(capacity);
    this.#ordinals = new Uint32Array(capacity);
    this.#newest = new Uint8Array(capacity);
    this.#order = new RadixOrder(capacity);
    this.#sortedOrdinals = new Uint32Array(capacity);
    this.#sortedNewest = new Uint8Array(capacity);
  }

  /** Adds a pair. Returns false when the capacity is reached: `drain` must come before the next pair. */
  add(term: number, ordinal: number, isNewest: boolean): boolean {
    const place = this.#length++;
    this.#terms[place] = term;
    this.#ordinals[place] = ordinal;
    this.#newest[place] = isNewest ? 1 : 0;
    return this.#length < this.#capacity;
  }

  /** Passes all pairs on, those of each term in the order of the calls of `add`. */
  drain(addRun: AddRun): void {
    if (this.#length === 0) return;
    const order = this.#order.of(this.#terms.subarray(0, this.#length));
    this.#length = 0;
    const [terms, ordinals, newest] = [this.#terms, this.#sortedOrdinals, this.#sortedNewest];
    for (let start = 0, end = 0; start < order.length; start = end) {
      const term = terms[order[start]!]!;
      for (; end < order.length && terms[order[end]!] === term; end++) {
        ordinals[end] = this.#ordinals[order[end]!]!;
        newest[end] = this.#newest[order[end]!]!;
      }
      addRun(term, ordinals, newest, start, end);
    }
  }
}
