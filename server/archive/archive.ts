/**
 * The archive in memory: its tables and the indexes that make each operation cost by its page. Everything enters by `apply`,
 * at start from the journal and later from imports and calls, so both give the same state.
 */
import type { TweetIndex, TweetSource } from '../search/search.ts';
import { createTweetIndex } from '../search/index.ts';
import { Lists } from '../search/lists.ts';
import { Places } from '../search/places.ts';
import { merge, type Seen } from './merge.ts';
import { counts, type ArchivedCommunity, type ArchivedSpace, type ArchivedTweet, type ArchivedUser, type ArchiveRecord, type ArchiveSchemas, type Outcome } from './records.ts';
import { Relation } from './relation.ts';
import { Timeline } from './timeline.ts';
import { Tweets } from './tweets.ts';

/** A like that was taken back; `at` in milliseconds since the epoch. Only the archive itself writes it. */
export type UnlikeRecord = { kind: 'unlike'; tweet_id: string; at: number };
export type Change = ArchiveRecord | UnlikeRecord;

/** What a change did to a thing that listeners follow. */
export type Happening =
  | { readonly event: 'tweet.created' | 'tweet.updated' | 'tweet.engagement' | 'tweet.unliked'; readonly id: string }
  | { readonly event: 'community.joined'; readonly id: string; readonly userId: string };

type Role = ArchiveSchemas['MembershipRecord']['role'];
const time = (timestamp: string | null | undefined): number => (timestamp ? Date.parse(timestamp) : 0);
const seen = (incoming: number, known: number): Seen => (incoming > known ? 1 : incoming < known ? -1 : 0);

/** Many lists by key, made when first added to. */
class ByKey<List> {
  readonly lists = new Map<string, List>();
  readonly #create: () => List;

  constructor(create: () => List) {
    this.#create = create;
  }

  get(key: string): List | undefined {
    return this.lists.get(key);
  }

