/** The timelines of the archive: for each author, username, tweet and community the tweets that belong to it. */
import { Timeline, type Order, type TimelineReader } from '../../collections/timeline.ts';
import type { Schemas } from '../../contract/operations.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import { ListsByKey } from './lists-by-key.ts';
import type { UserIdentity } from './user-directory.ts';

type Mention = Schemas['Mention'];

/** One of the timelines that contain a tweet. */
interface Place {
  readonly lists: ListsByKey<Timeline>;
  readonly key: string;
}

const timelines = (): ListsByKey<Timeline> => new ListsByKey(() => new Timeline());

export class TweetLists {
  /** All tweets of an author; `postsByAuthor` leaves out the replies. */
  readonly byAuthor = timelines();
  readonly postsByAuthor = timelines();
  /** The mentions with the id of the user, by this id: they follow the user to a new username. */
  readonly mentionsById = timelines();
  /** The mentions without an id, by the lower-case username: whoever has the username now is the user. */
  readonly mentionsByName = timelines();
  /** The mentions with an id, by the lower-case username that the text names: for a username that nobody has now. */
  readonly identifiedMentionsByName = timelines();
  readonly replies = timelines();
  readonly communityTweets = timelines();
  readonly communityMedia = timelines();
  readonly #order: Order;

  constructor(order: Order) {
    this.#order = order;
  }

  /** The timelines that contain a tweet. Creates those that are missing. */
  of(tweet: ArchivedTweet): Set<Timeline> {
    return new Set(this.#placesOf(tweet).map(({ lists, key }) => lists.getOrCreate(key)));
  }

  #placesOf({ author_id, in_reply_to_id, community_id, media = [], entities }: ArchivedTweet): Place[] {
    const places = [{ lists: this.byAuthor, key: author_id }];
    if (in_reply_to_id === undefined) places.push({ lists: this.postsByAuthor, key: author_id });
    else places.push({ lists: this.replies, key: in_reply_to_id });
    if (community_id !== undefined) {
      places.push({ lists: this.communityTweets, key: community_id });
      if (media.length > 0) places.push({ lists: this.communityMedia, key: community_id });
    }
    return [...places, ...(entities?.mentions ?? []).flatMap((mention) => this.#ofMention(mention))];
  }

  /** The timelines that together contain the mentions of a user. A tweet can be in several of them. */
  mentionsOf({ id, username }: UserIdentity): TimelineReader[] {
    const name = username?.toLowerCase();
    const lists = [
      ...(id === undefined ? [] : [this.mentionsById.get(id)]),
      ...(name === undefined ? [] : [this.mentionsByName.get(name)]),
      ...(name === undefined || id !== undefined ? [] : [this.identifiedMentionsByName.get(name)]),
    ];
    return lists.filter((list) => list !== undefined);
  }

  #ofMention({ username, id }: Mention): Place[] {
    const name = username.toLowerCase();
    if (id === undefined) return [{ lists: this.mentionsByName, key: name }];
    return [
      { lists: this.mentionsById, key: id },
      { lists: this.identifiedMentionsByName, key: name },
    ];
  }

  /** Moves a tweet from the timelines before a change to those after it. */
  move(ordinal: number, before: ReadonlySet<Timeline>, after: ReadonlySet<Timeline>): void {
    for (const timeline of before.difference(after)) timeline.removeOne(ordinal, this.#order);
    for (const timeline of after.difference(before)) timeline.add(ordinal, this.#order);
  }

  /** Removes a tweet from its timelines, and the timelines that are then empty. */
  remove(ordinal: number, tweet: ArchivedTweet): void {
    for (const { lists, key } of this.#placesOf(tweet)) {
      const timeline = lists.get(key);
      timeline?.removeOne(ordinal, this.#order);
      if (timeline?.length === 0) lists.delete(key);
    }
  }
}
