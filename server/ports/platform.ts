/** The port to the data source: an archive, a database, or a live platform. */
import type { OperationId, Schemas } from '../contract/operations.ts';
import type { Page, PageRequest } from '../contract/page.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { counts } from '../domain/records.ts';
import type { TweetDocument } from '../domain/tweet-document.ts';
import type { Query } from '../domain/query.ts';
import type { PostAddress } from '../domain/post-address.ts';

/** Identifies a user by username or by id. */
export type UserRef = { readonly username: string } | { readonly user_id: string };

/** Identifies a tweet by its id or by its address on Bluesky. */
export type TweetRef = string | PostAddress;

/** A value, or a promise of it from a data source that must wait for it. */
export type Awaitable<Value> = Value | Promise<Value>;

export interface CallOptions {
  /**
   * Aborts when nobody waits for the result. A data source that waits for a network or a disk then ends its request and
   * rejects with the reason of the signal. Reading the property may create the signal, so read it only to wait.
   */
  readonly signal: AbortSignal;
  /** The id of the API key of the caller, for limits of each caller; undefined: the service itself. */
  readonly keyId?: string;
}

/** The operations that a platform supports. */
export interface Capabilities {
  /**
   * Why the platform does not support an operation, as a message for the caller, such as `Bluesky has no communities`;
   * undefined for a supported operation.
   */
  whyUnsupported(operation: OperationId): string | undefined;
}

/** The capabilities of a platform that supports everything except these operations, with the reason for each. */
export const allExcept = (reasons: Readonly<Partial<Record<OperationId, string>>>): Capabilities => ({
  whyUnsupported: (operation) => reasons[operation],
});

/** The error for an operation that a platform does not support; undefined for a supported one. */
export function unsupported(
  { capabilities }: Pick<Platform, 'capabilities'>,
  operation: OperationId,
): ServiceError | undefined {
  const reason = capabilities.whyUnsupported(operation);
  return reason === undefined ? undefined : new ServiceError(501, reason);
}

/** The tweets that a count counts, and how. */
export interface CountSpan {
  /** Created within [since, until), in milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
  /**
   * The milliseconds of a bucket; the buckets are numbered from the epoch on. `since` and `until` are then whole seconds, finite and not
   * before the epoch. Undefined: one bucket with the number 0.
   */
  readonly bucketMs?: number;
  /** When more are found than this, the rest need not be counted; undefined: all are counted. */
  readonly most?: number;
}

export interface TweetCounts {
  /** How many tweets the buckets have, without those that have none, in no order. */
  readonly buckets: readonly (readonly [bucket: number, tweets: number])[];
  /** Whether all tweets are counted; otherwise there are more than `most`. */
  readonly isWhole: boolean;
}

type Tweet = Schemas['Tweet'];
type TweetShort = Schemas['TweetShort'];
type User = Schemas['User'];

/** The names of the counts of a tweet. */
export type CountName = (typeof counts)[number];

/**
 * What the full form of a tweet leaves open: there an unknown count is 0, and a tweet that the platform does not have is
 * null.
 */
export interface TweetBackground {
  /** The counts that the source reported. */
  readonly knownCounts: readonly CountName[];
  readonly inReplyToId: string | undefined;
  /** The author of the tweet that it replies to; undefined if unknown. */
  readonly inReplyToUsername: string | undefined;
  readonly quotedId: string | undefined;
  readonly retweetedId: string | undefined;
  /** The language code of the source; undefined if the source names no language. */
  readonly lang: string | undefined;
}

/** The tweets around a tweet. */
export type ConversationPart = 'thread' | 'replies' | 'quotes' | 'authored' | 'continuation';

export interface TweetConversation extends Readonly<Record<ConversationPart, readonly Tweet[]>> {
  readonly tweet: Tweet;
  /** As the method `thread`. */
  readonly thread: readonly Tweet[];
  /** The replies with the most engagement, highest first; the newer one wins a tie. A platform may leave out all but the newest 2000. */
  readonly replies: readonly Tweet[];
  /** The tweets that quote it, without native retweets of them, in the same order. */
  readonly quotes: readonly Tweet[];
  /**
   * The newest other tweets of its author of the same kind (replies, or tweets that are no replies), newest first, without retweets. A
   * platform may look at the newest 500 only.
   */
  readonly authored: readonly Tweet[];
  /** As the method `continuation`. */
  readonly continuation: readonly Tweet[];
}

