/**
 * Removes tweets that are gone from the postings. A removal itself touches no list: a tweet stands in about 30 lists, and
 * finding them costs more than all the rest. When more than an eighth of the tweets is gone, each further removal sweeps a
 * few terms, so that no removal waits for all of them. Readers skip what is gone.
 */
import {
  jsonSection,
  readJson,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { TweetSource } from '../tweet-index.ts';
import type { TermDictionary } from './term-dictionary.ts';

/** A sweep starts when the tweets that are gone since the last one are more than this share of those that are there. */
const maxGoneShare = 1 / 8;
/** A sweep ends before half as many more tweets are gone. */
const removalsPerSweep = 2;
const minTermsPerStep = 16;
/** The maximum number of terms, and of their ordinals, in one step of a sweep of all. */
const termsPerStep = 4096;
const ordinalsPerStep = 200_000;

export class Sweeper implements SavedTable {
  readonly #terms: TermDictionary;
  readonly #source: Pick<TweetSource, 'isGone' | 'size'>;
  readonly #onSwept: (removals: number) => void;
  /** The number of removals so far, of those that no list contains, and of those that the sweep in progress covers. */
  #removals = 0;
  #swept = 0;
  #covered = 0;
  /** The index of the next term of the sweep in progress. */
  #next: number | undefined;
  #step = 0;

  /** `onSwept`: no term contains the tweets of the first `removals` removals any more. */
  constructor(
    terms: TermDictionary,
    source: Pick<TweetSource, 'isGone' | 'size'>,
    onSwept: (removals: number) => void,
  ) {
    this.#terms = terms;
    this.#source = source;
    this.#onSwept = onSwept;
  }

  /** Whether no list contains a tweet that is gone. */
  get isClean(): boolean {
    return this.#removals === this.#swept;
  }

  /** Counts a tweet that is gone, and sweeps a few terms if there are too many. */
  removed(): void {
    this.#removals++;
    if (this.#next === undefined && this.#removals - this.#swept > this.#source.size * maxGoneShare) this.#start();
    if (this.#next === undefined) return;
    const end = this.#next + this.#step;
    const hasMore = this.#terms.sweep(this.#next, end, (ordinal) => this.#source.isGone(ordinal));
    if (hasMore) this.#next = end;
    else this.#finish();
  }

  *save(): Sections {
    yield jsonSection([this.#removals, this.#swept, this.#covered, this.#step, this.#next ?? null]);
  }

  load(reader: SectionReader): void {
    type State = [removals: number, swept: number, covered: number, step: number, next: number | null];
    const [removals, swept, covered, step, next] = readJson<State>(reader);
    [this.#removals, this.#swept, this.#covered, this.#step] = [removals, swept, covered, step];
    this.#next = next ?? undefined;
  }

  #start(): void {
    this.#next = 0;
    this.#covered = this.#removals;
    const removals = Math.max(1, Math.floor((this.#removals - this.#swept) / removalsPerSweep));
    this.#step = Math.max(minTermsPerStep, Math.ceil(this.#terms.size / removals));
  }

  /**
   * Removes all tweets that are gone, and the terms without a tweet, in steps. No tweet may be added, changed or removed before
   * the last step.
   */
  *sweepAll(): Generator<void, void> {
    if (this.#next !== undefined) yield* this.#rest();
    // Where the caller ends early, the next removals continue.
    this.#start();
    yield* this.#rest();
  }

  /** The rest of the sweep in progress. */
  *#rest(): Generator<void, void> {
    const isGone = this.isClean ? undefined : (ordinal: number) => this.#source.isGone(ordinal);
    for (let hasMore = true; hasMore; yield) {
      const from = this.#next ?? 0;
      this.#next = this.#terms.endOfSweep(from, termsPerStep, ordinalsPerStep);
      hasMore = this.#terms.sweep(from, this.#next, isGone);
    }
    this.#finish();
  }

  #finish(): void {
    this.#next = undefined;
    this.#swept = this.#covered;
    this.#onSwept(this.#swept);
  }
}