  of(key: string): List {
    let list = this.lists.get(key);
    if (list === undefined) this.lists.set(key, (list = this.#create()));
    return list;
  }
}

const timelines = (): ByKey<Timeline> => new ByKey(() => new Timeline());
const relations = (): ByKey<Relation> => new ByKey(() => new Relation());

export class Archive implements TweetSource {
  readonly tweets = new Tweets();
  readonly users = new Map<string, ArchivedUser>();
  readonly communities = new Map<string, ArchivedCommunity>();
  readonly spaces = new Map<string, ArchivedSpace>();
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
  happened: (happening: Happening) => void = () => {};
  #usernames = new Map<string, string>();
  #roles = new Map<string, Role>();
  /** Likes of the account this service acts for; a like that was taken back stays, with its time. */
  #likes = new Map<string, { liked: boolean; at: number }>();
  /** The largest engagement seen in each community: bounds how far back a ranking must look. */
  #mostEngagement = new Map<string, number>();

  constructor() {
    this.index = createTweetIndex(this);
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
  user(id: string): ArchivedUser | undefined {
    return this.users.get(id);
  }
  arrivedAt(ordinal: number): number {
    return this.tweets.arrivedAt(ordinal);
  }
  engagement(ordinal: number, revision?: number): number {
    return this.tweets.engagement(ordinal, revision);
  }

  /** A user by handle, whatever the case. */
  userByName(username: string): ArchivedUser | undefined {
    const id = this.#usernames.get(username.toLowerCase());
    return id === undefined ? undefined : this.users.get(id);
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

  mostEngagement(communityId: string): number {
    return this.#mostEngagement.get(communityId) ?? 0;
  }

  /** Takes in a change; tells what it did. `snapshot`: it was here before any revision that a cursor may name. */
  apply(change: Change, snapshot = false): Outcome {
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
          wouldRelate(this.memberships, record.user_id, record.community_id, record.created_at) || this.role(record.community_id, record.user_id) !== record.role
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
      yield { kind: 'tweet', tweet: observed === 0 ? tweet : { ...tweet, observed_at: new Date(observed).toISOString() } };
    }
    for (const space of this.spaces.values()) yield { kind: 'space', space };
    for (const place of this.places.values()) yield { kind: 'place', place };
    for (const list of this.lists.values()) yield { kind: 'list', list };
    const members = function* (all: ReadonlyMap<string, Relation>): Generator<[string, string, { created_at?: string }], void> {
      for (const [owner, relation] of all) {
        for (const { id, at } of relation.members()) yield [owner, id, at === 0 ? {} : { created_at: new Date(at).toISOString() }];
      }
    };
    for (const [list_id, user_id, at] of members(this.lists.members())) yield { kind: 'list_member', list_id, user_id, ...at };
    for (const [follower_id, following_id, at] of members(this.follows.lists)) yield { kind: 'follow', follower_id, following_id, ...at };
    for (const [tweet_id, user_id, at] of members(this.retweeters.lists)) yield { kind: 'retweet', tweet_id, user_id, ...at };
    for (const [user_id, tweet_id, at] of members(this.highlights.lists)) yield { kind: 'highlight', user_id, tweet_id, ...at };
    for (const [user_id, community_id, at] of members(this.memberships.lists)) {
      yield { kind: 'membership', community_id, user_id, role: this.role(community_id, user_id)!, ...at };
    }
    for (const [tweet_id, { liked, at }] of this.#likes) {
      if (!liked) yield { kind: 'unlike', tweet_id, at };
      else yield { kind: 'like', tweet_id, ...(at === 0 ? {} : { created_at: new Date(at).toISOString() }) };
    }
  }

  #apply(change: Change, revision: number): Outcome {
    switch (change.kind) {
      case 'tweet':
        return this.#applyTweet(change.tweet, revision);
      case 'user':
        return this.#applyUser(change.user);
      case 'follow':
        return this.follows.of(change.follower_id).add(change.following_id, time(change.created_at));
      case 'retweet':
        return this.retweeters.of(change.tweet_id).add(change.user_id, time(change.created_at));
      case 'highlight':
        return this.highlights.of(change.user_id).add(change.tweet_id, time(change.created_at));
      case 'membership':
        return this.#applyMembership(change);
      case 'community':
        return put(this.communities, change.community);
      case 'space':
        return put(this.spaces, change.space);
      case 'place':
        return observe(this.places, change.place);
      case 'list':
        return observe(this.lists, change.list);
      case 'list_member':
        return this.lists.addMember(change.list_id, change.user_id, time(change.created_at));
      case 'like':
        return this.#applyLike(change.tweet_id, time(change.created_at));
      case 'unlike':
        return this.#applyUnlike(change, revision);
    }
  }

  #applyUser(user: ArchivedUser): Outcome {
    const before = this.users.get(user.id);
    const after = before === undefined ? user : mergedUser(before, user);
    if (after === before) return 'unchanged';
    if (before !== undefined && this.#usernames.get(before.username.toLowerCase()) === user.id) {
      this.#usernames.delete(before.username.toLowerCase());
    }
    this.users.set(user.id, after);
    this.#usernames.set(after.username.toLowerCase(), user.id);
    this.index.userChanged(after, before);
    return before === undefined ? 'added' : 'updated';
  }

  #applyTweet(tweet: ArchivedTweet, revision: number): Outcome {
    const known = this.tweets.ordinal(tweet.id);
    if (known === undefined) {
      const ordinal = this.tweets.add(tweet, revision);
      this.#place(ordinal, tweet);
      this.#noteEngagement(ordinal, tweet);
      this.index.added(ordinal);
      this.happened({ event: 'tweet.created', id: tweet.id });
      return 'added';
    }
    const before = this.tweets.tweet(known);
    const after = this.#mergedTweet(known, before, tweet);
    if (after === before) return 'unchanged';
    this.tweets.replace(known, after, revision);
    this.#noteEngagement(known, after);
    if (changedBeyondCounts(before, after)) {
      this.#move(known, before, after);
      this.index.changed(known, before);
      this.happened({ event: 'tweet.updated', id: tweet.id });
    }
    if (counts.some((name) => after[name] !== before[name])) this.happened({ event: 'tweet.engagement', id: tweet.id });
    return 'updated';
  }

