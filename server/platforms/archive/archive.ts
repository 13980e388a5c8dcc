/**
 * The in-memory archive: its tables, and the indexes that make the cost of an operation proportional to its page. Every
 * change goes through `apply`: at start from the journal, later from imports and API calls. Both ways lead to the same
 * state.
 */
import type { TweetIndex, TweetReading, TweetSource } from '../../search/tweet-index.ts';
import { createInvertedIndex } from '../../search/inverted-index/inverted-index.ts';
import { Lists } from '../../search/lists.ts';
import { Places } from '../../search/places.ts';
import { LargeMap } from '../../collections/large-map.ts';
import { merge, type ObservationOrder } from './merge.ts';
import {
  counts,
  type ArchivedCommunity,
  type ArchivedSpace,
  type ArchivedTweet,
  type ArchivedUser,
  type ArchiveRecord,
  type ArchiveSchemas,
  type ChangeOutcome,
} from './records.ts';
import { References } from './references.ts';
import { compareIds, Relation } from './relation.ts';
import { Timeline } from './timeline.ts';
import { TweetTable } from './tweet-table.ts';

/** The removal of a like; `at` in milliseconds since the epoch. Only the archive itself writes this record. */
export type UnlikeRecord = { kind: 'unlike'; tweet_id: string; at: number };
export type Change = ArchiveRecord | UnlikeRecord;

/** The effect of a change on an entity that clients can subscribe to. */
export type DomainEvent =
  | { readonly event: 'tweet.created' | 'tweet.updated' | 'tweet.engagement' | 'tweet.unliked'; readonly id: string }
  | { readonly event: 'community.joined'; readonly id: string; readonly userId: string };

type Role = ArchiveSchemas['MembershipRecord']['role'];
/** Milliseconds since the epoch; 0 where the time is unknown or cannot be parsed. */
const time = (timestamp: string | null | undefined): number => (timestamp ? Date.parse(timestamp) || 0 : 0);
const observationOrder = (incoming: number, current: number): ObservationOrder =>
  incoming > current ? 1 : incoming < current ? -1 : 0;

/** A record that the archive cannot apply; the message gives the reason. The archive is unchanged. */
export class UnusableRecord extends Error {
  override readonly name = 'UnusableRecord';
}

