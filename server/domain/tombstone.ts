/** What stays of a removed tweet: ids and usernames, no text. */

/**
 * Why a tweet was removed: its author deleted it, the platform withholds it, the operator of the service erased it, its
 * author's account was withdrawn, or it was a native retweet of a removed tweet.
 */
export type RemovalReason = 'deleted' | 'withheld' | 'erased' | 'account' | 'retweet';

export interface Tombstone {
  readonly id: string;
  readonly reason: RemovalReason;
  /** The time of the removal in milliseconds since the epoch; 0 if unknown. */
  readonly at: number;
  /** The address of the record, if it has one: a record with another address is another tweet. */
  readonly uri?: string;
  /** What subscribers need; undefined where the archive never had the tweet. */
  readonly tweet?: RemovedTweet;
}

/** The references of a removed tweet. */
export interface RemovedTweet {
  readonly author_id: string;
  readonly in_reply_to_id?: string;
  readonly retweeted_tweet_id?: string;
  /** Only of a native retweet. */
  readonly created_at?: string;
  readonly community_id?: string;
  /** The mentioned users, with the ids that are known. */
  readonly mentions?: readonly { readonly username: string; readonly id?: string }[];
}
