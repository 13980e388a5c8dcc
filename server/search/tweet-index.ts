/** The interface of the search index. */
import type { ArchivedTweet, ArchivedUser } from '../domain/records.ts';
import type { AuthorMemo } from '../domain/author-memo.ts';
import type { TweetHead } from '../domain/tweet-head.ts';
import type { Page, PageRequest } from '../contract/page.ts';
import type { Query } from './language/syntax-tree.ts';
import type { PreparedReading } from './inverted-index/term-batch.ts';
import type { TweetReading } from './inverted-index/tweet-reader.ts';
import type { TweetPlace } from './tweet-source.ts';

/** Read access to the index. */
export type SearchIndex = Pick<TweetIndex, 'authorCount' | 'frequency' | 'search' | 'prepareTop' | 'oldest'>;

/** What changes of the archive do to an index. */
export type IndexWriter = Omit<TweetIndex, keyof SearchIndex>;

export interface TweetIndex {
  /**
   * Extracts the terms of a tweet without a visible change of the index. Throws for a record that cannot be indexed.
   */
  read(tweet: ArchivedTweet): TweetReading;
  /**
   * As `read`, from what another thread has read of a tweet. `user`: the user whose id its author has, if known. `author`: what the tables
   * have found for the author.
   */
  readPrepared(prepared: PreparedReading, user: ArchivedUser | undefined, author: AuthorMemo): TweetReading;
  /** Like `read`, for a profile. */
  readUser(user: ArchivedUser): void;
  /** The approximate number of tweets that have a term, or a token in a text, a link or the author's name. */
  frequency(term: string): number;
  /**
   * Indexes a new tweet. `isNewest`: it is newer than every tweet before it, also than the removed ones. `author`: what the tables have
   * found for its author.
   */
  added(ordinal: number, tweet: TweetHead, reading: TweetReading, isNewest: boolean, author?: AuthorMemo): void;
  /** Removes a tweet that the source reports as gone. */
  removed(ordinal: number): void;
  /** Updates the tweets that refer to a tweet, after the source forgot or learnt the author of that tweet. */
  authorChanged(tweetId: string): void;
  /** The native retweets of a tweet. */
  retweetsOf(tweetId: string): number[];
  /** Updates a tweet after a change of more than its counts, from the readings before and after the change. */
  changed(ordinal: number, before: TweetReading, after: TweetReading): void;
  /** Call it after a change of the counts of a tweet, before its next change. */
  countsChanged(ordinal: number): void;
  /** Updates the index after a profile was added or changed. `before` is undefined for a new profile. */
  userChanged(after: ArchivedUser, before: ArchivedUser | undefined): void;
  /** The number of known authors: those with tweets or with a name. */
  readonly authorCount: number;
  /** Forgets a user without tweets, after `userChanged` removed the names. */
  userForgotten(userId: string): void;
  /**
   * Returns a page of ordinals. `Latest` sorts newest first by (created_at, id), `Top` by engagement at the time of the
   * first page. Throws ServiceError 400 for a query that cannot be parsed (with position and expected input) and for a
   * position of another order.
   */
  search(query: Query, order: 'Latest' | 'Top', page: PageRequest): Page<number>;
  /**
   * Resolves when a search by `Top` reads few of its results; undefined where it does, or where that would not help. The first such search
   * of a large archive needs it: without, it reads all its results in one turn.
   */
  prepareTop(): Promise<void> | undefined;
  /** The ordinals of the oldest tweets, at most `limit`, oldest first. `after`: only newer ones than this place. */
  oldest(after: TweetPlace | undefined, limit: number): number[];
}
