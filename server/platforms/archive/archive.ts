/**
 * The archive in memory: its tables and the indexes that make each operation cost by its page. Everything enters by `apply`,
 * at start from the journal and later from imports and calls, so both give the same state.
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

/** A like that was taken back; `at` in milliseconds since the epoch. Only the archive itself writes it. */
export type UnlikeRecord = { kind: 'unlike'; tweet_id: string; at: number };
export type Change = ArchiveRecord | UnlikeRecord;

/** What a change did to a thing that listeners follow. */
export type DomainEvent =
  | { readonly event: 'tweet.created' | 'tweet.updated' | 'tweet.engagement' | 'tweet.unliked'; readonly id: string }
  | { readonly event: 'community.joined'; readonly id: string; readonly userId: string };

type Role = ArchiveSchemas['MembershipRecord']['role'];
/** Milliseconds since the epoch; 0 where the time is unknown, or none that a clock shows. */
const time = (timestamp: string | null | undefined): number => (timestamp ? Date.parse(timestamp) || 0 : 0);
const seen = (incoming: number, known: number): ObservationOrder => (incoming > known ? 1 : incoming < known ? -1 : 0);

/** A record that the archive cannot take in; the message says why. Nothing was changed by it. */
export class UnusableRecord extends Error {
  override readonly name = 'UnusableRecord';
}