/** A user with a profile, or a user that other data refers to. */
export interface KnownUser {
  /** Undefined for a user of whom only the username is known, as from a mention. */
  readonly id: string | undefined;
  /** Undefined for a user of whom only the id is known, as from a follow. */
  readonly username: string | undefined;
}

/** The facts about a tweet that select the subscriptions for its events. */
export interface TweetRelations {
  readonly authorId: string;
  /** Undefined if the platform does not know the username. */
  readonly authorUsername: string | undefined;
  /** The users that the tweet mentions, with the username in the text. */
  readonly mentions: readonly KnownUser[];
  readonly inReplyToId: string | undefined;
  readonly communityId: string | undefined;
}

/**
 * The current state of a tweet. All data is at hand: no member waits. A member can throw for damaged data, and
 * ServiceError 404 for a tweet that was deleted meanwhile; the caller then leaves out what it wanted to build.
 */
export interface TweetSnapshot extends TweetRelations {
  readonly isGone: false;
  /** The ids of the tweets whose text `full` includes: the quoted and the retweeted tweet. */
  readonly includedIds: readonly string[];
  full(): Tweet;
  short(): TweetShort;
  engagement(): Schemas['WsEngagement'];
  /** The document that registered queries are matched against. */
  document(): TweetDocument;
}

/** A deleted tweet: its tombstone. It has no text. */
export interface GoneTweet extends TweetRelations {
  readonly isGone: true;
}

/** A member of a community, as the event of the membership needs it. */
export interface CommunityMember {
  /** Undefined if the platform does not know the username. */
  readonly username: string | undefined;
  /** The community from the view of the member; undefined if the platform no longer has the community or the role. */
  readonly community: Schemas['Community'] | undefined;
}

/**
 * The operations of the contract. All throw ServiceError: 404 for an unknown user, tweet, community or space, 400 for a
 * position of another list, 501 for an unsupported operation (see `unsupported`), 503 while the platform cannot
 * answer.
 */
interface PlatformOperations {
  /** A user by id, also without a profile. 404 also for a user of whom only the username is known. */
  userInfo(user: UserRef, options: CallOptions): Promise<Schemas['UserInfo']>;
  /** Users as in `userInfo`, in the order of the references; undefined for those for which `userInfo` has 404. */
  users(refs: readonly UserRef[], options: CallOptions): Promise<readonly (User | undefined)[]>;
  /** Tweets in the order of the references; undefined for a tweet that the platform does not have. */
  tweets(refs: readonly TweetRef[], options: CallOptions): Promise<readonly (Tweet | undefined)[]>;
  lastTweets(user: UserRef, includeReplies: boolean, page: PageRequest, options: CallOptions): Promise<Page<Tweet>>;
  highlights(user: UserRef, page: PageRequest, options: CallOptions): Promise<Page<Tweet>>;
  followings(user: UserRef, page: PageRequest, options: CallOptions): Promise<Page<User>>;
  followers(user: UserRef, page: PageRequest, options: CallOptions): Promise<Page<User>>;
  /**
   * The tweets that mention a user, also by an earlier username where the mention has the id of the user. `since` inclusive,
   * `until` exclusive, in milliseconds since the epoch.
   */
  mentions(
    user: UserRef,
    span: { since: number; until: number },
    page: PageRequest,
    options: CallOptions,
  ): Promise<Page<TweetShort>>;
  replies(tweetId: string, page: PageRequest, options: CallOptions): Promise<Page<Tweet>>;
  retweeters(tweetId: string, page: PageRequest, options: CallOptions): Promise<Page<User>>;
  /** The tweets that quote a tweet, without native retweets of them. */
  quotes(tweetId: string, page: PageRequest, options: CallOptions): Promise<Page<Tweet>>;
  search(query: Query, order: 'Latest' | 'Top', page: PageRequest, options: CallOptions): Promise<Page<TweetShort>>;
  /** The tweets that `search` finds, counted. */
  counts(query: Query, span: CountSpan, options: CallOptions): Promise<TweetCounts>;
  discover(communityId: string, page: PageRequest, options: CallOptions): Promise<Page<TweetShort>>;
  communityMedia(communityId: string, page: PageRequest, options: CallOptions): Promise<Page<TweetShort>>;
  communityInfo(id: string, options: CallOptions): Promise<Schemas['CommunityInfo']>;
  communitiesOf(username: string, page: PageRequest, options: CallOptions): Promise<Page<Schemas['Community']>>;
  space(id: string, options: CallOptions): Promise<Schemas['Space']>;
  /**
   * Removes the like; false when there was none. Durable when it resolves. A signal that aborts does not take the
   * change back.
   */
  unlike(tweetId: string, options: CallOptions): Promise<boolean>;
}

