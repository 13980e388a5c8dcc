/** The tombstones of removed tweets as columns outside the JavaScript heap: many of them cost the garbage collector nothing. */
import { Column } from '../../collections/column.ts';
import { IdColumn } from '../../collections/id-column.ts';
import { OrdinalLists } from '../../collections/ordinal-lists.ts';
import type { SavedTable, SectionReader, Sections } from '../../collections/saved-table.ts';
import { SlabAllocator } from '../../collections/slab-allocator.ts';
import type { RemovalReason, RemovedTweet, Tombstone } from '../../domain/tombstone.ts';

/** The reasons by their code in the column. */
const reasons = ['retweet', 'account', 'withheld', 'deleted', 'erased'] as const satisfies RemovalReason[];
/** The code of a slot without a tombstone. */
const free = reasons.length;
/** The handle of a tombstone with neither an address nor references. */
const noDetails = -1;

/** The rest of a tombstone, stored as JSON. */
interface Details {
  readonly uri?: string;
  readonly tweet?: RemovedTweet;
}

export class TombstoneTable implements SavedTable {
  readonly #ids = new IdColumn();
  readonly #reason = new Column(new Uint8Array(0));
  readonly #at = new Column(new Float64Array(0));
  readonly #handle = new Column(new Float64Array(0));
  readonly #details = new SlabAllocator();
  /** The retweeted tweets, and for each of them the slots of native retweets that were removed with it. */
  readonly #retweeted = new IdColumn();
  readonly #retweets = new OrdinalLists((first, second) => first - second);

  get size(): number {
    return this.#ids.size;
  }

  /** Why the tweet was removed; undefined without a tombstone. */
  reason(tweetId: string): RemovalReason | undefined {
    const slot = this.#ids.get(tweetId);
    return slot === undefined ? undefined : reasons[this.#reason.get(slot)];
  }

  get(tweetId: string): Tombstone | undefined {
    const slot = this.#ids.get(tweetId);
    return slot === undefined ? undefined : this.#read(slot);
  }

  *values(): Generator<Tombstone, void> {
    for (let slot = 0; slot < this.#reason.length; slot++) if (this.#reason.get(slot) !== free) yield this.#read(slot);
  }

  /** The native retweets of a tweet whose tombstones have the reason `retweet`. */
  retweetsOf(tweetId: string): string[] {
    const list = this.#retweeted.get(tweetId);
    return list === undefined ? [] : Array.from(this.#retweets.sorted(list), (slot) => this.#ids.text(slot));
  }

  /** Adds or replaces the tombstone of a tweet. */
  set({ id, reason, at, uri, tweet }: Tombstone): void {
    const existing = this.#ids.get(id);
    if (existing !== undefined) this.#removeDetails(existing);
    const slot = existing ?? this.#ids.add(id);
    const details: Details = { ...(uri === undefined ? {} : { uri }), ...(tweet === undefined ? {} : { tweet }) };
    const hasDetails = uri !== undefined || tweet !== undefined;
    this.#reason.put(slot, reasons.indexOf(reason));
    this.#at.put(slot, at);
    this.#handle.put(slot, hasDetails ? this.#details.put(JSON.stringify(details)) : noDetails);
    if (reason === 'retweet' && tweet?.retweeted_tweet_id !== undefined) this.#link(slot, tweet.retweeted_tweet_id);
  }

  delete(tweetId: string): void {
    const slot = this.#ids.get(tweetId);
    if (slot === undefined) return;
    this.#removeDetails(slot);
    this.#reason.set(slot, free);
    this.#ids.delete(tweetId);
  }

  #read(slot: number): Tombstone {
    const handle = this.#handle.get(slot);
    const details = handle === noDetails ? {} : (JSON.parse(this.#details.get(handle)) as Details);
    return { id: this.#ids.text(slot), reason: reasons[this.#reason.get(slot)]!, at: this.#at.get(slot), ...details };
  }

  /** Removes the details of a tombstone, and its entry in the list of removed retweets. */
  #removeDetails(slot: number): void {
    const { reason, tweet } = this.#read(slot);
    if (reason === 'retweet' && tweet?.retweeted_tweet_id !== undefined) this.#unlink(slot, tweet.retweeted_tweet_id);
    const handle = this.#handle.get(slot);
    if (handle !== noDetails) this.#details.remove(handle);
  }

  #link(slot: number, retweeted: string): void {
    const list = this.#retweeted.get(retweeted) ?? this.#retweeted.add(retweeted);
    this.#retweets.ensure(list);
    this.#retweets.add(list, slot);
  }

  #unlink(slot: number, retweeted: string): void {
    const list = this.#retweeted.get(retweeted);
    if (list === undefined) return;
    this.#retweets.removeOne(list, slot);
    if (this.#retweets.isEmpty(list)) this.#retweeted.delete(retweeted);
  }

  *save(): Sections {
    for (const table of this.#tables()) yield* table.save();
  }

  load(reader: SectionReader): void {
    for (const table of this.#tables()) table.load(reader);
  }

  #tables(): SavedTable[] {
    return [this.#ids, this.#reason, this.#at, this.#handle, this.#details, this.#retweeted, this.#retweets];
  }
}
