/** The index of an archive that is changed and not searched: it finds the native retweets of a tweet. */
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
import { linkTexts, nameTexts, ownTerms, textsOf } from '../../search/document.ts';
import type { TweetReading } from '../../search/inverted-index/tweet-reader.ts';
import type { IndexWriter } from '../../search/tweet-index.ts';
import type { TweetSource } from '../../search/tweet-source.ts';

const noReading: TweetReading = { terms: [], sequence: [] };

export class RetweetIndex implements IndexWriter {
  readonly #source: Pick<TweetSource, 'order' | 'tweet'>;
  readonly #retweets = new Map<string, Set<number>>();
  /** The retweeted tweets by the ordinals of their retweets. */
  readonly #retweeted = new Map<number, string>();

  constructor(source: Pick<TweetSource, 'order' | 'tweet'>) {
    this.#source = source;
  }

  /** Reads what the row of the tweet is made of: a record that has no row is refused before the archive changes. */
  read(tweet: ArchivedTweet): TweetReading {
    for (const text of [...textsOf(tweet), ...linkTexts(tweet)])
      if (typeof text !== 'string') throw new TypeError('one of its texts is missing');
    Array.from(ownTerms(tweet, []));
    return noReading;
  }

  readPrepared(): TweetReading {
    return noReading;
  }

  readUser(user: ArchivedUser): void {
    nameTexts(user);
  }

  added(ordinal: number, { retweeted_tweet_id: retweeted }: TweetHead): void {
    if (retweeted === undefined) return;
    this.#retweeted.set(ordinal, retweeted);
    const retweets = this.#retweets.get(retweeted);
    if (retweets === undefined) this.#retweets.set(retweeted, new Set([ordinal]));
    else retweets.add(ordinal);
  }

  removed(ordinal: number): void {
    const retweeted = this.#retweeted.get(ordinal);
    if (retweeted === undefined) return;
    this.#retweeted.delete(ordinal);
    this.#retweets.get(retweeted)?.delete(ordinal);
  }

  changed(ordinal: number): void {
    this.removed(ordinal);
    this.added(ordinal, this.#source.tweet(ordinal));
  }

  retweetsOf(tweetId: string): number[] {
    return [...(this.#retweets.get(tweetId) ?? [])].toSorted(this.#source.order);
  }

  // Names, counts, and what a tweet has of another one, are in the rows: search-row-writer.ts writes them.
  countsChanged(): void {}
  authorChanged(): void {}
  userChanged(): void {}
  userForgotten(): void {}
}
