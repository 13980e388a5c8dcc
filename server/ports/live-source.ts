/**
 * The port to a live platform, such as Bluesky or X: it turns what the platform publishes into records of the archive. An
 * adapter keeps nothing on disk. After a restart it continues at the last durable position; records that come twice
 * change nothing.
 */
import type { ArchivedTweet, ArchiveRecord } from '../domain/records.ts';
import type { PostAddress } from '../domain/post-address.ts';
import type { Awaitable } from './platform.ts';

/** What an operator follows, in the form of the configuration: `bluesky:alice.example.com`, `x:search:coffee`. */
export interface Target {
  /** The name of the source: the part before the first colon. */
  readonly source: string;
  readonly kind: 'account' | 'list' | 'search' | 'network';
  /** The part behind the source and the kind: a handle, a DID, a list address or a query; empty for the whole network. */
  readonly value: string;
}

/** A target that the platform knows. */
export interface ResolvedTarget {
  readonly target: Target;
  /** For output: `@alice.example.com`. */
  readonly title: string;
  /** The followed accounts by the identifier of the platform (DID, user id); undefined for a search and the network. */
  readonly accounts: readonly string[] | undefined;
}

/** A part of what a source publishes, in order. */
export interface LiveBatch {
  /** The records to apply in one durable step with the position; at most 1,000, so that queues have a bound. */
  readonly records: readonly ArchiveRecord[];
  /**
   * The position to continue at after a restart. The source gives a position only when everything before it is in this batch or
   * an earlier one, fetched profiles and quoted tweets included. Undefined: the position does not change.
   */
  readonly position?: string;
  /** The time of the newest event of the batch at the platform, in milliseconds since the epoch. */
  readonly at?: number;
  /** The number of platform events in the batch by kind, for metrics: `post`, `repost`, `delete`. */
  readonly events?: Readonly<Record<string, number>>;
}

/** What a source reports while it works; for metrics and log lines. */
export interface SourceObserver {
  /** The connection to the platform is established. `host`: without path and query. */
  connected(host: string): void;
  /** The platform is alive, also when it has no events: a heartbeat or a pong. */
  alive(): void;
  /** A request over HTTP is finished; 0: no response. */
  requested(status: number): void;
  /** An event of the platform was not usable, with a reason out of a small fixed set. */
  rejected(reason: string): void;
  /** Events may be missing from here on; the follower reconciles each target. */
  gap(reason: string): void;
}

/** An error of the platform or of the connection; the message is for the operator and contains no secret. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** The time that the platform asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether to try again: false for an unknown account or a rejected token. */
  readonly isPermanent: boolean;

  constructor(message: string, options: { retryAfterMs?: number; isPermanent?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs;
    this.isPermanent = options.isPermanent ?? false;
  }
}

/** A connection to the platform. */
export interface LiveStream extends AsyncIterable<LiveBatch> {
  /** Changes the followed targets without a new connection. */
  update(targets: readonly ResolvedTarget[]): void;
}

