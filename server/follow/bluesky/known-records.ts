/**
 * What the archive held at a read, together with what the source has delivered: the archive applies a batch later than the
 * source makes it.
 */
import { readAtUri } from '../../domain/at-uri.ts';
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import { postId } from '../../domain/tid.ts';
import type { HeldPart } from '../../ports/held-records.ts';
import { accountId } from '../../formats/bluesky/ids.ts';

/** Stands for a record that the source removed. */
export const removed = Symbol('removed');

/** What the source delivered a moment ago; undefined where it delivered nothing. */
interface Delivered {
  tweet(id: string): ArchivedTweet | typeof removed | undefined;
  profile(id: string): ArchivedUser | undefined;
  /** Whether the account was withdrawn; false where it was reinstated. */
  withdrawal(id: string): boolean | undefined;
}

export class KnownRecords {
  readonly #held: HeldPart;
  readonly #recent: Delivered;

  constructor(held: HeldPart, recent: Delivered) {
    this.#held = held;
    this.#recent = recent;
  }

  tweet(id: string): ArchivedTweet | undefined {
    const recent = this.#recent.tweet(id);
    if (recent === removed) return undefined;
    return this.#held.tweet(id) ?? recent;
  }

  /** Whether the archive would ignore a tweet of this author. */
  isRemoved(tweetId: string, authorId: string): boolean {
    if (this.#recent.tweet(tweetId) === removed) return true;
    // The archive does not have the reinstatement yet, which permits tweets that the withdrawal removed.
    const isReinstated = this.#recent.withdrawal(authorId) === false && this.#held.isWithdrawn(authorId);
    return !isReinstated && this.#held.isRemoved(tweetId);
  }

  profile(id: string): ArchivedUser | undefined {
    return this.isWithdrawn(id) ? undefined : (this.#held.profile(id) ?? this.#recent.profile(id));
  }

  isWithdrawn(id: string): boolean {
    return this.#recent.withdrawal(id) ?? this.#held.isWithdrawn(id);
  }

  /** The id of a record by its at-uri. */
  readonly idOf = (uri: string): string => postId(uri, (id) => this.#uriOf(id));

  /** The current handle of an account; undefined for an unknown account. */
  readonly handleOf = (did: string): string | undefined => this.profile(accountId(did))?.username;

  /** The tweet that was made of the record at an at-uri. */
  tweetAt(uri: string): ArchivedTweet | undefined {
    const tweet = this.tweet(this.idOf(uri));
    return tweet?.uri === uri ? tweet : undefined;
  }

  /** Whether the archive has or had the record at an at-uri. */
  knows(uri: string): boolean {
    const id = this.idOf(uri);
    return this.#uriOf(id) === uri || this.isRemoved(id, accountId(readAtUri(uri)?.did ?? ''));
  }

  /** Whether the archive has anything of an account. */
  hasAnythingOf(userId: string): boolean {
    return this.profile(userId) !== undefined || this.#held.hasTweets(userId);
  }

  /**
   * The address of the tweet that has an id; an empty text where it has none, as a tweet of another platform. An address does
   * not change, so the record of a moment ago is enough.
   */
  #uriOf(id: string): string | undefined {
    const recent = this.#recent.tweet(id);
    return recent === undefined || recent === removed ? this.#held.addressOf(id) : (recent.uri ?? '');
  }
}
