/** The port to durable storage: documents and journals. */

/** The kinds of reasons why something cannot be stored or read, as metrics name them. */
export type StorageFault = 'connection' | 'disk' | 'full' | 'lock' | 'other' | 'read_only' | 'timeout';

/** A file cannot be read or written. The message names the file and the remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  /** Whether the cause can pass by itself, such as the failover of a database: a later attempt may succeed. */
  get isPassing(): boolean {
    return false;
  }

  get storageFault(): StorageFault {
    return 'disk';
  }
}

/** A small JSON value that is stored whole, such as the API keys. */
export interface Document<Data extends object> {
  readonly data: Data;
  /**
   * Changes the value by a synchronous mutator. Resolves when the change is durable; `data` shows the change only
   * then. Rejects with StoreError when the write fails; the value is then unchanged. A mutator that throws must throw
   * before it changes anything. The mutator may run again, on a newer value that another process has written.
   */
  update(mutate: (data: Data) => void): Promise<void>;
  /**
   * Calls `listener` when another process has changed the value; `data` already shows it. Returns the function that
   * removes the listener.
   */
  onChange(listener: () => void): () => void;
  /** Why `data` may be outdated: there has been no contact with the storage for ten seconds. Otherwise undefined. */
  readonly stale: StoreError | undefined;
}

/** What a process does with the records of a journal, in their order. Its functions do not throw. */
export interface JournalFollower {
  /**
   * Applies records with consecutive numbers from `first`. `records` is the array that `append` got, or that a function
   * of `decide` returned, where this process wrote it.
   */
  apply(records: readonly string[], first: number): void;
  /**
   * Another process rewrote the journal before this one had read all of it: the next records replace the whole state.
   */
  reset?(): void;
}

export interface JournalRecord {
  readonly seq: number;
  readonly record: string;
}

/** An append-only log of records, numbered 1, 2, 3 …; the number of a durable record is never reused. */
export interface Journal {
  /** The number of the first retained record, or of the next record when none is retained. */
  readonly firstSeq: number;
  /** The number of the last record appended, durable or not. */
  readonly lastSeq: number;
  /** The number of the last record that is known to be durable. */
  readonly durableSeq: number;
  /** Bytes appended that are not durable yet: memory that grows when a caller does not wait for its appends. */
  readonly pendingBytes: number;
  /**
   * Why the journal cannot be written; undefined again after a write has succeeded. Each append and a timer (one
   * second) retry.
   */
  readonly failed: StoreError | undefined;
  /** Reads the retained records, or the last ones of them, oldest first. Call once, before the first write. */
  replay(apply: (json: Buffer, seq: number) => void, options?: { readonly last?: number }): Promise<void>;
  /** The durable records after a number, oldest first, at most `limit`. Rejects with StoreError. */
  read(after: number, limit: number): Promise<readonly JournalRecord[]>;
  /**
   * Passes every durable record after the replayed ones to the follower, once, in order: those of this process and those
   * of all others. Call at most once, after `replay`.
   */
  follow(follower: JournalFollower): void;
  /** The last number that a shared database has in common with what this process has read; undefined where this is unknown. Rejects with StoreError. */
  lastKept?(): Promise<number | undefined>;
  /**
   * Appends records, each one JSON text without a newline. Resolves with the number of the last record when all are
   * durable and the follower has applied them. In a store of one process, numbers are assigned at once, in the order of
   * the calls; during a rewrite, the records and their numbers wait for its end. Records that are queued while the disk is
   * busy share one write and one sync (group commit). Rejects with StoreError: rejected records are not in the journal, and
   * their numbers are assigned again. Exception: if the storage fails so that the outcome of the write is not known, the
   * records may be found later; they then come to the follower.
   */
  append(records: readonly string[]): Promise<number>;
  /**
   * Appends the records that `decide` returns. No record of another process comes between the state that `decide` sees and
   * these records: the follower has applied all records before. `decide` runs at once in a store of one process. It
   * may change the caller's state before it returns, so that the next decision sees it. Resolves and rejects as `append`
   * does, and with the error of `decide`. An empty list appends nothing.
   */
  decide(decide: () => readonly string[]): Promise<number>;
  /**
   * Replaces all records atomically: after a crash, either the old or the new records are present. The numbering
   * continues. `records` is called when no other record can come before the new ones, as `decide`; it returns the state at
   * that time. The follower does not get the new records. Rejects with StoreError; if the error occurs before the
   * switch, for example when `records` throws, the old records stay and the journal works on.
   */
  rewrite(records: () => Iterable<string> | AsyncIterable<string>): Promise<void>;
  /**
   * Removes records up to this number. Rejects with StoreError.
   */
  trim(upTo: number): Promise<void>;
  /** Reads at once what others have appended, up to a number that is in the log. Absent where nobody else appends. */
  wake?(known: number): void;
}

/**
 * Opens documents and journals, each name once. Opening throws StoreError for a damaged file instead of returning an
 * empty value.
 */
export interface Store {
  /** Whether several processes use the storage at the same time. */
  readonly shared: boolean;
  /** Whether the archive appends its events and its commits to journals of the store, in the transactions of its changes. */
  readonly hasArchive?: boolean;
  /**
   * The clock of all processes that share the storage, in milliseconds since the epoch. It does not go back while the
   * process runs.
   */
  readonly now: () => number;
  /** Opens a document. `initial` is its value when no file exists. */
  document<Data extends object>(name: string, initial: Data): Promise<Document<Data>>;
  /** Opens a journal. */
  journal(name: string): Promise<Journal>;
  /**
   * The data is a copy, and the original may have given numbers that this one would give again: ends that state, after the numbers have got
   * another epoch. Undefined where the data is no copy, and where the state has ended before.
   */
  readonly endCopy?: (() => Promise<void>) | undefined;
  /** Waits for pending appends and unlocks the data directory. */
  close(): Promise<void>;
}
