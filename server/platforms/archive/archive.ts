/**
 * The in-memory archive: its tables, and the indexes that make the cost of an operation proportional to its page. Every
 * change goes through `apply`: at start from the journal, later from imports and API calls. Both lead to the same
 * state.
 */
import { Relation, type RelationReader } from '../../collections/relation.ts';
import type { TimelineReader } from '../../collections/timeline.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type {
  counts,
  ArchivedCommunity,
  ArchivedSpace,
  ArchivedTweet,
  ArchivedUser,
  ArchiveRecord,
  ArchiveSchemas,
  ChangeOutcome,
} from '../../domain/records.ts';
import { InvertedIndex } from '../../search/inverted-index/inverted-index.ts';
import { Lists, type ListReader } from '../../search/lists.ts';
import { Places, type PlaceReader } from '../../search/places.ts';
import type { SearchIndex, TweetSource } from '../../search/tweet-index.ts';
import { prepare, requireShape, time, type Applied, type Change, type UnlikeRecord } from './change.ts';
import { byObservation, byWrite, EntityTable, upsert, wouldChange, type EntityReader } from './entity-table.ts';
import { Likes } from './likes.ts';
import { ListsByKey, type ListLookup } from './lists-by-key.ts';
import { Memberships, type Role } from './memberships.ts';
import { snapshotOf } from './snapshot.ts';
import { TweetChanges } from './tweet-changes.ts';
import type { TweetLists } from './tweet-lists.ts';
import type { TweetReader, TweetTable } from './tweet-table.ts';
import { UserDirectory, type UserIdentity } from './user-directory.ts';

/** How the archive numbers a change. */
export interface ApplyOptions {
  /** The number of the change in the journal. Without it, a change that changes something gets the next number. */
  readonly seq?: number;
  /** The change is older than any revision that a cursor may contain. */
  readonly snapshot?: boolean;
}

const relations = (): ListsByKey<Relation> => new ListsByKey(() => new Relation());
const noEvents: readonly DomainEvent[] = [];

export class Archive implements TweetSource {
  readonly #tweetChanges: TweetChanges;
  readonly #tweets: TweetTable;
  readonly #timelines: TweetLists;
  readonly #users: UserDirectory;
  readonly #communities = new EntityTable<ArchivedCommunity>();
  readonly #spaces = new EntityTable<ArchivedSpace>();
  readonly #follows = relations();
  readonly #highlights = relations();
  readonly #memberships = new Memberships();
  readonly #places = new Places();
  readonly #lists = new Lists();
  readonly #likes = new Likes();
  readonly #index: InvertedIndex;
  #revision = 0;
  #version = 0;
  #live = 0;
  /** The events of the change in progress. */
  #events: DomainEvent[] = [];