/** Runs the steps that can fail because of the record, before the archive changes anything. Throws UnusableRecord. */
function prepare<Result>(steps: () => Result): Result {
  try {
    return steps();
  } catch (error) {
    if (error instanceof UnusableRecord) throw error;
    throw new UnusableRecord(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

const isId = /^[0-9]{1,19}$/;

/** Throws UnusableRecord where a value is not a decimal id; undefined stands for an absent member. */
function requireIds(...ids: readonly unknown[]): void {
  for (const id of ids) {
    if (id === undefined || (typeof id === 'string' && isId.test(id))) continue;
    throw new UnusableRecord(`expected a decimal id instead of ${String(JSON.stringify(id)).slice(0, 40)}`);
  }
}

/** Throws UnusableRecord where a member is missing. */
function requireMembers<Entity extends object>(
  entity: Entity | undefined,
  ...names: readonly (keyof Entity & string)[]
): void {
  for (const name of names) if (typeof entity?.[name] !== 'string') throw new UnusableRecord(`its ${name} is missing`);
}

/** Lists by key; the first use of a key creates its list. */
class ListsByKey<List> {
  readonly lists = new LargeMap<string, List>();
  readonly #create: () => List;

  constructor(create: () => List) {
    this.#create = create;
  }

  get(key: string): List | undefined {
    return this.lists.get(key);
  }

  getOrCreate(key: string): List {
    let list = this.lists.get(key);
    if (list === undefined) this.lists.set(key, (list = this.#create()));
    return list;
  }
}

/** The difference that a change makes for one tweet: its search index entries, and the timelines that contain it. */
interface TimelineChange {
  readonly readings: readonly [before: TweetReading, after: TweetReading];
  readonly timelinesBefore: ReadonlySet<Timeline>;
  readonly timelinesAfter: ReadonlySet<Timeline>;
}

/**
 * A user of whom the archive has a profile or a reference. A mention in a text gives no id; a follow gives no username.
 */
export interface UserIdentity {
  readonly id: string | undefined;
  readonly username: string | undefined;
}

const timelines = (): ListsByKey<Timeline> => new ListsByKey(() => new Timeline());
const relations = (): ListsByKey<Relation> => new ListsByKey(() => new Relation());

export class Archive implements TweetSource {
  readonly tweets = new TweetTable();
  readonly users = new LargeMap<string, ArchivedUser>();
  readonly communities = new LargeMap<string, ArchivedCommunity>();
  readonly spaces = new LargeMap<string, ArchivedSpace>();
  /** All tweets of an author; `postsByAuthor` leaves out the replies. */
  readonly byAuthor = timelines();
  readonly postsByAuthor = timelines();
  /** By the lower-case username that the text names. */
  readonly mentions = timelines();
  readonly replies = timelines();
  readonly communityTweets = timelines();
  readonly communityMedia = timelines();
  readonly follows = relations();
  readonly highlights = relations();
  readonly retweeters = relations();
  readonly memberships = relations();
  readonly places = new Places();
  readonly lists = new Lists();
  readonly index: TweetIndex;
  /** The sequence number of the last change. */
  revision = 0;
  /** Increases with each change. Unlike the revision it never decreases, even when the journal rejects a change. */
  version = 0;
  /** The number of changes that a snapshot of the archive needs. */
  live = 0;
  /** `apply` calls it with each event of a change. */
  onEvent: (event: DomainEvent) => void = () => {};
  /** The ids of the profiles by lower-case username; several where an account took over the username of another. */
  #usernames = new LargeMap<string, string | readonly string[]>();
  #roles = new LargeMap<string, Role>();
  readonly #references: References;
  #usersVersion = 0;
  /** Likes of the account that this service acts for. A removed like stays, with the time of its removal. */
  #likes = new LargeMap<string, { liked: boolean; at: number }>();
  /** The largest engagement in each community: it bounds how far back a ranking must read. */
  #maxEngagement = new LargeMap<string, number>();

  constructor() {
    this.index = createInvertedIndex(this);
    this.#references = new References({
      hasProfile: (id) => this.users.has(id),
      hasTweets: (id) => this.byAuthor.get(id) !== undefined,
      mentionsOf: (username) => this.mentions.get(username),
      tweet: (ordinal) => this.tweets.tweet(ordinal),
      order: this.order,
      userChanged: (after, before) => this.index.userChanged(after, before),
    });
  }

  // TweetSource
  get size(): number {
    return this.tweets.size;
  }
  tweet(ordinal: number): ArchivedTweet {
    return this.tweets.tweet(ordinal);
  }
  ordinal(id: string): number | undefined {
    return this.tweets.ordinal(id);
  }
  readonly order = (a: number, b: number): number => this.tweets.order(a, b);
  createdAt(ordinal: number): number {
    return this.tweets.createdAt(ordinal);
  }
  id(ordinal: number): bigint {
    return this.tweets.id(ordinal);
  }
  isOlder(ordinal: number, createdAt: number, id: bigint): boolean {
    return this.tweets.isOlder(ordinal, createdAt, id);
  }
  authorId(ordinal: number): string {
    return this.tweets.authorId(ordinal);
  }
  count(ordinal: number, name: (typeof counts)[number]): number {
    return this.tweets.count(ordinal, name);
  }
  /** The profile of a user, or the stub user that mentions describe. */
  user(id: string): ArchivedUser | undefined {
    return this.users.get(id) ?? this.#references.user(id);
  }
  arrivedAt(ordinal: number): number {
    return this.tweets.arrivedAt(ordinal);
  }
  engagement(ordinal: number, revision?: number): number {
    return this.tweets.engagement(ordinal, revision);
  }

  /** A user by username, case-insensitive: the profile with this username, or the stub user that mentions describe. */
  userByName(username: string): ArchivedUser | undefined {
    const ids = this.#usernames.get(username.toLowerCase());
    if (ids === undefined) return this.#references.userByName(username);
    if (typeof ids === 'string') return this.users.get(ids);
    return ids.flatMap((id) => this.users.get(id) ?? []).reduce((best, next) => (hasNameNow(best, next) ? next : best));
  }

  /** The user that a mention refers to: by its id if it has one, otherwise by its username. */
  mentioned({ username, id }: { readonly username: string; readonly id?: string }): ArchivedUser | undefined {
    return id === undefined ? this.userByName(username) : this.user(id);
  }

  /** Changes whenever `user`, `userByName` or `mentioned` may return another result. */
  get usersVersion(): number {
    return this.#usersVersion + this.#references.version;
  }

  /**
   * Finds a user. A user exists if the archive has a profile of it, or if any other record names it by id or username.
   * Otherwise undefined.
   */
  findUser(ref: { readonly username: string } | { readonly user_id: string }): UserIdentity | undefined {
    if ('username' in ref) {
      const username = ref.username.replace(/^@/, '');
      return (
        this.userByName(username) ?? (this.#references.hasName(username) ? { id: undefined, username } : undefined)
      );
    }
    const id = ref.user_id;
    return this.user(id) ?? (this.#isReferenced(id) ? { id, username: undefined } : undefined);
  }

  #isReferenced(id: string): boolean {
    const owners = [this.byAuthor, this.follows, this.highlights, this.memberships];
    return owners.some((lists) => lists.get(id) !== undefined) || this.#references.hasId(id);
  }

  role(communityId: string, userId: string): Role | undefined {
    return this.#roles.get(`${communityId} ${userId}`);
  }

  liked(tweetId: string): boolean {
    return this.likedAt(tweetId) !== undefined;
  }

  /** When the tweet was liked, in milliseconds since the epoch; 0 if unknown; undefined if the tweet is not liked. */
  likedAt(tweetId: string): number | undefined {
    const like = this.#likes.get(tweetId);
    return like?.liked ? like.at : undefined;
  }

  maxEngagement(communityId: string): number {
    return this.#maxEngagement.get(communityId) ?? 0;
  }

  /**
   * Applies a change and returns its outcome. `snapshot`: the change is older than any revision that a cursor may
   * contain. Throws UnusableRecord where the record violates the schema; the archive is then unchanged.
   */
  apply(change: Change, snapshot = false): ChangeOutcome {
    const outcome = this.#apply(change, snapshot ? 0 : this.revision + 1);
    if (outcome !== 'unchanged') {
      this.revision++;
      this.version++;
    }
    if (outcome === 'added') this.live++;
    return outcome;
  }

  /** Whether a record would change anything. Has no side effects. */
  wouldChange(record: ArchiveRecord): boolean {
    switch (record.kind) {
      case 'tweet': {
        const existing = this.tweets.ordinal(record.tweet.id);
        if (existing === undefined) return true;
        const before = this.tweets.tweet(existing);
        return this.#mergedTweet(existing, before, record.tweet) !== before;
      }
      case 'user': {
        const existing = this.users.get(record.user.id);
        return existing === undefined || mergedUser(existing, record.user) !== existing;
      }
      case 'follow':
        return relationWouldChange(this.follows, record.follower_id, record.following_id, record.created_at);
      case 'retweet':
        return relationWouldChange(this.retweeters, record.tweet_id, record.user_id, record.created_at);
      case 'highlight':
        return relationWouldChange(this.highlights, record.user_id, record.tweet_id, record.created_at);
      case 'membership':
        return (
          relationWouldChange(this.memberships, record.user_id, record.community_id, record.created_at) ||
          this.role(record.community_id, record.user_id) !== record.role
        );
      case 'community':
        return entityWouldChange(this.communities, record.community);
      case 'space':
        return entityWouldChange(this.spaces, record.space);
      case 'place':
        return observationWouldChange(this.places, record.place);
      case 'list':
        return observationWouldChange(this.lists, record.list);
      case 'list_member':
        return this.lists.wouldChangeMember(record.list_id, record.user_id, time(record.created_at));
      case 'like':
        return this.#likeWouldChange(record.tweet_id, time(record.created_at));
    }
  }

  /** The content of the archive as changes: a snapshot. */
  *changes(): Generator<Change, void> {
    for (const user of this.users.values()) yield { kind: 'user', user };
    for (const community of this.communities.values()) yield { kind: 'community', community };
    for (let ordinal = 0; ordinal < this.size; ordinal++) {
      const observedAt = this.tweets.observedAt(ordinal);
      const tweet = this.tweets.tweet(ordinal);
      yield {
        kind: 'tweet',
        tweet: observedAt === 0 ? tweet : { ...tweet, observed_at: new Date(observedAt).toISOString() },
      };
    }
    for (const space of this.spaces.values()) yield { kind: 'space', space };
    for (const place of this.places.values()) yield { kind: 'place', place };
    for (const list of this.lists.values()) yield { kind: 'list', list };
    const members = function* (
      all: Iterable<[string, Relation]>,
    ): Generator<[string, string, { created_at?: string }], void> {
      for (const [owner, relation] of all) {
        for (const { id, at } of relation.members())
          yield [owner, id, at === 0 ? {} : { created_at: new Date(at).toISOString() }];
      }
    };
    for (const [list_id, user_id, at] of members(this.lists.members()))
      yield { kind: 'list_member', list_id, user_id, ...at };
    for (const [follower_id, following_id, at] of members(this.follows.lists))
      yield { kind: 'follow', follower_id, following_id, ...at };
    for (const [tweet_id, user_id, at] of members(this.retweeters.lists))
      yield { kind: 'retweet', tweet_id, user_id, ...at };
    for (const [user_id, tweet_id, at] of members(this.highlights.lists))
      yield { kind: 'highlight', user_id, tweet_id, ...at };
    for (const [user_id, community_id, at] of members(this.memberships.lists)) {
      yield { kind: 'membership', community_id, user_id, role: this.role(community_id, user_id)!, ...at };
    }
    for (const [tweet_id, { liked, at }] of this.#likes) {
      if (!liked) yield { kind: 'unlike', tweet_id, at };
      else yield { kind: 'like', tweet_id, ...(at === 0 ? {} : { created_at: new Date(at).toISOString() }) };
    }
  }

  #apply(change: Change, revision: number): ChangeOutcome {
    prepare(() => requireShape(change));
    switch (change.kind) {
      case 'tweet':
        return this.#applyTweet(change.tweet, revision);
      case 'user':
        return this.#applyUser(change.user);
      case 'follow':
        this.#references.addId(change.following_id);
        return this.follows.getOrCreate(change.follower_id).add(change.following_id, time(change.created_at));
      case 'retweet':
        this.#references.addId(change.user_id);
        return this.retweeters.getOrCreate(change.tweet_id).add(change.user_id, time(change.created_at));
      case 'highlight':
        return this.highlights.getOrCreate(change.user_id).add(change.tweet_id, time(change.created_at));
      case 'membership':
        return this.#applyMembership(change);
      case 'community':
        return prepare(() => upsert(this.communities, change.community));
      case 'space':
        return this.#applySpace(change.space);
      case 'place':
        return prepare(() => upsertObservation(this.places, change.place));
      case 'list':
        return prepare(() => upsertObservation(this.lists, change.list));
      case 'list_member':
        return this.lists.addMember(change.list_id, change.user_id, time(change.created_at));
      case 'like':
        return this.#applyLike(change.tweet_id, time(change.created_at));
      case 'unlike':
        return this.#applyUnlike(change, revision);
    }
  }

  #applyUser(user: ArchivedUser): ChangeOutcome {
    const before = this.users.get(user.id);
    const after = prepare(() => {
      this.index.readUser(user);
      return before === undefined ? user : mergedUser(before, user);
    });
    if (after === before) return 'unchanged';
    this.users.set(user.id, after);
    this.#rename(user.id, before?.username.toLowerCase(), after.username.toLowerCase());
    this.#usersVersion++;
    this.index.userChanged(after, before ?? this.#references.resolved(user.id));
    return before === undefined ? 'added' : 'updated';
  }

  #rename(id: string, before: string | undefined, after: string): void {
    if (before === after) return;
    if (before !== undefined) {
      const others = [this.#usernames.get(before) ?? []].flat().filter((existingId) => existingId !== id);
      if (others.length > 0) this.#usernames.set(before, others);
      else this.#usernames.delete(before);
    }
    const others = this.#usernames.get(after);
    this.#usernames.set(after, others === undefined ? id : [others, id].flat());
  }

  #applyTweet(tweet: ArchivedTweet, revision: number): ChangeOutcome {
    const existing = this.tweets.ordinal(tweet.id);
    if (existing === undefined) {
      const { reading, timelines, ordinal } = prepare(() => ({
        reading: this.index.read(tweet),
        timelines: [...this.#timelinesOf(tweet)],
        ordinal: this.tweets.add(tweet, revision),
      }));
      this.#addToTimelines(ordinal, tweet, timelines);
      this.#recordEngagement(ordinal, tweet);
      this.#references.indexAuthor(tweet.author_id);
      this.index.added(ordinal, reading);
      this.onEvent({ event: 'tweet.created', id: tweet.id });
      return 'added';
    }
    const before = this.tweets.tweet(existing);
    const after = prepare(() => this.#mergedTweet(existing, before, tweet));
    if (after === before) return 'unchanged';
    const timelineChange = prepare(() => {
      const computed = changedBeyondCounts(before, after) ? this.#timelineChange(before, after) : undefined;
      this.tweets.replace(existing, after, revision);
      return computed;
    });
    this.#recordEngagement(existing, after);
    if (timelineChange !== undefined) {
      this.#updateTimelines(existing, before, after, timelineChange);
      this.index.changed(existing, timelineChange.readings[0], timelineChange.readings[1]);
      this.onEvent({ event: 'tweet.updated', id: tweet.id });
    }
    if (counts.some((name) => after[name] !== before[name])) this.onEvent({ event: 'tweet.engagement', id: tweet.id });
    return 'updated';
  }

  #applyMembership({ community_id, user_id, role, created_at }: ArchiveSchemas['MembershipRecord']): ChangeOutcome {
    const outcome = this.memberships.getOrCreate(user_id).add(community_id, time(created_at));
    const before = this.role(community_id, user_id);
    this.#roles.set(`${community_id} ${user_id}`, role);
    if (outcome === 'added') this.onEvent({ event: 'community.joined', id: community_id, userId: user_id });
    return outcome === 'unchanged' && before !== role ? 'updated' : outcome;
  }

  #applySpace(space: ArchivedSpace): ChangeOutcome {
    const before = this.spaces.get(space.id);
    const outcome = prepare(() => upsert(this.spaces, space));
    this.#references.setSpace(this.spaces.get(space.id) ?? space, before);
    return outcome;
  }

  /** Merges a new observation into a tweet; returns `before` itself if nothing changes. */
  #mergedTweet(existing: number, before: ArchivedTweet, tweet: ArchivedTweet): ArchivedTweet {
    // The author, the time and the retweeted tweet never change: a source that rounds the time differently must not
    // move the tweet to another position.
    const { author_id, created_at, retweeted_tweet_id = tweet.retweeted_tweet_id } = before;
    const incoming = { ...tweet, author_id, created_at, retweeted_tweet_id };
    return merge(before, incoming, observationOrder(time(tweet.observed_at), this.tweets.observedAt(existing)));
  }

  #likeWouldChange(tweetId: string, at: number): boolean {
    const existing = this.#likes.get(tweetId);
    return existing === undefined || (!existing.liked && at > existing.at);
  }

  #applyLike(tweetId: string, at: number): ChangeOutcome {
    if (!this.#likeWouldChange(tweetId, at)) return 'unchanged';
    const existing = this.#likes.get(tweetId);
    this.#likes.set(tweetId, { liked: true, at });
    return existing === undefined ? 'added' : 'updated';
  }

  #applyUnlike({ tweet_id, at }: UnlikeRecord, revision: number): ChangeOutcome {
    const existing = this.#likes.get(tweet_id);
    if (existing !== undefined && !existing.liked) return 'unchanged';
    this.#likes.set(tweet_id, { liked: false, at });
    // Without an earlier like, the record restores a removal from a snapshot: the count is already decremented.
    if (existing === undefined) return 'added';
    const ordinal = this.tweets.ordinal(tweet_id);
    if (ordinal !== undefined) {
      this.tweets.unlike(ordinal, at, revision);
      this.onEvent({ event: 'tweet.unliked', id: tweet_id });
    }
    return 'updated';
  }

  /** The timelines that contain a tweet. */
  *#timelinesOf(tweet: ArchivedTweet): Generator<Timeline, void> {
    yield this.byAuthor.getOrCreate(tweet.author_id);
    if (tweet.in_reply_to_id === undefined) yield this.postsByAuthor.getOrCreate(tweet.author_id);
    else yield this.replies.getOrCreate(tweet.in_reply_to_id);
    if (tweet.community_id !== undefined) {
      yield this.communityTweets.getOrCreate(tweet.community_id);
      if (tweet.media !== undefined && tweet.media.length > 0)
        yield this.communityMedia.getOrCreate(tweet.community_id);
    }
    for (const username of new Set(tweet.entities?.mentions.map((mention) => mention.username.toLowerCase()))) {
      yield this.mentions.getOrCreate(username);
    }
  }

  #addToTimelines(ordinal: number, tweet: ArchivedTweet, timelines: readonly Timeline[]): void {
    for (const timeline of timelines) timeline.add(ordinal, this.tweets.order);
    this.#references.setTweet(ordinal, tweet, undefined);
    if (tweet.retweeted_tweet_id !== undefined) {
      this.retweeters.getOrCreate(tweet.retweeted_tweet_id).add(tweet.author_id, this.tweets.createdAt(ordinal));
    }
  }

  #timelineChange(before: ArchivedTweet, after: ArchivedTweet): TimelineChange {
    return {
      readings: [this.index.read(before), this.index.read(after)],
      timelinesBefore: new Set(this.#timelinesOf(before)),
      timelinesAfter: new Set(this.#timelinesOf(after)),
    };
  }

  #updateTimelines(
    ordinal: number,
    before: ArchivedTweet,
    after: ArchivedTweet,
    { timelinesBefore, timelinesAfter }: TimelineChange,
  ): void {
    for (const timeline of timelinesBefore.difference(timelinesAfter)) timeline.remove(new Set([ordinal]));
    for (const timeline of timelinesAfter.difference(timelinesBefore)) timeline.add(ordinal, this.tweets.order);
    this.#references.setTweet(ordinal, after, before);
    if (after.retweeted_tweet_id !== undefined) {
      this.retweeters.getOrCreate(after.retweeted_tweet_id).add(after.author_id, this.tweets.createdAt(ordinal));
    }
  }

  #recordEngagement(ordinal: number, tweet: ArchivedTweet): void {
    if (tweet.community_id === undefined) return;
    const engagement = this.tweets.engagement(ordinal);
    if (engagement > this.maxEngagement(tweet.community_id)) this.#maxEngagement.set(tweet.community_id, engagement);
  }
}

