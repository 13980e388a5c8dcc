/** How a tweet record changes the tables, the timelines and the search index. */
import { LargeMap } from '../../collections/large-map.ts';
import { Relation } from '../../collections/relation.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { RemovalReason, RemovedTweet, Tombstone } from '../../domain/tombstone.ts';
import { counts, type ArchivedTweet, type ChangeOutcome } from '../../domain/records.ts';
import type { AuthorMemo } from '../../domain/author-memo.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
import type { TweetReading } from '../../search/inverted-index/tweet-reader.ts';
import type { IndexWriter } from '../../search/tweet-index.ts';
import type { PreparedTweet } from './prepared-tweets.ts';
import { prepare, time, type ChangeNumbers, type TweetChange } from './change.ts';
import { observationOrder } from './entity-table.ts';
import { hasLocation, withoutLocation } from './geo-scrubs.ts';
import type { Identity } from './identity.ts';
import type { Likes } from './likes.ts';
import { ListsByKey } from './lists-by-key.ts';
import { covers, merge } from './merge.ts';
import type { Removals } from './removals.ts';
import { loadRelations, saveRelations } from './saved-relations.ts';
import { TweetLists } from './tweet-lists.ts';
import { TweetTable } from './tweet-table.ts';
import type { UserDirectory } from './user-directory.ts';
import { keysOf } from '../../text/object.ts';

/** The difference that a change makes for one tweet: its search index entries, and the timelines that contain it. */
interface TimelineChange {
  readonly readings: readonly [before: TweetReading, after: TweetReading];
  readonly timelinesBefore: readonly number[];
  readonly timelinesAfter: readonly number[];
}

/** What the steps that can fail give for a new tweet. */
interface AddedTweet {
  readonly reading: TweetReading;
  /** Reads the tweet again, with the present names of its author. */
  readonly read: () => TweetReading;
  readonly timelines: readonly number[];
  readonly ordinal: number;
  readonly author?: AuthorMemo;
}

/** The parts of the archive that a tweet record changes besides the tables of tweets. */
export interface TweetChangeParts {
  readonly index: IndexWriter;
  readonly users: UserDirectory;
  readonly removals: Removals;
  readonly likes: Likes;
  readonly emit: (event: DomainEvent) => void;
}

