/**
 * Removes tweets that are gone from the postings. A removal itself touches no list: a tweet stands in about 30 lists, and
 * finding them costs more than all the rest. When more than an eighth of the tweets is gone, each further removal does a small
 * step of a sweep, so that no removal and no request waits for all of it. Readers skip what is gone.
 */
import {
  jsonSection,
  readJson,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { TweetSource } from '../tweet-source.ts';
import type { SweepStep, TermDictionary } from './term-dictionary.ts';

/** A sweep starts when the tweets that are gone since the last one are more than this share of those that are there. */
const maxGoneShare = 1 / 8;
/** The steps of removals read all terms before about half as many more tweets are gone. */
const removalsPerSweep = 2;
const minTermsPerStep = 16;
/** The maximum number of ordinals in the step of a removal, some ten microseconds: four times those that a usual sweep needs. */
const ordinalsPerRemoval = 2_048;
/** The limits of one step of a sweep of all: some tenths of a millisecond. */
const stepOfAll: SweepStep = { maxTerms: 1_024, maxOrdinals: 8_192 };
/** The ratio of the ordinals that one step reads to those that it releases. */
const readsPerRelease = 8;

/** What a sweep does after the terms. */
export interface SweptTables {
  /** A step that removes tweets from the chronological order, and reads at most `max` of them. Returns whether it was the last one. */
  sweepOrder(isCovered: (ordinal: number) => boolean, max: number): boolean;
  /** No term contains the tweets of the first `removals` removals any more. */
  swept(removals: number): void;
}

/** A sweep in progress. */
interface Sweep {
  readonly steps: Iterator<void, void>;
  /** 1 for the ordinals that were removed since its start: its lists may contain them at its end. */
  readonly since: Uint8Array;
  /** The limits of the next step, and of those that removals do. */
  limits: SweepStep;
  readonly perRemoval: SweepStep;
}

export class Sweeper implements SavedTable {
  readonly #terms: TermDictionary;
  readonly #source: Pick<TweetSource, 'isGone' | 'size' | 'ordinalCount'>;
  readonly #tables: SweptTables;
  /** The number of removals so far, and of those that no list contains. */
  #removals = 0;
  #swept = 0;
  #sweep: Sweep | undefined;

  constructor(
    terms: TermDictionary,
    source: Pick<TweetSource, 'isGone' | 'size' | 'ordinalCount'>,
    tables: SweptTables,
  ) {
    this.#terms = terms;
    this.#source = source;
    this.#tables = tables;
  }

  /** Whether no list contains a tweet that is gone. */
  get isClean(): boolean {
    return this.#removals === this.#swept;
  }

  /** Counts a tweet that is gone, and does a step of a sweep if there are too many. */
  removed(ordinal: number): void {
    this.#removals++;
    if (this.#sweep !== undefined) this.#sweep.since[ordinal] = 1;
    else if (this.#removals - this.#swept <= this.#source.size * maxGoneShare) return;
    const sweep = (this.#sweep ??= this.#start());
    sweep.limits = sweep.perRemoval;
    sweep.steps.next();
  }

  /** A sweep in progress is not saved: the next removal after a restart begins one. */
  *save(): Sections {
    yield jsonSection([this.#removals, this.#swept]);
  }

  load(reader: SectionReader): void {
    [this.#removals, this.#swept] = readJson<[removals: number, swept: number]>(reader);
  }

  #start(): Sweep {
    const since = new Uint8Array(this.#source.ordinalCount);
    const removals = Math.max(1, Math.floor((this.#removals - this.#swept) / removalsPerSweep));
    const maxTerms = Math.max(minTermsPerStep, Math.ceil(this.#terms.size / removals));
    const perRemoval = { maxTerms, maxOrdinals: ordinalsPerRemoval };
    const steps = this.#steps(since, this.#removals, () => sweep.limits);
    const sweep: Sweep = { steps, since, limits: perRemoval, perRemoval };
    return sweep;
  }

  /**
   * Removes all tweets that are gone, and the terms without a tweet, in steps. No tweet may be added, changed or removed before
   * the last step.
   */
  *sweepAll(): Generator<void, void> {
    if (this.#sweep !== undefined) yield* this.#rest(this.#sweep);
    // Where the caller ends early, the next removals continue.
    yield* this.#rest((this.#sweep = this.#start()));
  }

  *#rest(sweep: Sweep): Generator<void, void> {
    for (sweep.limits = stepOfAll; sweep.steps.next().done !== true; sweep.limits = stepOfAll) yield;
  }

  /** The steps of a sweep that covers the first `covered` removals. */
  *#steps(since: Uint8Array, covered: number, limits: () => SweepStep): Generator<void, void> {
    const isGone = (ordinal: number): boolean => this.#source.isGone(ordinal);
    // What was removed since the start may be in the lists, which need its rank.
    const isCovered = (ordinal: number): boolean => since[ordinal] === 0 && isGone(ordinal);
    const areListsClean = this.isClean;
    for (let next = 0; next < this.#terms.size; yield)
      next = this.#terms.sweep(next, limits(), areListsClean ? undefined : isGone);
    if (!areListsClean) while (!this.#tables.sweepOrder(isCovered, limits().maxOrdinals)) yield;
    while (this.#swept < covered) {
      this.#swept = Math.min(covered, this.#swept + Math.ceil(limits().maxOrdinals / readsPerRelease));
      this.#tables.swept(this.#swept);
      if (this.#swept < covered) yield;
    }
    this.#sweep = undefined;
  }
}