/**
 * Throws UnusableRecord for a record without a required member: another version or another program may have written the
 * journal.
 */
function requireShape(change: Change): void {
  switch (change.kind) {
    case 'tweet': {
      const { id, author_id, in_reply_to_id, conversation_id, quoted_tweet_id, retweeted_tweet_id, community_id } =
        change.tweet;
      requireMembers(change.tweet, 'id', 'author_id', 'text', 'created_at');
      requireIds(id, author_id, in_reply_to_id, conversation_id, quoted_tweet_id, retweeted_tweet_id, community_id);
      if (Number.isNaN(Date.parse(change.tweet.created_at)))
        throw new UnusableRecord('its created_at is not a valid time');
      return;
    }
    case 'user':
      requireMembers(change.user, 'id', 'username');
      return requireIds(change.user.id);
    case 'community':
      return requireMembers(change.community, 'id', 'name');
    case 'space':
      requireMembers(change.space, 'id', 'title', 'host_id', 'created_at');
      if (Number.isNaN(Date.parse(change.space.created_at)))
        throw new UnusableRecord('its created_at is not a valid time');
      return;
    case 'follow':
      requireMembers(change, 'follower_id', 'following_id');
      return requireIds(change.follower_id, change.following_id);
    case 'retweet':
    case 'highlight':
      requireMembers(change, 'tweet_id', 'user_id');
      return requireIds(change.tweet_id, change.user_id);
    case 'membership':
      requireMembers(change, 'community_id', 'user_id', 'role');
      return requireIds(change.community_id, change.user_id);
    case 'place':
      return requireMembers(change.place, 'id');
    case 'list':
      requireMembers(change.list, 'id');
      return requireIds(change.list.id, change.list.owner_id);
    case 'list_member':
      requireMembers(change, 'list_id', 'user_id');
      return requireIds(change.list_id, change.user_id);
    case 'like':
    case 'unlike':
      requireMembers(change, 'tweet_id');
      return requireIds(change.tweet_id);
    default:
      throw new UnusableRecord(
        `unknown kind ${String(JSON.stringify((change as { kind?: unknown }).kind)).slice(0, 40)}`,
      );
  }
}