export class TweetChanges implements SavedTable {
  readonly tweets = new TweetTable();
  readonly timelines = new TweetLists(this.tweets.order);
  /** By the id of the retweeted tweet. */
  readonly retweeters = new ListsByKey(() => new Relation((id) => this.#parts.removals.isWithdrawn(id)));
  /** The largest engagement in each community: it bounds how far back a ranking must read. */
  readonly #maxEngagement = new LargeMap<string, number>();
  readonly #parts: TweetChangeParts;

  constructor(parts: TweetChangeParts) {
    this.#parts = parts;
  }

  maxEngagement(communityId: string): number {
    return this.#maxEngagement.get(communityId) ?? 0;
  }

  *save(): Sections {
    yield* this.tweets.save();
    yield* this.timelines.save();
    yield* saveRelations(this.retweeters);
    yield* saveValues(this.#maxEngagement);
  }

  load(reader: SectionReader): void {
    this.tweets.load(reader);
    this.timelines.load(reader);
    loadRelations(reader, (tweetId) => this.retweeters.getOrCreate(tweetId));
    for (const [id, engagement] of readValues<[string, number]>(reader)) this.#maxEngagement.set(id, engagement);
  }

  /** The origin of the tweet that has an id or had it; undefined for a free id. */
  identity(tweetId: string): Identity | undefined {
    const ordinal = this.tweets.ordinal(tweetId);
    if (ordinal !== undefined) return { uri: this.tweets.tweet(ordinal).uri, authorId: this.tweets.authorId(ordinal) };
    const tombstone = this.#parts.removals.tombstone(tweetId);
    return tombstone && { uri: tombstone.uri, authorId: tombstone.tweet?.author_id };
  }

  wouldChange(tweet: ArchivedTweet): boolean {
    const existing = this.tweets.ordinal(tweet.id);
    if (existing === undefined) return true;
    const before = this.tweets.tweet(existing);
    return this.#merged(existing, before, this.#permitted(tweet)) !== before;
  }

  /**
   * Adds or updates a tweet; `revision` is the number of this change, and `seq` that of its journal record. Throws UnusableRecord.
   */
  apply(
    { tweet: given, arrived = Infinity, isScrubbed }: TweetChange,
    { revision, seq }: ChangeNumbers,
  ): ChangeOutcome {
    const tweet = this.#permitted(given);
    const existing = this.tweets.ordinal(tweet.id);
    const outcome =
      existing === undefined
        ? this.#add(tweet, Math.min(arrived, revision))
        : this.#update(existing, tweet, revision, isScrubbed);
    const ordinal = existing ?? this.tweets.ordinal(tweet.id);
    if (ordinal !== undefined && outcome !== 'unchanged' && (existing === undefined || this.#isWhole(ordinal, tweet)))
      this.tweets.setFullSeq(ordinal, seq);
    return outcome;
  }

  /** As `apply`, for a tweet that is new. */
  add(prepared: PreparedTweet, { revision, seq }: ChangeNumbers): ChangeOutcome {
    const { head, reading, author } = prepared;
    const { index, users } = this.#parts;
    const { version } = users;
    const isKnown = author.usersVersion === version;
    if (!isKnown) author.user = users.user(author.id);
    const read = (): TweetReading => index.readPrepared(reading, users.user(author.id), author);
    // Without spreads: this runs for each tweet of an import.
    const steps = prepare((): AddedTweet => ({
      reading: index.readPrepared(reading, author.user, author),
      read,
      timelines: this.timelines.ofKnown(head, author),
      ordinal: this.tweets.addPrepared(prepared, revision),
      author,
    }));
    this.#added(head, steps, isKnown ? version : undefined);
    // The tweet may have changed the user: the next one then finds another version.
    author.usersVersion = version;
    this.tweets.setFullSeq(steps.ordinal, seq);
    return 'added';
  }

  /**
   * The record that makes a new observation durable: for a tweet that the archive has, its whole state after the
   * observation, so that the earlier records of the tweet are not needed any more.
   */
  recordFor(record: TweetChange): TweetChange {
    const tweet = this.#permitted(record.tweet);
    const ordinal = this.tweets.ordinal(tweet.id);
    if (ordinal === undefined) return tweet === record.tweet ? record : { ...record, tweet };
    const merged = this.#merged(ordinal, this.tweets.tweet(ordinal), tweet);
    const whole = this.#withObservation(ordinal, merged, time(tweet.observed_at));
    return { kind: 'tweet', tweet: whole, arrived: this.tweets.arrivedAt(ordinal) };
  }

  /** The record that makes the removal of a tweet's place durable: its whole state, so that the earlier records are not needed any more. */
  scrubbedRecord(ordinal: number): TweetChange {
    const tweet = this.#withObservation(ordinal, withoutLocation(this.tweets.tweet(ordinal)), 0);
    return { kind: 'tweet', tweet, arrived: this.tweets.arrivedAt(ordinal), isScrubbed: true };
  }

  /** Removes the place and the coordinates of a tweet. */
  scrub(ordinal: number, revision: number): void {
    this.#update(ordinal, this.tweets.tweet(ordinal), revision, true);
  }

  /** What the archive may hold of a tweet. The author of a tweet that is there does not change, so that author decides. */
  #permitted(tweet: ArchivedTweet): ArchivedTweet {
    const ordinal = this.tweets.ordinal(tweet.id);
    const author_id = ordinal === undefined ? tweet.author_id : this.tweets.authorId(ordinal);
    return this.#parts.removals.scrubs.has({ id: tweet.id, author_id }) ? withoutLocation(tweet) : tweet;
  }

  /** Whether a record holds the whole current state of a tweet. */
  #isWhole(ordinal: number, record: ArchivedTweet): boolean {
    return covers(record, this.#withObservation(ordinal, this.tweets.tweet(ordinal), 0));
  }

  /** A state with the time of its last observation, which a removed like can set too. */
  #withObservation(ordinal: number, tweet: ArchivedTweet, incoming: number): ArchivedTweet {
    const observedAt = Math.max(incoming, this.tweets.observedAt(ordinal));
    return observedAt === 0 ? tweet : { ...tweet, observed_at: new Date(observedAt).toISOString() };
  }

  /** Whether a journal record of a tweet still has an effect. */
  needs(tweetId: string, seq: number): boolean {
    const ordinal = this.tweets.ordinal(tweetId);
    return ordinal !== undefined && seq >= this.tweets.fullSeq(ordinal);
  }

  /** Decrements the like count of a tweet, if the archive has it. */
  unlike(tweetId: string, at: number, revision: number): void {
    const ordinal = this.tweets.ordinal(tweetId);
    if (ordinal === undefined) return;
    this.tweets.unlike(ordinal, at, revision);
    this.#parts.index.countsChanged(ordinal);
    this.#parts.emit({ event: 'tweet.unliked', id: tweetId });
  }

  /**
   * Removes a tweet and its native retweets. Keeps a tombstone, also for a tweet that the archive does not have. Returns
   * whether anything changed.
   */
  remove(tombstone: Tombstone, snapshot = false): ChangeOutcome {
    const { removals } = this.#parts;
    const isKnown = this.tweets.ordinal(tombstone.id) !== undefined;
    if (!isKnown && !removals.wouldBury(tombstone)) return 'unchanged';
    const hadTombstone = removals.tombstone(tombstone.id) !== undefined;
    this.#removeTree(tombstone);
    // The record of the native retweet may be purged. A snapshot has the removals of the retweeters themselves, and so has
    // an export, whose tombstones have no time of the retweet.
    if (!isKnown && !hadTombstone && !snapshot && tombstone.tweet?.created_at !== undefined)
      this.#removeRetweeter(tombstone.tweet, tombstone.reason);
    return isKnown || hadTombstone ? 'updated' : 'added';
  }

  /** The tombstones of a tweet that is to be removed, and of its native retweets. */
  tombstonesOf(root: Tombstone): Tombstone[] {
    const tombstones: Tombstone[] = [];
    const seen = new Set<string>();
    for (const pending = [root]; pending.length > 0;) {
      const tombstone = pending.pop()!;
      const ordinal = this.tweets.ordinal(tombstone.id);
      if (seen.has(tombstone.id)) continue;
      seen.add(tombstone.id);
      if (ordinal !== undefined) tombstones.push(withTweet(tombstone, this.tweets.tweet(ordinal)));
      else if (tombstone === root) tombstones.push(root);
      for (const id of this.#retweetsOf(tombstone.id)) pending.push({ id, reason: 'retweet', at: root.at });
    }
    return tombstones;
  }

  /** The native retweets of a tweet: those that are there, and those that were removed, because others may retweet them. */
  #retweetsOf(tweetId: string): string[] {
    const { index, removals } = this.#parts;
    const present = index.retweetsOf(tweetId).map((ordinal) => this.tweets.tweet(ordinal).id);
    return [...present, ...removals.removedRetweetsOf(tweetId)];
  }

  /** Removes a tweet and its native retweets, and theirs, without tombstones and events. */
  evict(tweetId: string): void {
    const { removals } = this.#parts;
    for (const pending = [tweetId]; pending.length > 0;) {
      const id = pending.pop()!;
      const ordinal = this.tweets.ordinal(id);
      if (ordinal === undefined) continue;
      pending.push(...this.#retweetsOf(id));
      const tweet = this.tweets.tweet(ordinal);
      this.#removeOrdinal(ordinal, tweet);
      this.#removeRelations(id);
      this.#forgetRetweeter(tweet);
      removals.unbury(id);
    }
  }

  /** Removes the author of an evicted native retweet from the retweeters, where it was the only one of this author. */
  #forgetRetweeter({ retweeted_tweet_id: retweeted, author_id }: ArchivedTweet): void {
    const relation = retweeted === undefined ? undefined : this.retweeters.get(retweeted);
    if (relation === undefined || retweeted === undefined) return;
    const others = this.#parts.index.retweetsOf(retweeted);
    if (others.some((ordinal) => this.tweets.authorId(ordinal) === author_id)) return;
    const wasMember = relation.has(author_id);
    relation.forget(author_id);
    if (wasMember) this.#parts.users.removeReference(author_id);
    if (relation.isEmpty) this.retweeters.delete(retweeted);
  }

  /** Permits a removed tweet again. */
  restore(tweetId: string): ChangeOutcome {
    const { removals, index } = this.#parts;
    const tombstone = removals.tombstone(tweetId);
    if (tombstone === undefined) return 'unchanged';
    removals.unbury(tweetId);
    const { tweet } = tombstone;
    if (tweet?.retweeted_tweet_id !== undefined)
      this.retweeters.get(tweet.retweeted_tweet_id)?.forgetRemoval(tweet.author_id);
    if (this.tweets.ordinal(tweetId) === undefined) index.authorChanged(tweetId);
    return 'updated';
  }

  /** Removes a tweet and its native retweets, and theirs. An archive can contain cycles. */
  #removeTree(root: Tombstone): void {
    const { removals, index, emit } = this.#parts;
    const pending = [root];
    const seen = new Set<string>();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { id, reason } = next;
      if (seen.has(id)) continue;
      seen.add(id);
      for (const retweet of this.#retweetsOf(id)) pending.push({ id: retweet, reason: 'retweet', at: root.at });
      const ordinal = this.tweets.ordinal(id);
      if (ordinal === undefined) {
        if (next !== root) continue;
        removals.bury(next);
        index.authorChanged(id);
      } else {
        const tweet = this.tweets.tweet(ordinal);
        const tombstone = withTweet(next, tweet);
        removals.bury(tombstone);
        this.#removeOrdinal(ordinal, tweet);
        this.#removeRetweeter(tweet, reason);
        emit({ event: 'tweet.deleted', id, tombstone });
      }
      this.#removeRelations(id);
    }
  }

  /** Removes a tweet from the tables and the indexes. */
  #removeOrdinal(ordinal: number, tweet: ArchivedTweet): void {
    const { index, users } = this.#parts;
    this.tweets.remove(ordinal, tweet.id);
    index.removed(ordinal);
    this.timelines.remove(ordinal, tweet);
    users.removeTweet(ordinal, tweet);
    this.forgetIdleAuthor(tweet.author_id);
  }

  /** Removes an author from the index who has no tweets and whom nothing describes. */
  forgetIdleAuthor(userId: string): void {
    if (this.timelines.byAuthor.get(userId) === undefined && this.#parts.users.user(userId) === undefined)
      this.#parts.index.userForgotten(userId);
  }

  /** Removes the like and the retweeters of a tweet. */
  #removeRelations(tweetId: string): void {
    const { users, likes } = this.#parts;
    likes.forget(tweetId);
    for (const { id } of this.retweeters.get(tweetId)?.members() ?? []) users.removeReference(id);
    this.retweeters.delete(tweetId);
  }

  /** Removes the author of a removed native retweet from the retweeters. */
  #removeRetweeter(
    { retweeted_tweet_id: retweeted, author_id, created_at }: RemovedTweet,
    reason: RemovalReason,
  ): void {
    // Where the retweeted tweet or the account is removed, the relation goes as a whole.
    if (retweeted === undefined || reason === 'retweet' || reason === 'account') return;
    if (this.#parts.removals.isBlocked(retweeted)) return;
    const relation = this.retweeters.getOrCreate(retweeted);
    if (relation.remove(author_id, time(created_at)).wasRemoved) this.#parts.users.removeReference(author_id);
  }

  #add(tweet: ArchivedTweet, revision: number): ChangeOutcome {
    const read = (): TweetReading => this.#parts.index.read(tweet);
    const steps = prepare(() => ({
      ...{ reading: read(), read },
      timelines: this.timelines.of(tweet),
      ordinal: this.tweets.add(tweet, revision),
    }));
    this.#added(tweet, steps);
    return 'added';
  }

