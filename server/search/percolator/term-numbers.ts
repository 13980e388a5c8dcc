/** The terms of the registered queries as numbers, and which of them the current tweet has. */
import type { TweetDocument } from '../../domain/tweet-document.ts';
import type { QueryTerm, TermKind } from './required-term.ts';

const roles = ['author', 'retweeted', 'answered'] as const;

export class TermNumbers {
  readonly #numbers: Record<TermKind, Map<string | bigint, number>> = {
    token: new Map(),
    term: new Map(),
    author: new Map(),
    retweeted: new Map(),
    answered: new Map(),
    id: new Map(),
  };
  /** The number of references by term. */
  readonly #references: number[] = [];
  /** By term, 1 where the current tweet has it. Bytes, because the percolator reads them at random places. */
  #isPresent = new Uint8Array(64);
  /** The terms of the current tweet. */
  #found: number[] = [];
  readonly #unused: number[] = [];

  /** The number of terms that something refers to. */
  get size(): number {
    return this.#references.length - this.#unused.length;
  }

  /** The number of a term, with one more reference to it. */
  add({ kind, name }: QueryTerm): number {
    const numbers = this.#numbers[kind];
    const number = numbers.get(name) ?? this.#unused.pop() ?? this.#references.length;
    const isKnown = number < this.#references.length;
    numbers.set(name, number);
    this.#references[number] = isKnown ? this.#references[number]! + 1 : 1;
    if (number >= this.#isPresent.length) this.#enlarge();
    return number;
  }

  /** Removes one reference. The number of a term without references is used again. */
  remove({ kind, name }: QueryTerm): number | undefined {
    const number = this.#numbers[kind].get(name);
    if (number === undefined) return undefined;
    const references = this.#references[number]! - 1;
    this.#references[number] = references;
    if (references > 0) return number;
    this.#numbers[kind].delete(name);
    this.#unused.push(number);
    return number;
  }

  /** Makes a tweet the current one, and returns the numbers of its terms, each once. */
  read(tweet: TweetDocument): readonly number[] {
    for (const number of this.#found) this.#isPresent[number] = 0;
    const found: number[] = (this.#found = []);
    const { token, term, id } = this.#numbers;
    for (const names of tweet.tokens.lists) for (const name of names) this.#note(token.get(name), found);
    for (const names of tweet.terms.lists) for (const name of names) this.#note(term.get(name), found);
    if (id.size > 0) this.#note(id.get(tweet.id), found);
    for (const role of roles) {
      const person = tweet[role];
      if (person === undefined) continue;
      this.#note(this.#numbers[role].get(person.id), found);
      if (person.username !== undefined) this.#note(this.#numbers[role].get(person.username), found);
    }
    return found;
  }

  /** By the number of a term, 1 where the current tweet has it. The array is valid until the next `add`. */
  get presence(): Uint8Array {
    return this.#isPresent;
  }

  #enlarge(): void {
    const larger = new Uint8Array(2 * this.#isPresent.length);
    larger.set(this.#isPresent);
    this.#isPresent = larger;
  }

  #note(number: number | undefined, found: number[]): void {
    if (number === undefined || this.#isPresent[number] === 1) return;
    this.#isPresent[number] = 1;
    found.push(number);
  }
}
