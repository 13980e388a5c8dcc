/** Search over the tweets of an archive: the port between the archive's tables and the index. */
import type { ArchivedTweet, ArchivedUser } from '../platforms/archive/records.ts';
import type { Page, PageRequest } from '../ports/platform.ts';
import type { Count } from './language/condition.ts';
import type { Lists } from './lists.ts';
import type { Places } from './places.ts';

/** The archive's tweets as the index sees them. An ordinal is a tweet's place in order of arrival: 0, 1, 2 … */
export interface TweetSource {
  readonly size: number;
  tweet(ordinal: number): ArchivedTweet;
  /** The ordinal of a tweet id, or undefined. */
  ordinal(id: string): number | undefined;
  /** Orders two ordinals by (created_at, id): negative when the first is older. */
  readonly order: (a: number, b: number) => number;
  /** Milliseconds since the epoch. */
  createdAt(ordinal: number): number;
  id(ordinal: number): bigint;
  /** Whether a tweet stands before (created_at in milliseconds, id) in the order. */
  isOlder(ordinal: number, createdAt: number, id: bigint): boolean;
  authorId(ordinal: number): string;
  /** 0 where it is unknown. */
  count(ordinal: number, name: Count): number;
  /** A user by id. */
  user(id: string): ArchivedUser | undefined;
  readonly places: Places;
  readonly lists: Lists;
  /** Grows by one with each change of the archive. */
  readonly revision: number;
  /** The revision at which the tweet arrived. */
  arrivedAt(ordinal: number): number;
  /** The tweet's engagement score as it was at a revision of the last while; what came later is undone. */
  engagement(ordinal: number, revision: number): number;
}

/** What a tweet is found by, as the index has read it from the record. */
export interface TweetReading {
  /** The numbers of its terms. */
  readonly found: ReadonlySet<number>;
  /** Texts and links, each as the numbers of its tokens. */
  readonly texts: readonly (readonly number[])[];
  readonly links: readonly (readonly number[])[];
}

export interface TweetIndex {
  /** Reads a tweet and changes nothing that a search shows. Throws for a record that cannot be indexed. */
  read(tweet: ArchivedTweet): TweetReading;
  /** As `read`, for a profile. */
  readUser(user: ArchivedUser): void;
  /** About how many tweets have a token, in a text, a link or the author's name, or a term. */
  frequency(term: string): number;
  /** A tweet has arrived: its ordinal is `source.size - 1`. `reading`: of that tweet; read now when left out. */
  added(ordinal: number, reading?: TweetReading): void;
  /** A tweet has changed in more than its counts; both were read before. */
  changed(ordinal: number, before: TweetReading, after: TweetReading): void;
  /** A user's profile has arrived or changed; `before` is undefined when it is new. */
  userChanged(after: ArchivedUser, before: ArchivedUser | undefined): void;
  /**
   * A page of ordinals. Throws ServiceError 400 where the query cannot be read (says what, where and what was expected) or the
   * position is not one of this query's. Latest: newest first by (created_at, id). Top: by engagement as of the first page.
   */
  search(query: string, order: 'Latest' | 'Top', page: PageRequest): Page<number>;
}
