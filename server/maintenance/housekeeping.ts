/**
 * The housekeeping of a running service: evicts the oldest tweets beyond the retention, and ends conversations about tweets
 * that are gone.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Retain } from '../config/retain.ts';
import type { ArchiveRecord } from '../domain/records.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { DurableArchive } from '../platforms/archive/durable-archive.ts';
import { idsFound } from './erase/erasure.ts';

export interface HousekeepingParts {
  readonly durable: Pick<DurableArchive, 'apply' | 'archive'>;
  readonly conversations: Pick<Conversations, 'endAbout'>;
  readonly retain: Retain;
  /** A query: matching tweets are never evicted. Empty: every tweet may be. */
  readonly keep: string;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The number of records in one durable step. */
const batchRecords = 500;
/** The time between two passes, in milliseconds. */
const passMs = 60_000;
/** The time between two evictions, in milliseconds: each one reads the time of every tweet. */
const evictionMs = 3_600_000;

export class Housekeeping {
  readonly #parts: HousekeepingParts;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #evictAt = 0;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  start(): void {
    const pass = (): void => {
      // A pass that takes longer than the interval delays the next one.
      this.#running = this.#running.then(() => this.pass());
    };
    this.#timer = setInterval(pass, passMs).unref();
    pass();
  }

  /** Waits for the pass in progress. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** One pass. Never rejects: the next pass tries again. */
  async pass(): Promise<void> {
    const { durable, conversations, logger } = this.#parts;
    try {
      if (this.#now() >= this.#evictAt) {
        const evicted = await this.evict();
        this.#evictAt = this.#now() + evictionMs;
        if (evicted > 0) logger.info({ tweets: evicted }, 'evicted the oldest tweets beyond RETAIN');
      }
      await conversations.endAbout((tweetId) => durable.archive.ordinal(tweetId) === undefined);
    } catch (error) {
      logger.error(error, 'the housekeeping failed; it is tried again');
    }
  }

  /** Removes the oldest tweets beyond the retention, without a tombstone. Returns their number. */
  async evict(): Promise<number> {
    const { durable, retain } = this.#parts;
    const ids = retain === 'off' ? [] : this.#evictable(retain);
    for (let first = 0; first < ids.length; first += batchRecords) {
      const removed = new Set<string>();
      for (const tweet_id of ids.slice(first, first + batchRecords))
        for (const change of durable.archive.changesFor({ kind: 'delete', tweet_id }))
          if (change.kind === 'delete') removed.add(change.tweet_id);
      await this.#apply('delete', removed);
      // Without a tombstone, a later import may bring it back.
      await this.#apply('restore', removed);
      await nextTurn();
    }
    return ids.length;
  }

  async #apply(kind: 'delete' | 'restore', ids: ReadonlySet<string>): Promise<void> {
    const records = Array.from(ids, (tweet_id): ArchiveRecord => ({ kind, tweet_id }));
    await this.#parts.durable.apply('retention', { values: 0, done: true }, records);
  }

  /** The ids of the tweets to evict, oldest first. */
  #evictable(retain: Exclude<Retain, 'off'>): string[] {
    const { durable, keep } = this.#parts;
    const { archive } = durable;
    if ('tweets' in retain && archive.size <= retain.tweets) return [];
    const kept = new Set(keep === '' ? [] : idsFound(archive, keep));
    const candidates = [...archive.ordinals()].filter((ordinal) => !kept.has(String(archive.id(ordinal))));
    const oldest =
      'tweets' in retain
        ? candidates.toSorted(archive.order).slice(0, archive.size - retain.tweets)
        : candidates.filter((ordinal) => archive.createdAt(ordinal) < this.#now() - retain.ageMs);
    return oldest.map((ordinal) => String(archive.id(ordinal)));
  }
}
