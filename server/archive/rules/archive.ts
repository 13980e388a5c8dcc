/**
 * An archive in memory that holds what a transaction touches: merges, removals and domain events have their only implementation here.
 * `restore` adds the content that the tables have, `apply` applies a change, and `changes` returns the content after it.
 */
import type { DomainEvent } from '../../domain/events.ts';
import type {
  ArchivedCommunity,
  ArchivedPlace,
  ArchivedSpace,
  ArchivedTweet,
  ArchivedUser,
  ArchiveSchemas,
  ChangeOutcome,
} from '../../domain/records.ts';
import { nameTexts } from '../../search/document.ts';
import {
  prepare,
  requireShape,
  time,
  type Applied,
  type Change,
  type DeleteChange,
  type SnapshotChange,
} from './change.ts';
import { byObservation, byWrite, upsert } from './entities.ts';
import { isOther, type Identity } from './identity.ts';
import { Likes } from './likes.ts';
import { Lists } from './lists.ts';
import { Memberships } from './memberships.ts';
import { Relations } from './relation.ts';
import { RemovalChanges } from './removal-changes.ts';
import { Removals } from './removals.ts';
import { snapshotOf } from './snapshot.ts';
import { TweetChanges } from './tweet-changes.ts';

export class Archive {
  readonly #profiles = new Map<string, ArchivedUser>();
  readonly #communities = new Map<string, ArchivedCommunity>();
  readonly #spaces = new Map<string, ArchivedSpace>();
  readonly #places = new Map<string, ArchivedPlace>();
  readonly #removals = new Removals();
  readonly #follows = new Relations((id) => this.#removals.isWithdrawn(id));
  readonly #highlights = new Relations();
  readonly #memberships = new Memberships();
  readonly #lists = new Lists((id) => this.#removals.isWithdrawn(id));
  readonly #likes = new Likes();
  readonly #tweetChanges: TweetChanges;
  readonly #removalChanges: RemovalChanges;
  /** The events of the change in progress. */
  #events: DomainEvent[] = [];

  constructor() {
    this.#tweetChanges = new TweetChanges({
      ...{ removals: this.#removals, likes: this.#likes },
      emit: (event) => void this.#events.push(event),
    });
    this.#removalChanges = new RemovalChanges({
      ...{ tweetChanges: this.#tweetChanges, profiles: this.#profiles, removals: this.#removals, likes: this.#likes },
      ...{ follows: this.#follows, highlights: this.#highlights, memberships: this.#memberships },
      ...{ spaces: this.#spaces, lists: this.#lists },
    });
  }

  tweet(id: string): ArchivedTweet | undefined {
    return this.#tweetChanges.tweets.get(id);
  }

  profile(userId: string): ArchivedUser | undefined {
    return this.#profiles.get(userId);
  }

  /** Whether records of a tweet are ignored until a `restore`, or until a `reinstate` of the account. */
  isRemoved(tweetId: string): boolean {
    return this.#removals.isBlocked(tweetId);
  }

  /** Whether records of a user are ignored until a `reinstate`. */
  isWithdrawn(userId: string): boolean {
    return this.#removals.isWithdrawn(userId);
  }

  /**
   * The address of the tweet that has an id or had it; an empty text for a tweet without an address, and undefined for a free
   * id.
   */
  addressOf(tweetId: string): string | undefined {
    const identity = this.#tweetChanges.identity(tweetId);
    return identity && (identity.uri ?? '');
  }

  /** The ids of the tweets that a deletion removes, or excludes; none where it changes nothing. */
  removedBy(deletion: DeleteChange): string[] {
    return this.#rejects(deletion) ? [] : this.#removalChanges.removedBy(deletion);
  }

