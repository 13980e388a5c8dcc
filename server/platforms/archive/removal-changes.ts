/** How removals change the tables of an archive: deletions of tweets, ends of relations, withdrawals of accounts. */
import type { Relation } from '../../collections/relation.ts';
import type { ArchivedSpace, ArchiveSchemas, ChangeOutcome } from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import type { Lists } from '../../search/lists.ts';
import type { IndexWriter } from '../../search/tweet-index.ts';
import { time, type Change, type ChangeNumbers } from './change.ts';
import type { EntityTable } from './entity-table.ts';
import { hasLocation, type ScrubGeoRecord } from './geo-scrubs.ts';
import type { Likes } from './likes.ts';
import type { ListsByKey } from './lists-by-key.ts';
import type { Memberships } from './memberships.ts';
import type { Removals } from './removals.ts';
import { deleteChange, withdrawChanges } from './snapshot.ts';
import type { TweetChanges } from './tweet-changes.ts';
import type { UserDirectory } from './user-directory.ts';

/** A change that removes something, or that permits it again. */
export type Removal = Extract<
  Change,
  {
    kind: 'unlike' | 'unfollow' | 'unretweet' | 'delete' | 'restore' | 'withdraw' | 'reinstate' | 'evict' | 'scrub_geo';
  }
>;

/** The tables that a removal changes. */
interface RemovalTables {
  readonly tweetChanges: TweetChanges;
  readonly index: Pick<IndexWriter, 'retweetsOf'>;
  readonly users: UserDirectory;
  readonly removals: Removals;
  readonly likes: Likes;
  readonly follows: ListsByKey<Relation>;
  readonly highlights: ListsByKey<Relation>;
  readonly memberships: Memberships;
  readonly spaces: EntityTable<ArchivedSpace>;
  readonly lists: Lists;
}

export class RemovalChanges {
  readonly #tables: RemovalTables;
  /** Whether an account was reinstated, so that an entity can be added twice. */
  hasReinstated = false;

  constructor(tables: RemovalTables) {
    this.#tables = tables;
  }

  /**
   * The changes that make a removal durable: the tombstones of all tweets that it removes, and the removal itself. The archive may change
   * between two of them.
   */
  *changesFor(record: Removal): Generator<Change, void> {
    switch (record.kind) {
      case 'delete':
        return yield* this.#tables.tweetChanges.tombstonesOf(tombstoneOf(record)).map(deleteChange);
      case 'withdraw':
        for (const tombstone of this.#tombstonesOfUser(record.user_id, time(record.at))) yield deleteChange(tombstone);
        return yield* withdrawChanges(record, this.#listsToRemove(record));
      case 'unretweet':
        yield* this.#tombstonesOfRetweets(record).map(deleteChange);
        return yield record;
      case 'scrub_geo':
        for (const ordinal of this.#tweetsToScrub(record)) yield this.#tables.tweetChanges.scrubbedRecord(ordinal);
        return yield record;
      default:
        yield record;
    }
  }

  /** Whether a removal would change anything. */
  wouldChange(change: Removal): boolean {
    const { tweetChanges, users, removals } = this.#tables;
    switch (change.kind) {
      case 'evict':
        return (
          change.tweet_ids.some((id) => tweetChanges.tweets.ordinal(id) !== undefined) ||
          change.user_ids.some((id) => users.profiles.has(id)) ||
          change.tombstone_ids.some((id) => removals.tombstone(id) !== undefined)
        );
      case 'unlike':
        return this.#tables.likes.wouldRemove(change.tweet_id, time(change.at));
      case 'unfollow':
        return this.#tables.follows.get(change.follower_id)?.wouldRemove(change.following_id, time(change.at)) ?? true;
      case 'unretweet':
        return (
          this.#tables.tweetChanges.retweeters.get(change.tweet_id)?.wouldRemove(change.user_id, time(change.at)) ??
          true
        );
      case 'delete':
        return (
          this.#tables.tweetChanges.tweets.ordinal(change.tweet_id) !== undefined ||
          this.#tables.removals.wouldBury(tombstoneOf(change))
        );
      case 'restore':
        return this.#tables.removals.tombstone(change.tweet_id) !== undefined;
      case 'withdraw':
        return (
          !this.#tables.removals.isWithdrawn(change.user_id) ||
          this.#listsToRemove(change).some((id) => !this.#tables.removals.isListRemoved(id))
        );
      case 'reinstate':
        return this.#tables.removals.isWithdrawn(change.user_id);
      case 'scrub_geo':
        return this.#tables.removals.scrubs.wouldAdd(change);
    }
  }

  /** Applies a removal. `snapshot`: it is part of a snapshot. */
  apply(change: Removal, numbers: ChangeNumbers): ChangeOutcome {
    const { snapshot } = numbers;
    switch (change.kind) {
      case 'unlike':
        return this.#applyUnlike(change.tweet_id, time(change.at), numbers);
      case 'unfollow':
        return this.#unrelate(
          this.#tables.follows.getOrCreate(change.follower_id),
          change.following_id,
          time(change.at),
        );
      case 'unretweet': {
        const tombstones = this.#tombstonesOfRetweets(change);
        for (const tombstone of tombstones) this.#tables.tweetChanges.remove(tombstone);
        const retweeters = this.#tables.tweetChanges.retweeters.getOrCreate(change.tweet_id);
        const outcome = this.#unrelate(retweeters, change.user_id, time(change.at));
        // The removal of a native retweet removes its author from the retweeters too.
        return tombstones.length > 0 ? 'updated' : outcome;
      }
      case 'delete':
        return this.#tables.tweetChanges.remove(tombstoneOf(change), snapshot);
      case 'restore':
        return this.#tables.tweetChanges.restore(change.tweet_id);
      case 'withdraw':
        return this.#applyWithdrawal(change);
      case 'reinstate':
        return this.#applyReinstatement(change.user_id);
      case 'evict':
        return this.#applyEviction(change);
      case 'scrub_geo':
        return this.#applyScrub(change, numbers);
    }
  }

  /** Records what must not be in the archive, and removes nothing. */
  restore(change: Change): void {
    const { removals } = this.#tables;
    if (change.kind === 'delete') removals.bury(tombstoneOf(change));
    if (change.kind === 'withdraw') removals.withdraw(change.user_id, time(change.at), change.list_ids ?? []);
    if (change.kind === 'scrub_geo') removals.scrubs.add(change);
  }

  #applyEviction(change: Extract<Removal, { kind: 'evict' }>): ChangeOutcome {
    const { tweetChanges, users, removals } = this.#tables;
    if (!this.wouldChange(change)) return 'unchanged';
    for (const id of change.tweet_ids) tweetChanges.evict(id);
    for (const id of change.tombstone_ids) tweetChanges.restore(id);
    for (const id of change.user_ids) {
      if (removals.isWithdrawn(id) || tweetChanges.timelines.byAuthor.get(id) !== undefined) continue;
      users.evict(id);
    }
    return 'updated';
  }

  #unrelate(relation: Relation, userId: string, at: number): ChangeOutcome {
    const { outcome, wasRemoved } = relation.remove(userId, at);
    if (wasRemoved) this.#tables.users.removeReference(userId);
    return outcome;
  }

