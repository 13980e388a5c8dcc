/** The port to the records of a data source, for programs that derive new records from those that it has. */
import type { ArchivedTweet, ArchiveRecord } from '../domain/records.ts';
import type { Awaitable } from './platform.ts';

/** The number of entities by kind. */
export type EntityCounts = Readonly<Record<'tweet' | 'user' | 'community' | 'space', number>>;

export interface RecordSource {
  entityCounts(): Awaitable<EntityCounts>;
  /**
   * The records of everything that exists, in any order. Removals are left out. Reading them again starts at the first
   * one.
   */
  records(): Iterable<ArchiveRecord> | AsyncIterable<ArchiveRecord>;
  /** The current record of a tweet; undefined for an unknown tweet. */
  tweetRecord(id: string): Awaitable<ArchivedTweet | undefined>;
}
