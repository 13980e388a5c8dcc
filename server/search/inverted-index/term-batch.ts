/**
 * Readings of tweets that another thread made. That thread numbers the terms independently. The index finds the number of
 * each term once, and not for each tweet.
 *
 * A term gets a number in the index only when a tweet that has it is added: the texts of tweets that the archive refuses leave
 * no trace.
 */
import type { RecycledMemory } from '../../collections/recycled-memory.ts';
import { StringNumbers } from '../../collections/string-numbers.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { firstToken } from './token-sequences.ts';
import { TweetReader, type TweetReading } from './tweet-reader.ts';

/** The number of terms after which the numbering restarts at 0: it bounds the memory of both threads. */
const maxTerms = 2 ** 20;
const noNumbers: readonly number[] = [];

const firstReadings = 2 ** 14;

/** The readings of the tweets of a batch, in a form that a message transfers without a copy. The memory of `readings` comes back. */
export interface TermBatch {
  /** The number of the first of the new terms. The numbering restarts where it is 0. */
  readonly first: number;
  /** The UTF-16 units of the new terms, and the end of each of them. */
  readonly units: Uint16Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** By record: the place of its reading; 0 for none. */
  readonly places: Uint32Array<ArrayBuffer>;
  /** At the place of a reading: the number of its terms, the terms, the length of the sequence, and the sequence. */
  readonly readings: Uint32Array<ArrayBuffer>;
}

/** Reads the tweets of one batch after the other. */
export class TermBatchReader {
  readonly #memory: RecycledMemory;
  readonly #maxTerms: number;
  #terms = new StringNumbers(firstToken);
  #reader = new TweetReader(this.#terms);
  #places: number[] = [];
  #readings = new Uint32Array(0);
  // Place 0 stands for a record without a reading.
  #length = 1;

  constructor(memory: RecycledMemory, most = maxTerms) {
    this.#memory = memory;
    this.#maxTerms = most;
  }

  /** Adds the next record of the batch; undefined for one that is no tweet, or that the index shall read by itself. */
  add(tweet: ArchivedTweet | undefined): void {
    const reading = tweet && this.#read(tweet);
    this.#places.push(reading === undefined ? 0 : this.#length);
    if (reading === undefined) return;
    this.#write(reading.terms);
    this.#write(reading.sequence);
  }

  #write(numbers: readonly number[]): void {
    const { length } = numbers;
    if (this.#length + 1 + length > this.#readings.length) {
      const numbers = Math.max(firstReadings, 2 * (this.#length + 1 + length));
      const larger = new Uint32Array(this.#memory.take(numbers * Uint32Array.BYTES_PER_ELEMENT));
      larger.set(this.#readings.subarray(0, this.#length));
      this.#readings = larger;
    }
    const readings = this.#readings;
    readings[this.#length++] = length;
    for (let at = 0; at < length; at++) readings[this.#length++] = numbers[at]!;
  }

  #read(tweet: ArchivedTweet): TweetReading | undefined {
    try {
      return this.#reader.read(tweet);
    } catch {
      // The index throws the same error when the archive adds the tweet.
      return undefined;
    }
  }

  /** Ends the batch. */
  take(): TermBatch {
    const texts = this.#terms.take();
    const batch = {
      ...texts,
      first: this.#terms.count - texts.ends.length,
      places: Uint32Array.from(this.#places),
      readings: this.#readings.subarray(0, this.#length),
    };
    this.#readings = new Uint32Array(0);
    this.#places = [];
    this.#length = 1;
    if (this.#terms.count >= this.#maxTerms) {
      this.#terms = new StringNumbers(firstToken);
      this.#reader = new TweetReader(this.#terms);
    }
    return batch;
  }
}

type NewTerms = Pick<TermBatch, 'first' | 'units' | 'ends'>;

/** The terms of several batches, and their numbers in an index. */
class KnownTerms {
  /** By number: the batch that has the text of the term. */
  readonly #batches: NewTerms[] = [];
  #index: TermDictionary | undefined;
  #removals = 0;
  /** By number: the number in the index; 0 where it is not known. */
  #numbers = new Uint32Array(0);

  add({ first, units, ends }: TermBatch): void {
    // Copies: the memory of a batch may be a part of a long message.
    if (ends.length > 0) this.#batches.push({ first, units: units.slice(), ends: ends.slice() });
    const length = first + ends.length;
    if (length <= this.#numbers.length) return;
    const larger = new Uint32Array(Math.max(1024, 2 * length));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  /** Translates the numbers of the thread behind their count at a place to those of an index, and adds numbers of the index. */
  translate(index: TermDictionary, all: Uint32Array, start: number, more: readonly number[]): number[] {
    // A number of a removed term can belong to another term by now.
    if (this.#index !== index || this.#removals !== index.removals) {
      this.#numbers.fill(0);
      [this.#index, this.#removals] = [index, index.removals];
    }
    const length = all[start]!;
    const translated = new Array<number>(length + more.length);
    for (let at = 0; at < length; at++) {
      const number = all[start + 1 + at]!;
      translated[at] =
        number < firstToken ? number : this.#numbers[number - firstToken]! || this.#find(index, number - firstToken);
    }
    for (let at = 0; at < more.length; at++) translated[length + at] = more[at]!;
    return translated;
  }

  #find(index: TermDictionary, term: number): number {
    let [low, high] = [0, this.#batches.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#batches[middle]!.first <= term) low = middle;
      else high = middle - 1;
    }
    const { first, units, ends } = this.#batches[low]!;
    const number = index.numberOf(units, term === first ? 0 : ends[term - first - 1]!, ends[term - first]!);
    this.#numbers[term] = number;
    return number;
  }
}

/** The reading of one tweet that another thread made. */
export class PreparedReading {
  readonly #terms: KnownTerms;
  readonly #readings: Uint32Array;
  readonly #place: number;

  constructor(terms: KnownTerms, readings: Uint32Array, place: number) {
    this.#terms = terms;
    this.#readings = readings;
    this.#place = place;
  }

  /** The reading with the numbers of an index, which gives numbers to new terms, and with further terms of that index. */
  of(index: TermDictionary, more: readonly number[] = noNumbers): TweetReading {
    const sequenceAt = this.#place + 1 + this.#readings[this.#place]!;
    return {
      terms: this.#terms.translate(index, this.#readings, this.#place, more),
      sequence: this.#terms.translate(index, this.#readings, sequenceAt, noNumbers),
    };
  }
}

/** Takes the batches of a thread in their order. */
export class PreparedReadings {
  #terms = new KnownTerms();

  /** The reading of each record of the batch; undefined for a record without one. */
  take(batch: TermBatch): readonly (PreparedReading | undefined)[] {
    if (batch.first === 0) this.#terms = new KnownTerms();
    this.#terms.add(batch);
    const { places, readings } = batch;
    return Array.from(places, (place) => (place === 0 ? undefined : new PreparedReading(this.#terms, readings, place)));
  }
}
