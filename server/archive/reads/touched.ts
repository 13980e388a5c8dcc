/** What a group of changes reads or writes: the rows that `ContentReader` loads before the changes are applied. */
import type { Change } from '../rules/change.ts';
import { keyOfScrub, scrubKeysOf, type ScrubGeoRecord } from '../rules/geo-scrubs.ts';
import { pairOf, type Pair, type RelationTable } from '../content/content.ts';

/** Ids by kind, of rows that may or may not exist. */
export class Touched {
  readonly tweets = new Set<string>();
  /** Tweets that are removed together with their native retweets, with their likes and their retweeters. */
  readonly removedTweets = new Set<string>();
  /** Users all of whose tweets, lists and spaces are removed. */
  readonly withdrawnUsers = new Set<string>();
  /** Users whose profile is removed if they have no tweets. */
  readonly evictedUsers = new Set<string>();
  /** Tweets of which it matters whether they are removed. */
  readonly blockedTweets = new Set<string>();
  /** Users of whom it matters whether they are withdrawn. */
  readonly people = new Set<string>();
  readonly users = new Set<string>();
  readonly communities = new Set<string>();
  readonly spaces = new Set<string>();
  readonly places = new Set<string>();
  readonly lists = new Set<string>();
  readonly likes = new Set<string>();
  /** Lists of which it matters whether a withdrawal removed them. */
  readonly removedLists = new Set<string>();
  /** The native retweets of a tweet by a user. */
  readonly nativeRetweets = new Map<string, Pair>();
  /** The keys of the records that remove the places of tweets. */
  readonly scrubKeys = new Set<string>();
  /** Records that remove the places of the tweets of a user. */
  readonly userScrubs: (ScrubGeoRecord & { readonly user_id: string })[] = [];
  readonly #pairs: Record<RelationTable, Map<string, Pair>> = {
    follow: new Map(),
    retweet: new Map(),
    highlight: new Map(),
    membership: new Map(),
    list_member: new Map(),
  };

  constructor(changes: readonly Change[]) {
    for (const change of changes) this.#add(change);
  }

  /** The relations of a table. */
  pairs(table: RelationTable): readonly Pair[] {
    return [...this.#pairs[table].values()];
  }

  addPair(table: RelationTable, owner: string, member: string): void {
    this.#pairs[table].set(`${owner} ${member}`, { owner, member });
  }

  #add(change: Change): void {
    switch (change.kind) {
      case 'tweet': {
        const { id, author_id, retweeted_tweet_id: retweeted } = change.tweet;
        this.tweets.add(id);
        this.people.add(author_id);
        this.blockedTweets.add(id);
        for (const key of scrubKeysOf(change.tweet)) this.scrubKeys.add(key);
        if (retweeted !== undefined) this.addRetweet(retweeted, author_id);
        return;
      }
      case 'user':
        this.users.add(change.user.id);
        return void this.people.add(change.user.id);
      case 'community':
        return void this.communities.add(change.community.id);
      case 'space':
        this.spaces.add(change.space.id);
        return void this.people.add(change.space.host_id);
      case 'place':
        return void this.places.add(change.place.id);
      case 'list':
        this.lists.add(change.list.id);
        return void this.people.add(change.list.owner_id);
      case 'like':
      case 'unlike':
        this.likes.add(change.tweet_id);
        this.tweets.add(change.tweet_id);
        return void this.blockedTweets.add(change.tweet_id);
      case 'delete':
        return this.#addDelete(change);
      case 'restore':
        return void this.blockedTweets.add(change.tweet_id);
      case 'withdraw':
        this.withdrawnUsers.add(change.user_id);
        for (const id of change.list_ids ?? []) this.lists.add(id);
        return;
      case 'reinstate':
        return void this.people.add(change.user_id);
      case 'scrub_geo':
        return this.#addScrub(change);
      case 'evict':
        for (const id of change.tweet_ids) this.removedTweets.add(id);
        for (const id of change.tombstone_ids) this.blockedTweets.add(id);
        for (const id of change.user_ids) this.evictedUsers.add(id);
        return;
      default:
        return this.#addRelation(change);
    }
  }

  #addDelete(change: Extract<Change, { kind: 'delete' }>): void {
    this.removedTweets.add(change.tweet_id);
    const stated = 'tombstone' in change ? change.tombstone : undefined;
    const author = stated?.author_id ?? change.author_id;
    const retweeted =
      stated?.retweeted_tweet_id ?? ('retweeted_tweet_id' in change ? change.retweeted_tweet_id : undefined);
    if (author !== undefined && retweeted !== undefined) this.addRetweet(retweeted, author);
  }

  #addScrub(change: ScrubGeoRecord): void {
    const { user_id } = change;
    this.scrubKeys.add(keyOfScrub(change));
    if (user_id === undefined) this.tweets.add(change.tweet_id);
    else this.userScrubs.push({ ...change, user_id });
  }

  #addRelation(change: Parameters<typeof pairOf>[0]): void {
    const { table, owner, member } = pairOf(change);
    this.addPair(table, owner, member);
    this.people.add(owner).add(member);
    if (table === 'list_member') this.removedLists.add(owner);
    if (table === 'retweet') this.blockedTweets.add(owner);
    if (change.kind === 'unretweet') this.nativeRetweets.set(`${owner} ${member}`, { owner, member });
  }

  /** A native retweet of a tweet. */
  addRetweet(retweeted: string, authorId: string): void {
    this.blockedTweets.add(retweeted);
    this.addPair('retweet', retweeted, authorId);
  }
}
