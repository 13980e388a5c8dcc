/** The port to the tables of an archive. Each database engine has its own implementation. */
import type { Row, RunSql } from '../sql.ts';
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import type { DocumentContext } from '../../search/document.ts';

export interface ArchiveDatabase {
  /**
   * Runs a task in one transaction. Rejects with StoreError, after which nothing of it is stored, and as the task does. Where the outcome of
   * a commit is not known, the error has `isUnknown`.
   */
  transaction<Result>(task: (transaction: ArchiveTransaction) => Promise<Result>): Promise<Result>;
}

export interface ArchiveTransaction {
  readonly run: RunSql;
  /** Makes the transaction the only one that writes until its end. Returns the number of the last commit. */
  lock(): Promise<number>;
  /** The record that a batch has appended to a log behind a number. */
  findBatch(
    log: string,
    known: number,
    batch: string,
  ): Promise<{ readonly seq: number; readonly record: string | null } | undefined>;
  /** Appends records to a log, and returns the number of the last one. */
  append(log: string, batch: string, records: readonly string[]): Promise<number>;
  /** Removes records of a log up to a number, at most `most` of them. */
  trim(log: string, upTo: number, most: number): Promise<void>;
  /** The rows that searches read. `commit`: the number of the transaction. */
  searchRows(commit: number): SearchRows;
}

/** A tweet of which the counts may have changed; `before`: undefined for one that the tables do not have. */
export interface CountedTweet {
  readonly before: ArchivedTweet | undefined;
  readonly after: ArchivedTweet;
}

/** Writes the rows by which an engine finds tweets and users. */
export interface SearchRows {
  /** Inserts tweets that the tables do not have, without their counts. */
  insert(tweets: readonly ArchivedTweet[], context: DocumentContext): Promise<void>;
  /** Writes the content of tweets that the tables have. */
  replace(tweets: readonly ArchivedTweet[], context: DocumentContext): Promise<void>;
  /**
   * Writes the counts of tweets that the tables have. `content`: the tweets of `insert` and `replace`, whose words know the counts
   * already. Returns the ids of the tweets that `replace` must write, because their words depend on the counts.
   */
  writeCounts(tweets: readonly CountedTweet[], content: ReadonlySet<string>): Promise<readonly string[]>;
  /** Removes tweets and their counts. */
  remove(tweetIds: readonly string[]): Promise<void>;
  /** Writes users; `row`: the columns of `person` that all engines have. */
  writeUsers(users: readonly { readonly user: ArchivedUser; readonly row: Row }[]): Promise<void>;
  /** Removes users by their ids in the stored form. */
  removeUsers(storedIds: readonly string[]): Promise<void>;
}