  /**
   * The steps after the table has got a tweet, which cannot fail. `indexedVersion`: a version of the users at which the index had the
   * description of the author.
   */
  #added(tweet: TweetHead, { reading, read, timelines, ordinal, author }: AddedTweet, indexedVersion?: number): void {
    const { index, users, emit } = this.#parts;
    const { isNewest } = this.tweets;
    this.timelines.add(ordinal, timelines, isNewest);
    users.setTweet(ordinal, tweet, undefined);
    this.#addRetweeter(ordinal, tweet);
    this.#recordEngagement(ordinal, tweet);
    if (users.version !== indexedVersion) users.indexAuthor(tweet.author_id);
    // The tombstone of a withdrawn account or of a retweet can be outdated.
    this.#parts.removals.unbury(tweet.id);
    // The tweet may be the first one that names its own author.
    const namesAuthor = tweet.entities?.mentions.some(({ id }) => id === tweet.author_id) === true;
    index.added(ordinal, tweet, namesAuthor ? read() : reading, isNewest, author);
    emit({ event: 'tweet.created', id: tweet.id });
  }

  #update(ordinal: number, tweet: ArchivedTweet, revision: number, isScrubbed = false): ChangeOutcome {
    const { index, users, emit } = this.#parts;
    const before = this.tweets.tweet(ordinal);
    const after = prepare(() => {
      const merged = this.#merged(ordinal, before, tweet);
      return isScrubbed ? withoutLocation(merged) : merged;
    });
    if (after === before) return 'unchanged';
    const timelineChange = prepare(() => {
      const computed = changedBeyondCounts(before, after) ? this.#timelineChange(before, after) : undefined;
      this.tweets.replace(ordinal, after, revision);
      return computed;
    });
    this.#recordEngagement(ordinal, after);
    if (timelineChange !== undefined) {
      const { readings, timelinesBefore, timelinesAfter } = timelineChange;
      this.timelines.move(ordinal, timelinesBefore, timelinesAfter);
      users.setTweet(ordinal, after, before);
      this.#addRetweeter(ordinal, after);
      index.changed(ordinal, readings[0], readings[1]);
      emit({ event: 'tweet.updated', id: tweet.id });
    }
    if (counts.some((name) => after[name] !== before[name])) {
      index.countsChanged(ordinal);
      emit({ event: 'tweet.engagement', id: tweet.id });
    }
    return 'updated';
  }

  /** Merges a new observation into a tweet; returns `before` itself if nothing changes. */
  #merged(ordinal: number, before: ArchivedTweet, tweet: ArchivedTweet): ArchivedTweet {
    // The author, the time and the retweeted tweet never change: a source that rounds the time differently must not
    // move the tweet to another position.
    const { author_id, created_at, retweeted_tweet_id = tweet.retweeted_tweet_id } = before;
    const incoming = { ...tweet, author_id, created_at, retweeted_tweet_id };
    return merge(before, incoming, observationOrder(time(tweet.observed_at), this.tweets.observedAt(ordinal)));
  }

  #timelineChange(before: ArchivedTweet, after: ArchivedTweet): TimelineChange {
    return {
      readings: [this.#parts.index.read(before), this.#parts.index.read(after)],
      timelinesBefore: this.timelines.of(before),
      timelinesAfter: this.timelines.of(after),
    };
  }

  #addRetweeter(ordinal: number, { retweeted_tweet_id: retweeted, author_id }: TweetHead): void {
    if (retweeted === undefined) return;
    const outcome = this.retweeters.getOrCreate(retweeted).add(author_id, this.tweets.createdAt(ordinal));
    if (outcome === 'added') this.#parts.users.addReference(author_id);
  }

  #recordEngagement(ordinal: number, { community_id: community }: TweetHead): void {
    if (community === undefined) return;
    const engagement = this.tweets.engagement(ordinal);
    if (engagement > this.maxEngagement(community)) this.#maxEngagement.set(community, engagement);
  }
}

