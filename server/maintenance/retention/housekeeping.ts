/**
 * The housekeeping of a running service: evicts the oldest tweets beyond the retention, and ends conversations that have used
 * tweets which are gone.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Retain } from '../../config/retain.ts';
import type { ArchivedUser } from '../../domain/records.ts';
import type { Conversations } from '../../ports/conversations.ts';
import { RepeatedTask } from '../../process/repeated-task.ts';
import type { RetainedArchive } from './retained-archive.ts';

/** Whether an account came with a search or a whole network, so that nobody chose it. */
export type IsUnfollowed = (user: ArchivedUser) => boolean;

export interface HousekeepingParts {
  readonly archive: RetainedArchive;
  readonly conversations: Pick<Conversations, 'usedTweets' | 'endUsing' | 'stop'>;
  readonly retain: Retain;
  /** A query: matching tweets are never evicted. Empty: every tweet may be. */
  readonly keep: string;
  /** Undefined, or undefined as a result, where neither a search nor a whole network is followed. */
  readonly unfollowed?: () => IsUnfollowed | undefined;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** Whether this process does the housekeeping; other processes may share the storage. */
  readonly mayRun?: () => boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The number of tweets that are looked up in one step. */
const pageTweets = 2_000;
/** The time between two passes, in milliseconds. */
const passMs = 60_000;
/**
 * The time between two evictions, in milliseconds. With a maximum number of tweets, an eviction comes earlier when the archive has
 * more than this share above it.
 */
const evictionMs = 3_600_000;
const maxExcess = 1 / 16;
/** The profile of an account that no target names stays so long after it was read, because a tweet may follow. */
const newProfileMs = 3_600_000;

export class Housekeeping {
  readonly #parts: HousekeepingParts;
  readonly #now: () => number;
  readonly #passes = new RepeatedTask(passMs, () => this.pass());
  #evictAt = 0;
  #isStopping = false;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  start(): void {
    this.#passes.start();
  }

  /** Ends the pass in progress after its current step, and the purges of the conversations. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#parts.conversations.stop();
    await this.#passes.stop();
  }

  /** One pass. Never rejects: the next pass tries again. */
  async pass(): Promise<void> {
    const { logger } = this.#parts;
    if (!this.#mayRun) return;
    try {
      if (this.#now() >= this.#evictAt || (await this.#isTooLarge())) {
        const evicted = await this.evict();
        this.#evictAt = this.#now() + evictionMs;
        if (evicted > 0) logger.info({ tweets: evicted }, 'evicted the oldest tweets beyond RETAIN');
      }
      await this.#endConversations();
    } catch (error) {
      logger.error(error, 'the housekeeping failed; it is tried again');
    }
  }

  get #mayRun(): boolean {
    const { mayRun = () => true } = this.#parts;
    return !this.#isStopping && mayRun();
  }

  async #isTooLarge(): Promise<boolean> {
    const { archive, retain } = this.#parts;
    return retain !== 'off' && 'tweets' in retain && (await archive.size()) > retain.tweets * (1 + maxExcess);
  }

  /** Ends the conversations that have used tweets which are gone. */
  async #endConversations(): Promise<void> {
    const { archive, conversations } = this.#parts;
    const ids = [...conversations.usedTweets()];
    for (let from = 0; from < ids.length && this.#mayRun; from += pageTweets) {
      const gone = await archive.missing(ids.slice(from, from + pageTweets));
      if (gone.size > 0) await conversations.endUsing({ tweetIds: gone, userIds: new Set() });
      await nextTurn();
    }
  }

  /**
   * Removes the oldest tweets beyond the retention without a trace; and where a search or a whole network is followed, profiles without
   * tweets, and the tombstones of tweets that the archive would not keep any longer. Returns the number of tweets.
   */
  async evict(): Promise<number> {
    const { archive, retain, keep, unfollowed } = this.#parts;
    if (retain === 'off') return 0;
    let tweets = 0;
    for await (const tweet_ids of archive.evictable({ retain, keep, now: this.#now() })) {
      await archive.evict({ tweet_ids });
      tweets += tweet_ids.length;
      if (!this.#mayRun) return tweets;
    }
    const isUnfollowed = unfollowed?.();
    if (isUnfollowed === undefined) return tweets;
    const isOld = ({ observed_at = '' }: ArchivedUser): boolean =>
      !(Date.parse(observed_at) > this.#now() - newProfileMs);
    for await (const users of archive.idleUsers()) {
      const idle = users.filter((user) => isOld(user) && isUnfollowed(user));
      await archive.evict({ user_ids: idle.map(({ id }) => id) });
      if (!this.#mayRun) return tweets;
    }
    for await (const tombstone_ids of archive.oldTombstones()) {
      await archive.evict({ tombstone_ids });
      if (!this.#mayRun) break;
    }
    return tweets;
  }
}
