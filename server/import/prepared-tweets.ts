/** What another thread computes of the tweets of an import: the terms for the index, and the stored bytes. */
import type { ArchivedTweet } from '../domain/records.ts';
import { pack } from '../platforms/archive/packed-tweet.ts';
import type { PreparedTweet } from '../ports/import-sink.ts';
import { PreparedReadings, TermBatchReader, type TermBatch } from '../search/inverted-index/term-batch.ts';

/** The prepared tweets of a batch, in a form that a message transfers without a copy. */
export interface TweetBatch {
  readonly terms: TermBatch;
  /** The packed tweets in UTF-8, and by record the end of its bytes. A record that is no tweet has none. */
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** The memory that a message with the batch transfers. */
export const buffersOf = ({ terms, packed, ends }: TweetBatch): ArrayBuffer[] =>
  [terms.units, terms.ends, terms.places, terms.readings, packed, ends].map(({ buffer }) => buffer);

const firstBytes = 64 * 1024;
/** The maximum number of bytes that a UTF-16 unit has in UTF-8. */
const maxBytesPerUnit = 3;

/** Prepares the tweets of one batch after the other. */
export class TweetBatchReader {
  readonly #terms = new TermBatchReader();
  #packed = Buffer.allocUnsafeSlow(firstBytes);
  #length = 0;
  #ends: number[] = [];

  /** Adds the next record of the batch; undefined for one that is no tweet. */
  add(tweet: ArchivedTweet | undefined): void {
    this.#terms.add(tweet);
    if (tweet !== undefined) this.#write(pack(tweet));
    this.#ends.push(this.#length);
  }

  #write(text: string): void {
    const maxLength = this.#length + maxBytesPerUnit * text.length;
    if (maxLength > this.#packed.length) {
      const larger = Buffer.allocUnsafeSlow(2 * maxLength);
      this.#packed.copy(larger, 0, 0, this.#length);
      this.#packed = larger;
    }
    this.#length += this.#packed.write(text, this.#length);
  }

  /** Ends the batch. */
  take(): TweetBatch {
    const packed = new Uint8Array(this.#packed.subarray(0, this.#length));
    const batch = { terms: this.#terms.take(), packed, ends: Uint32Array.from(this.#ends) };
    [this.#length, this.#ends] = [0, []];
    return batch;
  }
}

/** Takes the batches of a thread in their order. */
export class PreparedTweets {
  readonly #readings = new PreparedReadings();

  /** The prepared tweet of each record of the batch; undefined for a record without one. */
  take({ terms, packed, ends }: TweetBatch): (PreparedTweet | undefined)[] {
    let start = 0;
    return this.#readings.take(terms).map((reading, record) => {
      const bytes = packed.subarray(start, (start = ends[record]!));
      return reading && { reading, packed: bytes };
    });
  }
}
