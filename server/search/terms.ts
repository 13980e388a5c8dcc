/** What tweets are found by: a number for each term, and the tweets that have it, in order of time. */
import { Timeline, type Order } from '../archive/timeline.ts';

const nothing = new Uint32Array(0);

/**
 * Strings that are cut from a longer one keep all of it in memory; short ones are copies anyway. Terms have no lone surrogates, so
 * the way through bytes changes nothing.
 */
const copied = (term: string): string => (term.length < 13 ? term : Buffer.from(term).toString());

export class Terms {
  readonly #order: Order;
  readonly #numbers = new Map<string, number>();
  /** By number: the tweets, or the only one; undefined where there is none. Most terms have only one. */
  readonly #tweets: (Timeline | number | undefined)[] = [];
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
    const tweets = this.#tweets[number - this.#first];
    if (tweets === undefined) {
      this.#tweets[number - this.#first] = ordinal;
    } else if (typeof tweets === 'number') {
      const timeline = new Timeline();
      timeline.add(tweets, this.#order);
      timeline.add(ordinal, this.#order);
      this.#tweets[number - this.#first] = timeline;
    } else {
      tweets.add(ordinal, this.#order);
    }
  }

  remove(number: number, ordinals: ReadonlySet<number>): void {
    const tweets = this.#tweets[number - this.#first];
    if (tweets instanceof Timeline) tweets.remove(ordinals);
    else if (tweets !== undefined && ordinals.has(tweets)) this.#tweets[number - this.#first] = undefined;
  }

  /** The tweets that have a term, oldest first; good until the next change. */
  tweets(term: string): Uint32Array {
    const number = this.#numbers.get(term);
    const tweets = number === undefined ? undefined : this.#tweets[number - this.#first];
    if (tweets === undefined) return nothing;
    return typeof tweets === 'number' ? Uint32Array.of(tweets) : tweets.sorted(this.#order);
  }
}
