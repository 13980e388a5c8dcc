/** What an erasure removes from the archive, found without a change of anything. */
import type { ArchiveRecord } from '../../domain/records.ts';

/** What to erase. Exactly one member. */
export type EraseRequest =
  | { readonly kind: 'tweets'; readonly ids: readonly string[] }
  /** A username or a decimal id. */
  | { readonly kind: 'user'; readonly user: string }
  /** Tweets created before this time, in milliseconds since 1970. */
  | { readonly kind: 'before'; readonly time: number }
  /** Tweets that match a query of the search language. */
  | { readonly kind: 'query'; readonly query: string };

/** What an erasure removes from the archive. */
export interface ArchiveCounts {
  readonly tweets: number;
  readonly users: number;
  /** Follows, retweets, highlights, memberships, likes, list members, lists and spaces. */
  readonly relations: number;
}

/** What an erasure removes. */
export interface EraseCounts extends ArchiveCounts {
  readonly conversations: number;
}

export interface Erasure {
  /** The records that erase, in the native format. Applied in any parts and any number of times. */
  readonly records: readonly ArchiveRecord[];
  /** The tweets that go, native retweets included. */
  readonly tweetIds: ReadonlySet<string>;
  /** The account that goes. */
  readonly userId: string | undefined;
}

export interface ErasedArchive {
  /**
   * Finds what an erasure removes, and changes nothing. Rejects with an Error for an unknown user, with ServiceError for a query
   * that cannot be parsed, and with StoreError.
   */
  find(request: EraseRequest): Promise<Erasure>;
  /** Counts what an erasure removes. */
  count(erasure: Erasure): Promise<ArchiveCounts>;
  /** Applies some records of an erasure; durable when the promise resolves. */
  apply(records: ArchiveRecord[]): Promise<unknown>;
  /** Removes the texts of what was erased before from the disk. Rejects with StoreError. */
  purge(): Promise<unknown>;
  /** The places that keep such a text after a purge. */
  remaining(): Promise<readonly string[]>;
}

export const unknownUser = (user: string): Error =>
  new Error(
    `the archive has no user ${user}: write a username or an id that it knows; after an erasure only the id is known`,
  );
