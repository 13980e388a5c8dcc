/** The archive as the housekeeping reads it, and evicts from it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Retain } from '../../config/retain.ts';
import type { ArchivedUser } from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import type { DurableArchive } from '../../platforms/archive/durable-archive.ts';
import type { TweetPlace } from '../../search/tweet-source.ts';
import type { Awaitable } from '../../ports/platform.ts';
import { idsFound } from '../erase/erasure.ts';

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

/** The number of tweets that one step of an eviction reads. */
const pageTweets = 1_000;

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

/** The archive in memory. */
export class RetainedDurableArchive implements RetainedArchive {
  readonly #durable: Pick<DurableArchive, 'evict' | 'archive'>;

  constructor(durable: Pick<DurableArchive, 'evict' | 'archive'>) {
    this.#durable = durable;
  }

  size(): number {
    return this.#durable.archive.size;
  }

  async *evictable({ retain, keep, now }: Retention): AsyncGenerator<readonly string[], void> {
    const { archive } = this.#durable;
    const excess = (): number => ('tweets' in retain ? archive.size - retain.tweets : Number.POSITIVE_INFINITY);
    const before = 'tweets' in retain ? Number.POSITIVE_INFINITY : now - retain.ageMs;
    let left = excess();
    if (left <= 0) return;
    const kept = new Set(keep === '' ? [] : idsFound(archive, keep));
    let last: TweetPlace | undefined;
    while (left > 0) {
      const ordinals = archive.index.oldest(last, pageTweets);
      const newest = ordinals.at(-1);
      if (newest === undefined) return;
      last = { createdAt: archive.createdAt(newest), id: archive.id(newest) };
      const ids = ordinals
        .filter((ordinal) => archive.createdAt(ordinal) < before)
        .map((ordinal) => String(archive.id(ordinal)))
        .filter((id) => !kept.has(id))
        .slice(0, left);
      if (ids.length > 0) yield ids;
      if (last.createdAt >= before) return;
      // An eviction also removes native retweets.
      left = Math.min(left - ids.length, excess());
      await nextTurn();
    }
  }

  async *idleUsers(): AsyncGenerator<readonly ArchivedUser[], void> {
    await nextTurn();
    const { archive } = this.#durable;
    const named = new Set<string>();
    for (const relations of [archive.follows, archive.retweeters, archive.memberships, archive.highlights])
      for (const [owner, relation] of relations) {
        named.add(owner);
        for (const { id } of relation.members()) named.add(id);
      }
    yield Array.from(archive.users.values()).filter(
      ({ id }) => archive.byAuthor.get(id) === undefined && !named.has(id),
    );
  }

  async *oldTombstones(): AsyncGenerator<readonly string[], void> {
    await nextTurn();
    const oldest = this.#oldestPost();
    yield Array.from(this.#durable.archive.tombstones())
      .filter((tombstone) => isOldDeletion(tombstone, oldest))
      .map(({ id }) => id);
  }

  /** When the oldest tweet of an account with a DID was created, in milliseconds since the epoch; infinite without one. */
  #oldestPost(): number {
    const { archive } = this.#durable;
    let oldest = Number.POSITIVE_INFINITY;
    for (const { id, did } of archive.users.values()) {
      if (did === undefined) continue;
      for (const ordinal of archive.byAuthor.get(id)?.sorted(archive.order) ?? [])
        if (!archive.isGone(ordinal)) oldest = Math.min(oldest, archive.createdAt(ordinal));
    }
    return oldest;
  }

  missing(tweetIds: readonly string[]): ReadonlySet<string> {
    return new Set(tweetIds.filter((id) => this.#durable.archive.ordinal(id) === undefined));
  }

  evict(evicted: Evicted): Promise<void> {
    return this.#durable.evict(evicted);
  }
}

/**
 * Whether a tombstone is that of a deletion on a live platform before the oldest post of its accounts: no post of that time stays.
 * Other tweets, as those of an imported archive, do not count: they may be years older. The tombstones of erased tweets stay, so
 * that no later record brings them back.
 */
export const isOldDeletion = ({ reason, uri, at }: Pick<Tombstone, 'reason' | 'uri' | 'at'>, before: number): boolean =>
  reason === 'deleted' && uri !== undefined && at > 0 && at < before;
