/** Pairs of a term and a tweet that wait to be added to the lists of the terms, many at a time and sorted by term. */
import { entryOf, type AddRun } from '../../collections/ordinal-lists.ts';
import { PairSorter } from '../../collections/pair-sorter.ts';

export class PendingPostings {
  /** By term, an entry for a tweet. */
  readonly #entries: PairSorter;

  /** `capacity`: the maximum number of pairs. A pair takes 16 bytes. */
  constructor(capacity: number) {
    this.#entries = new PairSorter(capacity);
  }

  /** Adds a pair. Returns false when the capacity is reached: `drain` must come before the next pair. */
  add(term: number, ordinal: number, isNewest: boolean): boolean {
    return this.#entries.add(term, entryOf(ordinal, isNewest));
  }

  /** Passes all pairs on, those of each term in the order of the calls of `add`. */
  drain(addRun: AddRun): void {
    if (this.#entries.length === 0) return;
    const { keys: terms, values: entries } = this.#entries.take();
    const { length } = terms;
    for (let start = 0, end = 0; start < length; start = end) {
      const term = terms[start]!;
      do end++;
      while (end < length && terms[end] === term);
      addRun(term, entries, start, end);
    }
  }
}
