/** The port to what holds data of tweets in memory: it hears of each deletion. */

/** Ids of deleted tweets. */
export interface DeletedIds {
  has(tweetId: string): boolean;
}

/** Holds data of tweets, and drops the data of those that are deleted. */
export interface TweetDataHolder {
  /** Whether it holds nothing. */
  readonly isEmpty: boolean;
  /** Drops the data of these tweets. Must not throw: other holders follow. */
  drop(deleted: DeletedIds): void;
}
