/**
 * A tiered index: the tweets with the highest engagement, so that a search by engagement reads few of its results. See C. Manning,
 * P. Raghavan and H. Schütze, "Introduction to Information Retrieval", section 7.2.1.
 */
import { TimeSlice } from '../../process/time-slice.ts';
import type { TweetPlace, TweetSource } from '../tweet-source.ts';
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
/** The number of tweets that are read between two looks at the clock, in half a millisecond or so. With fewer, the tiers are built at once. */
const tweetsPerStep = 4_096;

/** A revision after every change: `engagement` then returns the present value. */
const now = Number.POSITIVE_INFINITY;

type TierSource = Pick<TweetSource, 'isGone' | 'engagement' | 'createdAt' | 'id' | 'isOlder' | 'revision'>;

/** Tiers with fixed thresholds. */
class TierSet {
  readonly tiers: Tier[];
  /** The revision of the source when the tiers were complete, and the number of tweets. */
  readonly revision: number;
  readonly #size: number;
  readonly #lowestThreshold: number;
  /** The changes since the build began. */
  #changes = 0;
  /** The tweets, with their engagement, that reached the lowest threshold and are perhaps not in the tiers yet. */
  #reached: { readonly ordinal: number; readonly engagement: number }[] = [];

  constructor(tiers: Tier[], size: number, revision: number) {
    this.tiers = tiers;
    this.#size = size;
    this.revision = revision;
    this.#lowestThreshold = Math.min(...tiers.map(({ threshold }) => threshold));
  }

