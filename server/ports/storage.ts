/** The port to durable storage: documents and journals. */
import type { SectionReader, Sections } from '../collections/saved-table.ts';
import type { TimeSlice } from '../process/time-slice.ts';

/** A file cannot be read or written. The message names the file and the remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
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

/** A record that another thread has encoded: a part of a memory that many records share. */
export interface EncodedRecord {
  /** The JSON text of the record in UTF-8, without a newline, is from `start` to `end`. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** The CRC-32 of these bytes. */
  readonly checksum: number;
}

export type JournalRecord = string | EncodedRecord;

/** The JSON text of a record. */
export const textOf = (record: JournalRecord): string =>
  typeof record === 'string' ? record : record.bytes.toString('utf8', record.start, record.end);

/** What a process does with the records of a journal, in their order. Its functions do not throw. */
export interface JournalFollower {
  /**
   * Applies records with consecutive numbers from `first`. `records` is the array that `append` got, or that a function
   * of `decide` returned, where this process wrote it.
   */
  apply(records: readonly string[], first: number): void;
  /**
   * As `apply`, in slices between which the thread does other work. The journal passes on nothing else until it resolves; it does not
   * reject. A journal may call it for the appends of this process; one with `appendEncoded` does.
   */
  applyInSlices?(records: readonly JournalRecord[], first: number, slice: TimeSlice): Promise<void>;
  /**
   * Another process rewrote the journal before this one had read all of it: the next records replace the whole state.
   */
  reset?(): void;
  /**
   * A purge, of this process or of another one, has removed records from a journal that several processes share: its positions before
   * that have ended.
   */
  purged?(): void;
}

/** The location of a record in the files of a journal. */
export interface RecordPlace {
  /** The name of the file in the journal's folder. */
  readonly segment: string;
  /** The line in it, from 1, and the byte at which that line begins. */
  readonly line: number;
  readonly offset: number;
}

/** A place between two records of a journal. */
export interface JournalPosition {
  /** The number of the record before it. */
  readonly seq: number;
  /** What identifies the records up to the position. Only the journal reads it. */
  readonly proof: string;
}

/** The positions of a journal whose replay can begin behind records that its reader has already. */
export interface JournalPositions {
  /**
   * Runs a task at the position behind the last record, which is undefined where there is none. The follower has applied all records up to
   * it, and gets none until the task ends. Call while the caller has no append in progress. Rejects with StoreError, and as the task does.
   */
  hold<Result>(task: (position: JournalPosition | undefined) => Promise<Result>): Promise<Result>;
  /**
   * Before `replay`: whether the journal contains the records up to the position, and no purge has removed one of them since. Rejects
   * with StoreError where that cannot be found out.
   */
  contains(position: JournalPosition): Promise<boolean>;
}

/** What a saved state is. */
export interface SavedAbout {
  /** Identifies the program that can read it. */
  readonly format: string;
  readonly position: JournalPosition;
  /** The approximate number of records that a replay of the state would need. */
  readonly records: number;
  /** Facts of the reader. */
  readonly facts: Readonly<Record<string, number>>;
}

/**
 * The state of the reader of a journal, as a copy that makes its start faster. It can be lost at any time; the journal is the only
 * truth.
 */
export interface SavedState {
  /**
   * Calls `load` with the saved state, if there is one. Returns `damaged` where it cannot be read whole, or where `load` rejects:
   * what `load` has read until then is useless.
   */
  read(load: (about: SavedAbout, reader: SectionReader) => Promise<void>): Promise<'read' | 'none' | 'damaged'>;
  /**
   * Replaces the saved state, while the process does other work between the sections. Ends without a change where `mayContinue`
   * returns false, and returns whether it was written. Rejects with StoreError.
   */
  write(about: SavedAbout, sections: Sections, mayContinue: () => boolean): Promise<boolean>;
  /** Removes it from the disk. Rejects with StoreError. */
  remove(): Promise<void>;
  /**
   * Replaces the saved state by the one that another process has shared. `requireUsable` rejects where this process cannot use it.
   * Returns whether there was one. Rejects as `requireUsable`, and with StoreError where it cannot be fetched whole.
   */
  readonly fetch?: (requireUsable: (about: SavedAbout) => Promise<void>) => Promise<boolean>;
}

/** What a purge did. */
export interface PurgeResult {
  /** The number of removed records. */
  readonly records: number;
  /** The number of rewritten files, and the bytes that they had more before. */
  readonly files: number;
  readonly bytes: number;
}

