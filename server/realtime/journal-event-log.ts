/** The event log on a journal of this process: the retained events are also in memory, so reading never waits. */
import { randomBytes } from 'node:crypto';
import type { PublishedEvent } from '../domain/events.ts';
import type { EventLog, LogEntry, NewEvent, Retention } from '../ports/event-log.ts';
import type { EventSink } from '../ports/event-sink.ts';
import type { Document, Journal, Store, StoreError } from '../ports/storage.ts';
import { EventTable, type EventRecord } from './event-table.ts';

/** Small segments, because trimming removes whole files only. */
const segmentBytes = 4 * 1024 * 1024;
/** Delay before a failed write is retried, in milliseconds. */
const retryMs = 1_000;
/** Events in one write, at most. A start may find millions of unpublished events, more than fit into one string. */
const maxBatchEvents = 10_000;
/** The journal is trimmed when this many more events are no longer retained. */
const trimThreshold = 20_000;

/** The document beside the journal. `told_up_to` is the checkpoint in the files of version 1.1 and earlier. */
interface StoredState {
  epoch: string;
  checkpoint?: number;
  told_up_to?: number;
}

/** A call of `append` that waits until the log holds as many events as it did after that call. */
interface Waiter {
  readonly recorded: number;
  readonly resolve: (seq: number) => void;
}

/** The larger of two checkpoints, of which either may be missing. */
const later = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);

export class JournalEventLog implements EventLog, EventSink {
  readonly epoch: string;
  readonly retention: Retention;
  readonly #journal: Journal;
  readonly #state: Document<StoredState>;
  readonly #now: () => number;
  readonly #events: EventTable;
  readonly #listeners = new Set<() => void>();
  #head: number;
  #floor: number;
  /** The number up to which the journal was trimmed. */
  #trimmed: number;
  #checkpoint: number | undefined;
  /** The checkpoint of the last durable event. */
  #durableCheckpoint: number | undefined;
  #failed: StoreError | undefined;
  /** Events that are not written yet, oldest first. */
  #pending: EventRecord[] = [];
  /** How many events were passed to this object, and how many of them are durable. */
  #recorded = 0;
  #written = 0;
  readonly #waiters: Waiter[] = [];
  #writing: Promise<void> = Promise.resolve();
  #nextWrite: Promise<void> | undefined;

  /** Use `openEventLog`. `events` holds the entries of the journal. */
  constructor(
    journal: Journal,
    state: Document<StoredState>,
    events: EventTable,
    { retention, now, checkpoint }: { retention: Retention; now: () => number; checkpoint: number | undefined },
  ) {
    this.epoch = state.data.epoch;
    this.retention = retention;
    this.#journal = journal;
    this.#state = state;
    this.#events = events;
    this.#now = now;
    this.#head = journal.lastSeq;
    this.#floor = this.#trimmed = journal.firstSeq - 1;
    this.#checkpoint = this.#durableCheckpoint = checkpoint;
  }

  get head(): number {
    return this.#head;
  }

  get floor(): number {
    return this.#advanceFloor();
  }

  get failed(): StoreError | undefined {
    return this.#failed;
  }

  get checkpoint(): number | undefined {
    return this.#checkpoint;
  }

