/**
 * When the counts of a tweet are read again: in its first hour every 5 minutes, on its first day every hour, in its first week
 * every day, then never.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The intervals by the age of a tweet. */
const tiers = [
  { untilAgeMs: hourMs, everyMs: 5 * minuteMs },
  { untilAgeMs: dayMs, everyMs: hourMs },
  { untilAgeMs: 7 * dayMs, everyMs: dayMs },
] as const;

/** The age from which a tweet is not read again, in milliseconds. */
export const maxRefreshAgeMs = 7 * dayMs;

interface Scheduled {
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly createdAt: number;
  readonly dueAt: number;
}

/** A first-in, first-out list whose head moves in amortised constant time. */
class Fifo {
  #items: Scheduled[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }
  get first(): Scheduled | undefined {
    return this.#items[this.#head];
  }
  push(item: Scheduled): void {
    this.#items.push(item);
  }
  shift(): Scheduled | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    if (++this.#head > 1000 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}

export class RefreshSchedule {
  readonly #maxTweets: number;
  /** One list for each tier. The interval of a tier is constant, so each list is in the order of `dueAt`. */
  readonly #lists = tiers.map(() => new Fifo());
  readonly #ids = new Set<string>();

  /** `maxTweets`: with more, the schedule forgets the ones that are read again most rarely. */
  constructor(maxTweets = 100_000) {
    this.#maxTweets = maxTweets;
  }

  /** The number of tweets. */
  get size(): number {
    return this.#ids.size;
  }

  /** Adds a tweet, or the next reading of one that `take` returned. Leaves out a tweet that is too old or known. */
  add(id: string, createdAt: number, now: number): void {
    if (this.#ids.has(id)) return;
    const tier = tiers.findIndex(({ untilAgeMs }) => now - createdAt < untilAgeMs);
    const interval = tiers[tier]?.everyMs;
    if (interval === undefined) return;
    this.#lists[tier]?.push({ id, createdAt, dueAt: now + interval });
    this.#ids.add(id);
    if (this.size > this.#maxTweets) this.#remove(this.#lists.findLast(({ size }) => size > 0));
  }

  /** Removes and returns the tweets that are due, at most `limit`. */
  take(now: number, limit: number): Pick<Scheduled, 'id' | 'createdAt'>[] {
    const taken: Scheduled[] = [];
    for (const list of this.#lists) {
      while (taken.length < limit && (list.first?.dueAt ?? Number.POSITIVE_INFINITY) <= now) {
        const item = this.#remove(list);
        if (item !== undefined) taken.push(item);
      }
    }
    return taken;
  }

  #remove(list: Fifo | undefined): Scheduled | undefined {
    const item = list?.shift();
    if (item !== undefined) this.#ids.delete(item.id);
    return item;
  }
}