/** Look-ups of single entities and of the context of a tweet. They throw ServiceError like the operations. */
export interface PlatformLookups {
  tweet(id: string, options: CallOptions): Promise<Tweet>;
  /** Whether the account that the service acts for likes a tweet; false for a tweet that the platform does not have. */
  liked(tweetId: string, options: CallOptions): Promise<boolean>;
  /** The id of the tweet at an address on Bluesky. 404 also on a platform without such addresses. */
  tweetIdAt(address: PostAddress, options: CallOptions): Promise<string>;
  user(ref: UserRef, options: CallOptions): Promise<KnownUser>;
  /**
   * The tweets that a tweet replies to, directly or through others, oldest first, without the tweet itself: the nearest
   * `limit` ones. Ends at a tweet that the platform does not have; no tweet appears twice.
   */
  thread(tweetId: string, limit: number, options: CallOptions): Promise<readonly Tweet[]>;
  /**
   * The tweets with which its author continues a tweet: the author's oldest reply to it, the author's oldest reply to that
   * one, and so on, at most `limit`. No tweet appears twice.
   */
  continuation(tweetId: string, limit: number, options: CallOptions): Promise<readonly Tweet[]>;
  /** A tweet with the tweets around it, of each part at most so many. */
  conversation(
    tweetId: string,
    limits: Readonly<Record<ConversationPart, number>>,
    options: CallOptions,
  ): Promise<TweetConversation>;
  /** The replies to some tweets, the replies to these, and so on, each once: of each level the newest `limit`, newest first. */
  repliesBelow(
    tweetIds: readonly string[],
    depth: { readonly levels: number; readonly limit: number },
    options: CallOptions,
  ): Promise<readonly TweetShort[]>;
  /** Those of these tweets that the platform has now. */
  present(ids: readonly string[], options: CallOptions): Promise<ReadonlySet<string>>;
  /** The backgrounds of tweets, in the order of the ids; undefined for a tweet that the platform does not have. */
  backgrounds(ids: readonly string[], options: CallOptions): Promise<readonly (TweetBackground | undefined)[]>;
}

/** The read operations of the event stream. */
export interface StreamSource extends Pick<PlatformLookups, 'user'> {
  readonly capabilities: Capabilities;
  /**
   * The current state of tweets, in the order of the ids. Undefined for a tweet that the platform never had. Rejects
   * only when the platform cannot answer now; the caller tries again.
   */
  snapshots(
    ids: readonly string[],
    options: CallOptions,
  ): Awaitable<readonly (TweetSnapshot | GoneTweet | undefined)[]>;
  hasCommunity(id: string, options: CallOptions): Awaitable<boolean>;
  communityOf(communityId: string, userId: string, options: CallOptions): Awaitable<CommunityMember>;
  /**
   * The approximate number of tweets that have a search term. The percolator indexes queries by their rarest term.
   * Absent if the platform cannot answer at once.
   */
  termFrequency?(term: string): number;
}

export interface Platform extends PlatformOperations, PlatformLookups, StreamSource {
  /** A number that changes whenever a result may have changed. Undefined when the platform cannot detect changes. */
  revision(): number | undefined;
}
