/**
 * The event log on a journal: the retained events are also in memory, so reading never waits. The transactions of the archive append the
 * events of changes; this object appends the others. It shows the events of a change after this process knows the commit of the change, so
 * that a response for the cursor of an event never comes from a cache of before.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, LogEntry, NewEvent, Retention } from '../../ports/event-log.ts';
import type { Document, Journal, Store } from '../../ports/storage.ts';
import { EventTable, type EventRecord } from './event-table.ts';

/** Delay before a failed write is retried, in milliseconds. */
const retryMs = 1_000;
/** The journal is trimmed when this many more events are no longer retained. */
const trimThreshold = 20_000;
/** How long a shown number waits until it is stored, in milliseconds. */
const headDelayMs = 60_000;

/** The document beside the journal. */
interface StoredState {
  epoch: string;
  /** The highest number that was shown, as of the last minute: a journal that has less was restored. */
  head?: number;
}

interface EventLogOptions {
  readonly retention: Retention;
  readonly now: () => number;
  /** Whether the document has the highest number: the journal is in a file that can be restored without the document. */
  readonly keepsHead: boolean;
}

export class JournalEventLog implements EventLog {
  readonly epoch: string;
  readonly retention: Retention;
  readonly #journal: Journal;
  readonly #state: Document<StoredState>;
  readonly #now: () => number;
  #events: EventTable;
  readonly #listeners = new Set<() => void>();
  #head: number;
  #floor: number;
  /** The number up to which the journal was trimmed. */
  #trimmed: number;
  /** Durable events of changes whose commits are not known yet, oldest first. */
  #arrived: EventRecord[] = [];
  /** The last known commit. */
  #applied = 0;
  /** The last append of this object. */
  #appending: Promise<unknown> = Promise.resolve();
  /** Stores the head; undefined where it does not wait to be stored. */
  #headTimer: NodeJS.Timeout | undefined;
  readonly #keepsHead: boolean;

  /** Use `openEventLog`. `events` holds the entries of the journal. */
  constructor(
    journal: Journal,
    state: Document<StoredState>,
    events: EventTable,
    { retention, now, keepsHead }: EventLogOptions,
  ) {
    this.epoch = state.data.epoch;
    this.retention = retention;
    this.#journal = journal;
    this.#state = state;
    this.#events = events;
    this.#now = now;
    this.#keepsHead = keepsHead;
    this.#head = journal.lastSeq;
    this.#floor = this.#trimmed = journal.firstSeq - 1;
    journal.follow({ apply: (lines, first) => this.#follow(lines, first) });
  }

  get head(): number {
    return this.#head;
  }

  get floor(): number {
    return this.#advanceFloor();
  }

  append(events: readonly NewEvent[]): Promise<number> {
    if (events.length === 0) return Promise.resolve(this.#head);
    const at = this.#now();
    const lines = events.map((event) => JSON.stringify(eventRecord(event, at)));
    const appended = this.#appending.then(() => this.#write(lines));
    this.#appending = appended;
    return appended;
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

  /** This process knows all commits up to this one: readers may get their events. */
  applied(commit: number): void {
    if (commit <= this.#applied) return;
    this.#applied = commit;
    if (this.#arrived.length > 0) this.#release();
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

  /** Writes events, and tries again until they are durable. Returns the number of the last one. */
  async #write(lines: readonly string[]): Promise<number> {
    for (;;) {
      try {
        return await this.#journal.append(lines);
      } catch {
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  /** Takes the durable events of all processes. */
  #follow(lines: readonly string[], first: number): void {
    if (first !== this.#head + this.#arrived.length + 1) {
      // The journal was trimmed behind this position: the events between are no longer retained.
      this.#arrived = [];
      this.#events = new EventTable(first);
      this.#head = this.#floor = first - 1;
    }
    for (const line of lines) this.#arrived.push(JSON.parse(line) as EventRecord);
    this.#release();
  }

  /** Shows the events of the changes whose commits are known. */
  #release(): void {
    const waiting = this.#arrived.findIndex(({ change }) => change !== undefined && change > this.#applied);
    this.#show(this.#arrived.splice(0, waiting < 0 ? this.#arrived.length : waiting));
  }

  #show(records: readonly EventRecord[]): void {
    if (records.length === 0) return;
    for (const record of records) this.#events.add(++this.#head, record);
    if (this.#keepsHead)
      this.#headTimer ??= setTimeout(() => void this.saveHead().catch(() => {}), headDelayMs).unref();
    if (this.#advanceFloor() - this.#trimmed >= trimThreshold) void this.#trim();
    for (const listener of this.#listeners) listener();
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
    this.#trimmed = this.#floor;
    // The next append reports a journal that cannot be written.
    await this.#journal.trim(this.#floor).catch(() => {});
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

/** The document is in the journal's folder: if the folder is deleted, the new log gets a new epoch. */
const openState = (store: Store): Promise<Document<StoredState>> =>
  store.document<StoredState>('events/log', { epoch: '' });

/** Opens the event log of a store. Throws StoreError when the log is damaged. `now` returns milliseconds since 1970. */
export async function openEventLog(
  store: Store,
  retention: Retention,
  now: () => number = store.shared ? store.now : Date.now,
): Promise<JournalEventLog> {
  const state = await openState(store);
  const journal = await store.journal('events');
  if (state.data.epoch === '') await state.update((data) => void (data.epoch ||= newEpoch()));
  let events: EventTable | undefined;
  await journal.replay((json, seq) => {
    const record: EventRecord = JSON.parse(json.toString());
    (events ??= new EventTable(seq)).add(seq, record);
  });
  events ??= new EventTable(journal.lastSeq + 1);
  const keepsHead = store.hasArchive === true && !store.shared;
  if (keepsHead) await endRestore(store, state, journal.lastSeq);
  return new JournalEventLog(journal, state, events, { retention, now, keepsHead });
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