/** An append-only log of records, numbered 1, 2, 3 …; the number of a durable record is never reused. */
export interface Journal {
  /** The number of the first retained record, or of the next record when none is retained. */
  readonly firstSeq: number;
  /** The number of the last record appended, durable or not. */
  readonly lastSeq: number;
  /** The number of the last record that is known to be durable. */
  readonly durableSeq: number;
  /** Bytes on disk. */
  readonly bytes: number;
  /** Bytes appended that are not durable yet: memory that grows when a caller does not wait for its appends. */
  readonly pendingBytes: number;
  /** The incomplete, unacknowledged write that opening removed after a crash. */
  readonly recovered: { readonly file: string; readonly bytes: number } | undefined;
  /**
   * Why the journal cannot be written; undefined again after a write has succeeded. Each append and a timer (one
   * second) retry.
   */
  readonly failed: StoreError | undefined;
  /**
   * Reads the retained records that begin with a text, oldest first, before `replay`. Each of them is durable, and the replay
   * has it with the same number. Records of the last moments before a crash may be left out. A damaged file ends the scan;
   * the replay then reports the damage. `json` and `place` are valid only during the call. `after`: as for `replay`.
   */
  scan(
    start: string,
    read: (json: Buffer, seq: number, place: RecordPlace) => void,
    after?: JournalPosition,
  ): Promise<void>;
  /**
   * Reads all retained records, oldest first. `json` and `place` are valid only during the call. Call once, before
   * the first write; call again only after `apply` threw or `settle` rejected, which rejects the call. `after`: reads only the
   * records behind a position that `positions` contains. `settle`: the replay calls it after each part of some megabytes, and after
   * the last record, and waits for it.
   */
  replay(
    apply: (json: Buffer, seq: number, place: RecordPlace) => void,
    after?: JournalPosition,
    settle?: (isLast: boolean) => Promise<void>,
  ): Promise<void>;
  /** Positions at which a replay can begin; undefined where it always reads all records. */
  readonly positions?: JournalPositions | undefined;
  /**
   * Passes every durable record after the replayed ones to the follower, once, in order: those of this process and those
   * of all others. Call at most once, after `replay`.
   */
  follow(follower: JournalFollower): void;
  /**
   * Appends records, each one JSON text without a newline. Resolves with the number of the last record when all are
   * durable and the follower has applied them. In a store of one process, numbers are assigned at once, in the order of
   * the calls; during a rewrite, the records and their numbers wait for its end. Records that are queued while the disk is
   * busy share one write and one sync (group commit). Rejects with StoreError: rejected records are not in the journal, and
   * their numbers are assigned again. Exception: if the storage fails so that the outcome of the write is not known, the
   * records may be found later; they then come to the follower.
   */
  append(records: readonly string[]): Promise<number>;
  /** As `append`, where the journal takes encoded records as they are. The follower must have `applyInSlices`. */
  appendEncoded?(records: readonly JournalRecord[]): Promise<number>;
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
   * Removes the records for which `keep` is false from the disk, while appends go on. The numbers of the other records
   * stay; a replay leaves the removed ones out. `json` is valid only during the call. `keep` must give the same answer for
   * a record until the purge ends, or change from true to false. `settle` runs before a new file replaces the old one, and
   * a rejection ends the purge. After a crash, each file is the old or the new one. Rejects with StoreError; what was
   * rewritten until then stays.
   */
  purge(keep: (json: Buffer, seq: number) => boolean, settle?: () => Promise<void>): Promise<PurgeResult>;
  /**
   * Removes records up to this number. Some of them may stay, because only whole files are removed. Rejects with
   * StoreError.
   */
  trim(upTo: number): Promise<void>;
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
  /** Opens a journal. `segmentBytes`: the approximate file size, which limits the records that trimming leaves. */
  journal(name: string, options?: { readonly segmentBytes?: number }): Promise<Journal>;
  /** The saved state of the reader of a journal; undefined where the storage keeps none. */
  readonly saved?: ((journal: string) => SavedState) | undefined;
  /**
   * The data is a copy, and the original may have given numbers that this one would give again: ends that state, after the numbers have got
   * another epoch. Undefined where the data is no copy, and where the state has ended before.
   */
  readonly endCopy?: (() => Promise<void>) | undefined;
  /** Waits for pending appends and unlocks the data directory. */
  close(): Promise<void>;
}
