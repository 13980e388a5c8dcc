/**
 * A tiered index: the tweets with the highest engagement, so that a search by engagement reads few of its results. See C. Manning,
 * P. Raghavan and H. Schütze, "Introduction to Information Retrieval", section 7.2.1.
 */
import type { TweetSource } from '../tweet-index.ts';
import type { ChronologicalOrder } from './chronological-order.ts';

/** The tweets with an engagement of at least the threshold, and some with less. */
export interface Tier {
  readonly threshold: number;
  /** In chronological order, oldest first. */
  readonly ordinals: Uint32Array;
}

/** The approximate shares of the tweets in the tiers. Two tiers cost a search that needs neither 7 % of its time. */
const shares = [1 / 256, 1 / 16];
const largestShare = Math.max(...shares);
/** With fewer tweets, a search reads all results. */
const minTweets = 2_048;
/** The number of tweets from which the thresholds are estimated. */
const sampleSize = 8_192;

/** A revision after every change: `engagement` then returns the present value. */
const now = Number.POSITIVE_INFINITY;

/** The tiers as they were built. */
interface BuiltTiers {
  readonly tiers: Tier[];
  /** The revision of the source, and its number of tweets. */
  readonly revision: number;
  readonly size: number;
}

export class EngagementTiers {
  readonly #source: TweetSource;
  readonly #chronology: ChronologicalOrder;
  /** Undefined until the first search by engagement. */
  #built: BuiltTiers | undefined;
  #lowestThreshold = Number.POSITIVE_INFINITY;
  /** The changes since the tiers were built. */
  #changes = 0;
  /** The tweets, with their engagement, that reached the lowest threshold and are perhaps not in the tiers yet. */
  #reached: { readonly ordinal: number; readonly engagement: number }[] = [];

  constructor(source: TweetSource, chronology: ChronologicalOrder) {
    this.#source = source;
    this.#chronology = chronology;
  }

  /** Call it for each new tweet and each tweet whose counts changed, before the next change of the tweet. */
  changed(ordinal: number): void {
    const built = this.#built;
    if (built === undefined) return;
    this.#changes++;
    const engagement = this.#source.engagement(ordinal, now);
    if (engagement < this.#lowestThreshold) return;
    this.#reached.push({ ordinal, engagement });
    if (this.#reached.length > largestShare * built.size) this.#clear();
  }

  /** Removes the tweets that are gone: their ordinals may be used again. */
  sweep(isGone: (ordinal: number) => boolean): void {
    if (this.#built === undefined) return;
    const { tiers } = this.#built;
    for (const [index, { threshold, ordinals }] of tiers.entries())
      tiers[index] = { threshold, ordinals: ordinals.filter((ordinal) => !isGone(ordinal)) };
  }

  /**
   * The tiers, smallest first. Each contains every tweet whose engagement at this revision is at least its threshold; there are
   * none for a revision before the tiers were built. The arrays are valid until the next change.
   */
  at(revision: number): readonly Tier[] {
    if (this.#chronology.size < minTweets) return [];
    if (this.#built === undefined || this.#isOutdated(this.#built)) this.#build();
    else this.#addReached(this.#built);
    return this.#built === undefined || revision < this.#built.revision ? [] : this.#built.tiers;
  }

  #clear(): void {
    this.#built = undefined;
    this.#lowestThreshold = Number.POSITIVE_INFINITY;
    this.#changes = 0;
    this.#reached = [];
  }

  /** Whether the thresholds may not fit the tweets any more. */
  #isOutdated({ size, tiers }: BuiltTiers): boolean {
    const maxLength = 4 * largestShare * this.#chronology.size;
    return this.#changes > size / 2 || tiers.some(({ ordinals }) => ordinals.length > maxLength);
  }

  #build(): void {
    this.#clear();
    const { byRank, size } = this.#chronology;
    const found = this.#thresholds(byRank).map((threshold) => ({ threshold, ordinals: [] as number[] }));
    for (const ordinal of byRank) {
      if (this.#source.isGone(ordinal)) continue;
      const engagement = this.#source.engagement(ordinal, now);
      for (const { threshold, ordinals } of found) if (engagement >= threshold) ordinals.push(ordinal);
    }
    const tiers = found.map(({ threshold, ordinals }) => ({ threshold, ordinals: Uint32Array.from(ordinals) }));
    this.#built = { tiers, revision: this.#source.revision, size };
    this.#lowestThreshold = Math.min(...tiers.map(({ threshold }) => threshold));
  }

  /** The thresholds of the tiers, from a sample. A share for which there is no threshold has no tier. */
  #thresholds(byRank: Uint32Array): number[] {
    const source = this.#source;
    const step = Math.max(1, Math.floor(byRank.length / sampleSize));
    const sample: number[] = [];
    for (let rank = 0; rank < byRank.length; rank += step)
      if (!source.isGone(byRank[rank]!)) sample.push(source.engagement(byRank[rank]!, now));
    sample.sort((a, b) => b - a);
    const thresholds = shares.map((share) => {
      const end = Math.floor(share * sample.length);
      // A threshold with many equal values behind it would let them all into the tier.
      return sample.slice(0, end).findLast((value) => value > sample[end]!);
    });
    return [...new Set(thresholds)].filter((threshold) => threshold !== undefined);
  }

  /** Adds the tweets that reached a threshold. Their order is known now: the ranks are up to date. */
  #addReached(built: BuiltTiers): void {
    if (this.#reached.length === 0) return;
    const { ranks } = this.#chronology;
    const reached = this.#reached
      .filter(({ ordinal }) => !this.#source.isGone(ordinal))
      .sort((a, b) => ranks[a.ordinal]! - ranks[b.ordinal]!);
    this.#reached = [];
    for (const [index, { threshold, ordinals }] of built.tiers.entries()) {
      const added = reached.filter(({ engagement }) => engagement >= threshold).map(({ ordinal }) => ordinal);
      if (added.length > 0) built.tiers[index] = { threshold, ordinals: merged(ordinals, added, ranks) };
    }
  }
}

/** Two lists in the order of their ranks as one, with each ordinal once. */
function merged(ordinals: Uint32Array, added: readonly number[], ranks: Uint32Array): Uint32Array {
  const all = new Uint32Array(ordinals.length + added.length);
  let length = 0;
  let next = 0;
  const push = (ordinal: number): void => {
    if (length === 0 || all[length - 1] !== ordinal) all[length++] = ordinal;
  };
  for (const ordinal of ordinals) {
    while (next < added.length && ranks[added[next]!]! < ranks[ordinal]!) push(added[next++]!);
    push(ordinal);
  }
  while (next < added.length) push(added[next++]!);
  return all.slice(0, length);
}