  /** Returns false where so many tweets wait that new tiers are better. */
  changed(ordinal: number, engagement: number): boolean {
    this.#changes++;
    if (engagement >= this.#lowestThreshold) this.#reached.push({ ordinal, engagement });
    return this.#reached.length <= largestShare * this.#size;
  }

  sweep(isGone: (ordinal: number) => boolean): void {
    for (const [index, { threshold, ordinals }] of this.tiers.entries())
      this.tiers[index] = { threshold, ordinals: ordinals.filter((ordinal) => !isGone(ordinal)) };
  }

  /** Whether the thresholds may not fit the tweets any more. `size`: their number. */
  isOutdated(size: number): boolean {
    const maxLength = 4 * largestShare * size;
    return this.#changes > this.#size / 2 || this.tiers.some(({ ordinals }) => ordinals.length > maxLength);
  }

  /** Adds the tweets that reached a threshold. Their order is known now: the ranks are up to date. */
  addReached(source: TierSource, { ranks }: Pick<ChronologicalOrder, 'ranks'>): void {
    if (this.#reached.length === 0) return;
    const reached = this.#reached
      .filter(({ ordinal }) => !source.isGone(ordinal))
      .sort((a, b) => ranks[a.ordinal]! - ranks[b.ordinal]!);
    this.#reached = [];
    for (const [index, { threshold, ordinals }] of this.tiers.entries()) {
      const added = reached.filter(({ engagement }) => engagement >= threshold).map(({ ordinal }) => ordinal);
      if (added.length > 0) this.tiers[index] = { threshold, ordinals: merged(ordinals, added, ranks) };
    }
  }

  /** The same tiers with what was changed since the build began, for the revision at which they are complete. */
  completed(tiers: Tier[], revision: number): TierSet {
    const complete = new TierSet(tiers, this.#size, revision);
    complete.#changes = this.#changes;
    complete.#reached = this.#reached;
    return complete;
  }
}

/** Tiers in construction. What changes meanwhile counts as reached, so that it does not matter whether it was read before. */
class TierBuild {
  readonly #source: TierSource;
  readonly #chronology: ChronologicalOrder;
  readonly #found: { readonly threshold: number; ordinals: number[] }[];
  /** The place of the last tweet that was read. Not its ordinal: a sweep can give that to another tweet. */
  #last: TweetPlace | undefined;
  /** Without tiers; it collects the changes. */
  readonly changes: TierSet;

  constructor(source: TierSource, chronology: ChronologicalOrder) {
    this.#source = source;
    this.#chronology = chronology;
    const thresholds = thresholdsOf(source, chronology.byRank);
    this.#found = thresholds.map((threshold) => ({ threshold, ordinals: [] }));
    this.changes = new TierSet(tiersOf(this.#found), chronology.size, Number.POSITIVE_INFINITY);
  }

  /** Reads the next tweets in chronological order. Returns the tiers after the last one. */
  step(): TierSet | undefined {
    const source = this.#source;
    const { byRank } = this.#chronology;
    const from = this.#chronology.countUpTo(source, this.#last);
    const end = Math.min(byRank.length, from + tweetsPerStep);
    for (let rank = from; rank < end; rank++) {
      const ordinal = byRank[rank]!;
      if (source.isGone(ordinal)) continue;
      const engagement = source.engagement(ordinal, now);
      for (const { threshold, ordinals } of this.#found) if (engagement >= threshold) ordinals.push(ordinal);
    }
    if (end === byRank.length) return this.changes.completed(tiersOf(this.#found), source.revision);
    const ordinal = byRank[end - 1]!;
    this.#last = { createdAt: source.createdAt(ordinal), id: source.id(ordinal) };
    return undefined;
  }

  sweep(isGone: (ordinal: number) => boolean): void {
    for (const found of this.#found) found.ordinals = found.ordinals.filter((ordinal) => !isGone(ordinal));
  }
}

export class EngagementTiers {
  readonly #source: TierSource;
  readonly #chronology: ChronologicalOrder;
  /** Undefined until the first search by engagement. */
  #built: TierSet | undefined;
  #building: TierBuild | undefined;
  /** Ends when the build in progress does. */
  #buildEnd: Promise<void> = Promise.resolve();

  constructor(source: TierSource, chronology: ChronologicalOrder) {
    this.#source = source;
    this.#chronology = chronology;
  }

  /** Call it for each new tweet and each tweet whose counts changed, before the next change of the tweet. */
  changed(ordinal: number): void {
    if (this.#built === undefined && this.#building === undefined) return;
    const engagement = this.#source.engagement(ordinal, now);
    if (this.#built?.changed(ordinal, engagement) === false) this.#built = undefined;
    if (this.#building?.changes.changed(ordinal, engagement) === false) this.#building = undefined;
  }

  /** Removes the tweets that are gone: their ordinals may be used again. */
  sweep(isGone: (ordinal: number) => boolean): void {
    this.#built?.sweep(isGone);
    this.#building?.sweep(isGone);
  }

  /**
   * The tiers, smallest first. Each contains every tweet whose engagement at this revision is at least its threshold; there are
   * none for a revision before the tiers were complete, and until they are. The arrays are valid until the next change.
   */
  at(revision: number): readonly Tier[] {
    this.#update();
    const built = this.#built;
    if (built === undefined || this.#chronology.size < minTweets) return [];
    built.addReached(this.#source, this.#chronology);
    return revision < built.revision ? [] : built.tiers;
  }

  /** Resolves when there are tiers, where they are in construction and there are none before; otherwise undefined. */
  prepare(): Promise<void> | undefined {
    this.#update();
    return this.#built === undefined && this.#building !== undefined ? this.#buildEnd : undefined;
  }

  /** Begins to build new tiers, where these are missing or do not fit any more. Those before stay in use meanwhile. */
  #update(): void {
    const { size } = this.#chronology;
    if (this.#building !== undefined || size < minTweets || this.#built?.isOutdated(size) === false) return;
    const build = new TierBuild(this.#source, this.#chronology);
    this.#building = build;
    this.#buildEnd = this.#buildInSlices(build);
  }

  /** The first slice is in this turn, so that few tweets have their tiers at once. */
  async #buildInSlices(build: TierBuild): Promise<void> {
    const slice = new TimeSlice();
    while (this.#building === build) {
      const tiers = build.step();
      if (tiers !== undefined) [this.#built, this.#building] = [tiers, undefined];
      else if (slice.isOver) await slice.next();
    }
  }
}

/** The tiers of the tweets that were found. */
const tiersOf = (found: readonly { readonly threshold: number; readonly ordinals: readonly number[] }[]): Tier[] =>
  found.map(({ threshold, ordinals }) => ({ threshold, ordinals: Uint32Array.from(ordinals) }));

/** The thresholds of the tiers, from a sample. A share for which there is no threshold has no tier. */
function thresholdsOf(source: TierSource, byRank: Uint32Array): number[] {
  const step = Math.max(1, Math.floor(byRank.length / sampleSize));
  const values: number[] = [];
  for (let rank = 0; rank < byRank.length; rank += step)
    if (!source.isGone(byRank[rank]!)) values.push(source.engagement(byRank[rank]!, now));
  const sample = Float64Array.from(values).sort().reverse();
  const thresholds = shares.map((share) => {
    const end = Math.floor(share * sample.length);
    // A threshold with many equal values behind it would let them all into the tier.
    return sample.subarray(0, end).findLast((value) => value > sample[end]!);
  });
  return [...new Set(thresholds)].filter((threshold) => threshold !== undefined);
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