/**
 * Whether more differs than the counts and what no reader sees. A merge reuses unchanged members, so identity comparison is
 * enough.
 */
function changedBeyondCounts(before: ArchivedTweet, after: ArchivedTweet): boolean {
  const ignored: readonly string[] = [...counts, 'observed_at', 'uri'];
  // Only a removal of the location removes members.
  if (hasLocation(before) && !hasLocation(after)) return true;
  return keysOf(after).some((name) => !ignored.includes(name) && after[name] !== before[name]);
}

/** The tombstone of a tweet that the archive has. */
const withTweet = (tombstone: Tombstone, tweet: ArchivedTweet): Tombstone => ({
  ...tombstone,
  ...(tweet.uri === undefined ? {} : { uri: tweet.uri }),
  tweet: removedTweet(tweet),
});

/** What a tombstone keeps of a tweet. */
function removedTweet(tweet: ArchivedTweet): RemovedTweet {
  const { author_id, created_at, in_reply_to_id, retweeted_tweet_id, community_id, entities } = tweet;
  const mentions = (entities?.mentions ?? []).map(({ username, id }) => ({
    username,
    ...(id === undefined ? {} : { id }),
  }));
  return {
    author_id,
    ...(in_reply_to_id === undefined ? {} : { in_reply_to_id }),
    ...(retweeted_tweet_id === undefined ? {} : { retweeted_tweet_id, created_at }),
    ...(community_id === undefined ? {} : { community_id }),
    ...(mentions.length === 0 ? {} : { mentions }),
  };
}
