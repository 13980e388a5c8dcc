/** The port to where the data comes from: an archive of one's own, or a live platform. */
import type { Schemas } from '../contract/operations.ts';

/** Names a user by exactly one of the two. */
export type UserRef = { readonly username: string } | { readonly user_id: string };

/** Where a page ended, in the platform's own terms; opaque to everyone else, and JSON. */
export type Position = readonly (string | number)[];

export interface PageRequest {
  /** Where the page before ended; undefined for the first page. */
  readonly after: Position | undefined;
  /** How many items at most, 1–100. */
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: Item[];
  /** Where this page ended, or null when it is the last. */
  readonly next: Position | null;
}

type Tweet = Schemas['Tweet'];
type TweetShort = Schemas['TweetShort'];

/**
 * Each method answers one operation of the contract. All throw ServiceError: 404 for an unknown user, tweet, community or
 * space, 400 for a query that cannot be read or a position that is not theirs, 501 for what the platform does not have.
 */
export interface Platform {
  /** Another number whenever any answer may have changed, since the server started. Undefined where the platform cannot know. */
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