  #applyUnlike(tweetId: string, at: number, { revision, seq }: ChangeNumbers): ChangeOutcome {
    const outcome = this.#tables.likes.remove(tweetId, at, seq);
    if (outcome === 'updated') this.#tables.tweetChanges.unlike(tweetId, at, revision);
    return outcome;
  }

  #applyScrub(change: ScrubGeoRecord, { revision }: ChangeNumbers): ChangeOutcome {
    const { tweetChanges, removals } = this.#tables;
    if (!this.wouldChange(change)) return 'unchanged';
    let isNew = removals.scrubs.add(change);
    for (const ordinal of this.#tweetsToScrub(change)) {
      tweetChanges.scrub(ordinal, revision);
      isNew = false;
    }
    return isNew ? 'added' : 'updated';
  }

  /** The tweets with a location that a record concerns. */
  *#tweetsToScrub({ tweet_id: last, user_id: userId }: ScrubGeoRecord): Generator<number, void> {
    const { tweets } = this.#tables.tweetChanges;
    const only = userId === undefined ? tweets.ordinal(last) : undefined;
    if (only !== undefined && hasLocation(tweets.tweet(only))) yield only;
    if (userId === undefined) return;
    for (const ordinal of this.#tweetsOfUser(userId))
      if (tweets.id(ordinal) <= BigInt(last) && hasLocation(tweets.tweet(ordinal))) yield ordinal;
  }

  /** The tombstones of the tweets of a user, oldest tweet first. A tweet that goes between two steps has none. */
  *#tombstonesOfUser(userId: string, at: number): Generator<Tombstone, void> {
    const { tweetChanges } = this.#tables;
    for (const ordinal of this.#tweetsOfUser(userId))
      yield* tweetChanges.tombstonesOf({ id: tweetChanges.tweets.tweet(ordinal).id, reason: 'account', at });
  }

  /** The tweets of a user, oldest first. Leaves out a tweet that goes between two steps. */
  *#tweetsOfUser(userId: string): Generator<number, void> {
    const { tweets, timelines } = this.#tables.tweetChanges;
    const ordinals = timelines.byAuthor.get(userId)?.sorted(tweets.order).slice() ?? new Uint32Array(0);
    // By the id, because another tweet can get the ordinal of one that is gone.
    const ids = BigUint64Array.from(ordinals, (ordinal) => tweets.id(ordinal));
    for (const [index, ordinal] of ordinals.entries()) {
      const isThere =
        !tweets.isGone(ordinal) && tweets.id(ordinal) === ids[index] && tweets.authorId(ordinal) === userId;
      if (isThere) yield ordinal;
    }
  }

  /** The tombstones of the user's native retweets of a tweet, up to the time of the removal. */
  #tombstonesOfRetweets(change: { tweet_id: string; user_id: string; at?: string }): Tombstone[] {
    const at = time(change.at);
    return this.#tables.index.retweetsOf(change.tweet_id).flatMap((ordinal) => {
      if (
        this.#tables.tweetChanges.tweets.authorId(ordinal) !== change.user_id ||
        this.#tables.tweetChanges.tweets.createdAt(ordinal) > at
      )
        return [];
      return this.#tables.tweetChanges.tombstonesOf({
        id: this.#tables.tweetChanges.tweets.tweet(ordinal).id,
        reason: 'deleted',
        at,
      });
    });
  }

  /** The lists that a withdrawal removes: those of the account, and those that the record names and nobody else owns. */
  #listsToRemove({ user_id, list_ids = [] }: ArchiveSchemas['WithdrawRecord']): string[] {
    const owned = Array.from(this.#tables.lists.values()).filter(({ owner_id }) => owner_id === user_id);
    const named = list_ids.filter((id) => (this.#tables.lists.get(id)?.owner_id ?? user_id) === user_id);
    return [...new Set([...owned.map(({ id }) => id), ...named])];
  }

  #applyWithdrawal(change: ArchiveSchemas['WithdrawRecord']): ChangeOutcome {
    if (!this.wouldChange(change)) return 'unchanged';
    const { user_id: userId } = change;
    const at = time(change.at);
    const wasWithdrawn = this.#tables.removals.isWithdrawn(userId);
    const listIds = this.#listsToRemove(change);
    for (const id of listIds) this.#tables.lists.delete(id);
    if (wasWithdrawn) {
      this.#tables.removals.withdraw(userId, at, listIds);
      return 'updated';
    }
    // All of them first: the removal of a tweet removes the account's own retweets of it, whose tombstones have another reason then.
    for (const tombstone of [...this.#tombstonesOfUser(userId, at)]) this.#tables.tweetChanges.remove(tombstone);
    for (const space of [...this.#tables.spaces.values()]) {
      if (space.host_id !== userId) continue;
      this.#tables.spaces.delete(space.id);
      this.#tables.users.setSpace(undefined, space);
    }
    for (const { id } of this.#tables.follows.get(userId)?.members() ?? []) this.#tables.users.removeReference(id);
    this.#tables.follows.delete(userId);
    this.#tables.highlights.delete(userId);
    this.#tables.memberships.delete(userId);
    const hadProfile = this.#tables.users.remove(userId);
    // The relations of other users hide the user from now on; a reinstatement removes their entries.
    this.#tables.removals.withdraw(userId, at, listIds);
    return hadProfile ? 'updated' : 'added';
  }

  #applyReinstatement(userId: string): ChangeOutcome {
    if (!this.#tables.removals.isWithdrawn(userId)) return 'unchanged';
    for (const [, follows] of this.#tables.follows) follows.forget(userId);
    for (const [, retweeters] of this.#tables.tweetChanges.retweeters) retweeters.forget(userId);
    this.#tables.lists.deleteMember(userId);
    this.#tables.removals.reinstate(userId);
    this.hasReinstated = true;
    // The tombstones of the account no longer exclude its tweets. Mentions describe the user again.
    this.#tables.users.describe(userId);
    return 'updated';
  }
}

/** The tombstone in a change. */
function tombstoneOf(change: Extract<Change, { kind: 'delete' }>): Tombstone {
  const { tweet_id: id, uri, reason = 'deleted', at, author_id } = change;
  const retweeted = 'retweeted_tweet_id' in change ? change.retweeted_tweet_id : undefined;
  const known =
    author_id === undefined
      ? undefined
      : { author_id, ...(retweeted === undefined ? {} : { retweeted_tweet_id: retweeted }) };
  const tweet = 'tombstone' in change ? (change.tombstone ?? known) : known;
  return {
    id,
    reason,
    at: time(at),
    ...(uri === undefined ? {} : { uri }),
    ...(tweet === undefined ? {} : { tweet }),
  };
}
