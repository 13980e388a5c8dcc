/** Published deletions of tweets, for everything that holds data of tweets in memory. */
import { TransientMap } from '../collections/transient-map.ts';
import type { DeletedIds, TweetDataHolder } from '../ports/tweet-data-holder.ts';

/** Published in place of the ids where deletions may be lost: any tweet may be deleted. */
export const unknownTweets: DeletedIds = { has: () => true };

/** The deletions while data of tweets is waited for. */
class DeletionWatch implements TweetDataHolder {
  readonly isEmpty = false;
  readonly #holders: TransientMap<TweetDataHolder, true>;
  #deleted: DeletedIds[] = [];

  constructor(holders: TransientMap<TweetDataHolder, true>) {
    this.#holders = holders;
    holders.set(this, true);
  }

  /** Whether something was deleted. */
  get isTriggered(): boolean {
    return this.#deleted.length > 0;
  }

  drop(deleted: DeletedIds): void {
    this.#deleted.push(deleted);
  }

  /** Whether this tweet was deleted for certain. */
  has(tweetId: string): boolean {
    return this.#deleted.some((each) => each !== unknownTweets && each.has(tweetId));
  }

  /** The deletions so far; the watch then begins again. */
  take(): DeletedIds {
    const deleted = this.#deleted;
    this.#deleted = [];
    return { has: (tweetId) => deleted.some((each) => each.has(tweetId)) };
  }

  stop(): void {
    this.#holders.delete(this);
  }
}

export class Deletions {
  readonly #holders = new TransientMap<TweetDataHolder, true>();

  /** Whether nothing holds data, so that no deletion has to be published. */
  get isIdle(): boolean {
    for (const { isEmpty } of this.#holders.keys()) if (!isEmpty) return false;
    return true;
  }

  add(holder: TweetDataHolder): void {
    this.#holders.set(holder, true);
  }

  publish(deleted: DeletedIds): void {
    for (const holder of this.#holders.keys()) holder.drop(deleted);
  }

  /** Collects the deletions from now on, until `stop`. */
  watch(): DeletionWatch {
    return new DeletionWatch(this.#holders);
  }
}
