/** The records of an import as another thread prepares them: encoded for the journal, so that this thread need not parse and print them. */
import { crc32 } from 'node:zlib';
import { ByteWriter } from '../collections/byte-writer.ts';
import { RecycledMemory } from '../collections/recycled-memory.ts';
import type { ArchiveRecord } from '../domain/records.ts';
import type { PreparedRecord, PreparedTweet } from '../ports/import-sink.ts';
import { textOf } from '../ports/storage.ts';
import { kinds } from './formats/native.ts';
import {
  buffersOf as buffersOfTweets,
  PreparedTweets,
  recyclable as recyclableOfTweets,
  TweetBatchReader,
  type TweetBatch,
} from '../platforms/archive/prepared-tweets.ts';

/** The records of a batch, in a form that a message transfers with few copies. */
export interface RecordBatch {
  /** The JSON texts in UTF-8, and by record the end of its bytes, their CRC-32, and its kind by the place in `kinds`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly checksums: Uint32Array<ArrayBuffer>;
  readonly kinds: Uint8Array<ArrayBuffer>;
  readonly tweets: TweetBatch;
}

/** The memory that a message with the batch transfers. */
export const buffersOf = ({ bytes, ends, checksums, kinds: codes, tweets }: RecordBatch): ArrayBuffer[] => [
  ...[bytes, ends, checksums, codes].map(({ buffer }) => buffer),
  ...buffersOfTweets(tweets),
];

/** The memory that can be used for another batch, when the records of this one are not used any more. */
export const recyclable = ({ bytes, tweets }: RecordBatch): ArrayBuffer[] => [
  bytes.buffer,
  ...recyclableOfTweets(tweets),
];

/** Prepares the records of one batch after the other. */
export class RecordBatchReader {
  readonly #memory = new RecycledMemory();
  readonly #tweets = new TweetBatchReader(this.#memory);
  readonly #bytes = new ByteWriter(this.#memory);
  #ends: number[] = [];
  #checksums: number[] = [];
  #kinds: number[] = [];

  /** Adds the next record of the batch. `json`: its JSON text, without a newline. */
  add(record: ArchiveRecord, json: string): void {
    this.#checksums.push(crc32(this.#bytes.write(json)));
    this.#ends.push(this.#bytes.length);
    this.#kinds.push(kinds.indexOf(record.kind));
    this.#tweets.add(record.kind === 'tweet' ? record.tweet : undefined);
  }

  /** Takes the memory of earlier batches back, which nobody uses any more. */
  reuse(memory: readonly ArrayBuffer[]): void {
    this.#memory.give(memory);
  }

  /** Ends the batch. */
  take(): RecordBatch {
    const batch = {
      ...{ bytes: this.#bytes.take(), ends: Uint32Array.from(this.#ends) },
      ...{ checksums: Uint32Array.from(this.#checksums), kinds: Uint8Array.from(this.#kinds) },
      tweets: this.#tweets.take(),
    };
    [this.#ends, this.#checksums, this.#kinds] = [[], [], []];
    return batch;
  }
}

/** One record of a batch. */
class RecordOfBatch implements PreparedRecord {
  readonly kind: ArchiveRecord['kind'];
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly checksum: number;
  readonly tweet: PreparedTweet | undefined;
  #record: ArchiveRecord | undefined;

  constructor(batch: RecordBatch, bytes: Buffer, index: number, tweet: PreparedTweet | undefined) {
    this.kind = kinds[batch.kinds[index]!]!;
    this.bytes = bytes;
    this.start = index === 0 ? 0 : batch.ends[index - 1]!;
    this.end = batch.ends[index]!;
    this.checksum = batch.checksums[index]!;
    this.tweet = tweet;
  }

  get record(): ArchiveRecord {
    return (this.#record ??= JSON.parse(textOf(this)) as ArchiveRecord);
  }
}

/** Takes the batches of a thread in their order. */
export class PreparedRecords {
  readonly #tweets = new PreparedTweets();

  take(batch: RecordBatch): PreparedRecord[] {
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    return this.#tweets.take(batch.tweets).map((tweet, index) => new RecordOfBatch(batch, bytes, index, tweet));
  }
}
