/** The port of the housekeeping to the archive from which it evicts. */
import type { Retain } from '../../config/retain.ts';
import type { ArchivedUser } from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import type { Awaitable } from '../../ports/platform.ts';

/** What an eviction removes without a trace. */
export interface Evicted {
  readonly tweet_ids?: readonly string[];
  /** A profile stays where the user has tweets. */
  readonly user_ids?: readonly string[];
  readonly tombstone_ids?: readonly string[];
}

/** How long tweets stay. */
export interface Retention {
  readonly retain: Exclude<Retain, 'off'>;
  /** A query: matching tweets are never evicted. Empty: every tweet may be. */
  readonly keep: string;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** Every method can reject with StoreError. What a method yields may be evicted before its next step. */
export interface RetainedArchive {
  /** The number of tweets; it may be an estimate. */
  size(): Awaitable<number>;
  /** The ids of the tweets beyond the retention, oldest first. */
  evictable(retention: Retention): AsyncIterable<readonly string[]>;
  /** The users with a profile whom neither a tweet of theirs nor a relation needs. */
  idleUsers(): AsyncIterable<readonly ArchivedUser[]>;
  /** The tombstones of deletions on a live platform that are older than every post of its accounts. */
  oldTombstones(): AsyncIterable<readonly string[]>;
  /** Those of the tweets that the archive does not have. */
  missing(tweetIds: readonly string[]): Awaitable<ReadonlySet<string>>;
  /** Evicts step by step; durable when the promise resolves. */
  evict(evicted: Evicted): Promise<void>;
}

/**
 * Whether a tombstone is that of a deletion on a live platform before the oldest post of its accounts: no post of that time stays.
 * Other tweets, as those of an imported archive, do not count: they may be years older. The tombstones of erased tweets stay, so
 * that no later record brings them back.
 */
export const isOldDeletion = ({ reason, uri, at }: Pick<Tombstone, 'reason' | 'uri' | 'at'>, before: number): boolean =>
  reason === 'deleted' && uri !== undefined && at > 0 && at < before;
