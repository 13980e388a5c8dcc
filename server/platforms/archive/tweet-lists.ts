/** The timelines of the archive: for each author, username, tweet and community the tweets that belong to it. */
import { Timeline, type Order } from '../../collections/timeline.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import { ListsByKey } from './lists-by-key.ts';

const timelines = (): ListsByKey<Timeline> => new ListsByKey(() => new Timeline());

export class TweetLists {
  /** All tweets of an author; `postsByAuthor` leaves out the replies. */
  readonly byAuthor = timelines();
  readonly postsByAuthor = timelines();
  /** By the lower-case username that the text names. */
  readonly mentions = timelines();
  readonly replies = timelines();
  readonly communityTweets = timelines();
  readonly communityMedia = timelines();
  readonly #order: Order;

  constructor(order: Order) {
    this.#order = order;
  }

  /** The timelines that contain a tweet. Creates those that are missing. */
  *of(tweet: ArchivedTweet): Generator<Timeline, void> {
    yield this.byAuthor.getOrCreate(tweet.author_id);
    if (tweet.in_reply_to_id === undefined) yield this.postsByAuthor.getOrCreate(tweet.author_id);
    else yield this.replies.getOrCreate(tweet.in_reply_to_id);
    if (tweet.community_id !== undefined) {
      yield this.communityTweets.getOrCreate(tweet.community_id);
      if (tweet.media !== undefined && tweet.media.length > 0)
        yield this.communityMedia.getOrCreate(tweet.community_id);
    }
    for (const username of new Set(tweet.entities?.mentions.map((mention) => mention.username.toLowerCase()))) {
      yield this.mentions.getOrCreate(username);
    }
  }

  /** Moves a tweet from the timelines before a change to those after it. */
  move(ordinal: number, before: ReadonlySet<Timeline>, after: ReadonlySet<Timeline>): void {
    for (const timeline of before.difference(after)) timeline.removeOne(ordinal, this.#order);
    for (const timeline of after.difference(before)) timeline.add(ordinal, this.#order);
  }

  /** Removes a tweet from its timelines. */
  remove(ordinal: number, tweet: ArchivedTweet): void {
    for (const timeline of this.of(tweet)) timeline.removeOne(ordinal, this.#order);
  }
}
