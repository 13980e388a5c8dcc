/**
 * The port to the records that the archive holds, for what follows and fills from live platforms. Reads of many records are one
 * call, because each call can cost a round trip to a database. Every method can reject with StoreError.
 */
import type { ArchivedTweet, ArchivedUser } from '../domain/records.ts';
import type { Awaitable, KnownUser, UserRef } from './platform.ts';

/** The tweets and the users that a caller is about to look up, by id. */
export interface HeldKeys {
  readonly tweets: Iterable<string>;
  readonly users: Iterable<string>;
}

/** What the archive holds of the tweets and the users of a read. Other ids must not be looked up. */
export interface HeldPart {
  /** Undefined for a tweet that the archive does not have. */
  tweet(id: string): ArchivedTweet | undefined;
  /** Whether the archive had a tweet and removed it, so that it is not fetched again. */
  isRemoved(tweetId: string): boolean;
  /**
   * The address (`uri`) of the tweet that has an id or had it; an empty text for a tweet without an address, and undefined for a
   * free id.
   */
  addressOf(tweetId: string): string | undefined;
  /** The profile of a user; undefined where the archive has none. */
  profile(userId: string): ArchivedUser | undefined;
  isWithdrawn(userId: string): boolean;
  /** Whether the archive has a tweet of a user. */
  hasTweets(userId: string): boolean;
}

/** What a live source reads of the archive. */
export interface HeldRecords {
  /** Reads everything that is held of these tweets and users. Later changes may show in the result, and need not. */
  read(keys: HeldKeys): Awaitable<HeldPart>;
  /** The ids of the users that a user follows. */
  followings(userId: string): Awaitable<Iterable<string>>;
  /** The tweets of an author, newest first. */
  tweetsOf(userId: string): Iterable<ArchivedTweet> | AsyncIterable<ArchivedTweet>;
}

/** The tweets of some accounts that the archive holds. */
export interface HeldTweets {
  readonly tweets: number;
  /** The times of the oldest and the newest one in milliseconds since the epoch; undefined where there is none. */
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
}

/** What the service that follows and fills reads of the archive. */
export interface HeldArchive extends HeldRecords {
  /** What the archive knows of a user; undefined for an unknown one. */
  identity(ref: UserRef): Awaitable<KnownUser | undefined>;
  /** A tweet that answers another one, which the archive need not have; undefined where there is none. */
  replyTo(tweetId: string): Awaitable<ArchivedTweet | undefined>;
  /** All tweets. Between many of them, the process can do other work. */
  tweets(): AsyncIterable<ArchivedTweet>;
  /** Counts the tweets of some accounts. Cost: linear in their number. */
  heldTweets(userIds: readonly string[]): Awaitable<HeldTweets>;
  /** The tweets that match a query of the search language. */
  found(query: string): Iterable<ArchivedTweet> | AsyncIterable<ArchivedTweet>;
  /** The id of the account with a username; undefined where the archive has none. */
  userIdOfName(username: string): Awaitable<string | undefined>;
  /** The ids of accounts by the identifiers of their platform (a DID, or the id itself). Leaves out unknown DIDs. */
  userIdsOf(accounts: readonly string[]): Awaitable<string[]>;
}
