/**
 * The deletions that the journal holds, read before the replay: the replay need not add a tweet that it removes again later.
 * The result is the same as after a purge, which removes the records of such tweets from the journal.
 */
import { LargeMap } from '../../collections/large-map.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
import type { Journal, JournalPosition } from '../../ports/storage.ts';
import { requireShape, time, type DeleteChange, type EvictChange } from './change.ts';
import type { SetAsideLog } from './set-aside.ts';

/** How the journal writes a deletion and an eviction: see `deleteChange` and `DurableArchive.evict`. */
const deletionStart = '{"kind":"delete"';
const evictionStart = '{"kind":"evict"';

/** A deletion that the replay has not reached. */
interface Deletion {
  readonly uri: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whether the replay has left out a record of the tweet. */
  hasSkipped: boolean;
}

export class RecordedDeletions {
  readonly #byTweet = new LargeMap<string, Deletion>();
  /** The users in evictions: an eviction removes only users without tweets, so the replay must have their tweets. */
  readonly #evictedUsers = new Set<string>();

  /**
   * Reads the deletions up to `lastSeq`, from a position on. Leaves out the records that are set aside, and the deletions that hold only while an
   * account is withdrawn or another tweet is removed.
   */
  static async read(
    journal: Journal,
    setAsideLog: SetAsideLog,
    lastSeq: number,
    after: JournalPosition | undefined,
  ): Promise<RecordedDeletions> {
    const deletions = new RecordedDeletions();
    const scan = (start: string, read: (json: string) => void): Promise<void> =>
      journal.scan(
        start,
        (json, seq, place) => {
          if (seq <= lastSeq && !setAsideLog.has(seq, place)) read(json.toString());
        },
        after,
      );
    await scan(deletionStart, (json) => deletions.#add(json));
    if (deletions.#byTweet.size > 0) await scan(evictionStart, (json) => deletions.#addEviction(json));
    return deletions;
  }

  #add(json: string): void {
    try {
      const change = JSON.parse(json) as DeleteChange;
      requireShape(change);
      const { tweet_id, uri, reason = 'deleted', at } = change;
      if (reason !== 'account' && reason !== 'retweet')
        this.#byTweet.set(tweet_id, { uri, at: time(at), hasSkipped: false });
    } catch {
      // The replay sets the record aside.
    }
  }

  #addEviction(json: string): void {
    try {
      const change = JSON.parse(json) as EvictChange;
      requireShape(change);
      // An eviction removes the native retweets of a tweet too, so the replay must have the tweet.
      for (const id of change.tweet_ids) this.#byTweet.delete(id);
      for (const id of change.user_ids) this.#evictedUsers.add(id);
    } catch {
      // The replay sets the record aside.
    }
  }

  /** The time of the deletion that removes this tweet later in the replay; undefined if there is none. */
  removalOf({ id, uri, author_id }: Pick<TweetHead, 'id' | 'uri' | 'author_id'>): number | undefined {
    const deletion = this.#byTweet.get(id);
    if (deletion === undefined) return undefined;
    // The archive keeps the first of two tweets with the same id and rejects the other one, and its deletion.
    const isSame = deletion.uri === undefined || deletion.uri === uri;
    if (deletion.hasSkipped || (isSame && !this.#evictedUsers.has(author_id))) {
      deletion.hasSkipped = true;
      return deletion.at;
    }
    this.#byTweet.delete(id);
    return undefined;
  }

  /** The replay has reached this deletion. */
  reached({ tweet_id }: DeleteChange): void {
    this.#byTweet.delete(tweet_id);
  }
}