  constructor() {
    this.#index = new InvertedIndex(this);
    this.#users = new UserDirectory({
      ownsRecords: (id) =>
        [this.byAuthor, this.#follows, this.#highlights, this.memberships].some((lists) => lists.get(id) !== undefined),
      hasTweets: (id) => this.byAuthor.get(id) !== undefined,
      mentionsOf: (username) => this.mentions.get(username),
      tweet: (ordinal) => this.#tweets.tweet(ordinal),
      order: this.order,
      readUser: (user) => this.#index.readUser(user),
      userChanged: (after, before) => this.#index.userChanged(after, before),
    });
    this.#tweetChanges = new TweetChanges({
      index: this.#index,
      users: this.#users,
      emit: (event) => void this.#events.push(event),
    });
    this.#tweets = this.#tweetChanges.tweets;
    this.#timelines = this.#tweetChanges.timelines;
  }

  /** The sequence number of the last change. */
  get revision(): number {
    return this.#revision;
  }
  /** Increases with each change. Unlike the revision it never decreases, even when the journal rejects a change. */
  get version(): number {
    return this.#version;
  }
  /** The number of changes that a snapshot of the archive needs. */
  get live(): number {
    return this.#live;
  }

  // TweetSource
  get size(): number {
    return this.#tweets.size;
  }
  tweet(ordinal: number): ArchivedTweet {
    return this.#tweets.tweet(ordinal);
  }
  ordinal(id: string): number | undefined {
    return this.#tweets.ordinal(id);
  }
  readonly order = (a: number, b: number): number => this.#tweets.order(a, b);
  createdAt(ordinal: number): number {
    return this.#tweets.createdAt(ordinal);
  }
  id(ordinal: number): bigint {
    return this.#tweets.id(ordinal);
  }
  isOlder(ordinal: number, createdAt: number, id: bigint): boolean {
    return this.#tweets.isOlder(ordinal, createdAt, id);
  }
  authorId(ordinal: number): string {
    return this.#tweets.authorId(ordinal);
  }
  count(ordinal: number, name: (typeof counts)[number]): number {
    return this.#tweets.count(ordinal, name);
  }
  arrivedAt(ordinal: number): number {
    return this.#tweets.arrivedAt(ordinal);
  }
  engagement(ordinal: number, revision?: number): number {
    return this.#tweets.engagement(ordinal, revision);
  }
  get places(): PlaceReader {
    return this.#places;
  }
  get lists(): ListReader {
    return this.#lists;
  }

  get index(): SearchIndex {
    return this.#index;
  }
  get tweets(): TweetReader {
    return this.#tweets;
  }
  get users(): EntityReader<ArchivedUser> {
    return this.#users.profiles;
  }
  get communities(): EntityReader<ArchivedCommunity> {
    return this.#communities;
  }
  get spaces(): EntityReader<ArchivedSpace> {
    return this.#spaces;
  }
  /** All tweets of an author; `postsByAuthor` leaves out the replies. */
  get byAuthor(): ListLookup<TimelineReader> {
    return this.#timelines.byAuthor;
  }
  get postsByAuthor(): ListLookup<TimelineReader> {
    return this.#timelines.postsByAuthor;
  }
  /** By the lower-case username that the text names. */
  get mentions(): ListLookup<TimelineReader> {
    return this.#timelines.mentions;
  }
  get replies(): ListLookup<TimelineReader> {
    return this.#timelines.replies;
  }
  get communityTweets(): ListLookup<TimelineReader> {
    return this.#timelines.communityTweets;
  }
  get communityMedia(): ListLookup<TimelineReader> {
    return this.#timelines.communityMedia;
  }
  /** By the id of the follower. */
  get follows(): ListLookup<RelationReader> {
    return this.#follows;
  }
  /** By the id of the user. */
  get highlights(): ListLookup<RelationReader> {
    return this.#highlights;
  }
  /** By the id of the tweet. */
  get retweeters(): ListLookup<RelationReader> {
    return this.#tweetChanges.retweeters;
  }
  /** By the id of the user. */
  get memberships(): ListLookup<RelationReader> {
    return this.#memberships.byUser;
  }

  /** The profile of a user, or the stub user that mentions describe. */
  user(id: string): ArchivedUser | undefined {
    return this.#users.user(id);
  }
  /** A user by username, case-insensitive: the profile with this username, or the stub user that mentions describe. */
  userByName(username: string): ArchivedUser | undefined {
    return this.#users.userByName(username);
  }
  /** The user that a mention refers to: by its id if it has one, otherwise by its username. */
  mentioned(mention: { readonly username: string; readonly id?: string }): ArchivedUser | undefined {
    return this.#users.mentioned(mention);
  }
  /** Changes whenever `user`, `userByName` or `mentioned` may return another result. */
  get usersVersion(): number {
    return this.#users.version;
  }
  /** Finds a user that the archive has a profile of or that another record names; otherwise undefined. */
  findUser(ref: { readonly username: string } | { readonly user_id: string }): UserIdentity | undefined {
    return this.#users.find(ref);
  }

  role(communityId: string, userId: string): Role | undefined {
    return this.#memberships.role(communityId, userId);
  }

  liked(tweetId: string): boolean {
    return this.likedAt(tweetId) !== undefined;
  }

  /** When the tweet was liked, in milliseconds since the epoch; 0 if unknown; undefined if the tweet is not liked. */
  likedAt(tweetId: string): number | undefined {
    return this.#likes.likedAt(tweetId);
  }

  maxEngagement(communityId: string): number {
    return this.#tweetChanges.maxEngagement(communityId);
  }

  /**
   * Applies a change and returns its outcome and its events. Throws UnusableRecord if the record violates the schema;
   * then only the revision changes.
   */
  apply(change: Change, { seq, snapshot = false }: ApplyOptions = {}): Applied {
    this.#events = [];
    if (seq !== undefined) this.#revision = seq;
    const outcome = this.#apply(change, snapshot ? 0 : (seq ?? this.#revision + 1));
    if (outcome !== 'unchanged') {
      this.#revision = seq ?? this.#revision + 1;
      this.#version++;
    }
    if (outcome === 'added') this.#live++;
    return { outcome, events: this.#events.length === 0 ? noEvents : this.#events };
  }

  /** Sets the revision where the journal has a record that is no change. */
  advanceTo(revision: number): void {
    this.#revision = revision;
  }

  /** Whether a record would change anything. Has no side effects. */
  wouldChange(record: ArchiveRecord): boolean {
    switch (record.kind) {
      case 'tweet':
        return this.#tweetChanges.wouldChange(record.tweet);
      case 'user':
        return this.#users.wouldChange(record.user);
      case 'follow':
        return relationWouldChange(this.#follows, record.follower_id, record.following_id, record.created_at);
      case 'retweet':
        return relationWouldChange(this.retweeters, record.tweet_id, record.user_id, record.created_at);
      case 'highlight':
        return relationWouldChange(this.#highlights, record.user_id, record.tweet_id, record.created_at);
      case 'membership':
        return this.#memberships.wouldChange(record.community_id, record.user_id, record.role, time(record.created_at));
      case 'community':
        return wouldChange(this.#communities, record.community, byWrite);
      case 'space':
        return wouldChange(this.#spaces, record.space, byWrite);
      case 'place':
        return wouldChange(this.#places, record.place, byObservation);
      case 'list':
        return wouldChange(this.#lists, record.list, byObservation);
      case 'list_member':
        return this.#lists.wouldChangeMember(record.list_id, record.user_id, time(record.created_at));
      case 'like':
        return this.#likes.wouldAdd(record.tweet_id, time(record.created_at));
    }
  }

  /** The content of the archive as changes: a snapshot. */
  changes(): Generator<Change, void> {
    return snapshotOf({
      tweets: this.#tweets,
      profiles: this.users,
      communities: this.#communities,
      spaces: this.#spaces,
      places: this.#places,
      lists: this.#lists,
      listMembers: this.#lists.members(),
      follows: this.#follows,
      retweeters: this.retweeters,
      highlights: this.#highlights,
      memberships: this.memberships,
      role: (communityId, userId) => this.role(communityId, userId) ?? 'member',
      likes: this.#likes,
    });
  }

  #apply(change: Change, revision: number): ChangeOutcome {
    prepare(() => requireShape(change));
    switch (change.kind) {
      case 'tweet':
        return this.#tweetChanges.apply(change.tweet, revision);
      case 'user':
        return this.#users.apply(change.user);
      case 'follow':
        this.#users.addReference(change.following_id);
        return this.#follows.getOrCreate(change.follower_id).add(change.following_id, time(change.created_at));
      case 'retweet':
        this.#users.addReference(change.user_id);
        return this.#tweetChanges.retweeters.getOrCreate(change.tweet_id).add(change.user_id, time(change.created_at));
      case 'highlight':
        return this.#highlights.getOrCreate(change.user_id).add(change.tweet_id, time(change.created_at));
      case 'membership':
        return this.#applyMembership(change);
      case 'community':
        return prepare(() => upsert(this.#communities, change.community, byWrite));
      case 'space':
        return this.#applySpace(change.space);
      case 'place':
        return prepare(() => upsert(this.#places, change.place, byObservation));
      case 'list':
        return prepare(() => upsert(this.#lists, change.list, byObservation));
      case 'list_member':
        return this.#lists.addMember(change.list_id, change.user_id, time(change.created_at));
      case 'like':
        return this.#likes.add(change.tweet_id, time(change.created_at));
      case 'unlike':
        return this.#applyUnlike(change, revision);
    }
  }

  #applyMembership({ community_id, user_id, role, created_at }: ArchiveSchemas['MembershipRecord']): ChangeOutcome {
    const outcome = this.#memberships.add(community_id, user_id, role, time(created_at));
    if (outcome === 'added') this.#events.push({ event: 'community.joined', id: community_id, userId: user_id });
    return outcome;
  }

  #applySpace(space: ArchivedSpace): ChangeOutcome {
    const before = this.#spaces.get(space.id);
    const outcome = prepare(() => upsert(this.#spaces, space, byWrite));
    this.#users.setSpace(this.#spaces.get(space.id) ?? space, before);
    return outcome;
  }

  #applyUnlike({ tweet_id, at }: UnlikeRecord, revision: number): ChangeOutcome {
    const outcome = this.#likes.remove(tweet_id, at);
    if (outcome === 'updated') this.#tweetChanges.unlike(tweet_id, at, revision);
    return outcome;
  }
}

const relationWouldChange = (
  all: ListLookup<RelationReader>,
  owner: string,
  id: string,
  createdAt: string | undefined,
): boolean => all.get(owner)?.wouldChange(id, time(createdAt)) ?? true;
