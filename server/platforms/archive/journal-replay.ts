/**
 * The replay of a journal: passes its records on in order, those of a large journal together with their tweets, which another
 * thread has prepared. A start then takes less than half of the time.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PreparedTweet } from './prepared-tweets.ts';
import type { RecordPlace } from '../../ports/storage.ts';
import { ThreadResults } from '../../process/thread-results.ts';
import { messageOf } from '../../text/error-text.ts';
import { PreparedTweets } from './prepared-tweets.ts';
import type { PreparedPart, ReplayPart } from './replay-thread.ts';

/**
 * Applies a record. `json` and `place` are valid only during the call. `tweet`: the tweet of a record that describes it completely, if
 * it is prepared.
 */
type ApplyRecord = (json: Buffer, seq: number, place: RecordPlace, tweet?: PreparedTweet) => void;

/** A replay of fewer bytes takes little time, and the memory of a thread would be a large part of that of the process. */
const minThreadBytes = 32 * 1024 * 1024;
/** From how many bytes on a replay has a thread; none where it would only take time from this one. */
const defaultThreadBytes = availableParallelism() > 1 ? minThreadBytes : Number.POSITIVE_INFINITY;
/** The size of a part for the thread. */
const partBytes = 256 * 1024;
/** The maximum number of parts that the thread has while the journal is read. */
const maxAhead = 6;

/** How often a replay reports its progress, in milliseconds. */
const reportMs = 5_000;

/** How far a long replay has come: the records and the bytes that were read. */
export interface ReplayProgress {
  readonly records: number;
  readonly bytes: number;
}

export interface ReplayOptions {
  readonly threadBytes?: number;
  /** Called every few seconds during a long replay. */
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
}

/** The thread has failed: the replay has to begin again without one. */
export class ThreadFailure extends Error {
  override readonly name = 'ThreadFailure';
}

export class JournalReplay {
  readonly #apply: ApplyRecord;
  readonly #threadBytes: number;
  readonly #onProgress: ReplayOptions['onProgress'];
  #records = 0;
  #bytes = 0;
  #reportedAt = performance.now();
  #thread: PreparingThread | undefined;

  constructor(apply: ApplyRecord, { threadBytes = defaultThreadBytes, onProgress }: ReplayOptions = {}) {
    this.#apply = apply;
    this.#threadBytes = threadBytes;
    this.#onProgress = onProgress;
  }

  /** Takes the next record: applies it, or passes it to the thread. `json` and `place` are not used after the call. */
  add(json: Buffer, seq: number, place: RecordPlace): void {
    this.#records++;
    this.#bytes += json.length;
    if (this.#bytes <= this.#threadBytes) return this.#apply(json, seq, place);
    this.#thread ??= new PreparingThread();
    this.#thread.add(json, seq, place);
  }

  /** Applies the records that the thread has prepared, and waits until it has few others, or none. Rejects with what `apply` throws, and with ThreadFailure. */
  async settle(isLast: boolean): Promise<void> {
    await this.#thread?.settle(isLast ? 0 : maxAhead, this.#apply);
    if (isLast || performance.now() - this.#reportedAt < reportMs) return;
    this.#onProgress?.({ records: this.#records, bytes: this.#bytes });
    this.#reportedAt = performance.now();
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    await this.#thread?.end();
  }
}

/** The numbers and places of the records of a part. */
interface PartPlaces {
  readonly segment: string;
  readonly seqs: number[];
  readonly lines: number[];
  readonly offsets: number[];
}

const placesIn = (segment: string): PartPlaces => ({ segment, seqs: [], lines: [], offsets: [] });

/** A thread that prepares the tweets of records, a part after the other. */
class PreparingThread {
  readonly #worker = new Worker(new URL('replay-thread.ts', import.meta.url));
  readonly #tweets = new PreparedTweets();
  /** The part in progress. */
  #bytes = Buffer.alloc(0);
  #length = 0;
  #ends: number[] = [];
  #places = placesIn('');
  /** The parts that are not applied yet, and those of them that the thread has prepared. */
  readonly #sent: PartPlaces[] = [];
  readonly #prepared = new ThreadResults<PreparedPart>(this.#worker, 'prepares the replay');

  constructor() {
    this.#worker.on('message', (part: PreparedPart) => this.#prepared.add(part));
  }

  add(json: Buffer, seq: number, { segment, line, offset }: RecordPlace): void {
    const isFull = this.#length + json.length > this.#bytes.length || this.#places.segment !== segment;
    if (isFull && this.#length > 0) this.#send();
    if (this.#length === 0) {
      // New memory, although it could be used again: as garbage that V8 counts, it causes collections, which also free what growing tables leave.
      this.#bytes = Buffer.from(new ArrayBuffer(Math.max(partBytes, json.length)));
      this.#places = placesIn(segment);
    }
    this.#length += json.copy(this.#bytes, this.#length);
    this.#ends.push(this.#length);
    this.#places.seqs.push(seq);
    this.#places.lines.push(line);
    this.#places.offsets.push(offset);
  }

  #send(): void {
    const bytes = new Uint8Array(this.#bytes.buffer, 0, this.#length) as Uint8Array<ArrayBuffer>;
    this.#worker.postMessage({ bytes, ends: Uint32Array.from(this.#ends) } satisfies ReplayPart, [bytes.buffer]);
    this.#sent.push(this.#places);
    [this.#length, this.#ends] = [0, []];
  }

  /** Applies the parts that are prepared, and waits for others until the thread has at most `ahead` of them. */
  async settle(ahead: number, apply: ApplyRecord): Promise<void> {
    if (ahead === 0 && this.#length > 0) this.#send();
    for (;;) {
      const part = this.#sent.length > ahead ? await this.#next() : this.#prepared.take();
      if (part === undefined) return;
      this.#applyPart(part, this.#sent.shift()!, apply);
    }
  }

  async #next(): Promise<PreparedPart> {
    try {
      return await this.#prepared.next();
    } catch (error) {
      throw new ThreadFailure(messageOf(error), { cause: error });
    }
  }

  #applyPart(
    { bytes, ends, tweets }: PreparedPart,
    { segment, seqs, lines, offsets }: PartPlaces,
    apply: ApplyRecord,
  ): void {
    const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (const [index, tweet] of this.#tweets.take(tweets).entries()) {
      const place = { segment, line: lines[index]!, offset: offsets[index]! };
      apply(texts.subarray(start, ends[index]), seqs[index]!, place, tweet);
      start = ends[index]!;
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
