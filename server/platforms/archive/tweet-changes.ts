/** How a tweet record changes the tables, the timelines and the search index. */
import { LargeMap } from '../../collections/large-map.ts';
import { Relation } from '../../collections/relation.ts';
import type { Timeline } from '../../collections/timeline.ts';
import type { DomainEvent } from '../../domain/events.ts';
import { counts, type ArchivedTweet, type ChangeOutcome } from '../../domain/records.ts';
import type { TweetIndex, TweetReading } from '../../search/tweet-index.ts';
import { prepare, time } from './change.ts';
import { observationOrder } from './entity-table.ts';
import { ListsByKey } from './lists-by-key.ts';
import { merge } from './merge.ts';
import { TweetLists } from './tweet-lists.ts';
import { TweetTable } from './tweet-table.ts';
import type { UserDirectory } from './user-directory.ts';

/** The difference that a change makes for one tweet: its search index entries, and the timelines that contain it. */
interface TimelineChange {
  readonly readings: readonly [before: TweetReading, after: TweetReading];
  readonly timelinesBefore: ReadonlySet<Timeline>;
  readonly timelinesAfter: ReadonlySet<Timeline>;
}

/** The parts of the archive that a tweet record changes besides the tables of tweets. */
export interface TweetChangeParts {
  readonly index: TweetIndex;
  readonly users: UserDirectory;
  readonly emit: (event: DomainEvent) => void;
}

export class TweetChanges {
  readonly tweets = new TweetTable();
  readonly timelines = new TweetLists(this.tweets.order);
  /** By the id of the retweeted tweet. */
  readonly retweeters = new ListsByKey(() => new Relation());
  /** The largest engagement in each community: it bounds how far back a ranking must read. */
  readonly #maxEngagement = new LargeMap<string, number>();
  readonly #parts: TweetChangeParts;

  constructor(parts: TweetChangeParts) {
    this.#parts = parts;
  }

  maxEngagement(communityId: string): number {
    return this.#maxEngagement.get(communityId) ?? 0;
  }

  wouldChange(tweet: ArchivedTweet): boolean {
    const existing = this.tweets.ordinal(tweet.id);
    if (existing === undefined) return true;
    const before = this.tweets.tweet(existing);
    return this.#merged(existing, before, tweet) !== before;
  }

  /** Adds or updates a tweet; `revision` is the number of this change. Throws UnusableRecord. */
  apply(tweet: ArchivedTweet, revision: number): ChangeOutcome {
    const existing = this.tweets.ordinal(tweet.id);
    return existing === undefined ? this.#add(tweet, revision) : this.#update(existing, tweet, revision);
  }

  /** Decrements the like count of a tweet, if the archive has it. */
  unlike(tweetId: string, at: number, revision: number): void {
    const ordinal = this.tweets.ordinal(tweetId);
    if (ordinal === undefined) return;
    this.tweets.unlike(ordinal, at, revision);
    this.#parts.emit({ event: 'tweet.unliked', id: tweetId });
  }

  #add(tweet: ArchivedTweet, revision: number): ChangeOutcome {
    const { index, users, emit } = this.#parts;
    const { reading, timelines, ordinal } = prepare(() => ({
      reading: index.read(tweet),
      timelines: [...this.timelines.of(tweet)],
      ordinal: this.tweets.add(tweet, revision),
    }));
    for (const timeline of timelines) timeline.add(ordinal, this.tweets.order);
    users.setTweet(ordinal, tweet, undefined);
    this.#addRetweeter(ordinal, tweet);
    this.#recordEngagement(ordinal, tweet);
    users.indexAuthor(tweet.author_id);
    index.added(ordinal, reading);
    emit({ event: 'tweet.created', id: tweet.id });
    return 'added';
  }

  #update(ordinal: number, tweet: ArchivedTweet, revision: number): ChangeOutcome {
    const { index, users, emit } = this.#parts;
    const before = this.tweets.tweet(ordinal);
    const after = prepare(() => this.#merged(ordinal, before, tweet));
    if (after === before) return 'unchanged';
    const timelineChange = prepare(() => {
      const computed = changedBeyondCounts(before, after) ? this.#timelineChange(before, after) : undefined;
      this.tweets.replace(ordinal, after, revision);
      return computed;
    });
    this.#recordEngagement(ordinal, after);
    if (timelineChange !== undefined) {
      const { readings, timelinesBefore, timelinesAfter } = timelineChange;
      this.timelines.move(ordinal, timelinesBefore, timelinesAfter);
      users.setTweet(ordinal, after, before);
      this.#addRetweeter(ordinal, after);
      index.changed(ordinal, readings[0], readings[1]);
      emit({ event: 'tweet.updated', id: tweet.id });
    }
    if (counts.some((name) => after[name] !== before[name])) emit({ event: 'tweet.engagement', id: tweet.id });
    return 'updated';
  }

  /** Merges a new observation into a tweet; returns `before` itself if nothing changes. */
  #merged(ordinal: number, before: ArchivedTweet, tweet: ArchivedTweet): ArchivedTweet {
    // The author, the time and the retweeted tweet never change: a source that rounds the time differently must not
    // move the tweet to another position.
    const { author_id, created_at, retweeted_tweet_id = tweet.retweeted_tweet_id } = before;
    const incoming = { ...tweet, author_id, created_at, retweeted_tweet_id };
    return merge(before, incoming, observationOrder(time(tweet.observed_at), this.tweets.observedAt(ordinal)));
  }

  #timelineChange(before: ArchivedTweet, after: ArchivedTweet): TimelineChange {
    return {
      readings: [this.#parts.index.read(before), this.#parts.index.read(after)],
      timelinesBefore: new Set(this.timelines.of(before)),
      timelinesAfter: new Set(this.timelines.of(after)),
    };
  }

  #addRetweeter(ordinal: number, { retweeted_tweet_id: retweeted, author_id }: ArchivedTweet): void {
    if (retweeted !== undefined) this.retweeters.getOrCreate(retweeted).add(author_id, this.tweets.createdAt(ordinal));
  }

  #recordEngagement(ordinal: number, { community_id: community }: ArchivedTweet): void {
    if (community === undefined) return;
    const engagement = this.tweets.engagement(ordinal);
    if (engagement > this.maxEngagement(community)) this.#maxEngagement.set(community, engagement);
  }
}

/** Whether more than the counts differ. A merge reuses unchanged members, so identity comparison is enough. */
function changedBeyondCounts(before: ArchivedTweet, after: ArchivedTweet): boolean {
  const ignored: readonly string[] = [...counts, 'observed_at'];
  return (Object.keys(after) as (keyof ArchivedTweet)[]).some(
    (name) => !ignored.includes(name) && after[name] !== before[name],
  );
}
