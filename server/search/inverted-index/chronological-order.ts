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
import { TimelineSweep } from '../../collections/timeline-sweep.ts';
import type { TweetPlace, TweetSource } from '../tweet-source.ts';

/** A sweep in progress: what stays of the tweets, and their ranks. */
interface Sweep {
  readonly timeline: TimelineSweep;
  readonly ranks: Column<Uint32Array<ArrayBuffer>>;
  /** The number of tweets that stay and have a rank. */
  ranked: number;
}

export class ChronologicalOrder implements SavedTable {
  readonly #order: Order;
  #timeline = new Timeline();
  #byRank: Uint32Array = new Uint32Array(0);
  #ranks = new Column(new Uint32Array(0));
  /** The number of tweets that have a rank. */
  #ranked = 0;
  /** Whether all ranks are to be computed. */
  #isUnranked = false;
  #sweep: Sweep | undefined;

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
    this.#sweep?.ranks.put(ordinal, 0);
    this.#sweep?.timeline.added(ordinal);
  }

  /**
   * Removes the tweets that are gone, in steps that read at most `max` tweets. Returns whether this was the last step; until then all
   * tweets have their ranks. Tweets may arrive between two steps.
   */
  sweep(isGone: (ordinal: number) => boolean, max: number): boolean {
    const sweep: Sweep = (this.#sweep ??= {
      timeline: new TimelineSweep(this.#timeline, this.#order),
      ranks: new Column(new Uint32Array(this.#ranks.length), this.#ranks.length),
      ranked: 0,
    });
    if (!sweep.timeline.step(isGone, max)) return false;
    const { ordinals } = sweep.timeline.kept.stored;
    for (const end = Math.min(ordinals.length, sweep.ranked + max); sweep.ranked < end; sweep.ranked++)
      sweep.ranks.set(ordinals[sweep.ranked]!, sweep.ranked);
    if (sweep.ranked < ordinals.length) return false;
    this.#sweep = undefined;
    // The next read computes the ranks from the oldest tweet on that arrived late.
    this.#timeline = sweep.timeline.result();
    [this.#byRank, this.#ranks, this.#ranked] = [ordinals, sweep.ranks, ordinals.length];
    this.#isUnranked = false;
    return true;
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

  /** The number of tweets up to a place of the order; 0 without one. */
  countUpTo(source: Pick<TweetSource, 'isOlder'>, place: TweetPlace | undefined): number {
    return place === undefined ? 0 : this.count((ordinal) => source.isOlder(ordinal, place.createdAt, place.id + 1n));
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
    this.#timeline = Timeline.copyOf(readNumbers(reader, Uint32Array), sorted);
    this.#ranks.load(reader);
    this.#isUnranked = true;
  }

  #updateRanks(): void {
    if (this.#ranked === this.size && !this.#isUnranked) return;
    this.#byRank = this.#timeline.sorted(this.#order);
    const { values } = this.#ranks;
    // Each tweet from the oldest new one on has another rank than before; the new ones have rank 0.
    for (let rank = this.#byRank.length - 1; rank >= 0; rank--) {
      const ordinal = this.#byRank[rank]!;
      if (!this.#isUnranked && values[ordinal] === rank) break;
      this.#ranks.set(ordinal, rank);
    }
    this.#ranked = this.size;
    this.#isUnranked = false;
  }
}
