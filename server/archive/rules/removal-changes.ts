/** How removals change the content of an archive: deletions of tweets, ends of relations, withdrawals of accounts. */
import type {
  ArchivedSpace,
  ArchivedTweet,
  ArchivedUser,
  ArchiveSchemas,
  ChangeOutcome,
} from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import { time, type Change } from './change.ts';
import { hasLocation, type ScrubGeoRecord } from './geo-scrubs.ts';
import type { Likes } from './likes.ts';
import type { Lists } from './lists.ts';
import type { Memberships } from './memberships.ts';
import type { Relations } from './relation.ts';
import type { Removals } from './removals.ts';
import type { TweetChanges } from './tweet-changes.ts';

/** A change that removes something, or that permits it again. */
export type Removal = Extract<
  Change,
  {
    kind: 'unlike' | 'unfollow' | 'unretweet' | 'delete' | 'restore' | 'withdraw' | 'reinstate' | 'evict' | 'scrub_geo';
  }
>;

/** The content that a removal changes. */
interface RemovalTables {
  readonly tweetChanges: TweetChanges;
  readonly profiles: Map<string, ArchivedUser>;
  readonly removals: Removals;
  readonly likes: Likes;
  readonly follows: Relations;
  readonly highlights: Relations;
  readonly memberships: Memberships;
  readonly spaces: Map<string, ArchivedSpace>;
  readonly lists: Lists;
}

export class RemovalChanges {
  readonly #tables: RemovalTables;

  constructor(tables: RemovalTables) {
    this.#tables = tables;
  }

  /** Applies a removal. `snapshot`: it is part of a snapshot. */
  apply(change: Removal, snapshot: boolean): ChangeOutcome {
    const { tweetChanges, follows } = this.#tables;
    switch (change.kind) {
      case 'unlike':
        return this.#applyUnlike(change.tweet_id, time(change.at));
      case 'unfollow':
        return follows.of(change.follower_id).remove(change.following_id, time(change.at));
      case 'unretweet': {
        const tombstones = this.#tombstonesOfRetweets(change);
        for (const tombstone of tombstones) tweetChanges.remove(tombstone);
        const outcome = tweetChanges.retweeters.of(change.tweet_id).remove(change.user_id, time(change.at));
        // The removal of a native retweet removes its author from the retweeters too.
        return tombstones.length > 0 ? 'updated' : outcome;
      }
      case 'delete':
        return tweetChanges.remove(tombstoneOf(change), snapshot);
      case 'restore':
        return tweetChanges.restore(change.tweet_id);
      case 'withdraw':
        return this.#applyWithdrawal(change);
      case 'reinstate':
        return this.#applyReinstatement(change.user_id);
      case 'evict':
        return this.#applyEviction(change);
      case 'scrub_geo':
        return this.#applyScrub(change);
    }
  }

  /** The ids of the tweets that a deletion removes, or excludes; none where it changes nothing. */
  removedBy(deletion: Extract<Removal, { kind: 'delete' }>): string[] {
    const { tweetChanges, removals } = this.#tables;
    const tombstone = tombstoneOf(deletion);
    const isChange = tweetChanges.tweets.has(tombstone.id) || removals.wouldBury(tombstone);
    return isChange ? tweetChanges.tombstonesOf(tombstone).map(({ id }) => id) : [];
  }

  /** Records what must not be in the archive, and removes nothing. */
  restore(change: Change): void {
    const { removals } = this.#tables;
    if (change.kind === 'delete') removals.bury(tombstoneOf(change));
    if (change.kind === 'withdraw') removals.withdraw(change.user_id, time(change.at), change.list_ids ?? []);
    if (change.kind === 'scrub_geo') removals.scrubs.add(change);
  }

