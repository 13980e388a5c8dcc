/**
 * The event log on a journal: the retained events are also in memory, so reading never waits. A start derives the same events
 * from the same changes. So in a store of one process, the log shows the events of a durable change at once and writes them
 * later: after a crash, the archive publishes them again, with the same numbers. Where several processes share the journal,
 * the log shows only written events. The process that made a change publishes its events at once, the others after a
 * second; the checkpoint in the journal decides which of them were published.
 */
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
/** How long events that readers have already wait for others to be written with, in milliseconds. */
const writeDelayMs = 100;
/** The journal is trimmed when this many more events are no longer retained. */
const trimThreshold = 20_000;

/** The document beside the journal. `told_up_to` is the checkpoint in the files of version 1.1 and earlier. */
interface StoredState {
  epoch: string;
  checkpoint?: number;
  told_up_to?: number;
  /** The highest number that was shown, as of the last minute: a journal that has less was restored. */
  head?: number;
}

/** How long a shown number waits until it is stored, in milliseconds. */
const headDelayMs = 60_000;

/** The delay before a process publishes the events of changes that another process made, in milliseconds. */
const takeOverMs = 1_000;

/** A call of `append` that waits until the log holds as many events as it did after that call. */
interface Waiter {
  readonly recorded: number;
  readonly resolve: (seq: number) => void;
}

/** The larger of two checkpoints, of which either may be missing. */
const later = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);

/** Events of this process as the journal gets them. Their lines are not parsed when they come back as durable. */
interface WrittenEvents {
  readonly lines: readonly string[];
  readonly records: readonly EventRecord[];
}

interface EventLogOptions {
  readonly retention: Retention;
  readonly now: () => number;
  readonly checkpoint: number | undefined;
  /** Whether others than this log append the events of changes: other processes, or the transactions of an archive in the same store. */
  readonly shared: boolean;
  /** The last events of the journal, of a change whose other events are not in it. */
  readonly incomplete: readonly EventRecord[];
  /** Whether the document has the highest number: the journal is in a file that can be restored without the document. */
  readonly keepsHead: boolean;
}

export class JournalEventLog implements EventLog, EventSink {
  readonly epoch: string;
  readonly retention: Retention;
  readonly #journal: Journal;
  readonly #state: Document<StoredState>;
  readonly #now: () => number;
  readonly #shared: boolean;
  #events: EventTable;
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
  /** How many of the passed events are not in the journal, and how many of these, from the oldest on, readers have already. */
  #unwritten = 0;
  #shownUnwritten = 0;
  /** See `EventLogOptions`. */
  #incomplete: readonly EventRecord[];
  /** Whether a timer writes the pending events. */
  #isWriteDue = false;
  /** Durable events of changes that the archive of this process has not applied yet, oldest first. */
  #arrived: EventRecord[] = [];
  /** The last change that the archive of this process has applied, as far as this object knows. */
  #applied = 0;
  /** The write in progress. */
  #inWrite: WrittenEvents = { lines: [], records: [] };
  /** How many events were passed to this object, and how many of them are durable. */
  #recorded = 0;
  #written = 0;
  readonly #waiters: Waiter[] = [];
  #writing: Promise<void> = Promise.resolve();
  #nextWrite: Promise<void> | undefined;
  /** Stores the head; undefined where it does not wait to be stored. */
  #headTimer: NodeJS.Timeout | undefined;
  readonly #keepsHead: boolean;

