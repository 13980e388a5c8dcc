/** The port to what must survive a restart. */

/** A file that cannot be read or written as promised; the message names it and says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** A small value kept whole: keys, settings, catalogues. */
export interface Document<Data extends object> {
  readonly data: Data;
  /**
   * Changes the value by a synchronous mutator; resolves when the change is durable, and only then it is seen in `data`. Rejects with
   * StoreError when it cannot be written: the value is then as it was. The mutator throws, if at all, before it changes anything.
   */
  update(mutate: (data: Data) => void): Promise<void>;
}

/** Where a journal holds a record on disk. */
export interface RecordPlace {
  /** The name of the file in the journal's folder. */
  readonly segment: string;
  /** The line in it, from 1, and the byte at which that line begins. */
  readonly line: number;
  readonly offset: number;
}

/** An append-only sequence of records, numbered 1, 2, 3 …; the number of a durable one is never used twice. */
export interface Journal {
  /** The number of the first record kept; of the next one where none is. */
  readonly firstSeq: number;
  /** The number of the last record appended, durable or not. */
  readonly lastSeq: number;
  /** The number of the last record that is known to be durable. */
  readonly durableSeq: number;
  /** Bytes on disk. */
  readonly bytes: number;
  /** Bytes appended that are not durable yet: memory that grows when a caller does not wait for its appends. */
  readonly pendingBytes: number;
  /** What opening cut off: an unacknowledged write that a crash left half done. */
  readonly recovered: { readonly file: string; readonly bytes: number } | undefined;
  /** Why nothing can be written now; undefined again once the disk takes writes, which is tried with each append and every second. */
  readonly failed: StoreError | undefined;
  /**
   * Reads all records kept, oldest first; `json` and `place` are valid only during the call. Once, before anything is written; again only
   * where `apply` threw, which rejects the call.
   */
  replay(apply: (json: Buffer, seq: number, place: RecordPlace) => void): Promise<void>;
  /**
   * Appends records, each one JSON text without a newline; resolves with the number of the last when all are durable. Numbers are
   * given at once, in order of the calls; only while a rewrite is under way they wait for its end, as the records do. What is queued
   * while the disk is busy goes out together, as one write and one sync. Rejects with StoreError: what is refused is not there, and
   * its numbers are given again, but where the disk fails even to cut it off, and the process ends, the next one may find it.
   */
  append(records: readonly string[]): Promise<number>;
  /**
   * Replaces all records by these, atomically: after a crash either the old or the new are there. Numbers go on. Rejects with
   * StoreError; where that happens before the switch, as when `records` throws, the old ones stay and the journal goes on.
   */
  rewrite(records: Iterable<string> | AsyncIterable<string>): Promise<void>;
  /** Lets go of records up to this number; some of them may stay, because whole files are removed. Rejects with StoreError. */
  trim(upTo: number): Promise<void>;
}

/** Each name is opened once. Opening throws StoreError where a file is damaged: it is never an empty value in silence. */
export interface Store {
  /** `initial` is the value where there is none on disk. */
  document<Data extends object>(name: string, initial: Data): Promise<Document<Data>>;
  /** `segmentBytes`: about how large the files are, which bounds what trimming leaves. */
  journal(name: string, options?: { readonly segmentBytes?: number }): Promise<Journal>;
  /** Waits for what was appended and lets the data directory go. */
  close(): Promise<void>;
}