  /**
   * Applies a change and returns its outcome and its events. Throws UnusableRecord if the record violates the schema; then nothing
   * changes. `snapshot`: the change is a part of a snapshot, which has the removals of retweeters themselves.
   */
  apply(change: Change, { snapshot = false }: { readonly snapshot?: boolean } = {}): Applied {
    this.#events = [];
    prepare(() => requireShape(change));
    const outcome = this.#rejects(change)
      ? 'rejected'
      : this.#removals.blocks(change)
        ? 'unchanged'
        : this.#apply(change, snapshot);
    return { outcome, events: this.#events };
  }

  /**
   * Adds a part of the content of an archive, as `changes` returned it, to an empty one. Unlike `apply`, checks nothing:
   * what excludes a tweet or an account may be in the part, although the tweet or the account is there too.
   */
  restore(content: Iterable<SnapshotChange>): void {
    const exclusions: Change[] = [];
    for (const change of content) {
      if (change.kind === 'delete' || change.kind === 'withdraw' || change.kind === 'scrub_geo')
        exclusions.push(change);
      else if (change.kind === 'tweet') this.#tweetChanges.hold(change.tweet);
      else this.#apply(change);
    }
    for (const change of exclusions) this.#removalChanges.restore(change);
    this.#events = [];
  }

  /** The content of the archive as changes that create it. */
  changes(): Generator<SnapshotChange, void> {
    return snapshotOf({
      ...{ tweets: this.#tweetChanges.tweets, profiles: this.#profiles, communities: this.#communities },
      ...{ spaces: this.#spaces, places: this.#places, lists: this.#lists.byId, listMembers: this.#lists.members },
      ...{ follows: this.#follows, retweeters: this.#tweetChanges.retweeters, highlights: this.#highlights },
      ...{ memberships: this.#memberships.byUser, likes: this.#likes, removals: this.#removals },
      role: (communityId, userId) => this.#memberships.role(communityId, userId) ?? 'member',
    });
  }

  /** Whether a change is about another tweet or account than the one that has its id, and so without effect. */
  #rejects(change: Change): boolean {
    const held = this.#identity(change);
    return held !== undefined && isOther(held, change);
  }

  /** The origin of the tweet or account that has the id in a record; undefined for a free id and for other records. */
  #identity(change: Change): Identity | undefined {
    switch (change.kind) {
      case 'tweet':
        return this.#tweetChanges.identity(change.tweet.id);
      case 'delete':
        return change.uri === undefined ? undefined : this.#tweetChanges.identity(change.tweet_id);
      case 'user':
        return change.user.did === undefined ? undefined : { did: this.#profiles.get(change.user.id)?.did };
      default:
        return undefined;
    }
  }

  #apply(change: Change, snapshot = true): ChangeOutcome {
    switch (change.kind) {
      case 'tweet':
        return this.#tweetChanges.apply(change);
      case 'user':
        return prepare(() => this.#applyUser(change.user));
      case 'follow':
        return this.#follows.of(change.follower_id).add(change.following_id, time(change.created_at));
      case 'retweet':
        return this.#tweetChanges.retweeters.of(change.tweet_id).add(change.user_id, time(change.created_at));
      case 'highlight':
        return this.#highlights.of(change.user_id).add(change.tweet_id, time(change.created_at));
      case 'membership':
        return this.#applyMembership(change);
      case 'community':
        return prepare(() => upsert(this.#communities, change.community, byWrite));
      case 'space':
        return prepare(() => upsert(this.#spaces, change.space, byWrite));
      case 'place':
        return prepare(() => upsert(this.#places, change.place, byObservation));
      case 'list':
        return prepare(() => upsert(this.#lists.byId, change.list, byObservation));
      case 'list_member':
        return this.#lists.members.of(change.list_id).add(change.user_id, time(change.created_at));
      case 'like':
        return this.#likes.add(change.tweet_id, time(change.created_at));
      default:
        return this.#removalChanges.apply(change, snapshot);
    }
  }

  #applyUser(user: ArchivedUser): ChangeOutcome {
    nameTexts(user);
    return upsert(this.#profiles, user, byObservation);
  }

  #applyMembership({ community_id, user_id, role, created_at }: ArchiveSchemas['MembershipRecord']): ChangeOutcome {
    const outcome = this.#memberships.add(community_id, user_id, role, time(created_at));
    if (outcome === 'added') this.#events.push({ event: 'community.joined', id: community_id, userId: user_id });
    return outcome;
  }
}
