/** What must not be in the archive: the tombstones of removed tweets, and the withdrawn accounts. */
import type { RemovalReason, Tombstone } from '../../domain/tombstone.ts';
import type { Change } from './change.ts';
import { GeoScrubs } from './geo-scrubs.ts';

/** Reasons in order of strength: a stronger one replaces a weaker one. */
const strength: Record<RemovalReason, number> = { retweet: 0, account: 1, withheld: 2, deleted: 2, erased: 3 };

export class Removals {
  readonly #tombstones = new Map<string, Tombstone>();
  /** The native retweets whose tombstones have the reason `retweet`, by the retweeted tweet. */
  readonly #retweets = new Map<string, Set<string>>();
  /** The time of the withdrawal by user id, in milliseconds since the epoch. */
  readonly #withdrawn = new Map<string, number>();
  /** The removed lists of withdrawn accounts: the id of the owner by list id. */
  readonly #removedLists = new Map<string, string>();
  /** The tweets whose places must not be there. */
  readonly scrubs = new GeoScrubs();

  tombstone(tweetId: string): Tombstone | undefined {
    return this.#tombstones.get(tweetId);
  }

  tombstones(): Iterable<Tombstone> {
    return this.#tombstones.values();
  }

  /** The withdrawn accounts, with the ids of their removed lists. */
  *withdrawals(): Iterable<[userId: string, at: number, listIds: readonly string[]]> {
    const lists = new Map<string, string[]>();
    for (const [listId, ownerId] of this.#removedLists) {
      const ids = lists.get(ownerId);
      if (ids === undefined) lists.set(ownerId, [listId]);
      else ids.push(listId);
    }
    for (const [userId, at] of this.#withdrawn) yield [userId, at, lists.get(userId) ?? []];
  }

  isWithdrawn(userId: string): boolean {
    return this.#withdrawn.has(userId);
  }

  /** Whether a tweet must not come back. */
  isBlocked(tweetId: string): boolean {
    const reason = this.#tombstones.get(tweetId)?.reason;
    if (reason === undefined) return false;
    if (reason !== 'account' && reason !== 'retweet') return true;
    let tombstone = this.#tombstones.get(tweetId);
    // A native retweet that was removed with its tweet must not come back while that tweet must not. An archive can contain
    // cycles of retweets.
    for (const seen = new Set<string>(); tombstone?.reason === 'retweet';) {
      const retweeted = tombstone.tweet?.retweeted_tweet_id;
      if (retweeted === undefined || seen.has(retweeted)) return false;
      seen.add(retweeted);
      tombstone = this.#tombstones.get(retweeted);
    }
    if (tombstone?.reason !== 'account') return tombstone !== undefined;
    return tombstone.tweet === undefined || this.isWithdrawn(tombstone.tweet.author_id);
  }

  /** The native retweets of a tweet that were removed with it and are not there again. */
  removedRetweetsOf(tweetId: string): string[] {
    return [...(this.#retweets.get(tweetId) ?? [])];
  }

  /** Whether a change is about a removed tweet or a withdrawn account: the archive ignores it. */
  blocks(change: Change): boolean {
    switch (change.kind) {
      case 'tweet': {
        const { id, author_id, retweeted_tweet_id: retweeted } = change.tweet;
        return (
          this.isWithdrawn(author_id) || this.isBlocked(id) || (retweeted !== undefined && this.isBlocked(retweeted))
        );
      }
      case 'user':
        return this.isWithdrawn(change.user.id);
      case 'follow':
      case 'unfollow':
        return this.isWithdrawn(change.follower_id) || this.isWithdrawn(change.following_id);
      case 'retweet':
      case 'unretweet':
        return this.isWithdrawn(change.user_id) || this.isBlocked(change.tweet_id);
      case 'highlight':
      case 'membership':
        return this.isWithdrawn(change.user_id);
      case 'list_member':
        return this.isWithdrawn(change.user_id) || this.isListRemoved(change.list_id);
      case 'like':
      case 'unlike':
        return this.isBlocked(change.tweet_id);
      case 'space':
        return this.isWithdrawn(change.space.host_id);
      case 'list':
        return this.isWithdrawn(change.list.owner_id);
      default:
        return false;
    }
  }

  /** Whether a tombstone would change what is recorded. */
  wouldBury({ id, reason, uri, tweet }: Tombstone): boolean {
    const existing = this.#tombstones.get(id);
    if (existing === undefined) return true;
    return (
      strength[reason] > strength[existing.reason] ||
      (existing.tweet === undefined && tweet !== undefined) ||
      (existing.uri === undefined && uri !== undefined)
    );
  }

  /** Records a tombstone. Keeps the stronger reason, and what is known of the tweet. */
  bury(tombstone: Tombstone): void {
    const existing = this.#tombstones.get(tombstone.id);
    if (existing === undefined) return this.#set(tombstone);
    const { id, reason, at } = strength[tombstone.reason] > strength[existing.reason] ? tombstone : existing;
    const tweet = existing.tweet ?? tombstone.tweet;
    const uri = existing.uri ?? tombstone.uri;
    this.unbury(id);
    this.#set({
      id,
      reason,
      at,
      ...(uri === undefined ? {} : { uri }),
      ...(tweet === undefined ? {} : { tweet }),
    });
  }

  #set(tombstone: Tombstone): void {
    const { id, reason, tweet } = tombstone;
    this.#tombstones.set(id, tombstone);
    if (reason !== 'retweet' || tweet?.retweeted_tweet_id === undefined) return;
    const retweets = this.#retweets.get(tweet.retweeted_tweet_id);
    if (retweets === undefined) this.#retweets.set(tweet.retweeted_tweet_id, new Set([id]));
    else retweets.add(id);
  }

  /** Permits a tweet again. */
  unbury(tweetId: string): void {
    const retweeted = this.#tombstones.get(tweetId)?.tweet?.retweeted_tweet_id;
    this.#tombstones.delete(tweetId);
    if (retweeted !== undefined) this.#retweets.get(retweeted)?.delete(tweetId);
  }

  /** Whether members of a list must not come back, because the account that owns it is withdrawn. */
  isListRemoved(listId: string): boolean {
    return this.#removedLists.has(listId);
  }

  /** Withdraws an account. A repeated withdrawal adds to its removed lists and keeps the first time. */
  withdraw(userId: string, at: number, listIds: Iterable<string>): void {
    if (!this.#withdrawn.has(userId)) this.#withdrawn.set(userId, at);
    for (const id of listIds) this.#removedLists.set(id, userId);
  }

  reinstate(userId: string): void {
    this.#withdrawn.delete(userId);
    for (const [listId, ownerId] of [...this.#removedLists]) if (ownerId === userId) this.#removedLists.delete(listId);
  }
}
