/** What must not be in the archive: the tombstones of removed tweets, and the withdrawn accounts. */
import { LargeMap } from '../../collections/large-map.ts';
import type { RemovalReason, Tombstone } from '../../domain/tombstone.ts';

/** Reasons in order of strength: a stronger one replaces a weaker one. */
const strength: Record<RemovalReason, number> = { retweet: 0, account: 1, withheld: 2, deleted: 2 };

export class Removals {
  readonly #tombstones = new LargeMap<string, Tombstone>();
  /** The time of the withdrawal by user id, in milliseconds since the epoch. */
  readonly #withdrawn = new LargeMap<string, number>();

  tombstone(tweetId: string): Tombstone | undefined {
    return this.#tombstones.get(tweetId);
  }

  tombstones(): Iterable<Tombstone> {
    return this.#tombstones.values();
  }

  withdrawals(): Iterable<[userId: string, at: number]> {
    return this.#withdrawn.entries();
  }

  /** The number of tombstones and withdrawn accounts. */
  get size(): { readonly tombstones: number; readonly withdrawn: number } {
    return { tombstones: this.#tombstones.size, withdrawn: this.#withdrawn.size };
  }

  isWithdrawn(userId: string): boolean {
    return this.#withdrawn.size > 0 && this.#withdrawn.has(userId);
  }

  /** Whether a tweet must not come back. */
  isBlocked(tweetId: string): boolean {
    const tombstone = this.#tombstones.get(tweetId);
    if (tombstone === undefined) return false;
    const { reason, tweet } = tombstone;
    if (reason === 'account') return tweet === undefined || this.isWithdrawn(tweet.author_id);
    if (reason === 'retweet') {
      const retweeted = tweet?.retweeted_tweet_id;
      return retweeted !== undefined && retweeted !== tweetId && this.isBlocked(retweeted);
    }
    return true;
  }

  /** Whether a tombstone would change what is recorded. */
  wouldBury({ id, reason, tweet }: Tombstone): boolean {
    const existing = this.#tombstones.get(id);
    if (existing === undefined) return true;
    return strength[reason] > strength[existing.reason] || (existing.tweet === undefined && tweet !== undefined);
  }

  /** Records a tombstone. Keeps the stronger reason, and what is known of the tweet. */
  bury(tombstone: Tombstone): void {
    const existing = this.#tombstones.get(tombstone.id);
    if (existing === undefined) return void this.#tombstones.set(tombstone.id, tombstone);
    const { id, reason, at } = strength[tombstone.reason] > strength[existing.reason] ? tombstone : existing;
    const tweet = existing.tweet ?? tombstone.tweet;
    this.#tombstones.set(id, { id, reason, at, ...(tweet === undefined ? {} : { tweet }) });
  }

  /** Permits a tweet again. */
  unbury(tweetId: string): void {
    this.#tombstones.delete(tweetId);
  }

  withdraw(userId: string, at: number): void {
    this.#withdrawn.set(userId, at);
  }

  reinstate(userId: string): void {
    this.#withdrawn.delete(userId);
  }
}
