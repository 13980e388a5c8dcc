/** The tweets of an archive: records as bytes in slabs, and the values for indexes and rankings as columns. */
import { Column } from '../../collections/column.ts';
import { CountColumn } from '../../collections/count-column.ts';
import { IdIndex } from '../../collections/id-index.ts';
import { NumberColumn } from '../../collections/number-column.ts';
import type { AuthorMemo } from '../../domain/author-memo.ts';
import { counts, type ArchivedTweet } from '../../domain/records.ts';
import type { PreparedTweet } from './prepared-tweets.ts';
import {
  jsonSection,
  readJson,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import { ReusableNumbers } from '../../collections/reusable-numbers.ts';
import { SlabAllocator } from '../../collections/slab-allocator.ts';
import { parseTime } from '../../text/iso-time.ts';
import { engagementOf } from '../../search/engagement.ts';
import { EngagementHistory } from './engagement-history.ts';
import { expandedBytes } from './json-phrases.ts';
import { inPackedOrder, pack, unpack } from './packed-tweet.ts';

/** The maximum number of tweets that are kept unpacked: more than the additions and the removals of one step. */
const maxRecent = 256;

type Count = (typeof counts)[number];

/** Read access to the table. */
export type TweetReader = Pick<TweetTable, 'size' | 'order' | 'version' | 'goneCount' | 'goneAt' | 'firstGone'>;

/** What the table stores of a new tweet besides its counts. `handle`: that of its packed text. */
interface NewTweet {
  readonly id: bigint;
  readonly tweetId: string;
  /** The number of the author, with a reference for this tweet. */
  readonly author: number;
  readonly handle: number;
}

/** Times in milliseconds since the epoch, and the number of the change. */
interface NewTimes {
  readonly createdAt: number;
  readonly observedAt: number;
  readonly revision: number;
}

/** A tweet that was read or added a moment ago. Its members are in the order of `unpack` from the first read on. */
interface RecentTweet {
  readonly ordinal: number;
  tweet: ArchivedTweet;
  isOrdered: boolean;
}

function orderedTweet(recent: RecentTweet): ArchivedTweet {
  if (!recent.isOrdered) {
    recent.tweet = inPackedOrder(recent.tweet);
    recent.isOrdered = true;
  }
  return recent.tweet;
}

export class TweetTable implements SavedTable {
  #slabs = new SlabAllocator();
  readonly #handle = new NumberColumn();
  #id = new Column(new BigUint64Array(0));
  readonly #ordinals = new IdIndex(this.#id);
  #createdAt = new Column(new Float64Array(0));
  #observedAt = new Column(new Float64Array(0));
  readonly #arrivedAt = new NumberColumn();
  /** The authors of the tweets, and the author number of each tweet. */
  readonly #authors = new ReusableNumbers();
  #author = new Column(new Uint32Array(0));
  #version = new Column(new Uint32Array(0));
  #counts = Object.fromEntries(counts.map((name) => [name, new CountColumn()])) as Record<Count, CountColumn>;
  readonly #countColumns = counts.map((name) => this.#counts[name]);
  readonly #engagement = new NumberColumn();
  readonly #engagementHistory = new EngagementHistory();
  /** Tweets that were read or added a moment ago, by ordinal modulo `maxRecent`: a change and its event read a tweet several times. */
  readonly #recent = new Array<RecentTweet | undefined>(maxRecent);
  /** 1 for a removed tweet, and for an ordinal that is free. */
  #isGone = new Column(new Uint8Array(0));
  /** The number of the last journal record that holds the whole state of the tweet at its time. */
  readonly #fullSeq = new NumberColumn();
  /**
   * Removed ordinals in the order of their removal, and the number of removals before them. Those of the first `#released` removals are
   * free again.
   */
  readonly #gone = new Column(new Uint32Array(0));
  #forgotten = 0;
  #released = 0;
  /** The ordinals that further tweets get. */
  readonly #free = new Column(new Uint32Array(0));
  #size = 0;
  #removedBytes = 0;
  /** The time and the id of the newest tweet so far. */
  #newestAt = Number.NEGATIVE_INFINITY;
  #newestId = 0n;
  #isNewest = false;

  /** The number of tweets, without the removed ones. */
  get size(): number {
    return this.#size;
  }

  /** The number of ordinals, those of removed tweets included. */
  get ordinalCount(): number {
    return this.#id.length;
  }

  isGone(ordinal: number): boolean {
    return this.#isGone.get(ordinal) === 1;
  }

  fullSeq(ordinal: number): number {
    return this.#fullSeq.get(ordinal);
  }

  /** Records that a journal record holds the whole state of the tweet. */
  setFullSeq(ordinal: number, seq: number): void {
    this.#fullSeq.put(ordinal, seq);
  }

  /** The number of removals so far. */
  get goneCount(): number {
    return this.#forgotten + this.#gone.length;
  }

  /** The index of the first removal whose ordinal is not free again. */
  get firstGone(): number {
    return this.#released;
  }

  /** The ordinal of a removal from `firstGone` on, in the order of the removals. */
  goneAt(index: number): number {
    const place = index - this.#forgotten;
    return place < this.#gone.length ? this.#gone.get(place) : 0;
  }

  /** The ordinals of the first `removals` removals are in no list any more: further tweets get them. */
  release(removals: number): void {
    for (; this.#released < removals; this.#released++) {
      const ordinal = this.goneAt(this.#released);
      this.#authors.remove(this.#author.get(ordinal));
      this.#free.push(ordinal);
    }
    // Not each time: it moves what stays.
    if (this.#released - this.#forgotten < this.#gone.length / 2) return;
    this.#forgetReleased();
  }

  #forgetReleased(): void {
    this.#gone.dropFirst(this.#released - this.#forgotten);
    this.#forgotten = this.#released;
  }

  /** The bytes of the removed records since the last call. */
  takeRemovedBytes(): number {
    const bytes = this.#removedBytes;
    this.#removedBytes = 0;
    return bytes;
  }

  /** The ordinals of the tweets. */
  *ordinals(): Generator<number, void> {
    for (let ordinal = 0; ordinal < this.ordinalCount; ordinal++) if (!this.isGone(ordinal)) yield ordinal;
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

  /** Increases with each change of the tweet. */
  version(ordinal: number): number {
    return this.#version.get(ordinal);
  }

  authorId(ordinal: number): string {
    return this.#authors.at(this.#author.get(ordinal));
  }

  /** A count of the tweet; 0 if unknown. */
  count(ordinal: number, name: Count): number {
    return this.#counts[name].get(ordinal) || 0;
  }

  /** Whether a tweet sorts before (created_at in milliseconds, id). */
  isOlder(ordinal: number, createdAt: number, id: bigint): boolean {
    const time = this.#createdAt.get(ordinal);
    return time < createdAt || (time === createdAt && this.#id.get(ordinal) < id);
  }

  /** Orders two ordinals by (created_at, id). */
  readonly order = (a: number, b: number): number => {
    const difference = this.#createdAt.get(a) - this.#createdAt.get(b);
    if (difference !== 0) return difference;
    const first = this.#id.get(a);
    const second = this.#id.get(b);
    return first < second ? -1 : first > second ? 1 : 0;
  };

  /** The record with the current counts. Throws for a removed tweet. */
  tweet(ordinal: number): ArchivedTweet {
    if (this.isGone(ordinal)) throw new Error(`the tweet with ordinal ${ordinal} was removed`);
    const recent = this.#recent[ordinal % maxRecent];
    if (recent?.ordinal === ordinal) return orderedTweet(recent);
    const tweet = unpack(this.#slabs.get(this.#handle.get(ordinal)), {
      id: this.#id.get(ordinal),
      authorId: this.authorId(ordinal),
      createdAt: this.#createdAt.get(ordinal),
      observedAt: this.#observedAt.get(ordinal),
    });
    for (const name of counts) {
      const count = this.#counts[name].get(ordinal);
      if (!Number.isNaN(count)) tweet[name] = count;
    }
    this.#recent[ordinal % maxRecent] = { ordinal, tweet, isOrdered: true };
    return tweet;
  }

  #forgetRecent(ordinal: number): void {
    const place = ordinal % maxRecent;
    if (this.#recent[place]?.ordinal === ordinal) this.#recent[place] = undefined;
  }

  /** Adds a tweet whose id the table does not contain; returns its ordinal. */
  add(tweet: ArchivedTweet, revision: number): number {
    // The steps that can fail come first, so that a failure leaves the table unchanged.
    const packed = pack(tweet);
    const id = BigInt(tweet.id);
    const ordinal = this.#free.pop() ?? this.ordinalCount;
    for (const name of counts) this.#counts[name].put(ordinal, tweet[name]);
    const observedAt = tweet.observed_at === undefined ? 0 : parseTime(tweet.observed_at) || 0;
    const times = { createdAt: parseTime(tweet.created_at), observedAt, revision };
    const author = this.#authors.add(tweet.author_id);
    this.#put(ordinal, { id, tweetId: tweet.id, author, handle: this.#slabs.put(packed) }, times);
    this.#recent[ordinal % maxRecent] = { ordinal, tweet, isOrdered: false };
    return ordinal;
  }

  /** As `add`, for a tweet that another thread has prepared. */
  addPrepared(prepared: PreparedTweet, revision: number): number {
    const { head, createdAt, observedAt } = prepared;
    const id = BigInt(head.id);
    const ordinal = this.#free.pop() ?? this.ordinalCount;
    for (let place = 0; place < counts.length; place++) {
      const count = prepared.count(place);
      this.#countColumns[place]!.put(ordinal, Number.isNaN(count) ? undefined : count);
    }
    const handle = this.#slabs.putPart(prepared.packed, prepared.packedStart, prepared.packedEnd);
    const times = { createdAt, observedAt, revision };
    this.#put(ordinal, { id, tweetId: head.id, author: this.#authorNumber(prepared.author), handle }, times);
    return ordinal;
  }

  /** The number of an author, with one more reference. */
  #authorNumber(author: AuthorMemo): number {
    if (author.numbersVersion === this.#authors.version) this.#authors.addReference(author.number);
    else [author.number, author.numbersVersion] = [this.#authors.add(author.id), this.#authors.version];
    return author.number;
  }

  #put(
    ordinal: number,
    { id, tweetId, author, handle }: NewTweet,
    { createdAt, observedAt, revision }: NewTimes,
  ): void {
    this.#handle.put(ordinal, handle);
    this.#countNewest(createdAt, id);
    this.#createdAt.put(ordinal, createdAt);
    this.#observedAt.put(ordinal, observedAt);
    this.#arrivedAt.put(ordinal, revision);
    // The versions of an ordinal never repeat, because caches compare them.
    this.#version.put(ordinal, ordinal === this.ordinalCount ? 0 : this.#version.get(ordinal) + 1);
    this.#isGone.put(ordinal, 0);
    this.#fullSeq.put(ordinal, 0);
    this.#author.put(ordinal, author);
    this.#engagement.put(ordinal, 0);
    this.#engagementHistory.add(ordinal);
    this.#id.put(ordinal, id);
    this.#ordinals.add(tweetId, ordinal);
    this.#size++;
    this.#updateEngagement(ordinal);
  }

  /** Whether the tweet that was added last is newer, by (created_at, id), than all before it, those that are gone included. */
  get isNewest(): boolean {
    return this.#isNewest;
  }

  #countNewest(createdAt: number, id: bigint): void {
    this.#isNewest = createdAt > this.#newestAt || (createdAt === this.#newestAt && id > this.#newestId);
    if (this.#isNewest) [this.#newestAt, this.#newestId] = [createdAt, id];
  }

  /** Replaces the record of a tweet; `revision` is the number of this change. */
  replace(ordinal: number, tweet: ArchivedTweet, revision: number): void {
    const packed = pack(tweet);
    this.#slabs.remove(this.#handle.get(ordinal));
    this.#handle.put(ordinal, this.#slabs.put(packed));
    if (tweet.observed_at !== undefined) this.#observedAt.set(ordinal, parseTime(tweet.observed_at) || 0);
    for (const name of counts) this.#counts[name].set(ordinal, tweet[name]);
    this.#recordChange(ordinal, revision);
  }

  /** Removes the record of a tweet. Its ids, times and counts stay until its ordinal is used again. */
  remove(ordinal: number, id: string): void {
    this.#ordinals.delete(id);
    const handle = this.#handle.get(ordinal);
    this.#removedBytes += expandedBytes(this.#slabs.get(handle));
    this.#slabs.remove(handle);
    this.#engagementHistory.remove(ordinal);
    this.#size--;
    this.#isGone.set(ordinal, 1);
    this.#gone.push(ordinal);
    this.#forgetRecent(ordinal);
  }

  /** Decrements the like count, but not below 0; `at` is the time of the observation. */
  unlike(ordinal: number, at: number, revision: number): void {
    this.#counts.like_count.set(ordinal, Math.max(0, this.#counts.like_count.get(ordinal) - 1));
    this.#observedAt.set(ordinal, Math.max(at, this.#observedAt.get(ordinal)));
    this.#recordChange(ordinal, revision);
  }

  /**
   * The engagement for the ranking of `Top` and `discover`. With `revision`: its value at that revision, as far back as the
   * history goes.
   */
  engagement(ordinal: number, revision: number = Number.POSITIVE_INFINITY): number {
    return this.#engagementHistory.at(ordinal, revision) ?? this.#engagement.get(ordinal);
  }

  #updateEngagement(ordinal: number): void {
    this.#engagement.put(
      ordinal,
      engagementOf((name) => this.count(ordinal, name)),
    );
  }

  *save(): Sections {
    yield jsonSection([this.#released, this.#size, this.#removedBytes]);
    this.#forgetReleased();
    yield* this.#gone.save();
    yield* this.#free.save();
    for (const table of this.#tables()) yield* table.save();
  }

  load(reader: SectionReader): void {
    [this.#released, this.#size, this.#removedBytes] = readJson<[number, number, number]>(reader);
    this.#forgotten = this.#released;
    this.#gone.load(reader);
    this.#free.load(reader);
    for (const table of this.#tables()) table.load(reader);
    for (let ordinal = 0; ordinal < this.ordinalCount; ordinal++)
      if (this.createdAt(ordinal) >= this.#newestAt) this.#countNewest(this.createdAt(ordinal), this.id(ordinal));
  }

  #tables(): SavedTable[] {
    const columns = [this.#createdAt, this.#observedAt, this.#arrivedAt, this.#author, this.#version];
    return [
      ...[this.#slabs, this.#handle, this.#id, this.#ordinals, this.#authors, ...columns],
      ...counts.map((name) => this.#counts[name]),
      ...[this.#engagement, this.#engagementHistory, this.#isGone, this.#fullSeq],
    ];
  }

  /** Increases the version of a tweet, updates its engagement and adds the previous engagement to the history. */
  #recordChange(ordinal: number, revision: number): void {
    this.#forgetRecent(ordinal);
    this.#version.set(ordinal, this.#version.get(ordinal) + 1);
    const engagement = this.#engagement.get(ordinal);
    this.#updateEngagement(ordinal);
    if (engagement === this.#engagement.get(ordinal)) return;
    this.#engagementHistory.push(ordinal, revision, engagement);
  }
}
