/** What another thread computes of the tweets of an import or a replay: the terms for the index, the stored bytes, and the values of the tables. */
import { ByteWriter } from '../../collections/byte-writer.ts';
import type { RecycledMemory } from '../../collections/recycled-memory.ts';
import { StringNumbers } from '../../collections/string-numbers.ts';
import { AuthorMemo } from '../../domain/author-memo.ts';
import { counts, type ArchivedTweet } from '../../domain/records.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
import {
  PreparedReadings,
  TermBatchReader,
  type PreparedReading,
  type TermBatch,
} from '../../search/inverted-index/term-batch.ts';
import { parseTime } from '../../text/iso-time.ts';
import { pack } from './packed-tweet.ts';

/** What another thread has computed of a tweet, so that its record need not be parsed to add it. */
export interface PreparedTweet {
  readonly head: TweetHead;
  readonly author: AuthorMemo;
  /** In milliseconds since the epoch; `observedAt` is 0 where the time is not known. */
  readonly createdAt: number;
  readonly observedAt: number;
  /** The count at a place of `counts`; NaN for an unknown one. */
  count(place: number): number;
  readonly reading: PreparedReading;
  /** The tweet as the tweet table stores it, in UTF-8: a part of this memory. */
  readonly packed: Buffer;
  readonly packedStart: number;
  readonly packedEnd: number;
}

/** The prepared tweets of a batch, in a form that a message transfers with few copies. A record that is no tweet has empty places. */
export interface TweetBatch {
  readonly terms: TermBatch;
  /** The packed tweets in UTF-8, and by record the end of its bytes. */
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** By record: the id, and the number of the author. */
  readonly ids: readonly string[];
  readonly authors: Uint32Array<ArrayBuffer>;
  /** The number of the first of the new authors, and their ids. The numbering restarts where it is 0. */
  readonly firstAuthor: number;
  readonly newAuthors: readonly string[];
  /** By record: the times of the creation and of the observation, in milliseconds since the epoch; and the counts. */
  readonly times: Float64Array<ArrayBuffer>;
  readonly counts: Float64Array<ArrayBuffer>;
  /** By record: the other members of its head as JSON; an empty text for none, as most tweets have. */
  readonly others: readonly string[];
}

/** The memory that a message with the batch transfers. */
export const buffersOf = ({ terms, packed, ends, authors, times, counts: all }: TweetBatch): ArrayBuffer[] =>
  [terms.units, terms.ends, terms.places, terms.readings, packed, ends, authors, times, all].map(
    ({ buffer }) => buffer,
  );

/** The number of authors after which the numbering restarts: it bounds the memory of both threads. */
const maxAuthors = 2 ** 20;
const timesPerTweet = 2;

/** Prepares the tweets of one batch after the other. */
export class TweetBatchReader {
  readonly #terms: TermBatchReader;
  readonly #packed: ByteWriter;
  readonly #maxAuthors: number;
  #authorNumbers = new StringNumbers();
  #newAuthors: string[] = [];
  #ends: number[] = [];
  #ids: string[] = [];
  #authors: number[] = [];
  #times: number[] = [];
  #counts: number[] = [];
  #others: string[] = [];

  constructor(memory: RecycledMemory, most = maxAuthors) {
    this.#terms = new TermBatchReader(memory);
    this.#packed = new ByteWriter(memory);
    this.#maxAuthors = most;
  }

  /** Adds the next record of the batch; undefined for one that is no tweet. */
  add(record: ArchivedTweet | undefined): void {
    const createdAt = record === undefined ? Number.NaN : parseTime(record.created_at);
    // The archive refuses a tweet without a usable time.
    const tweet = Number.isNaN(createdAt) ? undefined : record;
    this.#terms.add(tweet);
    if (tweet !== undefined) this.#packed.write(pack(tweet));
    this.#ends.push(this.#packed.length);
    this.#ids.push(tweet?.id ?? '');
    this.#authors.push(tweet === undefined ? 0 : this.#authorNumber(tweet.author_id));
    this.#times.push(createdAt, tweet?.observed_at === undefined ? 0 : parseTime(tweet.observed_at) || 0);
    for (const name of counts) this.#counts.push(tweet?.[name] ?? Number.NaN);
    this.#others.push(tweet === undefined ? '' : othersOf(tweet));
  }

