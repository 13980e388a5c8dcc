/** The likes of the account that this service acts for. A removed like stays, with the time of its removal. */
import type { ChangeOutcome } from '../../domain/records.ts';

export interface Like {
  readonly liked: boolean;
  /** The time of the like or of its removal in milliseconds since the epoch; 0 if unknown. */
  readonly at: number;
}

export class Likes {
  readonly #byTweet = new Map<string, Like>();

  /** A like before its removal changes nothing. */
  add(tweetId: string, at: number): ChangeOutcome {
    const existing = this.#byTweet.get(tweetId);
    if (existing !== undefined && (existing.liked || at <= existing.at)) return 'unchanged';
    this.#byTweet.set(tweetId, { liked: true, at });
    return existing === undefined ? 'added' : 'updated';
  }

  /**
   * `updated` where there was a like. `added` without an earlier like: the count of the tweet then has no like to lose. A removal before
   * the current like, or before an earlier removal, changes nothing.
   */
  remove(tweetId: string, at: number): ChangeOutcome {
    const existing = this.#byTweet.get(tweetId);
    if (existing !== undefined && (!existing.liked || at < existing.at)) return 'unchanged';
    this.#byTweet.set(tweetId, { liked: false, at });
    return existing === undefined ? 'added' : 'updated';
  }

  /** Forgets the like of a removed tweet, and its removal. */
  forget(tweetId: string): void {
    this.#byTweet.delete(tweetId);
  }

  entries(): Iterable<[tweetId: string, like: Like]> {
    return this.#byTweet;
  }
}
