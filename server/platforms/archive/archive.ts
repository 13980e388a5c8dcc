/**
 * The in-memory archive: its tables, and the indexes that make the cost of an operation proportional to its page. Every
 * change goes through `apply`: at start from the journal, later from imports and API calls. Both lead to the same
 * state.
 */
import { Relation, type RelationReader } from '../../collections/relation.ts';
import {
  jsonSection,
  readJson,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { TimelineReader } from '../../collections/timeline.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
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
import type { IndexWriter, SearchIndex } from '../../search/tweet-index.ts';
import type { TweetSource } from '../../search/tweet-source.ts';
import {
  prepare,
  requireShape,
  time,
  type Applied,
  type Change,
  type ChangeNumbers,
  type SnapshotChange,
  type TweetAddition,
} from './change.ts';
import { byObservation, byWrite, EntityTable, upsert, wouldChange, type EntityReader } from './entity-table.ts';
import { EntityStates } from './entity-states.ts';
import { isOther, type Identity } from './identity.ts';
import { Likes } from './likes.ts';
import { ListsByKey, type ListLookup } from './lists-by-key.ts';
import { Memberships, type Role } from './memberships.ts';
import { RemovalChanges } from './removal-changes.ts';
import { Removals } from './removals.ts';
import { loadRelations, saveRelations } from './saved-relations.ts';
import { snapshotOf } from './snapshot.ts';
import { TweetChanges } from './tweet-changes.ts';
import type { TimelineLookup, TweetLists } from './tweet-lists.ts';
import type { TweetReader, TweetTable } from './tweet-table.ts';
import { UserDirectory, type UserIdentity } from './user-directory.ts';

/** How the archive numbers a change. */
export interface ApplyOptions {
  /** The number of the change in the journal. Without it, a change that changes something gets the next number. */
  readonly seq?: number;
  /** The change is older than any revision that a cursor may contain. */
  readonly snapshot?: boolean;
}

const noEvents: readonly DomainEvent[] = [];

export class Archive implements TweetSource, SavedTable {
  readonly #tweetChanges: TweetChanges;
  readonly #tweets: TweetTable;
  readonly #timelines: TweetLists;
  readonly #users: UserDirectory;
  readonly #communities = new EntityTable<ArchivedCommunity>();
  readonly #spaces = new EntityTable<ArchivedSpace>();
  readonly #removals = new Removals();
  readonly #follows = new ListsByKey(() => new Relation((id) => this.#removals.isWithdrawn(id)));
  readonly #highlights = new ListsByKey(() => new Relation());
  readonly #memberships = new Memberships();
  readonly #places = new Places();
  readonly #lists = new Lists((id) => this.#removals.isWithdrawn(id));
  readonly #likes = new Likes();
  readonly #index: IndexWriter;
  /** Undefined for an archive that is not searched. */
  readonly #searched: InvertedIndex | undefined;
  readonly #removalChanges: RemovalChanges;
  readonly #entities: EntityStates;
  #revision = 0;
  #version = 0;
  #live = 0;
  /** The events of the change in progress. */
  #events: DomainEvent[] = [];

  /** `createIndex`: the index of an archive that is not searched. It needs less time and memory for each change. */
  constructor(createIndex?: (source: TweetSource) => IndexWriter) {
    if (createIndex === undefined) {
      this.#searched = new InvertedIndex(this, (removals) => this.#tweets.release(removals));
      this.#index = this.#searched;
    } else this.#index = createIndex(this);
    this.#users = new UserDirectory({
      ownsRecords: (id) =>
        (this.byAuthor.get(id)?.length ?? 0) > 0 ||
        [this.#follows, this.#highlights, this.memberships].some((lists) => (lists.get(id)?.size ?? 0) > 0),
      hasTweets: (id) => (this.byAuthor.get(id)?.length ?? 0) > 0,
      isWithdrawn: (id) => this.#removals.isWithdrawn(id),
      mentionsOf: (id) => this.#timelines.mentionsById.get(id),
      isMentioned: (username) =>
        this.#timelines.mentionsOf({ id: undefined, username }).some(({ length }) => length > 0),
      tweet: (ordinal) => this.#tweets.tweet(ordinal),
      order: this.order,
      readUser: (user) => this.#index.readUser(user),
      userChanged: (after, before) => {
        this.#index.userChanged(after, before);
        this.#tweetChanges.forgetIdleAuthor(after.id);
      },
    });
    this.#tweetChanges = new TweetChanges({
      index: this.#index,
      users: this.#users,
      removals: this.#removals,
      likes: this.#likes,
      emit: (event) => void this.#events.push(event),
    });
    this.#tweets = this.#tweetChanges.tweets;
    this.#timelines = this.#tweetChanges.timelines;
    this.#removalChanges = new RemovalChanges({
      tweetChanges: this.#tweetChanges,
      index: this.#index,
      users: this.#users,
      removals: this.#removals,
      likes: this.#likes,
      follows: this.#follows,
      highlights: this.#highlights,
      memberships: this.#memberships,
      spaces: this.#spaces,
      lists: this.#lists,
    });
    this.#entities = new EntityStates({
      users: this.#users.profiles,
      communities: this.#communities,
      spaces: this.#spaces,
      places: this.#places,
      lists: this.#lists,
    });
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
  get ordinalCount(): number {
    return this.#tweets.ordinalCount;
  }
  isGone(ordinal: number): boolean {
    return this.#tweets.isGone(ordinal);
  }
  removedAuthor(id: string): string | undefined {
    return this.#removals.tombstone(id)?.tweet?.author_id;
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

  /** The number of tweets. */
  get size(): number {
    return this.#tweets.size;
  }
  /** The ordinals of the tweets. The archive may change between two steps. */
  ordinals(): Iterable<number> {
    return this.#tweets.ordinals();
  }
  /** The tombstones of removed tweets. */
  tombstones(): Iterable<Tombstone> {
    return this.#removals.tombstones();
  }
  /** The bytes of the records of tweets that were removed since the last call. */
  takeRemovedBytes(): number {
    return this.#tweets.takeRemovedBytes();
  }
  /** What stays of a removed tweet; undefined for a tweet that was not removed, or that is there again. */
  tombstone(tweetId: string): Tombstone | undefined {
    return this.#removals.tombstone(tweetId);
  }
  /** Whether records of a tweet are ignored until a `restore`, or until a `reinstate` of the account. */
  isRemoved(tweetId: string): boolean {
    return this.#removals.isBlocked(tweetId);
  }
  /** Whether records of a user are ignored until a `reinstate`. */
  isWithdrawn(userId: string): boolean {
    return this.#removals.isWithdrawn(userId);
  }
  /** Whether a change is about a removed tweet or a withdrawn account, and so without effect. */
  ignores(change: Change | TweetAddition): boolean {
    return this.#removals.blocks(change.kind === 'addition' ? change.whole() : change);
  }
  /**
   * The address of the tweet that has an id or had it; an empty text for a tweet without an address, and undefined for a free
   * id.
   */
  addressOf(tweetId: string): string | undefined {
    const identity = this.#tweetChanges.identity(tweetId);
    return identity && (identity.uri ?? '');
  }
  /** Whether a change is about another tweet or account than the one that has its id, and so without effect. */
  rejects(change: Change): boolean {
    const held = this.#identity(change);
    return held !== undefined && isOther(held, change);
  }
  /** The number of tombstones and of withdrawn accounts. */
  get removals(): { readonly tombstones: number; readonly withdrawn: number } {
    return this.#removals.size;
  }

  /** Throws for an archive that is not searched. */
  get index(): SearchIndex {
    if (this.#searched === undefined) throw new Error('this archive has no index of words');
    return this.#searched;
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
  /** The number of timelines. */
  get timelineCount(): number {
    return this.#timelines.size;
  }
  /** All tweets of an author; `postsByAuthor` leaves out the replies. */
  get byAuthor(): TimelineLookup {
    return this.#timelines.byAuthor;
  }
  get postsByAuthor(): TimelineLookup {
    return this.#timelines.postsByAuthor;
  }
  /**
   * The timelines that together contain the mentions of a user: those with the id of the user, under any username, and those
   * without an id that name the username, if nobody else has it now. Without an id in `user`, all that name the username.
   */
  mentionsOf({ id, username }: UserIdentity): readonly TimelineReader[] {
    const isOwner = id === undefined || username === undefined || this.userByName(username)?.id === id;
    return this.#timelines.mentionsOf({ id, username: isOwner ? username : undefined });
  }
  get replies(): TimelineLookup {
    return this.#timelines.replies;
  }
  get communityTweets(): TimelineLookup {
    return this.#timelines.communityTweets;
  }
  get communityMedia(): TimelineLookup {
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
  apply(given: Change | TweetAddition, { seq, snapshot = false }: ApplyOptions = {}): Applied {
    this.#events = [];
    if (seq !== undefined) this.#revision = seq;
    const number = seq ?? this.#revision + 1;
    const numbers = { revision: snapshot ? 0 : number, seq: number, snapshot };
    const change = given.kind !== 'addition' || this.isNew(given.tweet.head) ? given : given.whole();
    const outcome =
      change.kind === 'addition' ? this.#tweetChanges.add(change.tweet, numbers) : this.#apply(change, numbers);
    if (
      change.kind !== 'addition' &&
      (outcome === 'updated' || (outcome === 'added' && this.#removalChanges.hasReinstated))
    )
      this.#entities.recordFullSeq(change, number);
    if (change.kind === 'evict') for (const id of change.user_ids) this.#entities.forgetUser(id);
    if (outcome === 'added' || outcome === 'updated') {
      this.#revision = seq ?? this.#revision + 1;
      this.#version++;
    }
    if (outcome === 'added') this.#live++;
    return { outcome, events: this.#events.length === 0 ? noEvents : this.#events };
  }

  /** Set it while many tweets are added and none are searched: that is faster. Searches are right at any time, but slower during it. */
  set isBulkLoading(isOn: boolean) {
    if (this.#searched !== undefined) this.#searched.isBulkLoading = isOn;
  }

  /** Removes what is gone from the index, in steps. The archive must not change before the last one. */
  sweepIndex(): Iterable<void> {
    return this.#searched?.sweepAll() ?? [];
  }

  *save(): Sections {
    yield jsonSection([this.#revision, this.#version, this.#live, this.#removalChanges.hasReinstated]);
    yield* saveRelations(this.#follows);
    yield* saveRelations(this.#highlights);
    for (const table of this.#tables()) yield* table.save();
  }

  load(reader: SectionReader): void {
    type State = [revision: number, version: number, live: number, hasReinstated: boolean];
    [this.#revision, this.#version, this.#live, this.#removalChanges.hasReinstated] = readJson<State>(reader);
    loadRelations(reader, (id) => this.#follows.getOrCreate(id));
    loadRelations(reader, (id) => this.#highlights.getOrCreate(id));
    for (const table of this.#tables()) table.load(reader);
  }

  #tables(): SavedTable[] {
    return [
      ...[this.#tweetChanges, this.#users, this.#communities, this.#spaces, this.#removals],
      ...[
        this.#memberships,
        this.#places,
        this.#lists,
        this.#likes,
        ...(this.#searched === undefined ? [] : [this.#searched]),
        this.#entities,
      ],
    ];
  }

  /** Sets the revision where the journal has a record that is no change. */
  advanceTo(revision: number): void {
    this.#revision = revision;
  }

  /** Whether a tweet is neither in the archive nor removed, and nothing excludes it or its place: to add it needs no look at its record. */
  isNew({ id, author_id, retweeted_tweet_id: retweeted }: TweetHead): boolean {
    return (
      this.#tweets.ordinal(id) === undefined &&
      this.#removals.isUnknown(id) &&
      !this.#removals.isWithdrawn(author_id) &&
      !this.#removals.scrubs.has({ id, author_id }) &&
      (retweeted === undefined || !this.#removals.isBlocked(retweeted))
    );
  }

  /** Whether a change would change anything. Has no side effects. */
  wouldChange(change: Change): boolean {
    return !this.rejects(change) && !this.#removals.blocks(change) && this.#wouldChange(change);
  }

  /**
   * The changes that make a record durable: the record itself, or for a removal the tombstones of all tweets that it
   * removes. Empty if the record would change nothing.
   */
  changesFor(record: ArchiveRecord): readonly Change[] {
    return [...this.changesInSteps(record)];
  }

  /** As `changesFor`, one change after the other: a withdrawal has one for each tweet of the account. The archive may change between two. */
  changesInSteps(record: ArchiveRecord): Iterable<Change> {
    if (!this.wouldChange(record)) return [];
    switch (record.kind) {
      case 'tweet':
        return [this.#tweetChanges.recordFor(record)];
      case 'delete':
      case 'withdraw':
      case 'unretweet':
      case 'scrub_geo':
        return this.#removalChanges.changesFor(record);
      default:
        return [this.#entities.merged(record)];
    }
  }

  /**
   * Whether the journal record with this number still has an effect. False for the records of removed tweets and
   * accounts, and for those that later records of the same tweet or entity replace.
   */
  needs(change: Change, seq: number): boolean {
    // A record that is not applied yet.
    if (seq > this.#revision) return true;
    if (this.#removals.blocks(change) || (change.kind !== 'delete' && this.rejects(change))) return false;
    switch (change.kind) {
      case 'tweet':
        return this.#tweetChanges.needs(change.tweet.id, seq);
      case 'user':
      case 'community':
      case 'space':
      case 'place':
      case 'list':
        return this.#entities.needs(change, seq);
      case 'follow':
        return needsMember(this.#follows, change.follower_id, change.following_id, time(change.created_at));
      case 'unfollow':
        return needsMember(this.#follows, change.follower_id, change.following_id, time(change.at), true);
      case 'retweet':
        return needsMember(this.#tweetChanges.retweeters, change.tweet_id, change.user_id, time(change.created_at));
      case 'unretweet':
        return needsMember(this.#tweetChanges.retweeters, change.tweet_id, change.user_id, time(change.at), true);
      case 'like':
      case 'unlike':
        return this.#likes.needs(change.tweet_id, seq);
      case 'highlight':
        return needsMember(this.#highlights, change.user_id, change.tweet_id, time(change.created_at));
      case 'delete':
        // Without the tombstone, the tweet is there again, or was evicted.
        return this.#removals.tombstone(change.tweet_id) !== undefined;
      case 'evict':
        // A pass over the journal reads the oldest records first, so it has removed what was evicted.
        return false;
      case 'list_member':
        return this.#lists.needsMember(change.list_id, change.user_id, time(change.created_at));
      default:
        // Removals are short and hold no text; the order of their records matters.
        return true;
    }
  }

  /** Whether the journal record with this number is the last one with the whole state of a tweet: `needs` is true for it. */
  isWholeIn(tweetId: string, seq: number): boolean {
    const ordinal = this.#tweets.ordinal(tweetId);
    return ordinal !== undefined && seq > 0 && this.#tweets.fullSeq(ordinal) === seq;
  }

  /** The origin of the tweet or account that has the id in a record; undefined for a free id and for other records. */
  #identity(change: Change): Identity | undefined {
    switch (change.kind) {
      case 'tweet': {
        const { id, uri, author_id } = change.tweet;
        const ordinal = this.#tweets.ordinal(id);
        // The most frequent case needs no record: neither an address nor another author.
        const isSame = uri === undefined && ordinal !== undefined && this.#tweets.authorId(ordinal) === author_id;
        return isSame ? undefined : this.#tweetChanges.identity(id);
      }
      case 'delete':
        return change.uri === undefined ? undefined : this.#tweetChanges.identity(change.tweet_id);
      case 'user':
        return change.user.did === undefined ? undefined : { did: this.users.get(change.user.id)?.did };
      default:
        return undefined;
    }
  }

  /** The content of the archive as changes: a snapshot. */
  changes(): Generator<SnapshotChange, void> {
    return snapshotOf({
      tweets: this.#tweets,
      profiles: this.users,
      communities: this.#communities,
      spaces: this.#spaces,
      places: this.#places,
      lists: this.#lists,
      listMembers: this.#lists.members(),
      follows: this.#follows,
      retweeters: this.#tweetChanges.retweeters,
      highlights: this.#highlights,
      memberships: this.#memberships.byUser,
      role: (communityId, userId) => this.role(communityId, userId) ?? 'member',
      likes: this.#likes,
      removals: this.#removals,
    });
  }

  #wouldChange(change: Change): boolean {
    switch (change.kind) {
      case 'tweet':
        return this.#tweetChanges.wouldChange(change.tweet);
      case 'user':
        return this.#users.wouldChange(change.user);
      case 'follow':
        return relationWouldChange(this.#follows, change.follower_id, change.following_id, change.created_at);
      case 'retweet':
        return relationWouldChange(this.#tweetChanges.retweeters, change.tweet_id, change.user_id, change.created_at);
      case 'highlight':
        return relationWouldChange(this.#highlights, change.user_id, change.tweet_id, change.created_at);
      case 'membership':
        return this.#memberships.wouldChange(change.community_id, change.user_id, change.role, time(change.created_at));
      case 'community':
        return wouldChange(this.#communities, change.community, byWrite);
      case 'space':
        return wouldChange(this.#spaces, change.space, byWrite);
      case 'place':
        return wouldChange(this.#places, change.place, byObservation);
      case 'list':
        return wouldChange(this.#lists, change.list, byObservation);
      case 'list_member':
        return this.#lists.wouldChangeMember(change.list_id, change.user_id, time(change.created_at));
      case 'like':
        return this.#likes.wouldAdd(change.tweet_id, time(change.created_at));
      default:
        return this.#removalChanges.wouldChange(change);
    }
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
      else this.#applyUnchecked(change, { revision: 0, seq: 0, snapshot: true });
    }
    for (const change of exclusions) this.#removalChanges.restore(change);
    this.#events = [];
  }

  #apply(change: Change, numbers: ChangeNumbers): ChangeOutcome {
    prepare(() => requireShape(change));
    if (this.rejects(change)) return 'rejected';
    if (this.#removals.blocks(change)) return 'unchanged';
    return this.#applyUnchecked(change, numbers);
  }

  #applyUnchecked(change: Change, numbers: ChangeNumbers): ChangeOutcome {
    switch (change.kind) {
      case 'tweet':
        return this.#tweetChanges.apply(change, numbers);
      case 'user':
        return this.#users.apply(change.user);
      case 'follow':
        return this.#relate(this.#follows.getOrCreate(change.follower_id), change.following_id, change.created_at);
      case 'retweet':
        return this.#relate(
          this.#tweetChanges.retweeters.getOrCreate(change.tweet_id),
          change.user_id,
          change.created_at,
        );
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
        return this.#likes.add(change.tweet_id, time(change.created_at), numbers.seq);
      default:
        return this.#removalChanges.apply(change, numbers);
    }
  }

  /** Adds a user to a relation, and records that a relation names the user. */
  #relate(relation: Relation, userId: string, createdAt: string | undefined): ChangeOutcome {
    const outcome = relation.add(userId, time(createdAt));
    if (outcome === 'added') this.#users.addReference(userId);
    return outcome;
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
}

const relationWouldChange = (
  all: ListLookup<Relation>,
  owner: string,
  id: string,
  createdAt: string | undefined,
): boolean => all.get(owner)?.wouldChange(id, time(createdAt)) ?? true;

const needsMember = (all: ListLookup<Relation>, owner: string, id: string, at: number, removal = false): boolean =>
  all.get(owner)?.needs(id, at, removal) === true;
