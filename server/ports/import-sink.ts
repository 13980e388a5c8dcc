/** The port for imported records: the archive in this process, or the archive of a running server. */
import type { ArchiveRecord, ChangeOutcome } from '../domain/records.ts';
import type { AuthorMemo } from '../domain/author-memo.ts';
import type { TweetHead } from '../domain/tweet-head.ts';
import type { RecordBatch } from '../import/prepared-records.ts';
import type { PreparedReading } from '../search/inverted-index/term-batch.ts';
import type { EncodedRecord } from './storage.ts';

/** The progress of an import. */
export interface ImportProgress {
  /** Values of the input that are durable. */
  readonly values: number;
  /** Whether the input was read to its end. */
  readonly done: boolean;
}

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

/** A record that another thread has validated and encoded. */
export interface PreparedRecord extends EncodedRecord {
  readonly kind: ArchiveRecord['kind'];
  /** The record itself, which is parsed at the first use. */
  readonly record: ArchiveRecord;
  /** Undefined for other records, and for a tweet that the sink must read itself. */
  readonly tweet: PreparedTweet | undefined;
}

/** What the caller of a sink has computed of the records of a call, so that the sink need not, and what comes before the call. */
export interface CallContext {
  /** The JSON of each record. */
  readonly json?: readonly string[];
  /** The promise of the call before this one of the same import. If it rejects, this call does, and nothing of it is stored. */
  readonly after?: Promise<unknown> | undefined;
}

export interface ImportSink {
  /**
   * The number of values that a call should have at most, where more would delay other work of the sink: it applies the records
   * of a call without a break. Undefined: the caller decides.
   */
  readonly maxValues?: number;
  /** The number of calls of one import that may be in progress; 1 where it is undefined. */
  readonly maxCalls?: number;
  /** The progress of earlier imports of the input with this fingerprint; undefined for a new input. */
  resume(fingerprint: string): Promise<ImportProgress | undefined>;
  /**
   * Applies records, then progress. Resolves when both are durable. After a crash before that, the progress is present only if all
   * records are. Rejects a record whose id another tweet or account has, by `uri` or `did`; nothing of it is stored.
   */
  apply(
    fingerprint: string,
    progress: ImportProgress,
    records: ArchiveRecord[],
    context?: CallContext,
  ): Promise<ChangeOutcome[]>;
  /** As `apply`, where the sink uses what another thread has prepared. */
  applyPrepared?(
    fingerprint: string,
    progress: ImportProgress,
    records: readonly PreparedRecord[],
    after?: Promise<unknown>,
  ): Promise<ChangeOutcome[]>;
  /**
   * As `applyPrepared`, for a sink that passes the records on to another process: with the batch that the other thread made. The batches
   * of an input come in their order.
   */
  applyBatch?(
    fingerprint: string,
    progress: ImportProgress,
    batch: RecordBatch,
    after?: Promise<unknown>,
  ): Promise<ChangeOutcome[]>;
}