  append(events: readonly NewEvent[]): Promise<number> {
    if (events.length === 0) return Promise.resolve(this.#head);
    const at = this.#now();
    void this.#record(events.map((event) => recordOf(event, at)));
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#waiters.push({ recorded: this.#recorded, resolve });
    return promise;
  }

  async read(after: number, limit: number): Promise<readonly LogEntry[]> {
    const from = Math.max(after, this.floor);
    const count = Math.max(0, Math.min(limit, this.#head - from));
    return Array.from({ length: count }, (_, place) => this.#events.entry(from + 1 + place));
  }

  onHead(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  publish(events: readonly PublishedEvent[]): Promise<void> {
    this.#checkpoint = later(this.#checkpoint, events.at(-1)?.change);
    const at = this.#now();
    return this.#record(
      events.map((event, index) => {
        // Only the last event of a change carries its number: after a crash between its events, the change is
        // published again.
        const isLast = events[index + 1]?.change !== event.change;
        return { ...recordOf(event, at), ...(isLast ? { change: event.change } : {}) };
      }),
    );
  }

  async advanceCheckpoint(change: number): Promise<void> {
    this.#checkpoint = change;
    await this.#saveCheckpoint(change);
  }

  /**
   * Queues records and writes them. Records that arrive during a write go into the next write together. Resolves after
   * that write, whether it succeeded or not; never rejects.
   */
  #record(records: readonly EventRecord[]): Promise<void> {
    this.#pending = this.#pending.length === 0 ? [...records] : this.#pending.concat(records);
    this.#recorded += records.length;
    this.#nextWrite ??= this.#writing.then(() => {
      this.#nextWrite = undefined;
      return (this.#writing = this.#write());
    });
    return this.#nextWrite;
  }

  /** Writes the pending records in batches. Never rejects. */
  async #write(): Promise<void> {
    while (this.#pending.length > 0 && (await this.#writeBatch()));
  }

  /** Writes one batch. Returns false when the write failed; a timer then retries it. */
  async #writeBatch(): Promise<boolean> {
    const records = this.#pending.slice(0, maxBatchEvents);
    this.#pending = this.#pending.slice(maxBatchEvents);
    try {
      const last = await this.#journal.append(records.map((record) => JSON.stringify(record)));
      records.forEach((record, index) => this.#events.add(last - records.length + 1 + index, record));
      this.#head = last;
      this.#failed = undefined;
    } catch (error) {
      this.#pending = records.concat(this.#pending);
      this.#failed = error as StoreError;
      setTimeout(() => void this.#record([]), retryMs).unref();
      return false;
    }
    // Outside the try block: an error here must not repeat the write.
    this.#written += records.length;
    this.#durableCheckpoint = records.findLast(({ change }) => change !== undefined)?.change ?? this.#durableCheckpoint;
    if (this.#advanceFloor() - this.#trimmed >= trimThreshold) void this.#trim();
    this.#resolveWaiters();
    for (const listener of this.#listeners) listener();
    return true;
  }

  #resolveWaiters(): void {
    const durable = this.#waiters.findIndex(({ recorded }) => recorded > this.#written);
    const resolved = this.#waiters.splice(0, durable < 0 ? this.#waiters.length : durable);
    for (const { recorded, resolve } of resolved) resolve(this.#head - (this.#written - recorded));
  }

  /** Advances the floor according to the retention, and returns it. */
  #advanceFloor(): number {
    this.#floor = Math.max(this.#floor, this.#head - this.retention.events);
    const oldest = this.#now() - this.retention.ageMs;
    while (this.#floor < this.#head && this.#events.timeOf(this.#floor + 1) < oldest) this.#floor++;
    this.#events.dropUpTo(this.#floor);
    return this.#floor;
  }

  /** Trims the journal. If trimming fails, the next trim removes these events too. */
  async #trim(): Promise<void> {
    const upTo = (this.#trimmed = this.#floor);
    try {
      // After trimming, the retained events may no longer contain the checkpoint.
      if (this.#durableCheckpoint !== undefined) await this.#saveCheckpoint(this.#durableCheckpoint);
      await this.#journal.trim(upTo);
    } catch {
      // The next append reports a journal that cannot be written.
    }
  }

  #saveCheckpoint(change: number): Promise<void> {
    return this.#state.update((data) => {
      data.checkpoint = change;
      delete data.told_up_to;
    });
  }
}

/** An event in the format of the journal. */
function recordOf(event: NewEvent, at: number): EventRecord {
  return {
    event: event.event,
    ...('id' in event ? { id: event.id } : {}),
    ...('userId' in event ? { user_id: event.userId } : {}),
    at,
  };
}

/** Opens the event log of a store. Throws StoreError when the log is damaged. `now` returns milliseconds since 1970. */
export async function openEventLog(
  store: Store,
  retention: Retention,
  now: () => number = Date.now,
): Promise<JournalEventLog> {
  const journal = await store.journal('events', { segmentBytes });
  // The document is in the journal's folder: if the folder is deleted, the new log gets a new epoch.
  const state = await store.document<StoredState>('events/log', { epoch: '' });
  if (state.data.epoch === '') await state.update((data) => void (data.epoch = randomBytes(6).toString('base64url')));
  let checkpoint = later(state.data.checkpoint, state.data.told_up_to);
  let events: EventTable | undefined;
  await journal.replay((json, seq) => {
    const record: EventRecord = JSON.parse(json.toString());
    (events ??= new EventTable(seq)).add(seq, record);
    checkpoint = later(checkpoint, record.change);
  });
  events ??= new EventTable(journal.lastSeq + 1);
  return new JournalEventLog(journal, state, events, { retention, now, checkpoint });
}
