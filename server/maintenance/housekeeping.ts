/**
 * The housekeeping of a running service: evicts the oldest tweets beyond the retention, and ends conversations about tweets
 * that are gone.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Retain } from '../config/retain.ts';
import type { ArchivedUser } from '../domain/records.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { DurableArchive } from '../platforms/archive/durable-archive.ts';
import { idsFound } from './erase/erasure.ts';

/** Whether an account came with a search or a whole network, so that nobody chose it. */
export type IsStranger = (user: ArchivedUser) => boolean;

export interface HousekeepingParts {
  readonly durable: Pick<DurableArchive, 'evict' | 'archive'>;
  readonly conversations: Pick<Conversations, 'endAbout'>;
  readonly retain: Retain;
  /** A query: matching tweets are never evicted. Empty: every tweet may be. */
  readonly keep: string;
  /** Undefined, or undefined as a result, where neither a search nor a whole network is followed. */
  readonly strangers?: () => IsStranger | undefined;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** Whether this process does the housekeeping; other processes may share the storage. */
  readonly mayRun?: () => boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The time between two passes, in milliseconds. */
const passMs = 60_000;
/**
 * The time between two evictions, in milliseconds: each one reads the time of every tweet. With a maximum number of tweets, an
 * eviction comes earlier when the archive has more than this share above it.
 */
const evictionMs = 3_600_000;
const maxExcess = 1 / 16;
/** The profile of a stranger stays so long after it was read, because a tweet may follow. */
const newProfileMs = 3_600_000;

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
    const { durable, conversations, logger, mayRun = () => true } = this.#parts;
    if (!mayRun()) return;
    try {
      if (this.#now() >= this.#evictAt || this.#isTooLarge) {
        const evicted = await this.evict();
        this.#evictAt = this.#now() + evictionMs;
        if (evicted > 0) logger.info({ tweets: evicted }, 'evicted the oldest tweets beyond RETAIN');
      }
      await conversations.endAbout((tweetId) => durable.archive.ordinal(tweetId) === undefined);
    } catch (error) {
      logger.error(error, 'the housekeeping failed; it is tried again');
    }
  }

  get #isTooLarge(): boolean {
    const { durable, retain } = this.#parts;
    return retain !== 'off' && 'tweets' in retain && durable.archive.size > retain.tweets * (1 + maxExcess);
  }

  /**
   * Removes the oldest tweets beyond the retention without a trace; and where strangers are followed, their profiles without
   * tweets, and the tombstones of tweets that the archive would not keep any longer. Returns the number of tweets.
   */
  async evict(): Promise<number> {
    const { durable, retain, strangers } = this.#parts;
    if (retain === 'off') return 0;
    const tweet_ids = this.#evictable(retain);
    await durable.evict({ tweet_ids });
    const isStranger = strangers?.();
    if (isStranger === undefined) return tweet_ids.length;
    await nextTurn();
    await durable.evict({ user_ids: this.#idleStrangers(isStranger) });
    await nextTurn();
    await durable.evict({ tombstone_ids: this.#oldTombstones() });
    return tweet_ids.length;
  }

  /** The strangers whose profile nothing in the archive needs. */
  #idleStrangers(isStranger: IsStranger): string[] {
    const { archive } = this.#parts.durable;
    const named = new Set<string>();
    for (const relations of [archive.follows, archive.retweeters, archive.memberships, archive.highlights])
      for (const [owner, relation] of relations) {
        named.add(owner);
        for (const { id } of relation.members()) named.add(id);
      }
    const isOld = ({ observed_at = '' }: ArchivedUser): boolean =>
      !(Date.parse(observed_at) > this.#now() - newProfileMs);
    return Array.from(archive.users.values())
      .filter((user) => archive.byAuthor.get(user.id) === undefined && !named.has(user.id))
      .filter((user) => isOld(user) && isStranger(user))
      .map(({ id }) => id);
  }

  /**
   * The tombstones of deletions on a live platform that are older than every post of its accounts: no post of that time stays.
   * Other tweets, as those of an imported archive, do not count: they may be years older. The tombstones of erased tweets stay,
   * so that no later record brings them back.
   */
  #oldTombstones(): string[] {
    const oldest = this.#oldestPost();
    return Array.from(this.#parts.durable.archive.tombstones())
      .filter(({ reason, uri, at }) => reason === 'deleted' && uri !== undefined && at > 0 && at < oldest)
      .map(({ id }) => id);
  }

  /** When the oldest tweet of an account with a DID was created, in milliseconds since the epoch; infinite without one. */
  #oldestPost(): number {
    const { archive } = this.#parts.durable;
    let oldest = Number.POSITIVE_INFINITY;
    for (const { id, did } of archive.users.values()) {
      if (did === undefined) continue;
      for (const ordinal of archive.byAuthor.get(id)?.sorted(archive.order) ?? [])
        if (!archive.isGone(ordinal)) oldest = Math.min(oldest, archive.createdAt(ordinal));
    }
    return oldest;
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
