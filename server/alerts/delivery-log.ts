/** How far the deliveries of each webhook are: a journal, and its state in memory. Records of all instances have one order. */
import type { Schemas } from '../contract/operations.ts';
import type { Store } from '../ports/storage.ts';
import { StateJournal } from '../storage/state-journal.ts';

export type Attempt = Schemas['WebhookAttempt'];

/** How far the deliveries of a webhook are. Times are in milliseconds since 1970. */
export interface Progress {
  /** The epoch of the event log. */
  readonly epoch: string;
  /** The last event that was accepted, or did not match. */
  readonly position: number;
  /** The time of that event. */
  readonly at: number;
  /** Failed attempts since the last success. */
  readonly failures: number;
  readonly failingSince: number | null;
  /** When the next attempt is due; null: at once. */
  readonly nextAt: number | null;
  /** Why it retries, or is paused. */
  readonly reason: string | null;
  readonly isPaused: boolean;
  readonly succeededAt: number | null;
}

/** A new webhook: it begins after `position`. */
export const newProgress = (epoch: string, position: number, at: number): Progress => ({
  ...{ epoch, position, at, failures: 0, failingSince: null, nextAt: null, reason: null, isPaused: false },
  succeededAt: null,
});

/** What a success, a resumption and a new address change. */
export const withoutFailures = {
  failures: 0,
  failingSince: null,
  nextAt: null,
  reason: null,
  isPaused: false,
} as const;

/** A record of the journal. It has the whole progress, so that the last one of a webhook is enough. */
interface DeliveryRecord {
  /** The id of the saved search. */
  readonly s: string;
  readonly p?: Progress;
  /** Attempts, oldest first. */
  readonly a?: readonly Attempt[];
  readonly isDeleted?: boolean;
}

interface Entry {
  progress: Progress | undefined;
  /** Oldest first. */
  attempts: readonly Attempt[];
}

const maxAttempts = 20;
/** The journal is rewritten when it has this many records, and many more than there are webhooks. */
const minHistory = 2_000;

export class DeliveryLog {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #journal!: StateJournal<DeliveryRecord>;

  private constructor() {}

  /** Throws StoreError if the journal is damaged. */
  static async open(store: Pick<Store, 'journal'>): Promise<DeliveryLog> {
    const log = new DeliveryLog();
    log.#journal = await StateJournal.open<DeliveryRecord>(store, 'deliveries', {
      apply: (record) => log.#apply(record),
      reset: () => log.#entries.clear(),
      snapshot: () => log.#snapshot(),
      hasHistory: (records) => records > minHistory && records > 20 * log.#entries.size,
      onOthers: () => {
        for (const listener of log.#listeners) listener();
      },
    });
    return log;
  }

  progress(id: string): Progress | undefined {
    return this.#entries.get(id)?.progress;
  }

  /** The last attempts, newest first. */
  attempts(id: string): readonly Attempt[] {
    return this.#entries.get(id)?.attempts.toReversed() ?? [];
  }

  /** Calls `listener` after records of another process. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Resolves when the state has all records that other processes have written until now. Rejects with StoreError. */
  catchUp(): Promise<void> {
    return this.#journal.decide(() => []);
  }

  /** Records where a webhook begins. Durable when it resolves. Rejects with StoreError, as all that write. */
  begin(id: string, progress: Progress): Promise<void> {
    return this.#append(() => [{ s: id, p: progress }]);
  }

  /** Changes the newest progress, and adds the attempt that has led to it. Does nothing for a webhook that is deleted. */
  change(id: string, change: Partial<Progress>, attempt?: Attempt): Promise<void> {
    return this.#append(() => {
      const progress = this.progress(id);
      return progress === undefined ? [] : [{ s: id, p: { ...progress, ...change }, ...(attempt && { a: [attempt] }) }];
    });
  }

  /** Adds an attempt that changes no progress. */
  addAttempt(id: string, attempt: Attempt): Promise<void> {
    return this.#append(() => (this.#entries.has(id) ? [{ s: id, a: [attempt] }] : []));
  }

  /** Moves webhooks on over events that do not match. */
  advance(positions: ReadonlyMap<string, Pick<Progress, 'position' | 'at'>>): Promise<void> {
    return this.#append(() =>
      Array.from(positions, ([id, moved]) => {
        const progress = this.progress(id);
        return progress === undefined ? [] : [{ s: id, p: { ...progress, ...moved } }];
      }).flat(),
    );
  }

  delete(id: string): Promise<void> {
    return this.#append(() => (this.#entries.has(id) ? [{ s: id, isDeleted: true }] : []));
  }

  #append(decide: () => readonly DeliveryRecord[]): Promise<void> {
    return this.#journal.decide(() => {
      const records = decide();
      for (const record of records) this.#apply(record);
      return records;
    });
  }

  /** One record for each webhook. */
  #snapshot(): DeliveryRecord[] {
    return Array.from(this.#entries, ([s, { progress, attempts }]) => ({
      ...{ s, a: attempts },
      ...(progress && { p: progress }),
    }));
  }

  #apply({ s: id, p: progress, a: attempts = [], isDeleted = false }: DeliveryRecord): void {
    if (isDeleted) return void this.#entries.delete(id);
    const entry = this.#entries.get(id) ?? { progress: undefined, attempts: [] };
    if (progress !== undefined) entry.progress = progress;
    if (attempts.length > 0) entry.attempts = [...entry.attempts, ...attempts].slice(-maxAttempts);
    this.#entries.set(id, entry);
  }
}