/** Whether more than the counts differ. A merge reuses unchanged members, so identity comparison is enough. */
function changedBeyondCounts(before: ArchivedTweet, after: ArchivedTweet): boolean {
  const ignored: readonly string[] = [...counts, 'observed_at'];
  return (Object.keys(after) as (keyof ArchivedTweet)[]).some(
    (name) => !ignored.includes(name) && after[name] !== before[name],
  );
}

/**
 * Whether the second of two profiles with the same username owns it now: its observation is later, or its id is higher.
 * The order of arrival does not matter.
 */
function hasNameNow(a: ArchivedUser, b: ArchivedUser): boolean {
  const later = time(b.observed_at) - time(a.observed_at);
  return later > 0 || (later === 0 && compareIds(b.id, a.id) > 0);
}

/** Merges a new observation into an entity: the later observation wins. */
const mergeObservation = <Entity extends { observed_at?: string }>(existing: Entity, entity: Entity): Entity =>
  merge(existing, entity, observationOrder(time(entity.observed_at), time(existing.observed_at)));
const mergedUser = (existing: ArchivedUser, user: ArchivedUser): ArchivedUser => mergeObservation(existing, user);

/** A table of entities that carry the time of their observation. */
interface Observations<Entity> {
  get(id: string): Entity | undefined;
  set(entity: Entity): void;
}
type Observed = { id: string; observed_at?: string };

