/**
 * All tweets in order of time: each has a rank, 0 for the oldest. What a search walks are ranks, so that to compare two tweets is to
 * compare two numbers. A tweet that arrives out of order moves the ranks of the later ones: they are told anew when next asked for.
 */
import { Column } from '../../collections/column.ts';
import { Timeline, type Order } from '../../platforms/archive/timeline.ts';

export class ChronologicalOrder {
  readonly #order: Order;
  readonly #timeline = new Timeline();
  #byRank: Uint32Array = new Uint32Array(0);
  #ranks = new Column(new Uint32Array(0));
  /** How many tweets have their rank. */
  #ranked = 0;

  constructor(order: Order) {
    this.#order = order;
  }

  get size(): number {
    return this.#timeline.length;
  }

  add(ordinal: number): void {
    this.#timeline.add(ordinal, this.#order);
    this.#ranks.push(0);
  }

  /** Ordinals by rank. The arrays are good until the next tweet arrives. */
  get byRank(): Uint32Array {
    this.#settle();
    return this.#byRank;
  }

  /** Ranks by ordinal. */
  get ranks(): Uint32Array {
    this.#settle();
    return this.#ranks.values;
  }

  /** How many tweets are older than a moment, by `isOlder`: true for a run of the oldest, false for all newer. */
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

  #settle(): void {
    if (this.#ranked === this.size) return;
    const inOrder = this.#timeline.inOrder;
    this.#byRank = this.#timeline.sorted(this.#order);
    const { values } = this.#ranks;
    for (let rank = inOrder ? this.#ranked : 0; rank < this.#byRank.length; rank++) values[this.#byRank[rank]!] = rank;
    this.#ranked = this.size;
  }
}
