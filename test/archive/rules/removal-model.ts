/** A plain model of an archive with removals: lists that are searched from end to end, and the rules in their shortest form. */
import type { ArchivedList, ArchivedPlace, ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import type { RemovalReason } from '../../../server/domain/tombstone.ts';
import { documentOf, type DocumentContext } from '../../../server/search/document.ts';
import type { TweetDocument } from '../../../server/domain/tweet-document.ts';

interface Grave {
  readonly reason: RemovalReason;
  readonly tweet?: ArchivedTweet;
}
/** All starts of a relation that are known, and its last removal. */
interface Tie {
  starts: number[];
  removedAt?: number;
}

const time = (text: string | undefined): number => (text === undefined ? 0 : Date.parse(text));
const strength = { retweet: 0, account: 1, withheld: 2, deleted: 2, erased: 3 };
/** Ids of one length, so that their order as texts is the order as numbers. */
const compare = (a: ArchivedTweet, b: ArchivedTweet): number =>
  time(a.created_at) - time(b.created_at) || (a.id < b.id ? -1 : 1);

export class RemovalModel {
  readonly tweets = new Map<string, ArchivedTweet>();
  readonly profiles = new Map<string, string>();
  readonly graves = new Map<string, Grave>();
  readonly withdrawn = new Set<string>();
  readonly follows = new Map<string, Tie>();
  readonly retweets = new Map<string, Tie>();
  readonly likes = new Map<string, { liked: boolean; at: number }>();
  readonly places = new Map<string, ArchivedPlace>();
  readonly lists = new Map<string, ArchivedList>();
  readonly listMembers = new Map<string, Tie>();
  /** The lists of withdrawn accounts: the owner by list id. */
  readonly removedLists = new Map<string, string>();

  isRemoved(id: string): boolean {
    const grave = this.graves.get(id);
    if (grave?.reason === 'account') return grave.tweet === undefined || this.withdrawn.has(grave.tweet.author_id);
    if (grave?.reason !== 'retweet') return grave !== undefined;
    return grave.tweet?.retweeted_tweet_id !== undefined && this.isRemoved(grave.tweet.retweeted_tweet_id);
  }

  apply(record: ArchiveRecord): void {
    switch (record.kind) {
      case 'user':
        if (!this.withdrawn.has(record.user.id)) this.profiles.set(record.user.id, record.user.username);
        return;
      case 'tweet':
        return this.#add(record.tweet);
      case 'delete':
        return this.#bury(record.tweet_id, record.reason ?? 'deleted');
      case 'restore': {
        const tweet = this.graves.get(record.tweet_id)?.tweet;
        if (tweet?.retweeted_tweet_id !== undefined)
          delete this.retweets.get(`${tweet.retweeted_tweet_id} ${tweet.author_id}`)?.removedAt;
        this.graves.delete(record.tweet_id);
        return;
      }
      case 'withdraw':
        return this.#withdraw(record.user_id, record.list_ids ?? []);
      case 'reinstate':
        for (const [id, owner] of [...this.removedLists]) if (owner === record.user_id) this.removedLists.delete(id);
        return void this.withdrawn.delete(record.user_id);
      case 'place':
        return void this.places.set(record.place.id, record.place);
      case 'list':
        if (!this.withdrawn.has(record.list.owner_id)) this.lists.set(record.list.id, record.list);
        return;
      case 'list_member':
        if (!this.withdrawn.has(record.user_id) && !this.removedLists.has(record.list_id))
          this.#tie(this.listMembers, `${record.list_id} ${record.user_id}`, time(record.created_at));
        return;
      case 'follow':
      case 'unfollow': {
        const { follower_id: from, following_id: to } = record;
        if (this.withdrawn.has(from) || this.withdrawn.has(to)) return;
        return record.kind === 'follow'
          ? this.#tie(this.follows, `${from} ${to}`, time(record.created_at))
          : this.#untie(this.follows, `${from} ${to}`, time(record.at));
      }
      case 'retweet':
        if (!this.withdrawn.has(record.user_id) && !this.isRemoved(record.tweet_id))
          this.#tie(this.retweets, `${record.tweet_id} ${record.user_id}`, time(record.created_at));
        return;
      case 'unretweet':
        return this.#unretweet(record.tweet_id, record.user_id, time(record.at));
      case 'like':
      case 'unlike':
        return this.#like(record);
      default:
        throw new Error(`the model has no ${record.kind}`);
    }
  }

  #like(record: Extract<ArchiveRecord, { kind: 'like' | 'unlike' }>): void {
    if (this.isRemoved(record.tweet_id)) return;
    const before = this.likes.get(record.tweet_id);
    const at = time(record.kind === 'like' ? record.created_at : record.at);
    if (record.kind === 'like') {
      if (before === undefined || (!before.liked && at > before.at))
        this.likes.set(record.tweet_id, { liked: true, at });
      return;
    }
    if (before !== undefined && (!before.liked || at < before.at)) return;
    this.likes.set(record.tweet_id, { liked: false, at });
    const tweet = this.tweets.get(record.tweet_id);
    if (before !== undefined && tweet !== undefined)
      this.tweets.set(tweet.id, { ...tweet, like_count: Math.max(0, (tweet.like_count ?? 0) - 1) });
  }

  #add(tweet: ArchivedTweet): void {
    const { retweeted_tweet_id: retweeted, author_id } = tweet;
    const isBlocked = this.withdrawn.has(author_id) || this.isRemoved(tweet.id);
    if (isBlocked || (retweeted !== undefined && this.isRemoved(retweeted)) || this.tweets.has(tweet.id)) return;
    this.tweets.set(tweet.id, tweet);
    this.graves.delete(tweet.id);
    if (retweeted !== undefined) this.#tie(this.retweets, `${retweeted} ${author_id}`, time(tweet.created_at));
  }

  #bury(id: string, reason: RemovalReason): void {
    const before = this.graves.get(id);
    if (before !== undefined && !this.tweets.has(id) && strength[reason] <= strength[before.reason]) return;
    const tweet = this.tweets.get(id) ?? before?.tweet;
    const isStronger = before === undefined || strength[reason] > strength[before.reason];
    this.graves.set(id, { reason: isStronger ? reason : before.reason, ...(tweet === undefined ? {} : { tweet }) });
    const wasThere = this.tweets.delete(id);
    this.likes.delete(id);
    for (const key of this.retweets.keys()) if (key.startsWith(`${id} `)) this.retweets.delete(key);
    if (wasThere && tweet?.retweeted_tweet_id !== undefined && reason !== 'retweet' && reason !== 'account')
      this.#untie(this.retweets, `${tweet.retweeted_tweet_id} ${tweet.author_id}`, time(tweet.created_at));
    this.#buryRetweets(id);
  }

  /** Also the retweets of retweets that were removed before. */
  #buryRetweets(id: string): void {
    for (const other of this.list((each) => each.retweeted_tweet_id === id)) this.#bury(other.id, 'retweet');
    for (const [other, { reason, tweet }] of this.graves)
      if (reason === 'retweet' && tweet?.retweeted_tweet_id === id) this.#buryRetweets(other);
  }

  #unretweet(tweetId: string, userId: string, at: number): void {
    if (this.withdrawn.has(userId) || this.isRemoved(tweetId)) return;
    const key = `${tweetId} ${userId}`;
    const removedAt = this.retweets.get(key)?.removedAt;
    if (removedAt !== undefined && at <= removedAt) return;
    for (const { id } of this.list(
      (each) => each.retweeted_tweet_id === tweetId && each.author_id === userId && time(each.created_at) <= at,
    ))
      this.#bury(id, 'deleted');
    this.#untie(this.retweets, key, at);
  }

  #withdraw(userId: string, listIds: readonly string[]): void {
    const owned = [...this.lists.values()].filter(({ owner_id }) => owner_id === userId).map(({ id }) => id);
    for (const id of [...owned, ...listIds.filter((each) => !this.lists.has(each))]) {
      this.removedLists.set(id, userId);
      this.lists.delete(id);
      for (const key of this.listMembers.keys()) if (key.startsWith(`${id} `)) this.listMembers.delete(key);
    }
    if (this.withdrawn.has(userId)) return;
    for (const { id } of this.list((each) => each.author_id === userId)) this.#bury(id, 'account');
    this.profiles.delete(userId);
    for (const ties of [this.follows, this.retweets, this.listMembers])
      for (const key of ties.keys())
        if (key.endsWith(` ${userId}`) || (ties === this.follows && key.startsWith(`${userId} `))) ties.delete(key);
    this.withdrawn.add(userId);
  }

  #tie(ties: Map<string, Tie>, key: string, at: number): void {
    const tie = ties.get(key) ?? { starts: [] };
    tie.starts.push(at);
    ties.set(key, { ...tie, starts: tie.starts.filter((start) => start > (tie.removedAt ?? -1)) });
  }

  #untie(ties: Map<string, Tie>, key: string, at: number): void {
    const { starts, removedAt = -1 } = ties.get(key) ?? { starts: [] };
    const latest = Math.max(removedAt, at);
    ties.set(key, { starts: starts.filter((start) => start > latest), removedAt: latest });
  }

  /** The tweets that pass a test, newest first. */
  list(test: (tweet: ArchivedTweet) => boolean): ArchivedTweet[] {
    return [...this.tweets.values()].filter(test).sort((a, b) => compare(b, a));
  }

  /** The members of an owner's relation. */
  members(ties: ReadonlyMap<string, Tie>, owner: string): string[] {
    return [...ties.entries()].flatMap(([key, { starts }]) =>
      starts.length > 0 && key.startsWith(`${owner} `) ? [key.slice(owner.length + 1)] : [],
    );
  }

  document(tweet: ArchivedTweet): TweetDocument {
    const context: DocumentContext = {
      user: (id) => {
        const username = this.profiles.get(id);
        return username === undefined ? undefined : { id, username };
      },
      authorOf: (id) => (this.tweets.get(id) ?? this.graves.get(id)?.tweet)?.author_id,
      place: (id) => this.places.get(id),
      listTerms: (id) => this.#listTerms(id),
    };
    return documentOf(tweet, context);
  }

  *#listTerms(userId: string): Generator<string> {
    for (const [key, { starts }] of this.listMembers) {
      const [listId = '', memberId] = key.split(' ');
      if (memberId !== userId || starts.length === 0) continue;
      yield `list:${listId}`;
      const list = this.lists.get(listId);
      const owner = list === undefined ? undefined : this.profiles.get(list.owner_id);
      if (list !== undefined && owner !== undefined) yield `list:${owner}/${list.slug}`;
    }
  }
}
