/** The port to the data source: an archive, or a live platform. */
import type { Schemas } from '../contract/operations.ts';

/** Identifies a user by username or by id. */
export type UserRef = { readonly username: string } | { readonly user_id: string };

/** The end of a page, in a JSON format that only the platform interprets. */
export type Position = readonly (string | number)[];

export interface PageRequest {
  /** The end of the previous page; undefined for the first page. */
  readonly after: Position | undefined;
  /** Maximum number of items, 1–100. */
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: Item[];
  /** The end of this page, or null for the last page. */
  readonly next: Position | null;
}

type Tweet = Schemas['Tweet'];
type TweetShort = Schemas['TweetShort'];

/**
 * Each method implements one operation of the contract. All throw ServiceError: 404 for an unknown user, tweet,
 * community or space, 400 for a query that cannot be parsed or a position of another list, 501 for an unsupported
 * operation.
 */
export interface Platform {
  /** A number that changes whenever a result may have changed. Undefined when the platform cannot detect changes. */
  revision(): number | undefined;
  lastTweets(user: UserRef, includeReplies: boolean, page: PageRequest): Promise<Page<Tweet>>;
  highlights(user: UserRef, page: PageRequest): Promise<Page<Tweet>>;
  followings(user: UserRef, page: PageRequest): Promise<Page<Schemas['User']>>;
  /** `since` inclusive, `until` exclusive, in milliseconds since the epoch. */
  mentions(user: UserRef, span: { since: number; until: number }, page: PageRequest): Promise<Page<TweetShort>>;
  replies(tweetId: string, page: PageRequest): Promise<Page<Tweet>>;
  retweeters(tweetId: string, page: PageRequest): Promise<Page<Schemas['User']>>;
  search(query: string, order: 'Latest' | 'Top', page: PageRequest): Promise<Page<TweetShort>>;
  discover(communityId: string, page: PageRequest): Promise<Page<TweetShort>>;
  communityMedia(communityId: string, page: PageRequest): Promise<Page<TweetShort>>;
  communitiesOf(username: string, page: PageRequest): Promise<Page<Schemas['Community']>>;
  space(id: string): Promise<Schemas['Space']>;
  /** Removes the like; false when there was none. Durable when it resolves. */
  unlike(tweetId: string): Promise<boolean>;
}