function observationWouldChange<Entity extends Observed>(entities: Observations<Entity>, entity: Entity): boolean {
  const before = entities.get(entity.id);
  return before === undefined || mergeObservation(before, entity) !== before;
}

function upsertObservation<Entity extends Observed>(entities: Observations<Entity>, entity: Entity): ChangeOutcome {
  const before = entities.get(entity.id);
  const after = before === undefined ? entity : mergeObservation(before, entity);
  if (after === before) return 'unchanged';
  entities.set(after);
  return before === undefined ? 'added' : 'updated';
}

const relationWouldChange = (
  all: ListsByKey<Relation>,
  owner: string,
  id: string,
  createdAt: string | undefined,
): boolean => all.get(owner)?.wouldChange(id, time(createdAt)) ?? true;

function entityWouldChange<Entity extends { id: string }>(entities: LargeMap<string, Entity>, entity: Entity): boolean {
  const existing = entities.get(entity.id);
  return existing === undefined || merge(existing, entity, 1) !== existing;
}

/** Inserts or updates an entity without observation times: the last write wins, absent members keep their value. */
function upsert<Entity extends { id: string }>(entities: LargeMap<string, Entity>, entity: Entity): ChangeOutcome {
  const before = entities.get(entity.id);
  const after = before === undefined ? entity : merge(before, entity, 1);
  if (after === before) return 'unchanged';
  entities.set(entity.id, after);
  return before === undefined ? 'added' : 'updated';
}
