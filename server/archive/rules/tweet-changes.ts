/** How a tweet record changes the content of an archive. */
import type { DomainEvent } from '../../domain/events.ts';
import { counts, type ArchivedTweet, type ChangeOutcome } from '../../domain/records.ts';
import type { RemovalReason, RemovedTweet, Tombstone } from '../../domain/tombstone.ts';
import { linkTexts, ownTerms, textsOf } from '../../search/document.ts';
import { toIsoTime } from '../../text/iso-time.ts';
import { keysOf } from '../../text/object.ts';
import { prepare, time, type TweetChange } from './change.ts';
import { observationOrder } from './entities.ts';
import { hasLocation, withoutLocation } from './geo-scrubs.ts';
import type { Identity } from './identity.ts';
import type { Likes } from './likes.ts';
import { merge } from './merge.ts';
import { Relations } from './relation.ts';
import type { Removals } from './removals.ts';
import { Tweets } from './tweets.ts';

/** What a tweet record changes besides the tweets and the retweeters. */
export interface TweetChangeParts {
  readonly removals: Removals;
  readonly likes: Likes;
  readonly emit: (event: DomainEvent) => void;
}

export class TweetChanges {
  readonly tweets = new Tweets();
  /** By the id of the retweeted tweet. */
  readonly retweeters: Relations;
  readonly #parts: TweetChangeParts;

  constructor(parts: TweetChangeParts) {
    this.#parts = parts;
    this.retweeters = new Relations((id) => parts.removals.isWithdrawn(id));
  }

  /** The origin of the tweet that has an id or had it; undefined for a free id. */
  identity(tweetId: string): Identity | undefined {
    const tweet = this.tweets.get(tweetId);
    if (tweet !== undefined) return { uri: tweet.uri, authorId: tweet.author_id };
    const tombstone = this.#parts.removals.tombstone(tweetId);
    return tombstone && { uri: tombstone.uri, authorId: tombstone.tweet?.author_id };
  }

  /** Adds a tweet that the tables have. */
  hold(tweet: ArchivedTweet): void {
    this.tweets.set(tweet);
    this.#addRetweeter(tweet);
  }

  /** Adds or updates a tweet. Throws UnusableRecord. */
  apply({ tweet: given, isScrubbed }: TweetChange): ChangeOutcome {
    const before = this.tweets.get(given.id);
    // The author of a tweet that is there does not change, so that author decides.
    const origin = { id: given.id, author_id: before?.author_id ?? given.author_id };
    const tweet = this.#parts.removals.scrubs.has(origin) ? withoutLocation(given) : given;
    return before === undefined ? this.#add(tweet) : this.#update(before, tweet, isScrubbed);
  }

  /** Removes the place and the coordinates of a tweet. */
  scrub(tweet: ArchivedTweet): void {
    this.#update(tweet, tweet, true);
  }

  /** Decrements the like count of a tweet, if the archive has it. `at`: the time of the observation, in milliseconds since the epoch. */
  unlike(tweetId: string, at: number): void {
    const tweet = this.tweets.get(tweetId);
    if (tweet === undefined) return;
    const observedAt = Math.max(at, time(tweet.observed_at));
    this.tweets.set({
      ...tweet,
      ...(tweet.like_count === undefined ? {} : { like_count: Math.max(0, tweet.like_count - 1) }),
      ...(observedAt === 0 ? {} : { observed_at: toIsoTime(observedAt) }),
    });
    this.#parts.emit({ event: 'tweet.unliked', id: tweetId });
  }

  /**
   * Removes a tweet and its native retweets. Keeps a tombstone, also for a tweet that the archive does not have. Returns
   * whether anything changed.
   */
  remove(tombstone: Tombstone, snapshot = false): ChangeOutcome {
    const { removals } = this.#parts;
    const isKnown = this.tweets.has(tombstone.id);
    if (!isKnown && !removals.wouldBury(tombstone)) return 'unchanged';
    const hadTombstone = removals.tombstone(tombstone.id) !== undefined;
    this.#removeTree(tombstone);
    // The native retweet itself may be gone. A snapshot has the removals of the retweeters, and so has an export, whose tombstones have no
    // time of the retweet.
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
      if (seen.has(tombstone.id)) continue;
      seen.add(tombstone.id);
      const tweet = this.tweets.get(tombstone.id);
      if (tweet !== undefined) tombstones.push(withTweet(tombstone, tweet));
      else if (tombstone === root) tombstones.push(root);
      for (const id of this.#retweetsOf(tombstone.id)) pending.push({ id, reason: 'retweet', at: root.at });
    }
    return tombstones;
  }

  /** The native retweets of a tweet: those that are there, and those that were removed, because others may retweet them. */
  #retweetsOf(tweetId: string): string[] {
    const present = this.tweets.retweetsOf(tweetId).map(({ id }) => id);
    return [...present, ...this.#parts.removals.removedRetweetsOf(tweetId)];
  }