  #applyEviction(change: Extract<Removal, { kind: 'evict' }>): ChangeOutcome {
    const { tweetChanges, profiles, removals } = this.#tables;
    const { tweets } = tweetChanges;
    const isChange =
      change.tweet_ids.some((id) => tweets.has(id)) ||
      change.user_ids.some((id) => profiles.has(id)) ||
      change.tombstone_ids.some((id) => removals.tombstone(id) !== undefined);
    if (!isChange) return 'unchanged';
    for (const id of change.tweet_ids) tweetChanges.evict(id);
    for (const id of change.tombstone_ids) tweetChanges.restore(id);
    for (const id of change.user_ids) if (!removals.isWithdrawn(id) && !tweets.hasAuthor(id)) profiles.delete(id);
    return 'updated';
  }

  #applyUnlike(tweetId: string, at: number): ChangeOutcome {
    const outcome = this.#tables.likes.remove(tweetId, at);
    if (outcome === 'updated') this.#tables.tweetChanges.unlike(tweetId, at);
    return outcome;
  }

  #applyScrub(change: ScrubGeoRecord): ChangeOutcome {
    const { tweetChanges, removals } = this.#tables;
    if (!removals.scrubs.wouldAdd(change)) return 'unchanged';
    let isNew = removals.scrubs.add(change);
    for (const tweet of this.#tweetsToScrub(change)) {
      tweetChanges.scrub(tweet);
      isNew = false;
    }
    return isNew ? 'added' : 'updated';
  }

  /** The tweets with a location that a record concerns. */
  #tweetsToScrub({ tweet_id: last, user_id: userId }: ScrubGeoRecord): ArchivedTweet[] {
    const { tweets } = this.#tables.tweetChanges;
    const only = tweets.get(last);
    const found =
      userId === undefined
        ? only === undefined
          ? []
          : [only]
        : tweets.ofAuthor(userId).filter(({ id }) => BigInt(id) <= BigInt(last));
    return found.filter(hasLocation);
  }

  /** The tombstones of the tweets of a user, oldest tweet first. */
  #tombstonesOfUser(userId: string, at: number): Tombstone[] {
    const { tweetChanges } = this.#tables;
    return tweetChanges.tweets
      .ofAuthor(userId)
      .flatMap(({ id }) => tweetChanges.tombstonesOf({ id, reason: 'account', at }));
  }

  /** The tombstones of the user's native retweets of a tweet, up to the time of the removal. */
  #tombstonesOfRetweets(change: { tweet_id: string; user_id: string; at?: string }): Tombstone[] {
    const { tweetChanges } = this.#tables;
    const at = time(change.at);
    return tweetChanges.tweets
      .retweetsOf(change.tweet_id)
      .filter(({ author_id, created_at }) => author_id === change.user_id && time(created_at) <= at)
      .flatMap(({ id }) => tweetChanges.tombstonesOf({ id, reason: 'deleted', at }));
  }

  /** The lists that a withdrawal removes: those of the account, and those that the record names and nobody else owns. */
  #listsToRemove({ user_id, list_ids = [] }: ArchiveSchemas['WithdrawRecord']): string[] {
    const { byId } = this.#tables.lists;
    const owned = Array.from(byId.values()).filter(({ owner_id }) => owner_id === user_id);
    const named = list_ids.filter((id) => (byId.get(id)?.owner_id ?? user_id) === user_id);
    return [...new Set([...owned.map(({ id }) => id), ...named])];
  }

  #applyWithdrawal(change: ArchiveSchemas['WithdrawRecord']): ChangeOutcome {
    const { tweetChanges, profiles, removals, follows, highlights, memberships, spaces, lists } = this.#tables;
    const { user_id: userId } = change;
    const at = time(change.at);
    const wasWithdrawn = removals.isWithdrawn(userId);
    const listIds = this.#listsToRemove(change);
    if (wasWithdrawn && listIds.every((id) => removals.isListRemoved(id))) return 'unchanged';
    for (const id of listIds) lists.delete(id);
    if (wasWithdrawn) {
      removals.withdraw(userId, at, listIds);
      return 'updated';
    }
    for (const tombstone of this.#tombstonesOfUser(userId, at)) tweetChanges.remove(tombstone);
    for (const [id, { host_id: host }] of spaces) if (host === userId) spaces.delete(id);
    follows.delete(userId);
    highlights.delete(userId);
    memberships.delete(userId);
    const hadProfile = profiles.delete(userId);
    // The relations of other users hide the user from now on; a reinstatement removes their entries.
    removals.withdraw(userId, at, listIds);
    return hadProfile ? 'updated' : 'added';
  }

  #applyReinstatement(userId: string): ChangeOutcome {
    const { tweetChanges, follows, lists, removals } = this.#tables;
    if (!removals.isWithdrawn(userId)) return 'unchanged';
    for (const follow of follows.values()) follow.forget(userId);
    for (const retweeters of tweetChanges.retweeters.values()) retweeters.forget(userId);
    lists.deleteMember(userId);
    // The tombstones of the account no longer exclude its tweets.
    removals.reinstate(userId);
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
