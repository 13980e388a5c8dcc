/**
 * Removes tweets that are gone from the postings. A removal itself touches no list: a tweet stands in about 30 lists, and
 * finding them costs more than all the rest. When more than an eighth of the tweets is gone, each further removal sweeps a
 * few terms, so that no removal waits for all of them. Readers skip what is gone.
 */
import type { TweetSource } from '../tweet-index.ts';
import type { TermDictionary } from './term-dictionary.ts';

/** A sweep starts when the tweets that are gone since the last one are more than this share of those that are there. */
const maxGoneShare = 1 / 8;
/** A sweep ends before half as many more tweets are gone. */
const removalsPerSweep = 2;
const minTermsPerStep = 16;

export class Sweeper {
  readonly #terms: TermDictionary;
  readonly #source: Pick<TweetSource, 'isGone' | 'size'>;
  /** The number of tweets that are gone and may be in a list, and those of them that the sweep in progress covers. */
  #gone = 0;
  #covered = 0;
  /** The index of the next term of the sweep in progress. */
  #next: number | undefined;
  #step = 0;

  constructor(terms: TermDictionary, source: Pick<TweetSource, 'isGone' | 'size'>) {
    this.#terms = terms;
    this.#source = source;
  }

  /** Whether no list contains a tweet that is gone. */
  get isClean(): boolean {
    return this.#gone === 0;
  }

  /** Counts a tweet that is gone, and sweeps a few terms if there are too many. */
  removed(): void {
    this.#gone++;
    if (this.#next === undefined && this.#gone > this.#source.size * maxGoneShare) this.#start();
    if (this.#next === undefined) return;
    const end = this.#next + this.#step;
    const hasMore = this.#terms.sweep(this.#next, end, (ordinal) => this.#source.isGone(ordinal));
    if (hasMore) this.#next = end;
    else this.#finish();
  }

  #start(): void {
    this.#next = 0;
    this.#covered = this.#gone;
    const removals = Math.max(1, Math.floor(this.#gone / removalsPerSweep));
    this.#step = Math.max(minTermsPerStep, Math.ceil(this.#terms.size / removals));
  }

  #finish(): void {
    this.#next = undefined;
    this.#gone -= this.#covered;
  }
}
