/** The tweets of a small archive, by id, by author and by retweeted tweet. */
import type { ArchivedTweet } from '../../domain/records.ts';
import { compareIds } from '../../domain/record-id.ts';
import { parseTime } from '../../text/iso-time.ts';

/** Orders tweets by (created_at, id), oldest first. */
const compare = (a: ArchivedTweet, b: ArchivedTweet): number =>
  parseTime(a.created_at) - parseTime(b.created_at) || compareIds(a.id, b.id);

export class Tweets {
  readonly #byId = new Map<string, ArchivedTweet>();
  readonly #byAuthor = new Map<string, Set<string>>();
  readonly #byRetweeted = new Map<string, Set<string>>();

  get(id: string): ArchivedTweet | undefined {
    return this.#byId.get(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  values(): Iterable<ArchivedTweet> {
    return this.#byId.values();
  }

  /** Adds a tweet, or replaces the one with its id. */
  set(tweet: ArchivedTweet): void {
    this.delete(tweet.id);
    this.#byId.set(tweet.id, tweet);
    add(this.#byAuthor, tweet.author_id, tweet.id);
    if (tweet.retweeted_tweet_id !== undefined) add(this.#byRetweeted, tweet.retweeted_tweet_id, tweet.id);
  }

  delete(id: string): void {
    const tweet = this.#byId.get(id);
    if (tweet === undefined) return;
    this.#byId.delete(id);
    this.#byAuthor.get(tweet.author_id)?.delete(id);
    if (tweet.retweeted_tweet_id !== undefined) this.#byRetweeted.get(tweet.retweeted_tweet_id)?.delete(id);
  }

  /** Whether a user is the author of a tweet. */
  hasAuthor(userId: string): boolean {
    return (this.#byAuthor.get(userId)?.size ?? 0) > 0;
  }

  /** The tweets of an author, oldest first. */
  ofAuthor(userId: string): ArchivedTweet[] {
    return this.#sorted(this.#byAuthor.get(userId));
  }

  /** The native retweets of a tweet, oldest first. */
  retweetsOf(tweetId: string): ArchivedTweet[] {
    return this.#sorted(this.#byRetweeted.get(tweetId));
  }

  #sorted(ids: ReadonlySet<string> | undefined): ArchivedTweet[] {
    return Array.from(ids ?? [])
      .flatMap((id) => this.#byId.get(id) ?? [])
      .sort(compare);
  }
}

function add(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
}
