/**
 * The durable budget of post reads: X bills each post that it returns. A call counts the most that it can return before it is
 * sent, durably, and gives back afterwards what it did not return. So a crash can count too much, but never too little. Two
 * reads of one post on one day count twice, although X bills them once.
 */
import { SourceError } from '../../ports/live-source.ts';
import type { Store } from '../../ports/storage.ts';
import { systemClock, type Clock } from '../clock.ts';

/** The reads of a day in UTC. */
interface DayOfReads {
  /** As in `2026-11-22`. */
  readonly day: string;
  readonly reads: number;
}

/** Where the budget is kept. */
interface ReadBudgetStore {
  get(): DayOfReads | undefined;
  /** Resolves when the value is durable. */
  set(value: DayOfReads): Promise<void>;
}

/** Reads that are counted for a call. */
export interface Reservation {
  readonly count: number;
  /** Gives back the reads that the call did not need. Call it once, at the end of the call. */
  settle(used: number): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The budget of the day is used up. The source pauses until the next day in UTC. */
export class BudgetError extends SourceError {}

export class ReadBudget {
  /** The maximum number of posts in a day. */
  readonly limit: number;
  readonly #store: ReadBudgetStore;
  readonly #clock: Pick<Clock, 'now'>;
  #day: string;
  #reads: number;
  /** The write that runs, and whether another one must follow it. */
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(limit: number, store: ReadBudgetStore, clock: Pick<Clock, 'now'> = systemClock) {
    this.limit = limit;
    this.#store = store;
    this.#clock = clock;
    const kept = store.get();
    this.#day = kept?.day ?? dayOf(clock.now());
    this.#reads = kept?.reads ?? 0;
  }

  /** The posts that can be read today. */
  get left(): number {
    this.#startDay();
    return Math.max(0, this.limit - this.#reads);
  }

  /** The time until the next day in UTC, in milliseconds. */
  get msUntilReset(): number {
    // A day that is not over by the clock, because the clock was set back, ends at its own end.
    const end = Date.parse(`${this.#day}T00:00:00Z`) + dayMs;
    return Math.max(0, end - this.#clock.now());
  }

  /**
   * Counts between `min` and `max` reads. `keep`: the reads that stay for others. Rejects with BudgetError where fewer than `min`
   * are left.
   */
  async take(max: number, { min = max, keep = 0 } = {}): Promise<Reservation> {
    const count = Math.min(max, this.left - keep);
    if (count < min) throw this.#exhausted(min, keep > 0 && this.left >= min);
    const day = this.#day;
    this.#reads += count;
    await this.#save();
    return { count, settle: (used) => this.#settle(day, count, used) };
  }

  #exhausted(needed: number, isKept: boolean): BudgetError {
    const at = new Date(this.#clock.now() + this.msUntilReset).toISOString();
    const what = isKept
      ? `the reads of X that are left today (${this.left} of ${this.limit}) are kept for new posts`
      : this.left > 0
        ? `${this.left} of the ${this.limit} reads of X for today (X_READS_PER_DAY) are left, and a request needs ${needed}`
        : `the ${this.limit} reads of X for today (X_READS_PER_DAY) are used up`;
    return new BudgetError(`${what}; reads are available again at ${at}`, { retryAfterMs: this.msUntilReset });
  }

  async #settle(day: string, count: number, used: number): Promise<void> {
    this.#startDay();
    // A call over midnight counts for both days, because the platform may bill it on either of them.
    this.#reads += day === this.#day ? Math.max(0, used) - count : Math.max(0, used);
    await this.#save();
  }

  #startDay(): void {
    const today = dayOf(this.#clock.now());
    if (today <= this.#day) return;
    this.#day = today;
    this.#reads = 0;
  }

  /** Writes the current state. Calls at the same time share a write. */
  #save(): Promise<void> {
    if (this.#writing === undefined) return this.#write();
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#write();
      });
    return this.#next;
  }

  #write(): Promise<void> {
    const writing = this.#store.set({ day: this.#day, reads: this.#reads }).finally(() => {
      if (this.#writing === writing) this.#writing = undefined;
    });
    this.#writing = writing;
    return writing;
  }
}

/** Opens the budget in a document of the store, with the reads of today that it knows. */
export async function openReadBudget(
  store: Pick<Store, 'document'>,
  readsPerDay: number,
  clock?: Pick<Clock, 'now'>,
): Promise<ReadBudget> {
  const document = await store.document<{ day: string; reads: number }>('x-reads', { day: '', reads: 0 });
  let last: DayOfReads | undefined;
  const budgetStore: ReadBudgetStore = {
    get: () => (last = document.data.day === '' ? undefined : { ...document.data }),
    // Adds the difference: the process that followed before may still count its last reads.
    async set(value) {
      const known = last?.day === value.day ? last.reads : 0;
      await document.update((data) => {
        if (data.day > value.day) return;
        const stored = data.day === value.day ? data.reads : 0;
        Object.assign(data, { day: value.day, reads: Math.max(0, stored + value.reads - known) });
      });
      last = value;
    },
  };
  return new ReadBudget(readsPerDay, budgetStore, clock);
}