  /** Removes a tweet and its native retweets, and theirs, without tombstones and events. */
  evict(tweetId: string): void {
    for (const pending = [tweetId]; pending.length > 0;) {
      const id = pending.pop()!;
      const tweet = this.tweets.get(id);
      if (tweet === undefined) continue;
      pending.push(...this.#retweetsOf(id));
      this.tweets.delete(id);
      this.#removeRelations(id);
      this.#forgetRetweeter(tweet);
      this.#parts.removals.unbury(id);
    }
  }

  /** Removes the author of an evicted native retweet from the retweeters, where it was the only one of this author. */
  #forgetRetweeter({ retweeted_tweet_id: retweeted, author_id: author }: ArchivedTweet): void {
    const relation = retweeted === undefined ? undefined : this.retweeters.get(retweeted);
    if (relation === undefined || retweeted === undefined) return;
    if (this.tweets.retweetsOf(retweeted).some(({ author_id }) => author_id === author)) return;
    relation.forget(author);
    if (relation.isEmpty) this.retweeters.delete(retweeted);
  }

  /** Permits a removed tweet again. */
  restore(tweetId: string): ChangeOutcome {
    const { removals } = this.#parts;
    const tombstone = removals.tombstone(tweetId);
    if (tombstone === undefined) return 'unchanged';
    removals.unbury(tweetId);
    const { tweet } = tombstone;
    if (tweet?.retweeted_tweet_id !== undefined)
      this.retweeters.get(tweet.retweeted_tweet_id)?.forgetRemoval(tweet.author_id);
    return 'updated';
  }

  /** Removes a tweet and its native retweets, and theirs. An archive can contain cycles. */
  #removeTree(root: Tombstone): void {
    const { removals, emit } = this.#parts;
    const pending = [root];
    const seen = new Set<string>();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { id, reason } = next;
      if (seen.has(id)) continue;
      seen.add(id);
      for (const retweet of this.#retweetsOf(id)) pending.push({ id: retweet, reason: 'retweet', at: root.at });
      const tweet = this.tweets.get(id);
      if (tweet === undefined) {
        if (next !== root) continue;
        removals.bury(next);
      } else {
        const tombstone = withTweet(next, tweet);
        removals.bury(tombstone);
        this.tweets.delete(id);
        this.#removeRetweeter(tweet, reason);
        emit({ event: 'tweet.deleted', id, tombstone });
      }
      this.#removeRelations(id);
    }
  }

  /** Removes the like and the retweeters of a tweet. */
  #removeRelations(tweetId: string): void {
    this.#parts.likes.forget(tweetId);
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
    this.retweeters.of(retweeted).remove(author_id, time(created_at));
  }

  #add(tweet: ArchivedTweet): ChangeOutcome {
    prepare(() => requireReadable(tweet));
    this.hold(tweet);
    // The tombstone of a withdrawn account or of a retweet can be outdated.
    this.#parts.removals.unbury(tweet.id);
    this.#parts.emit({ event: 'tweet.created', id: tweet.id });
    return 'added';
  }

  #update(before: ArchivedTweet, tweet: ArchivedTweet, isScrubbed = false): ChangeOutcome {
    const after = prepare(() => {
      const merged = mergedTweet(before, tweet);
      return isScrubbed ? withoutLocation(merged) : merged;
    });
    if (after === before) return 'unchanged';
    const isChangedBeyondCounts = changedBeyondCounts(before, after);
    if (isChangedBeyondCounts) prepare(() => requireReadable(after));
    this.tweets.set(after);
    if (isChangedBeyondCounts) {
      this.#addRetweeter(after);
      this.#parts.emit({ event: 'tweet.updated', id: tweet.id });
    }
    if (counts.some((name) => after[name] !== before[name]))
      this.#parts.emit({ event: 'tweet.engagement', id: tweet.id });
    return 'updated';
  }

  #addRetweeter({ retweeted_tweet_id: retweeted, author_id, created_at }: ArchivedTweet): void {
    if (retweeted !== undefined) this.retweeters.of(retweeted).add(author_id, time(created_at));
  }
}

/** Reads what the row of the tweet is made of: a record that has no row is refused before the archive changes. Throws an Error. */
export function requireReadable(tweet: ArchivedTweet): void {
  for (const text of [...textsOf(tweet), ...linkTexts(tweet)])
    if (typeof text !== 'string') throw new TypeError('one of its texts is missing');
  Array.from(ownTerms(tweet, []));
}

/** Merges a new observation into a tweet; returns `before` itself if nothing changes. */
function mergedTweet(before: ArchivedTweet, tweet: ArchivedTweet): ArchivedTweet {
  // The author, the time and the retweeted tweet never change: a source that rounds the time differently must not
  // move the tweet to another position.
  const { author_id, created_at, retweeted_tweet_id = tweet.retweeted_tweet_id } = before;
  const incoming = { ...tweet, author_id, created_at, retweeted_tweet_id };
  return merge(before, incoming, observationOrder(time(tweet.observed_at), time(before.observed_at)));
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
