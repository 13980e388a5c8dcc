/**
 * The rank of each tweet in chronological order; the oldest tweet has rank 0. Searches iterate over ranks, so that
 * comparing two tweets is comparing two numbers. A tweet that arrives out of order changes the ranks of all later
 * tweets; the next read computes these again.
 */
import { Column } from '../../collections/column.ts';
import {
  bytesOf,
  jsonSection,
  readJson,
  readNumbers,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import { Timeline, type Order } from '../../collections/timeline.ts';

export class ChronologicalOrder implements SavedTable {
  readonly #order: Order;
  #timeline = new Timeline();
  #byRank: Uint32Array = new Uint32Array(0);
  #ranks = new Column(new Uint32Array(0));
  /** The number of tweets that have a rank. */
  #ranked = 0;
  /** Whether tweets were removed since the ranks were computed. */
  #isSwept = false;

  constructor(order: Order) {
    this.#order = order;
  }

  get size(): number {
    return this.#timeline.length;
  }

  /** `isNewest`: the tweet is newer than all others. */
  add(ordinal: number, isNewest: boolean): void {
    if (isNewest) this.#timeline.push(ordinal);
    else this.#timeline.add(ordinal, this.#order);
    this.#ranks.put(ordinal, 0);
  }

  /** Removes the tweets that are gone. Cost: linear in the number of tweets. */
  sweep(isGone: (ordinal: number) => boolean): void {
    this.#timeline.sweep(isGone);
    this.#isSwept = true;
  }

  /** Ordinals by rank. The array is valid until the next tweet arrives. */
  get byRank(): Uint32Array {
    this.#updateRanks();
    return this.#byRank;
  }

  /** Ranks by ordinal. The array is valid until the next tweet arrives. */
  get ranks(): Uint32Array {
    this.#updateRanks();
    return this.#ranks.values;
  }

  /**
   * The number of tweets for which `isOlder` is true. It must be true for a prefix of the chronological order and false
   * after it.
   */
  count(isOlder: (ordinal: number) => boolean): number {
    const { byRank } = this;
    let low = 0;
    let high = byRank.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isOlder(byRank[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Sorts first: a read while the sections are written then changes nothing. */
  *save(): Sections {
    this.#updateRanks();
    const { ordinals, sorted } = this.#timeline.stored;
    yield jsonSection(sorted);
    yield bytesOf(ordinals);
    yield* this.#ranks.save();
  }

  /** The next read computes the ranks. */
  load(reader: SectionReader): void {
    const sorted = readJson<number>(reader);
    this.#timeline = Timeline.of(readNumbers(reader, Uint32Array), sorted);
    this.#ranks.load(reader);
    this.#isSwept = true;
  }

  #updateRanks(): void {
    if (this.#ranked === this.size && !this.#isSwept) return;
    this.#byRank = this.#timeline.sorted(this.#order);
    const { values } = this.#ranks;
    // Each tweet from the oldest new one on has another rank than before; the new ones have rank 0.
    for (let rank = this.#byRank.length - 1; rank >= 0; rank--) {
      const ordinal = this.#byRank[rank]!;
      if (!this.#isSwept && values[ordinal] === rank) break;
      values[ordinal] = rank;
    }
    this.#ranked = this.size;
    this.#isSwept = false;
  }
}