  #applyMembership({ community_id, user_id, role, created_at }: ArchiveSchemas['MembershipRecord']): Outcome {
    const outcome = this.memberships.of(user_id).add(community_id, time(created_at));
    const before = this.role(community_id, user_id);
    this.#roles.set(`${community_id} ${user_id}`, role);
    if (outcome === 'added') this.happened({ event: 'community.joined', id: community_id, userId: user_id });
    return outcome === 'unchanged' && before !== role ? 'updated' : outcome;
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

  #applyLike(tweetId: string, at: number): Outcome {
    if (!this.#wouldLike(tweetId, at)) return 'unchanged';
    const known = this.#likes.get(tweetId);
    this.#likes.set(tweetId, { liked: true, at });
    return known === undefined ? 'added' : 'updated';
  }

  #applyUnlike({ tweet_id, at }: UnlikeRecord, revision: number): Outcome {
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
    yield this.byAuthor.of(tweet.author_id);
    if (tweet.in_reply_to_id === undefined) yield this.postsByAuthor.of(tweet.author_id);
    else yield this.replies.of(tweet.in_reply_to_id);
    if (tweet.community_id !== undefined) {
      yield this.communityTweets.of(tweet.community_id);
      if (tweet.media !== undefined && tweet.media.length > 0) yield this.communityMedia.of(tweet.community_id);
    }
    for (const username of new Set(tweet.entities?.mentions.map((mention) => mention.username.toLowerCase()))) {
      yield this.mentions.of(username);
    }
  }

  #place(ordinal: number, tweet: ArchivedTweet): void {
    for (const timeline of this.#timelinesOf(tweet)) timeline.add(ordinal, this.tweets.order);
    if (tweet.retweeted_tweet_id !== undefined) {
      this.retweeters.of(tweet.retweeted_tweet_id).add(tweet.author_id, this.tweets.createdAt(ordinal));
    }
  }

  #move(ordinal: number, before: ArchivedTweet, after: ArchivedTweet): void {
    const left = new Set(this.#timelinesOf(before));
    const entered = new Set(this.#timelinesOf(after));
    for (const timeline of left.difference(entered)) timeline.remove(new Set([ordinal]));
    for (const timeline of entered.difference(left)) timeline.add(ordinal, this.tweets.order);
    if (after.retweeted_tweet_id !== undefined) {
      this.retweeters.of(after.retweeted_tweet_id).add(after.author_id, this.tweets.createdAt(ordinal));
    }
  }

  #noteEngagement(ordinal: number, tweet: ArchivedTweet): void {
    if (tweet.community_id === undefined) return;
    const engagement = this.tweets.engagement(ordinal);
    if (engagement > this.mostEngagement(tweet.community_id)) this.#mostEngagement.set(tweet.community_id, engagement);
  }
}

/** Whether more than the counts differ; a merge keeps what it does not change, so members compare by identity. */
function changedBeyondCounts(before: ArchivedTweet, after: ArchivedTweet): boolean {
  const ignored: readonly string[] = [...counts, 'observed_at'];
  return (Object.keys(after) as (keyof ArchivedTweet)[]).some((name) => !ignored.includes(name) && after[name] !== before[name]);
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

function observe<Thing extends Observed>(things: Observations<Thing>, thing: Thing): Outcome {
  const before = things.get(thing.id);
  const after = before === undefined ? thing : observed(before, thing);
  if (after === before) return 'unchanged';
  things.set(after);
  return before === undefined ? 'added' : 'updated';
}

const wouldRelate = (all: ByKey<Relation>, owner: string, id: string, createdAt: string | undefined): boolean =>
  all.get(owner)?.wouldChange(id, time(createdAt)) ?? true;

function wouldPut<Thing extends { id: string }>(things: ReadonlyMap<string, Thing>, thing: Thing): boolean {
  const known = things.get(thing.id);
  return known === undefined || merge(known, thing, 1) !== known;
}

/** Puts a thing that has no history of its own: the last word wins, what it leaves out stays. */
function put<Thing extends { id: string }>(things: Map<string, Thing>, thing: Thing): Outcome {
  const before = things.get(thing.id);
  const after = before === undefined ? thing : merge(before, thing, 1);
  if (after === before) return 'unchanged';
  things.set(thing.id, after);
  return before === undefined ? 'added' : 'updated';
}
