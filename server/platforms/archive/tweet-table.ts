/** The tweets of an archive: their records as bytes, what indexes and rankings need as columns. */
import { Column } from '../../collections/column.ts';
import { LargeMap } from '../../collections/large-map.ts';
import { counts, type ArchivedTweet } from './records.ts';
import { SlabAllocator } from '../../collections/slab-allocator.ts';

/** How many changes of engagement are remembered, so that a ranking can be read as it was when its first page was. */
const rememberedChanges = 500_000;

type Count = (typeof counts)[number];

export class TweetTable {
  #ordinals = new LargeMap<string, number>();
  #slabs = new SlabAllocator();
  #handle = new Column(new Float64Array(0));
  #id = new Column(new BigUint64Array(0));
  #createdAt = new Column(new Float64Array(0));
  #observedAt = new Column(new Float64Array(0));
  #arrivedAt = new Column(new Float64Array(0));
  /** Authors by number, and the number of each tweet's. */
  #authors: string[] = [];
  #authorNumbers = new LargeMap<string, number>();
  #author = new Column(new Uint32Array(0));
  #version = new Column(new Uint32Array(0));
  /** NaN where the count is unknown. */
  #counts = Object.fromEntries(counts.map((name) => [name, new Column(new Float64Array(0))])) as Record<
    Count,
    Column<Float64Array>
  >;
  #engagement = new Column(new Float64Array(0));
  /** The engagement before each remembered change, by ordinal, oldest first. */
  #earlier = new Map<number, { revision: number; engagement: number }[]>();
  #changes: number[] = [];
  #last: { ordinal: number; tweet: ArchivedTweet } | undefined;

  get size(): number {
    return this.#id.length;
  }

  ordinal(id: string): number | undefined {
    return this.#ordinals.get(id);
  }

  id(ordinal: number): bigint {
    return this.#id.get(ordinal);
  }

  createdAt(ordinal: number): number {
    return this.#createdAt.get(ordinal);
  }

  observedAt(ordinal: number): number {
    return this.#observedAt.get(ordinal);
  }

  arrivedAt(ordinal: number): number {
    return this.#arrivedAt.get(ordinal);
  }

  /** Another number whenever anything of the tweet has changed. */
  version(ordinal: number): number {
    return this.#version.get(ordinal);
  }

  authorId(ordinal: number): string {
    return this.#authors[this.#author.get(ordinal)]!;
  }

  /** 0 where it is unknown. */
  count(ordinal: number, name: Count): number {
    return this.#counts[name].get(ordinal) || 0;
  }

  /** Whether a tweet stands before (created_at in milliseconds, id) in the order. */
  isOlder(ordinal: number, createdAt: number, id: bigint): boolean {
    const own = this.#createdAt.get(ordinal);
    return own < createdAt || (own === createdAt && this.#id.get(ordinal) < id);
  }

  /** Orders two ordinals by (created_at, id). */
  readonly order = (a: number, b: number): number => {
    const difference = this.#createdAt.get(a) - this.#createdAt.get(b);
    if (difference !== 0) return difference;
    const first = this.#id.get(a);
    const second = this.#id.get(b);
    return first < second ? -1 : first > second ? 1 : 0;
  };

  /** A fresh copy of the record, with the counts as they are now. */
  tweet(ordinal: number): ArchivedTweet {
    if (this.#last?.ordinal === ordinal) return this.#last.tweet;
    const tweet = JSON.parse(this.#slabs.get(this.#handle.get(ordinal))) as ArchivedTweet;
    for (const name of counts) {
      const count = this.#counts[name].get(ordinal);
      if (!Number.isNaN(count)) tweet[name] = count;
    }
    return tweet;
  }

  /** Adds a tweet that is not yet here; returns its ordinal. */
  add(tweet: ArchivedTweet, revision: number): number {
    // What may fail comes first.
    const json = JSON.stringify(tweet);
    const id = BigInt(tweet.id);
    const ordinal = this.size;
    this.#ordinals.set(tweet.id, ordinal);
    this.#handle.push(this.#slabs.put(json));
    this.#id.push(id);
    this.#createdAt.push(Date.parse(tweet.created_at));
    this.#observedAt.push(tweet.observed_at === undefined ? 0 : Date.parse(tweet.observed_at) || 0);
    this.#arrivedAt.push(revision);
    this.#version.push(0);
    this.#author.push(this.#authorNumber(tweet.author_id));
    for (const name of counts) this.#counts[name].push(tweet[name] ?? Number.NaN);
    this.#engagement.push(0);
    this.#score(ordinal);
    this.#last = { ordinal, tweet };
    return ordinal;
  }

  /** Replaces what is known of a tweet; `revision` is that of this change. */
  replace(ordinal: number, tweet: ArchivedTweet, revision: number): void {
    const json = JSON.stringify(tweet);
    this.#slabs.remove(this.#handle.get(ordinal));
    this.#handle.set(ordinal, this.#slabs.put(json));
    if (tweet.observed_at !== undefined) this.#observedAt.set(ordinal, Date.parse(tweet.observed_at) || 0);
    for (const name of counts) this.#counts[name].set(ordinal, tweet[name] ?? Number.NaN);
    this.#changed(ordinal, revision);
  }

  /** One like fewer, seen at `at`; nothing falls below 0. */
  unlike(ordinal: number, at: number, revision: number): void {
    this.#counts.like_count.set(ordinal, Math.max(0, this.#counts.like_count.get(ordinal) - 1));
    this.#observedAt.set(ordinal, Math.max(at, this.#observedAt.get(ordinal)));
    this.#changed(ordinal, revision);
  }

  /** Engagement by which `Top` and discover rank: likes + 2 × retweets + 2 × quotes + replies; as it was at a revision, as far back as changes are remembered. */
  engagement(ordinal: number, revision: number = Number.POSITIVE_INFINITY): number {
    const later =
      this.#earlier.size === 0 ? undefined : this.#earlier.get(ordinal)?.find((change) => change.revision > revision);
    return later === undefined ? this.#engagement.get(ordinal) : later.engagement;
  }

  #score(ordinal: number): void {
    const count = (name: Count): number => this.count(ordinal, name);
    this.#engagement.set(
      ordinal,
      count('like_count') + 2 * count('retweet_count') + 2 * count('quote_count') + count('reply_count'),
    );
  }

  #authorNumber(id: string): number {
    let number = this.#authorNumbers.get(id);
    if (number === undefined) {
      number = this.#authors.push(id) - 1;
      this.#authorNumbers.set(id, number);
    }
    return number;
  }

  /** Counts a change of a tweet, scores it anew and keeps the score that it had. */
  #changed(ordinal: number, revision: number): void {
    this.#last = undefined;
    this.#version.set(ordinal, this.#version.get(ordinal) + 1);
    const engagement = this.#engagement.get(ordinal);
    this.#score(ordinal);
    if (engagement === this.#engagement.get(ordinal)) return;
    const changes = this.#earlier.get(ordinal);
    if (changes === undefined) this.#earlier.set(ordinal, [{ revision, engagement }]);
    else changes.push({ revision, engagement });
    this.#changes.push(ordinal);
    if (this.#changes.length > 2 * rememberedChanges) this.#forget();
  }

  /** Drops the older half of the remembered changes. */
  #forget(): void {
    for (const ordinal of this.#changes.splice(0, rememberedChanges)) {
      const changes = this.#earlier.get(ordinal)!;
      changes.shift();
      if (changes.length === 0) this.#earlier.delete(ordinal);
    }
  }
}
