/** The port to what writes to a SQLite file: in this thread for a command, in a thread of its own for a service. */
import type { ArchiveWriter, Progress, Written } from '../../archive/writes/sql-archive.ts';
import type { Change } from '../../archive/rules/change.ts';
import type { StoreError } from '../../ports/storage.ts';
import type { Appended } from './sqlite-writer.ts';

/** Records to append to a log together. `batch`: a text that no other append has. */
export interface Batch {
  readonly batch: string;
  readonly records: readonly string[];
}

export interface UpkeepOptions {
  /** The maximum time between a removal and the end of its text in the file, in milliseconds. */
  readonly withinMs: number;
  /** Whether the table of the tweets with the most engagement is built: a long import by a command would only build it anew. */
  readonly buildsTop: boolean;
}

/** All functions reject with StoreError where the file cannot be written; then nothing of the call is stored. */
export interface FileWriter {
  /** Why the file cannot be written now; an attempt each second can end that. */
  readonly failed: StoreError | undefined;
  /** Applies changes to the archive in one transaction; those of a large import in several, of which the last one has its progress. */
  apply(changes: readonly Change[], progress?: Progress): Promise<Written>;
  /** See ArchiveWriter. */
  readonly applyJson?: ArchiveWriter['applyJson'];
  /** Appends records to a log in one transaction. */
  append(log: string, batches: readonly Batch[]): Promise<void>;
  /** Replaces the records of a log; the old ones leave the files of the disk, or do so at the next purge where a reader holds them back. */
  rewrite(log: string, records: readonly string[]): Promise<void>;
  /** Removes the records of a log up to a number. */
  trim(log: string, upTo: number): Promise<void>;
  /** Removes a row of the table `meta`. */
  forget(name: string): Promise<void>;
  /** Removes the words of deleted tweets from the file. */
  purge(): Promise<void>;
  /** Calls `follower` after each transaction that has appended records to a log, before the calls of the transaction resolve. */
  follow(log: string, follower: (appended: Appended) => void): void;
  /** Begins and ends the work that is done from time to time. `onFailed`: gets the first of several failures in sequence. */
  startUpkeep(options: UpkeepOptions, onFailed: (error: unknown) => void): void;
  stopUpkeep(): void;
  /** Waits for all calls and closes the file. */
  close(): Promise<void>;
}
