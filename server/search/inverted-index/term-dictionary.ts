/** The term dictionary: a number for each term, and the tweets that contain the term, in chronological order. */
import { Column } from '../../collections/column.ts';
import { StringTable } from '../../collections/string-table.ts';
import { Timeline, type Order } from '../../collections/timeline.ts';
import { maxShortLength, ShortPostings } from './short-postings.ts';

const noOrdinals = new Uint32Array(0);

export class TermDictionary {
  readonly #order: Order;
  /** The terms by index, where the first term has index 0. */
  readonly #terms = new StringTable();
  /**
   * By index: a Timeline for many tweets; the ordinal of the only tweet; a negative number `~handle` for a short list;
   * undefined for no tweets.
   */
  readonly #tweets: (Timeline | number | undefined)[] = [];
  readonly #short = new ShortPostings();
  readonly #first: number;
  /** By index, the number of names that contain the term: its number stays although no tweet has it. */
  readonly #names = new Column(new Uint32Array(0));

  /** `first` is the lowest number that a term gets. */
  constructor(order: Order, first: number) {
    this.#order = order;
    this.#first = first;
  }

  /** The number of indexes, the free ones included. */
  get size(): number {
    return this.#tweets.length;
  }

  /** The number of a term. Assigns the next number to a new term. */
  number(term: string): number {
    const index = this.#terms.number(term);
    if (index === this.#tweets.length) {
      this.#tweets.push(undefined);
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

  /** Adds a tweet to a term. Call it once for each pair of term and tweet. */
  add(number: number, ordinal: number): void {
    const index = number - this.#first;
    const tweets = this.#tweets[index];
    if (tweets === undefined) {
      this.#tweets[index] = ordinal;
    } else if (typeof tweets !== 'number') {
      tweets.add(ordinal, this.#order);
    } else if (tweets >= 0) {
      this.#tweets[index] = ~this.#short.put(this.#order(tweets, ordinal) < 0 ? [tweets, ordinal] : [ordinal, tweets]);
    } else if (this.#short.get(~tweets).length < maxShortLength) {
      this.#tweets[index] = ~this.#short.add(~tweets, ordinal, this.#order);
    } else {
      const timeline = new Timeline();
      for (const each of this.#short.get(~tweets)) timeline.add(each, this.#order);
      timeline.add(ordinal, this.#order);
      this.#short.free(~tweets);
      this.#tweets[index] = timeline;
    }
  }

  remove(number: number, ordinals: Pick<ReadonlySet<number>, 'has'>): void {
    const index = number - this.#first;
    const tweets = this.#tweets[index];
    if (tweets === undefined) return;
    if (typeof tweets !== 'number') return tweets.remove(ordinals);
    if (tweets >= 0) {
      if (ordinals.has(tweets)) this.#tweets[index] = undefined;
      return;
    }
    const remaining = this.#short.get(~tweets).filter((ordinal) => !ordinals.has(ordinal));
    this.#short.free(~tweets);
    this.#tweets[index] =
      remaining.length === 0 ? undefined : remaining.length === 1 ? remaining[0]! : ~this.#short.put(remaining);
  }

  /** Removes one tweet, which the term has, at once. */
  removeOne(number: number, ordinal: number): void {
    const tweets = this.#tweets[number - this.#first];
    if (typeof tweets === 'object') tweets.removeOne(ordinal, this.#order);
    else this.remove(number, new Set([ordinal]));
  }

  /**
   * Removes the tweets that are gone from the terms with the indexes [from, to), where the first term has index 0. The number of
   * a term that no tweet has is used again. Returns whether there are more terms.
   */
  sweep(from: number, to: number, isGone: (ordinal: number) => boolean): boolean {
    const end = Math.min(to, this.#tweets.length);
    for (let index = from; index < end; index++) {
      const tweets = this.#tweets[index];
      if (typeof tweets === 'object') {
        tweets.sweep(isGone);
        if (tweets.length === 0) this.#tweets[index] = undefined;
      } else if (tweets !== undefined && (tweets >= 0 ? isGone(tweets) : this.#short.get(~tweets).some(isGone)))
        this.remove(index + this.#first, { has: isGone });
      if (this.#tweets[index] === undefined && this.#names.get(index) === 0) this.#terms.remove(index);
    }
    return end < this.#tweets.length;
  }

  /**
   * The ordinals of the tweets that have a term, oldest first; some may be gone. The array is valid until the next
   * change.
   */
  tweets(term: string): Uint32Array {
    const index = this.#terms.find(term);
    const tweets = index === undefined ? undefined : this.#tweets[index];
    if (tweets === undefined) return noOrdinals;
    if (typeof tweets !== 'number') return tweets.sorted(this.#order);
    return tweets >= 0 ? Uint32Array.of(tweets) : this.#short.get(~tweets);
  }
}