  #authorNumber(id: string): number {
    const { count } = this.#authorNumbers;
    const number = this.#authorNumbers.number(id);
    if (number === count) this.#newAuthors.push(id);
    return number;
  }

  /** Ends the batch. */
  take(): TweetBatch {
    const batch = {
      ...{ terms: this.#terms.take(), packed: this.#packed.take(), ends: Uint32Array.from(this.#ends) },
      ...{ ids: this.#ids, authors: Uint32Array.from(this.#authors) },
      ...{ firstAuthor: this.#authorNumbers.count - this.#newAuthors.length, newAuthors: this.#newAuthors },
      ...{ times: Float64Array.from(this.#times), counts: Float64Array.from(this.#counts), others: this.#others },
    };
    [this.#newAuthors, this.#ends, this.#ids, this.#authors] = [[], [], [], []];
    [this.#times, this.#counts, this.#others] = [[], [], []];
    if (this.#authorNumbers.count >= this.#maxAuthors) this.#authorNumbers = new StringNumbers();
    return batch;
  }
}

/** The members of the head of a tweet besides the ids of the tweet and the author. */
type OtherMembers = Omit<TweetHead, 'id' | 'author_id'>;

/** The other members of the head as JSON; an empty text if there are none. */
function othersOf(tweet: ArchivedTweet): string {
  const { uri, in_reply_to_id, in_reply_to_username, quoted_tweet_id, retweeted_tweet_id, community_id } = tweet;
  const { coordinates, entities, media } = tweet;
  const mentions = entities?.mentions ?? [];
  const ids = in_reply_to_id ?? in_reply_to_username ?? quoted_tweet_id ?? retweeted_tweet_id ?? community_id;
  if ((uri ?? ids ?? coordinates) === undefined && mentions.length === 0) return '';
  const others: OtherMembers = {
    ...{ uri, in_reply_to_id, in_reply_to_username, quoted_tweet_id, retweeted_tweet_id, community_id, coordinates },
    ...(mentions.length === 0 ? {} : { entities: { mentions } }),
    // Only a community distinguishes tweets with media.
    ...(community_id === undefined || media === undefined ? {} : { media: { length: media.length } }),
  };
  return JSON.stringify(others);
}

const noOthers: OtherMembers = {};

/** The head of a tweet. Of a fixed shape and without spreads, so that this code and the code that reads it stay fast. */
const headOf = (id: string, author_id: string, others: OtherMembers): TweetHead => ({
  id,
  author_id,
  uri: others.uri,
  in_reply_to_id: others.in_reply_to_id,
  in_reply_to_username: others.in_reply_to_username,
  quoted_tweet_id: others.quoted_tweet_id,
  retweeted_tweet_id: others.retweeted_tweet_id,
  community_id: others.community_id,
  coordinates: others.coordinates,
  entities: others.entities,
  media: others.media,
});

/** The tweet of one record of a batch. */
class TweetOfBatch implements PreparedTweet {
  readonly head: TweetHead;
  readonly author: AuthorMemo;
  readonly reading: PreparedReading;
  readonly packed: Buffer;
  readonly #batch: TweetBatch;
  readonly #record: number;

  constructor(
    batch: TweetBatch,
    packed: Buffer,
    record: number,
    parts: Pick<PreparedTweet, 'head' | 'author' | 'reading'>,
  ) {
    this.#batch = batch;
    this.packed = packed;
    this.#record = record;
    this.head = parts.head;
    this.author = parts.author;
    this.reading = parts.reading;
  }

  get createdAt(): number {
    return this.#batch.times[timesPerTweet * this.#record]!;
  }

  get observedAt(): number {
    return this.#batch.times[timesPerTweet * this.#record + 1]!;
  }

  count(place: number): number {
    return this.#batch.counts[counts.length * this.#record + place]!;
  }

  get packedStart(): number {
    return this.#record === 0 ? 0 : this.#batch.ends[this.#record - 1]!;
  }

  get packedEnd(): number {
    return this.#batch.ends[this.#record]!;
  }
}

/** Takes the batches of a thread in their order. */
export class PreparedTweets {
  readonly #readings = new PreparedReadings();
  /** By the number of the author. */
  #authors: AuthorMemo[] = [];

  /** The prepared tweet of each record of the batch; undefined for a record without one. */
  take(batch: TweetBatch): (PreparedTweet | undefined)[] {
    if (batch.firstAuthor === 0) this.#authors = [];
    for (const id of batch.newAuthors) this.#authors.push(new AuthorMemo(id));
    const packed = Buffer.from(batch.packed.buffer, batch.packed.byteOffset, batch.packed.byteLength);
    return this.#readings.take(batch.terms).map((reading, record) => {
      if (reading === undefined) return undefined;
      const others = batch.others[record]!;
      const members = others === '' ? noOthers : (JSON.parse(others) as OtherMembers);
      const author = this.#authors[batch.authors[record]!]!;
      const head = headOf(batch.ids[record]!, author.id, members);
      return new TweetOfBatch(batch, packed, record, { head, author, reading });
    });
  }
}