  /** Use `openEventLog`. `events` holds the entries of the journal. */
  constructor(
    journal: Journal,
    state: Document<StoredState>,
    events: EventTable,
    { retention, now, checkpoint, shared, incomplete, keepsHead }: EventLogOptions,
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
    this.#shared = shared;
    this.#incomplete = incomplete;
    this.#keepsHead = keepsHead;
    journal.follow({ apply: (lines, first) => this.#follow(lines, first) });
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
    void this.#record(events.map((event) => eventRecord(event, at)));
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

  publish(events: readonly PublishedEvent[], isOwn = true): Promise<void> {
    this.#checkpoint = later(this.#checkpoint, events.at(-1)?.change);
    const at = this.#now();
    const records = events.map((event, index) => {
      // In one process only the last event of a change carries its number: after a crash between its events, the change is
      // published again. In a shared journal, the events of a change are one commit.
      const isLast = this.#shared || events[index + 1]?.change !== event.change;
      return { ...eventRecord(event, at), ...(isLast ? { change: event.change } : {}) };
    });
    if (!this.#shared) return this.#showAndWriteLater(this.#withoutRecorded(records));
    if (isOwn) return this.#record(records);
    this.#queue(records);
    this.#writeAfter(takeOverMs);
    return this.#writing;
  }

  settle(): Promise<void> {
    return this.#record([]);
  }

  applied(change: number): void {
    if (change <= this.#applied) return;
    this.#applied = change;
    if (this.#arrived.length > 0) this.#release();
  }

  /**
   * Stores the highest number, at the latest a minute after it was shown, and at a stop: a start on a restored journal that has less begins
   * a new epoch. Rejects with StoreError.
   */
  async saveHead(): Promise<void> {
    clearTimeout(this.#headTimer);
    this.#headTimer = undefined;
    if (!this.#keepsHead || this.#state.data.head === this.#head) return;
    const head = this.#head;
    await this.#state.update((data) => void (data.head = head));
  }

  /** Begins a new epoch, unless another process has done so: listeners must not continue with their cursors. */
  renewEpoch(): Promise<void> {
    return this.#state.update((data) => {
      if (data.epoch === this.epoch) data.epoch = newEpoch();
    });
  }

  /** Calls `listener` when another process has begun a new epoch. This object then has to be opened again. */
  onNewEpoch(listener: () => void): void {
    this.#state.onChange(() => {
      if (this.#state.data.epoch !== this.epoch) listener();
    });
  }

  async advanceCheckpoint(change: number): Promise<void> {
    this.#checkpoint = change;
    await this.#saveCheckpoint(change);
  }

  /** Leaves out the events that the journal has of the first change, of which a crash has left out the others. */
  #withoutRecorded(records: readonly EventRecord[]): readonly EventRecord[] {
    const recorded = this.#incomplete;
    if (recorded.length === 0 || records.length === 0) return records;
    this.#incomplete = [];
    const isSame = ({ event, id, user_id }: EventRecord, index: number): boolean => {
      const other = records[index];
      return other?.event === event && other.id === id && other.user_id === user_id && other.change === undefined;
    };
    return recorded.every(isSame) ? records.slice(recorded.length) : records;
  }

  /** Shows events of durable changes. Behind an event that has no change, they wait until that event is written. */
  #showAndWriteLater(records: readonly EventRecord[]): Promise<void> {
    const isNext = this.#shownUnwritten === this.#unwritten;
    this.#queue(records);
    if (isNext) {
      this.#shownUnwritten += records.length;
      this.#show(records);
    }
    if (!isNext || this.#pending.length >= maxBatchEvents) return this.#record([]);
    if (records.length > 0) this.#writeAfter(writeDelayMs);
    return Promise.resolve();
  }

  /** Writes the pending events after a time in milliseconds, with those that arrive until then. */
  #writeAfter(ms: number): void {
    if (this.#isWriteDue) return;
    this.#isWriteDue = true;
    setTimeout(() => {
      this.#isWriteDue = false;
      void this.#record([]);
    }, ms).unref();
  }

  /**
   * Queues records and writes them. Records that arrive during a write go into the next write together. Resolves after
   * that write, whether it succeeded or not; never rejects.
   */
  #record(records: readonly EventRecord[]): Promise<void> {
    this.#queue(records);
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

  #queue(records: readonly EventRecord[]): void {
    this.#pending = this.#pending.length === 0 ? [...records] : this.#pending.concat(records);
    this.#recorded += records.length;
    if (!this.#shared) this.#unwritten += records.length;
  }

  /** Writes one batch. Returns false when the write failed; a timer then retries it. */
  async #writeBatch(): Promise<boolean> {
    const batch = this.#pending.splice(0, this.#batchLength());
    let last: number;
    try {
      const isPublished = batch.every((record) => this.#isPublished(record));
      last = isPublished ? this.#head : await this.#journal.decide(() => this.#unpublished(batch));
      this.#failed = undefined;
    } catch (error) {
      this.#pending = batch.concat(this.#pending);
      this.#failed = error as StoreError;
      setTimeout(() => void this.#record([]), retryMs).unref();
      return false;
    }
    // Outside the try block: an error here must not repeat the write.
    this.#resolveWaiters(batch, last);
    return true;
  }

  /** The number of pending events for one write. It does not divide the events of a change in a shared journal. */
  #batchLength(): number {
    let length = Math.min(maxBatchEvents, this.#pending.length);
    if (this.#shared)
      while (length < this.#pending.length && this.#pending[length]?.change === this.#pending[length - 1]?.change)
        length++;
    return length;
  }

  /** Whether another process has published the change of an event. */
  #isPublished({ change }: EventRecord): boolean {
    return this.#shared && change !== undefined && change <= (this.#durableCheckpoint ?? 0);
  }

  #unpublished(batch: readonly EventRecord[]): readonly string[] {
    const records = batch.filter((record) => !this.#isPublished(record));
    const lines = records.map((record) => JSON.stringify(record));
    this.#inWrite = { lines, records };
    return lines;
  }

  /** Takes the durable events of all processes. */
  #follow(lines: readonly string[], first: number): void {
    const next = this.#head - this.#shownUnwritten + this.#arrived.length + 1;
    if (first !== next) {
      // The journal was trimmed behind this position: the events between are no longer retained.
      this.#arrived = [];
      this.#events = new EventTable(first);
      this.#head = this.#floor = first - 1;
    }
    const isOwn = lines === this.#inWrite.lines;
    const records = isOwn ? this.#inWrite.records : lines.map((line) => JSON.parse(line) as EventRecord);
    const shown = Math.min(this.#shownUnwritten, records.length);
    this.#shownUnwritten -= shown;
    if (!this.#shared) this.#unwritten -= records.length;
    for (const [index, record] of records.entries()) {
      this.#durableCheckpoint = later(this.#durableCheckpoint, record.change);
      if (index >= shown) this.#arrived.push(record);
    }
    this.#checkpoint = later(this.#checkpoint, this.#durableCheckpoint);
    // Before the listeners read it.
    if (isOwn) this.#failed = undefined;
    this.#release();
  }

  /** Shows the events of the changes that the archive has applied. */
  #release(): void {
    const waiting = this.#shared
      ? this.#arrived.findIndex(({ change }) => change !== undefined && change > this.#applied)
      : -1;
    const shown = this.#arrived.splice(0, waiting < 0 ? this.#arrived.length : waiting);
    this.#show(shown);
  }

  #show(records: readonly EventRecord[]): void {
    if (records.length === 0) return;
    for (const record of records) this.#events.add(++this.#head, record);
    if (this.#keepsHead)
      this.#headTimer ??= setTimeout(() => void this.saveHead().catch(() => {}), headDelayMs).unref();
    if (this.#advanceFloor() - this.#trimmed >= trimThreshold) void this.#trim();
    for (const listener of this.#listeners) listener();
  }

  /** `last`: the number of the last event of the batch. */
  #resolveWaiters(batch: readonly EventRecord[], last: number): void {
    const before = this.#written;
    this.#written += batch.length;
    const waiting = this.#waiters.findIndex(({ recorded }) => recorded > this.#written);
    const resolved = this.#waiters.splice(0, waiting < 0 ? this.#waiters.length : waiting);
    for (const { recorded, resolve } of resolved) {
      // What another process had published was the beginning of the batch at most.
      resolve(last - (batch.length - (recorded - before)));
    }
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
      data.checkpoint = Math.max(data.checkpoint ?? change, change);
      delete data.told_up_to;
    });
  }
}

/** An event in the format of the journal. */
export function eventRecord(event: NewEvent, at: number): EventRecord {
  return {
    event: event.event,
    ...('id' in event ? { id: event.id } : {}),
    ...('userId' in event ? { user_id: event.userId } : {}),
    at,
  };
}

/** Without a hyphen: a cursor may be an argument of a command, which takes one that begins with a hyphen for an option. */
const newEpoch = (): string => randomBytes(6).toString('hex');

/** The first process decides. In a shared journal, the events of the first change are published too. */
function createEpoch(data: StoredState, shared: boolean): void {
  if (data.epoch !== '') return;
  data.epoch = newEpoch();
  if (shared) data.checkpoint = 0;
}

/** For a command, which does not know the retention of the service: the next start applies it. */
export const unlimitedRetention: Retention = { ageMs: Number.MAX_SAFE_INTEGER, events: Number.MAX_SAFE_INTEGER };

/** The document is in the journal's folder: if the folder is deleted, the new log gets a new epoch. */
const openState = (store: Store): Promise<Document<StoredState>> =>
  store.document<StoredState>('events/log', { epoch: '' });

/** Opens the event log of a store. Throws StoreError when the log is damaged. `now` returns milliseconds since 1970. */
export async function openEventLog(store: Store, retention: Retention, now?: () => number): Promise<JournalEventLog> {
  return openLog(store, await openState(store), retention, now);
}

/** Opens the event log of a store for a command; undefined where no service has begun one. Throws StoreError when the log is damaged. */
export async function openExistingEventLog(store: Store): Promise<JournalEventLog | undefined> {
  const state = await openState(store);
  return state.data.epoch === '' ? undefined : openLog(store, state, unlimitedRetention);
}

async function openLog(
  store: Store,
  state: Document<StoredState>,
  retention: Retention,
  now: () => number = store.shared ? store.now : Date.now,
): Promise<JournalEventLog> {
  const shared = store.shared || store.hasArchive === true;
  // Before the document is written: creates the folder.
  const journal = await store.journal('events', { segmentBytes });
  if (state.data.epoch === '') await state.update((data) => createEpoch(data, shared));
  const keepsHead = store.hasArchive === true && !store.shared;
  if (keepsHead) await endRestore(store, state, journal.lastSeq);
  let checkpoint = later(state.data.checkpoint, state.data.told_up_to);
  let events: EventTable | undefined;
  let incomplete: EventRecord[] = [];
  await journal.replay((json, seq) => {
    const record: EventRecord = JSON.parse(json.toString());
    (events ??= new EventTable(seq)).add(seq, record);
    checkpoint = later(checkpoint, record.change);
    if (record.change !== undefined || record.event === 'pool.status') incomplete = [];
    else incomplete.push(record);
  });
  events ??= new EventTable(journal.lastSeq + 1);
  return new JournalEventLog(journal, state, events, { retention, now, checkpoint, shared, incomplete, keepsHead });
}

/** Begins a new epoch where the journal is older than what readers have got, or a copy: its next numbers have been given before. */
async function endRestore(store: Store, state: Document<StoredState>, last: number): Promise<void> {
  if (store.endCopy === undefined && last >= (state.data.head ?? 0)) return;
  await state.update((data) => {
    data.epoch = newEpoch();
    data.head = last;
  });
  await store.endCopy?.();
}
