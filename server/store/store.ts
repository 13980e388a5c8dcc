/** The port to what must survive a restart. */

/** A file that cannot be read or written as promised; the message names it and says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** A small value kept whole: keys, settings, catalogues. */
export interface Document<Data extends object> {
  readonly data: Data;
  /** Changes the value at once, by a synchronous mutator; resolves when the change is durable. */
  update(mutate: (data: Data) => void): Promise<void>;
}

/** An append-only sequence of records, numbered 1, 2, 3 …; a number is never used twice. */
export interface Journal {
  /** The number of the last record appended, durable or not. */
  readonly lastSeq: number;
  /** Bytes on disk. */
  readonly bytes: number;
  /** What opening cut off: an unacknowledged write that a crash left half done. */
  readonly recovered: { readonly file: string; readonly bytes: number } | undefined;
  /** Reads all records kept, oldest first; `json` is valid only during the call. Before the first append. */
  replay(apply: (json: Buffer, seq: number) => void): Promise<void>;
  /**
   * Appends records, each one JSON text without a newline. Their numbers are given at once, in order of the calls; resolves when
   * they are durable. What is queued while the disk is busy goes out together, as one write and one sync.
   */
  append(records: readonly string[]): Promise<void>;
  /** Replaces all records by these, atomically: after a crash either the old or the new are there. Numbers go on. */
  rewrite(records: Iterable<string>): Promise<void>;
}

export interface Store {
  document<Data extends object>(name: string, initial: Data): Promise<Document<Data>>;
  journal(name: string): Promise<Journal>;
  /** Waits for what was appended and lets the data directory go. */
  close(): Promise<void>;
}
