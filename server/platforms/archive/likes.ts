/** The likes of the account that this service acts for. A removed like stays, with the time of its removal. */
import { LargeMap } from '../../collections/large-map.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { ChangeOutcome } from '../../domain/records.ts';

export interface Like {
  readonly liked: boolean;
  /** The time of the like or of its removal in milliseconds since the epoch; 0 if unknown. */
  readonly at: number;
  /** The number of the first record about the tweet that has an effect: those before a removal of the tweet have none. */
  readonly firstSeq: number;
}

export class Likes implements SavedTable {
  readonly #byTweet = new LargeMap<string, Like>();

  /** When the tweet was liked; 0 if unknown; undefined if the tweet is not liked. */
  likedAt(tweetId: string): number | undefined {
    const like = this.#byTweet.get(tweetId);
    return like?.liked === true ? like.at : undefined;
  }

  wouldAdd(tweetId: string, at: number): boolean {
    const existing = this.#byTweet.get(tweetId);
    return existing === undefined || (!existing.liked && at > existing.at);
  }

  add(tweetId: string, at: number, seq: number): ChangeOutcome {
    if (!this.wouldAdd(tweetId, at)) return 'unchanged';
    const existing = this.#byTweet.get(tweetId);
    this.#byTweet.set(tweetId, { liked: true, at, firstSeq: existing?.firstSeq ?? seq });
    return existing === undefined ? 'added' : 'updated';
  }

  /**
   * `updated` where there was a like. `added` without an earlier like: the record then restores a removal from a
   * snapshot, and the count of the tweet is decremented already.
   */
  remove(tweetId: string, at: number, seq: number): ChangeOutcome {
    if (!this.wouldRemove(tweetId, at)) return 'unchanged';
    const existing = this.#byTweet.get(tweetId);
    this.#byTweet.set(tweetId, { liked: false, at, firstSeq: existing?.firstSeq ?? seq });
    return existing === undefined ? 'added' : 'updated';
  }

  /** A removal before the current like, or before an earlier removal, changes nothing. */
  wouldRemove(tweetId: string, at: number): boolean {
    const existing = this.#byTweet.get(tweetId);
    return existing === undefined || (existing.liked && at >= existing.at);
  }

  /** Whether the record with this number, of a like of the tweet or of its removal, still has an effect. */
  needs(tweetId: string, seq: number): boolean {
    const like = this.#byTweet.get(tweetId);
    return like !== undefined && seq >= like.firstSeq;
  }

  /** Forgets the like of a removed tweet, and its removal. */
  forget(tweetId: string): void {
    this.#byTweet.delete(tweetId);
  }

  save(): Sections {
    return saveValues(this.#byTweet);
  }

  load(reader: SectionReader): void {
    for (const [tweetId, like] of readValues<[string, Like]>(reader)) this.#byTweet.set(tweetId, like);
  }

  entries(): Iterable<[tweetId: string, like: Like]> {
    return this.#byTweet.entries();
  }
}
