/** What tweets are found by: a number for each term, and the tweets that have it, in order of time. */
import { LargeMap } from '../../collections/large-map.ts';
import { Timeline, type Order } from '../../platforms/archive/timeline.ts';
import { maxShortLength, ShortPostings } from './short-postings.ts';

const nothing = new Uint32Array(0);

/**
 * Strings that are cut from a longer one keep all of it in memory; short ones are copies anyway. Terms have no lone surrogates, so
 * the way through bytes changes nothing.
 */
const copied = (term: string): string => (term.length < 13 ? term : Buffer.from(term).toString());

export class TermDictionary {
  readonly #order: Order;
  readonly #numbers = new LargeMap<string, number>();
  /** By number: the tweets where they are many; the only one; or, below 0, ~handle of a short list; undefined where there is none. */
  readonly #tweets: (Timeline | number | undefined)[] = [];
  readonly #short = new ShortPostings();
  readonly #first: number;

  /** Numbers begin with `first`. */
  constructor(order: Order, first: number) {
    this.#order = order;
    this.#first = first;
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** The number of a term; a new one where it had none. */
  number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#first + this.#numbers.size;
    this.#numbers.set(copied(term), number);
    this.#tweets.push(undefined);
    return number;
  }

  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  /** A tweet has a term; told once. */
  add(number: number, ordinal: number): void {
    const place = number - this.#first;
    const tweets = this.#tweets[place];
    if (tweets === undefined) {
      this.#tweets[place] = ordinal;
    } else if (typeof tweets !== 'number') {
      tweets.add(ordinal, this.#order);
    } else if (tweets >= 0) {
      this.#tweets[place] = ~this.#short.put(this.#order(tweets, ordinal) < 0 ? [tweets, ordinal] : [ordinal, tweets]);
    } else if (this.#short.get(~tweets).length < maxShortLength) {
      this.#tweets[place] = ~this.#short.add(~tweets, ordinal, this.#order);
    } else {
      const timeline = new Timeline();
      for (const each of this.#short.get(~tweets)) timeline.add(each, this.#order);
      timeline.add(ordinal, this.#order);
      this.#short.free(~tweets);
      this.#tweets[place] = timeline;
    }
  }

  remove(number: number, ordinals: Pick<ReadonlySet<number>, 'has'>): void {
    const place = number - this.#first;
    const tweets = this.#tweets[place];
    if (tweets === undefined) return;
    if (typeof tweets !== 'number') return tweets.remove(ordinals);
    if (tweets >= 0) {
      if (ordinals.has(tweets)) this.#tweets[place] = undefined;
      return;
    }
    const kept = this.#short.get(~tweets).filter((ordinal) => !ordinals.has(ordinal));
    this.#short.free(~tweets);
    this.#tweets[place] = kept.length === 0 ? undefined : kept.length === 1 ? kept[0]! : ~this.#short.put(kept);
  }

  /** The tweets that have a term, oldest first; good until the next change. */
  tweets(term: string): Uint32Array {
    const number = this.#numbers.get(term);
    const tweets = number === undefined ? undefined : this.#tweets[number - this.#first];
    if (tweets === undefined) return nothing;
    if (typeof tweets !== 'number') return tweets.sorted(this.#order);
    return tweets >= 0 ? Uint32Array.of(tweets) : this.#short.get(~tweets);
  }
}