/** Does what may fail because of the record alone, before anything is changed. Throws UnusableRecord. */
function prepare<Result>(steps: () => Result): Result {
  try {
    return steps();
  } catch (error) {
    if (error instanceof UnusableRecord) throw error;
    throw new UnusableRecord(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

const isId = /^[0-9]{1,19}$/;

/** Throws UnusableRecord where one is no decimal id; undefined stands for one that is left out. */
function requireIds(...ids: readonly unknown[]): void {
  for (const id of ids) {
    if (id === undefined || (typeof id === 'string' && isId.test(id))) continue;
    throw new UnusableRecord(`expected a decimal id instead of ${String(JSON.stringify(id)).slice(0, 40)}`);
  }
}

/** Throws UnusableRecord where a member is missing. */
function requireMembers<Thing extends object>(
  thing: Thing | undefined,
  ...names: readonly (keyof Thing & string)[]
): void {
  for (const name of names) if (typeof thing?.[name] !== 'string') throw new UnusableRecord(`its ${name} is missing`);
}

/** Many lists by key, made when first added to. */
class ByKey<List> {
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

/** What a tweet was found by and stood in before a change, and what it is found by and stands in after it. */
interface Move {
  readonly readings: readonly [before: TweetReading, after: TweetReading];
  readonly left: ReadonlySet<Timeline>;
  readonly entered: ReadonlySet<Timeline>;
}

/** A user that the archive knows, by a profile or by reference. A text alone tells no id; a follow alone tells no username. */
export interface KnownUser {
  readonly id: string | undefined;
  readonly username: string | undefined;
}

const timelines = (): ByKey<Timeline> => new ByKey(() => new Timeline());
const relations = (): ByKey<Relation> => new ByKey(() => new Relation());

export class Archive implements TweetSource {
  readonly tweets = new TweetTable();
  readonly users = new LargeMap<string, ArchivedUser>();
  readonly communities = new LargeMap<string, ArchivedCommunity>();
  readonly spaces = new LargeMap<string, ArchivedSpace>();
  /** Everything of an author, and without the replies. */
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
  /** How many changes the archive has seen: the sequence number of the last one. */
  revision = 0;
  /** Another number whenever anything has changed. Unlike the revision it never goes back, not even when the journal refuses a change. */
  version = 0;
  /** How many changes would be enough to write the archive anew. */
  live = 0;
  /** Called with what a change does, while it is applied. */
  happened: (happening: DomainEvent) => void = () => {};
  /** The ids of the profiles with a username in lower case; more than one where an account took over the name of another. */
  #usernames = new LargeMap<string, string | readonly string[]>();
  #roles = new LargeMap<string, Role>();
  readonly #references: References;
  #usersVersion = 0;
  /** Likes of the account this service acts for; a like that was taken back stays, with its time. */
  #likes = new LargeMap<string, { liked: boolean; at: number }>();
  /** The largest engagement seen in each community: bounds how far back a ranking must look. */
  #mostEngagement = new LargeMap<string, number>();

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
  /** A user's profile, or what mentions tell about a user that has none. */
  user(id: string): ArchivedUser | undefined {
    return this.users.get(id) ?? this.#references.user(id);
  }
  arrivedAt(ordinal: number): number {
    return this.tweets.arrivedAt(ordinal);
  }
  engagement(ordinal: number, revision?: number): number {
    return this.tweets.engagement(ordinal, revision);
  }

  /** A user by username, whatever the case: the profile with this username, or the user that mentions with an id tell of. */
  userByName(username: string): ArchivedUser | undefined {
    const ids = this.#usernames.get(username.toLowerCase());
    if (ids === undefined) return this.#references.userByName(username);
    if (typeof ids === 'string') return this.users.get(ids);
    return ids.flatMap((id) => this.users.get(id) ?? []).reduce((best, next) => (hasNameNow(best, next) ? next : best));
  }

  /** The user that a mention means: by its id where it has one, else by its username. */
  mentioned({ username, id }: { readonly username: string; readonly id?: string }): ArchivedUser | undefined {
    return id === undefined ? this.userByName(username) : this.user(id);
  }

  /** A number that changes whenever `user`, `userByName` or `mentioned` may answer differently. */
  get usersVersion(): number {
    return this.#usersVersion + this.#references.version;
  }

  /**
   * The one rule for which users there are: a user is known who has a profile, or whom any other record names, by id or by
   * username. Undefined for any other.
   */
  knownUser(ref: { readonly username: string } | { readonly user_id: string }): KnownUser | undefined {
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

  /** When the tweet was liked, in milliseconds, 0 where that is unknown; undefined where it is not. */
  likedAt(tweetId: string): number | undefined {
    const like = this.#likes.get(tweetId);
    return like?.liked ? like.at : undefined;
  }

  maxEngagement(communityId: string): number {
    return this.#mostEngagement.get(communityId) ?? 0;
  }

  /**
   * Takes in a change; tells what it did. `snapshot`: it was here before any revision that a cursor may name. Throws UnusableRecord, and
   * changes nothing then, where the record is none that the schema allows.
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

  /** Whether a record would change anything; nothing is changed by asking. */
  wouldChange(record: ArchiveRecord): boolean {
    switch (record.kind) {
      case 'tweet': {
        const known = this.tweets.ordinal(record.tweet.id);
        if (known === undefined) return true;
        const before = this.tweets.tweet(known);
        return this.#mergedTweet(known, before, record.tweet) !== before;
      }
      case 'user': {
        const known = this.users.get(record.user.id);
        return known === undefined || mergedUser(known, record.user) !== known;
      }
      case 'follow':
        return wouldRelate(this.follows, record.follower_id, record.following_id, record.created_at);
      case 'retweet':
        return wouldRelate(this.retweeters, record.tweet_id, record.user_id, record.created_at);
      case 'highlight':
        return wouldRelate(this.highlights, record.user_id, record.tweet_id, record.created_at);
      case 'membership':
        return (
          wouldRelate(this.memberships, record.user_id, record.community_id, record.created_at) ||
          this.role(record.community_id, record.user_id) !== record.role
        );
      case 'community':
        return wouldPut(this.communities, record.community);
      case 'space':
        return wouldPut(this.spaces, record.space);
      case 'place':
        return wouldObserve(this.places, record.place);
      case 'list':
        return wouldObserve(this.lists, record.list);
      case 'list_member':
        return this.lists.wouldChangeMember(record.list_id, record.user_id, time(record.created_at));
      case 'like':
        return this.#wouldLike(record.tweet_id, time(record.created_at));
    }
  }

  /** Everything the archive holds, as changes that make it anew. */
  *changes(): Generator<Change, void> {
    for (const user of this.users.values()) yield { kind: 'user', user };
    for (const community of this.communities.values()) yield { kind: 'community', community };
    for (let ordinal = 0; ordinal < this.size; ordinal++) {
      const observed = this.tweets.observedAt(ordinal);
      const tweet = this.tweets.tweet(ordinal);
      yield {
        kind: 'tweet',
        tweet: observed === 0 ? tweet : { ...tweet, observed_at: new Date(observed).toISOString() },
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
        return prepare(() => put(this.communities, change.community));
      case 'space':
        return this.#applySpace(change.space);
      case 'place':
        return prepare(() => observe(this.places, change.place));
      case 'list':
        return prepare(() => observe(this.lists, change.list));
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
      const others = [this.#usernames.get(before) ?? []].flat().filter((other) => other !== id);
      if (others.length > 0) this.#usernames.set(before, others);
      else this.#usernames.delete(before);
    }
    const others = this.#usernames.get(after);
    this.#usernames.set(after, others === undefined ? id : [others, id].flat());
  }

  #applyTweet(tweet: ArchivedTweet, revision: number): ChangeOutcome {
    const known = this.tweets.ordinal(tweet.id);
    if (known === undefined) {
      const { reading, timelines, ordinal } = prepare(() => ({
        reading: this.index.read(tweet),
        timelines: [...this.#timelinesOf(tweet)],
        ordinal: this.tweets.add(tweet, revision),
      }));
      this.#place(ordinal, tweet, timelines);
      this.#noteEngagement(ordinal, tweet);
      this.#references.indexAuthor(tweet.author_id);
      this.index.added(ordinal, reading);
      this.happened({ event: 'tweet.created', id: tweet.id });
      return 'added';
    }
    const before = this.tweets.tweet(known);
    const after = prepare(() => this.#mergedTweet(known, before, tweet));
    if (after === before) return 'unchanged';
    const move = prepare(() => {
      const moved = changedBeyondCounts(before, after) ? this.#moveOf(before, after) : undefined;
      this.tweets.replace(known, after, revision);
      return moved;
    });
    this.#noteEngagement(known, after);
    if (move !== undefined) {
      this.#move(known, before, after, move);
      this.index.changed(known, move.readings[0], move.readings[1]);
      this.happened({ event: 'tweet.updated', id: tweet.id });
    }
    if (counts.some((name) => after[name] !== before[name])) this.happened({ event: 'tweet.engagement', id: tweet.id });
    return 'updated';
  }

  #applyMembership({ community_id, user_id, role, created_at }: ArchiveSchemas['MembershipRecord']): ChangeOutcome {
    const outcome = this.memberships.getOrCreate(user_id).add(community_id, time(created_at));
    const before = this.role(community_id, user_id);
    this.#roles.set(`${community_id} ${user_id}`, role);
    if (outcome === 'added') this.happened({ event: 'community.joined', id: community_id, userId: user_id });
    return outcome === 'unchanged' && before !== role ? 'updated' : outcome;
  }

  #applySpace(space: ArchivedSpace): ChangeOutcome {
    const before = this.spaces.get(space.id);
    const outcome = prepare(() => put(this.spaces, space));
    this.#references.setSpace(this.spaces.get(space.id) ?? space, before);
    return outcome;
  }

  /** What is known of a tweet with what is seen of it now; the same object as before where nothing changes. */
  #mergedTweet(known: number, before: ArchivedTweet, tweet: ArchivedTweet): ArchivedTweet {
    // The author and the time of a tweet never change, nor does what it retweets: a source that rounds the time differently must not
    // move it.
    const { author_id, created_at, retweeted_tweet_id = tweet.retweeted_tweet_id } = before;
    const incoming = { ...tweet, author_id, created_at, retweeted_tweet_id };
    return merge(before, incoming, seen(time(tweet.observed_at), this.tweets.observedAt(known)));
  }

  #wouldLike(tweetId: string, at: number): boolean {
    const known = this.#likes.get(tweetId);
    return known === undefined || (!known.liked && at > known.at);
  }

  #applyLike(tweetId: string, at: number): ChangeOutcome {
    if (!this.#wouldLike(tweetId, at)) return 'unchanged';
    const known = this.#likes.get(tweetId);
    this.#likes.set(tweetId, { liked: true, at });
    return known === undefined ? 'added' : 'updated';
  }

  #applyUnlike({ tweet_id, at }: UnlikeRecord, revision: number): ChangeOutcome {
    const known = this.#likes.get(tweet_id);
    if (known !== undefined && !known.liked) return 'unchanged';
    this.#likes.set(tweet_id, { liked: false, at });
    // Without a like on record this restores one that was taken back before: the count was already lowered then.
    if (known === undefined) return 'added';
    const ordinal = this.tweets.ordinal(tweet_id);
    if (ordinal !== undefined) {
      this.tweets.unlike(ordinal, at, revision);
      this.happened({ event: 'tweet.unliked', id: tweet_id });
    }
    return 'updated';
  }

  /** The timelines that a tweet stands in. */
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

  #place(ordinal: number, tweet: ArchivedTweet, timelines: readonly Timeline[]): void {
    for (const timeline of timelines) timeline.add(ordinal, this.tweets.order);
    this.#references.setTweet(ordinal, tweet, undefined);
    if (tweet.retweeted_tweet_id !== undefined) {
      this.retweeters.getOrCreate(tweet.retweeted_tweet_id).add(tweet.author_id, this.tweets.createdAt(ordinal));
    }
  }

  #moveOf(before: ArchivedTweet, after: ArchivedTweet): Move {
    return {
      readings: [this.index.read(before), this.index.read(after)],
      left: new Set(this.#timelinesOf(before)),
      entered: new Set(this.#timelinesOf(after)),
    };
  }

  #move(ordinal: number, before: ArchivedTweet, after: ArchivedTweet, { left, entered }: Move): void {
    for (const timeline of left.difference(entered)) timeline.remove(new Set([ordinal]));
    for (const timeline of entered.difference(left)) timeline.add(ordinal, this.tweets.order);
    this.#references.setTweet(ordinal, after, before);
    if (after.retweeted_tweet_id !== undefined) {
      this.retweeters.getOrCreate(after.retweeted_tweet_id).add(after.author_id, this.tweets.createdAt(ordinal));
    }
  }

  #noteEngagement(ordinal: number, tweet: ArchivedTweet): void {
    if (tweet.community_id === undefined) return;
    const engagement = this.tweets.engagement(ordinal);
    if (engagement > this.maxEngagement(tweet.community_id)) this.#mostEngagement.set(tweet.community_id, engagement);
  }
}

/** Throws UnusableRecord for a record without what every use of it needs: a journal may be of another version, or of another program. */
function requireShape(change: Change): void {
  switch (change.kind) {
    case 'tweet': {
      const { id, author_id, in_reply_to_id, conversation_id, quoted_tweet_id, retweeted_tweet_id, community_id } =
        change.tweet;
      requireMembers(change.tweet, 'id', 'author_id', 'text', 'created_at');
      requireIds(id, author_id, in_reply_to_id, conversation_id, quoted_tweet_id, retweeted_tweet_id, community_id);
      if (Number.isNaN(Date.parse(change.tweet.created_at))) throw new UnusableRecord('its created_at is no time');
      return;
    }
    case 'user':
      requireMembers(change.user, 'id', 'username');
      return requireIds(change.user.id);
    case 'community':
      return requireMembers(change.community, 'id', 'name');
    case 'space':
      requireMembers(change.space, 'id', 'title', 'host_id', 'created_at');
      if (Number.isNaN(Date.parse(change.space.created_at))) throw new UnusableRecord('its created_at is no time');
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

/** Whether more than the counts differ; a merge keeps what it does not change, so members compare by identity. */
function changedBeyondCounts(before: ArchivedTweet, after: ArchivedTweet): boolean {
  const ignored: readonly string[] = [...counts, 'observed_at'];
  return (Object.keys(after) as (keyof ArchivedTweet)[]).some(
    (name) => !ignored.includes(name) && after[name] !== before[name],
  );
}

/**
 * Whether of two profiles with one username the second has it now: it was seen later, or has the higher id. The order in which they
 * arrived does not count.
 */
function hasNameNow(a: ArchivedUser, b: ArchivedUser): boolean {
  const later = time(b.observed_at) - time(a.observed_at);
  return later > 0 || (later === 0 && compareIds(b.id, a.id) > 0);
}

/** What is known of a thing with what is seen of it now: what was seen later wins. */
const observed = <Thing extends { observed_at?: string }>(known: Thing, thing: Thing): Thing =>
  merge(known, thing, seen(time(thing.observed_at), time(known.observed_at)));
const mergedUser = (known: ArchivedUser, user: ArchivedUser): ArchivedUser => observed(known, user);

/** A table of things that say when they were seen. */
interface Observations<Thing> {
  get(id: string): Thing | undefined;
  set(thing: Thing): void;
}
type Observed = { id: string; observed_at?: string };

function wouldObserve<Thing extends Observed>(things: Observations<Thing>, thing: Thing): boolean {
  const before = things.get(thing.id);
  return before === undefined || observed(before, thing) !== before;
}

function observe<Thing extends Observed>(things: Observations<Thing>, thing: Thing): ChangeOutcome {
  const before = things.get(thing.id);
  const after = before === undefined ? thing : observed(before, thing);
  if (after === before) return 'unchanged';
  things.set(after);
  return before === undefined ? 'added' : 'updated';
}

const wouldRelate = (all: ByKey<Relation>, owner: string, id: string, createdAt: string | undefined): boolean =>
  all.get(owner)?.wouldChange(id, time(createdAt)) ?? true;

function wouldPut<Thing extends { id: string }>(things: LargeMap<string, Thing>, thing: Thing): boolean {
  const known = things.get(thing.id);
  return known === undefined || merge(known, thing, 1) !== known;
}

/** Puts a thing that has no history of its own: the last word wins, what it leaves out stays. */
function put<Thing extends { id: string }>(things: LargeMap<string, Thing>, thing: Thing): ChangeOutcome {
  const before = things.get(thing.id);
  const after = before === undefined ? thing : merge(before, thing, 1);
  if (after === before) return 'unchanged';
  things.set(thing.id, after);
  return before === undefined ? 'added' : 'updated';
}