export interface StreamRequest {
  readonly targets: readonly ResolvedTarget[];
  /** The last durable position; undefined at the first connection. */
  readonly position: string | undefined;
  /**
   * The number of connections that failed since the last one that delivered a batch or was alive: a source with several hosts
   * changes the host.
   */
  readonly failures: number;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

export interface HistoryRequest {
  /** The maximum number of tweets of each account. */
  readonly limit: number;
  /**
   * Compares with what the archive holds in the span of the history: adds what is new, deletes what the platform no longer has.
   * Only what the archive held before the reading began can be deleted: the stream brings more meanwhile.
   */
  readonly reconcile: boolean;
  readonly signal: AbortSignal;
}

/** What a source can read at the first request for it. */
export type FillSubject =
  /** The profile of an account whose profile the archive does not have. The id, or the username without `@`, or both. */
  | { readonly kind: 'user'; readonly id: string | undefined; readonly username: string | undefined }
  /** The tweet that a held reply answers. */
  | { readonly kind: 'tweet'; readonly tweetId: string; readonly reply: ArchivedTweet }
  /** The post at an address. */
  | { readonly kind: 'post'; readonly address: PostAddress }
  /** A held tweet, or the profile of a held account, once more. An empty fill: nothing changed. A removal: it is gone. */
  | { readonly kind: 'held tweet'; readonly tweetId: string }
  | { readonly kind: 'held user'; readonly userId: string }
  /** The tweets and retweets of an account, or the accounts that it follows. The archive has its profile. */
  | { readonly kind: 'tweets' | 'followings'; readonly userId: string }
  /** The direct replies to a held tweet, or the accounts that retweeted it. */
  | { readonly kind: 'replies' | 'retweeters'; readonly tweetId: string };

/** The part of a list that the archive has. */
export interface Coverage {
  /** Where the next fill continues, as a text that only the source reads; undefined: the archive has the whole list. */
  readonly next: string | undefined;
  /** The archive has all items that are newer than this time, in milliseconds since the epoch. */
  readonly oldest: number;
  /** The id of the oldest tweet that a fill brought. Without this tweet, as after an eviction, the coverage does not hold. */
  readonly anchor?: string | undefined;
}

/** A part of a subject: a profile, a tweet, or at most 100 items of a list with what they refer to. */
export interface Fill {
  /** At most 1,000 records that the archive does not have. */
  readonly records: readonly ArchiveRecord[];
  /** What the archive has of the list when it has the records; undefined for a profile and a tweet. */
  readonly coverage: Coverage | undefined;
}

export interface FillRequest {
  readonly subject: FillSubject;
  /** What the archive has of the list; undefined at the first fill. */
  readonly previous: Coverage | undefined;
  readonly signal: AbortSignal;
}

/** Reads what the archive does not have when somebody asks for it. */
export interface FillSource {
  /** Whether the subject belongs to this platform. No network. Rejects with StoreError. */
  includes(subject: FillSubject): Awaitable<boolean>;
  /**
   * Reads a part of the subject, newest first. Undefined where the platform does not have it or does not show it to everybody,
   * or where it was removed here. Rejects with SourceError.
   */
  read(request: FillRequest): Promise<Fill | undefined>;
}

export interface LiveSource {
  /** The name in the configuration, in metrics and in positions: `bluesky`. */
  readonly name: string;
  /** For output: `Bluesky`. */
  readonly title: string;
  /** After a longer absence the stream may have a gap without notice, in milliseconds: the follower then reconciles. */
  readonly maxGapMs: number;
  /** The reads that the budget of the source leaves today; undefined where it has no budget. */
  readonly readsLeft?: number | undefined;
  /** Checks the part of a target behind the name of the source. Throws SourceError with the expected form. No network. */
  parse(text: string): Target;
  /** Rejects with SourceError, permanent for an account that does not exist. */
  resolve(target: Target, signal: AbortSignal): Promise<ResolvedTarget>;
  /**
   * Connects and reads events. The iteration throws SourceError when the connection ends; the follower connects again. The
   * consumer reads slowly where the archive is slow (backpressure): the source then stops reading from the socket.
   */
  stream(request: StreamRequest): LiveStream;
  /** The history of a target, newest first. `total` of a batch is unknown; the follower counts the tweets. */
  history(target: ResolvedTarget, request: HistoryRequest): AsyncIterable<LiveBatch>;
  /**
   * Reads tweets again: their counts, labels and deletions. Returns only records that differ from what the archive holds.
   */
  refresh(tweets: readonly ArchivedTweet[], signal: AbortSignal): Promise<readonly ArchiveRecord[]>;
  /**
   * Asks the platform which of these tweets and of their authors must not be held any longer, and returns the removals. For a
   * platform without events for deletions. The follower calls it once a day with everything that came from the platform; it can
   * take hours. Rejects with SourceError; the batches until then are valid.
   */
  complianceCheck?(tweets: AsyncIterable<ArchivedTweet>, signal: AbortSignal): AsyncIterable<LiveBatch>;
  /** Undefined for a platform that is not filled from. */
  readonly fills?: FillSource;
}
