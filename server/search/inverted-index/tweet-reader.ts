/** Extracts the terms and the token sequences of tweets. Most of the time of an import is spent here and in the postings. */
import { DistinctNumbers } from '../../collections/distinct-numbers.ts';
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import { linkTexts, ownTerms, textsOf } from '../document.ts';
import { TokenScanner } from '../language/token-scanner.ts';
import { boundary, linkMark } from './token-sequences.ts';

const namePrefix = 'name:';

/** The terms and token sequences of a tweet record. */
export interface TweetReading {
  /** The numbers of the tweet's terms, each once. */
  readonly terms: readonly number[];
  /** Its texts and links as `TokenSequences` stores them. */
  readonly sequence: readonly number[];
}

/** Gives numbers from `firstToken` on to terms: the same number for the same term. */
export interface TermNumbers {
  number(term: string): number;
  /** As `number`, for the term whose UTF-16 units are in a range of an array. */
  numberOf(units: Uint16Array, start: number, end: number): number;
}

export class TweetReader {
  readonly #terms: TermNumbers;
  readonly #scanner = new TokenScanner();
  readonly #found = new DistinctNumbers();
  /** The UTF-16 units of a term of a name, after those of its prefix. */
  #nameTerm = Uint16Array.from(namePrefix, (character) => character.charCodeAt(0));

  constructor(terms: TermNumbers) {
    this.#terms = terms;
  }

  /** Reads what depends only on the record. Assigns numbers to new terms. */
  read(tweet: ArchivedTweet): TweetReading {
    // The last call may have thrown halfway.
    this.#found.clear();
    const sequence: number[] = [];
    const [text, ...otherTexts] = textsOf(tweet);
    this.#addTokens(text ?? '', sequence);
    const { signRuns } = this.#scanner;
    for (const other of otherTexts) this.#addTokens(other, sequence);
    sequence.push(linkMark);
    for (const link of linkTexts(tweet)) this.#addTokens(link, sequence);
    this.#found.add(this.#terms.number(`from:${tweet.author_id}`));
    for (const term of ownTerms(tweet, signRuns)) this.#found.add(this.#terms.number(term));
    return { terms: this.#found.numbers, sequence };
  }

  /** The numbers of the terms of an author's names, each once. No term of a tweet is one of them. */
  readNames({ name = '', username }: ArchivedUser): readonly number[] {
    this.#found.clear();
    this.#addName(name);
    this.#addName(username);
    return this.#found.numbers;
  }

  #addTokens(text: string, sequence: number[]): void {
    const scanner = this.#scanner;
    scanner.scan(text);
    for (let token = 0; token < scanner.count; token++) {
      const number = this.#terms.numberOf(scanner.units, scanner.start(token), scanner.end(token));
      sequence.push(number);
      this.#found.add(number);
    }
    sequence.push(boundary);
  }

  #addName(name: string): void {
    const scanner = this.#scanner;
    scanner.scan(name);
    for (let token = 0; token < scanner.count; token++) {
      const [start, end] = [scanner.start(token), scanner.end(token)];
      const length = namePrefix.length + end - start;
      if (length > this.#nameTerm.length) {
        const longer = new Uint16Array(2 * length);
        longer.set(this.#nameTerm);
        this.#nameTerm = longer;
      }
      for (let index = start; index < end; index++)
        this.#nameTerm[namePrefix.length + index - start] = scanner.units[index]!;
      this.#found.add(this.#terms.numberOf(this.#nameTerm, 0, length));
    }
  }
}
