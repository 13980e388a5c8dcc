/** The term dictionary: a number for each term, and the tweets that contain the term, in chronological order. */
import { Column } from '../../collections/column.ts';
import { OrdinalLists, type AddRun } from '../../collections/ordinal-lists.ts';
import type { SavedTable, SectionReader, Sections } from '../../collections/saved-table.ts';
import { StringTable } from '../../collections/string-table.ts';
import type { Order } from '../../collections/timeline.ts';
import { PendingPostings } from './pending-postings.ts';

const noOrdinals = new Uint32Array(0);
/**
 * The maximum number of pairs of term and tweet that wait: a read or an addition that finds so many waits one or two milliseconds. In a bulk
 * load, nothing is read: the more pairs wait, the more tweets each term gets at a time.
 */
const maxPending = 2 ** 12;
const maxPendingInBulk = 2 ** 20;

/** The maximum numbers of terms, and of their ordinals, that one step of a sweep reads. */
export interface SweepStep {
  readonly maxTerms: number;
  readonly maxOrdinals: number;
}

export class TermDictionary implements SavedTable {
  /** The terms by index, where the first term has index 0. */
  readonly #terms = new StringTable();
  /** By index. */
  readonly #tweets: OrdinalLists;
  readonly #first: number;
  /** By index, the number of names that contain the term: its number stays although no tweet has it. */
  readonly #names = new Column(new Uint32Array(0));
  #removals = 0;
  /** Tweets that were added to terms and are in no list yet. */
  #pending = new PendingPostings(maxPending);
  readonly #addRun: AddRun = (term, entries, from, to) => this.#tweets.addRun(term, entries, from, to);

  /** `first` is the lowest number that a term gets. */
  constructor(order: Order, first: number) {
    this.#tweets = new OrdinalLists(order);
    this.#first = first;
  }

  /** Increases whenever terms lose their numbers, which other terms can get. */
  get removals(): number {
    return this.#removals;
  }

  /** The number of indexes, the free ones included. */
  get size(): number {
    return this.#tweets.size;
  }

  /** The number of a term. Assigns the next number to a new term. */
  number(term: string): number {
    return this.#numberAt(this.#terms.number(term));
  }

  /** As `number`, for the term whose UTF-16 units are in a range of an array. */
  numberOf(units: Uint16Array, start: number, end: number): number {
    return this.#numberAt(this.#terms.numberOf(units, start, end));
  }

  #numberAt(index: number): number {
    if (index === this.#tweets.size) {
      this.#tweets.ensure(index);
      this.#names.push(0);
    }
    return this.#first + index;
  }

  /** Keeps the numbers of the terms in a name, until `releaseName`. */
  keepName(numbers: readonly number[]): void {
    for (const number of numbers) this.#names.set(number - this.#first, this.#names.get(number - this.#first) + 1);
  }

  releaseName(numbers: readonly number[]): void {
    for (const number of numbers) this.#names.set(number - this.#first, this.#names.get(number - this.#first) - 1);
  }

  find(term: string): number | undefined {
    const index = this.#terms.find(term);
    return index === undefined ? undefined : this.#first + index;
  }

  /** Adds a tweet to a term. Call it once for each pair of term and tweet. `isNewest`: it is newer than all others. */
  add(number: number, ordinal: number, isNewest = false): void {
    if (!this.#pending.add(number - this.#first, ordinal, isNewest)) this.#settle();
  }

  /** Adds what waits to the lists, each term in the order of the calls. */
  #settle(): void {
    this.#pending.drain(this.#addRun);
  }

  /** Begins or ends a time in which many tweets are added and none are read. Reads are right at any time, but slower during it. */
  set isBulkLoading(isOn: boolean) {
    this.#settle();
    this.#pending = new PendingPostings(isOn ? maxPendingInBulk : maxPending);
  }

  remove(number: number, ordinals: Pick<ReadonlySet<number>, 'has'>): void {
    this.#settle();
    this.#tweets.remove(number - this.#first, (ordinal) => ordinals.has(ordinal));
  }

  /** Removes one tweet, which the term has, at once. */
  removeOne(number: number, ordinal: number): void {
    this.#settle();
    this.#tweets.removeOne(number - this.#first, ordinal);
  }

  /**
   * A step of a sweep: removes the tweets that are gone from the terms from an index on, where the first term has index 0. Reads at most
   * this number of terms, and about this number of ordinals. The number of a term that no tweet has is used again. Without `isGone`, no
   * list is read. Returns the index at which the next step begins, the same one where a long list is not at its end, or the number of
   * terms after the last one.
   */
  sweep(from: number, { maxTerms, maxOrdinals }: SweepStep, isGone?: (ordinal: number) => boolean): number {
    this.#settle();
    const end = Math.min(this.size, from + maxTerms);
    let index = from;
    for (let left = maxOrdinals; index < end && left > 0; index++) {
      if (isGone !== undefined) {
        const length = this.#tweets.length(index);
        if (length > left && index > from) return index;
        if (!this.#tweets.sweep(index, isGone, left)) return index;
        left -= length;
      }
      if (this.#tweets.isEmpty(index) && this.#names.get(index) === 0) {
        this.#terms.remove(index);
        this.#removals++;
      }
    }
    return index;
  }

  /**
   * The ordinals of the tweets that have a term, oldest first; some may be gone. The array is valid until the next
   * change.
   */
  tweets(term: string): Uint32Array {
    const index = this.#terms.find(term);
    if (index === undefined) return noOrdinals;
    this.#settle();
    return this.#tweets.sorted(index);
  }

  *save(): Sections {
    this.#settle();
    yield* this.#terms.save();
    yield* this.#tweets.save();
    yield* this.#names.save();
  }

  load(reader: SectionReader): void {
    this.#removals++;
    this.#terms.load(reader);
    this.#tweets.load(reader);
    this.#names.load(reader);
  }
}
