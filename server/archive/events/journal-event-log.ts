/**
 * The event log on a journal. The newest events are also in memory, so reading them never waits; older ones are read from the journal. The
 * transactions of the archive append the events of changes; this object appends the others. It shows the events of a change after this process knows the commit of the change, so
 * that a response for the cursor of an event never comes from a cache of before.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, LogEntry, NewEvent, Retention } from '../../ports/event-log.ts';
import type { Document, Journal, Store } from '../../ports/storage.ts';
import { entryOf, eventRecord, type EventRecord } from './event-record.ts';

/** Delay before a failed write is retried, in milliseconds. */
const retryMs = 1_000;
/** The journal is trimmed when this many more events are no longer retained. */
const trimThreshold = 20_000;
/** The newest events that are in memory: at least so many after a while, at most twice as many. */
const newestEvents = 8_192;
/** The events that a start reads. */
const eventsAtStart = 1_000;
/** How long a shown number waits until it is stored, in milliseconds. */
const headDelayMs = 60_000;

/** The document beside the journal. */
interface StoredState {
  epoch: string;
  /** The highest number that was shown, as of the last minute: a journal that has less was restored. */
  head?: number;
  /** The epochs before, oldest first, each with the last event that the log has in common with it. */
  former?: readonly FormerEpoch[];
  /** The epoch that `former` was written with: a version before it leaves that as it was when it begins another one. */
  former_of?: string;
}

interface FormerEpoch {
  readonly epoch: string;
  readonly last: number;
}

/** The epochs that are kept. */
const maxFormer = 20;

/** The epochs before that of a state. */
const formerOf = ({ epoch, former = [], former_of: of }: StoredState): readonly FormerEpoch[] =>
  of === epoch ? former : [];

interface EventLogOptions {
  readonly retention: Retention;
  readonly now: () => number;
  /** Whether the document has the highest number: the journal is in a file that can be restored without the document. */
  readonly keepsHead: boolean;
}

export class JournalEventLog implements EventLog {
  #epoch: string;
  #former: readonly FormerEpoch[];
  readonly retention: Retention;
  readonly #journal: Journal;
  readonly #state: Document<StoredState>;
  readonly #now: () => number;
  /** The newest events, up to the head. */
  #newest: LogEntry[];
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
  /** When the first retained event becomes too old, where it is not in memory: the floor has to be found in the journal. */
  #findAt = Number.NEGATIVE_INFINITY;
  #finding: Promise<void> | undefined;

  /** Use `openEventLog`. `newest`: the last entries of the journal. */
  constructor(
    journal: Journal,
    state: Document<StoredState>,
    newest: LogEntry[],
    { retention, now, keepsHead }: EventLogOptions,
  ) {
    this.#epoch = state.data.epoch;
    this.#former = formerOf(state.data);
    this.retention = retention;
    this.#journal = journal;
    this.#state = state;
    this.#newest = newest;
    this.#now = now;
    this.#keepsHead = keepsHead;
    this.#head = journal.lastSeq;
    this.#floor = this.#trimmed = journal.firstSeq - 1;
    journal.follow({ apply: (lines, first) => this.#follow(lines, first) });
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** An epoch has the events behind the last one of the epochs before. */
  readonly epochAt = (seq: number): string => this.#former.find(({ last }) => seq <= last)?.epoch ?? this.#epoch;

  readonly lastOf = (epoch: string): number | undefined => this.#former.find((each) => each.epoch === epoch)?.last;

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
    for (;;) {
      const head = this.#head;
      const from = Math.max(after, this.floor);
      if (from >= head) return [];
      if (from >= this.#lastOld) return this.#newest.slice(from - this.#lastOld, from - this.#lastOld + limit);
      const entries = (await this.#journal.read(from, limit))
        .filter(({ seq }) => seq <= head)
        .map(({ seq, record }) => entryOf(JSON.parse(record) as EventRecord, seq));
      // Otherwise the events were removed meanwhile.
      if (entries.length > 0 || this.floor === from) return entries;
    }
  }

  /** The number of the last event that is not in memory. */
  get #lastOld(): number {
    return this.#head - this.#newest.length;
  }

  onHead(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads the events up to a durable one at once, where another process or a transaction has appended them. */
  wake(seq: number): void {
    this.#journal.wake?.(seq);
  }

  /** This process knows all commits up to this one: readers may get their events. */
  applied(commit: number): void {
    if (commit <= this.#applied) return;
    this.#applied = commit;
    if (this.#arrived.length > 0) this.#release();
  }

  /**
   * Begins a new epoch, unless another process has done so, because the database has lost events: listeners continue up to the last event that
   * it still has, and not behind it.
   */
  async renewEpoch(): Promise<void> {
    const last = (await this.#journal.lastKept?.().catch(() => undefined)) ?? 0;
    await this.#state.update((data) => {
      if (data.epoch !== this.#epoch) return;
      const former = [...formerOf(data), { epoch: data.epoch, last }]
        .map((each) => ({ ...each, last: Math.min(each.last, last) }))
        .filter((each) => each.last > 0)
        .slice(-maxFormer);
      data.epoch = newEpoch();
      Object.assign(data, { former, former_of: data.epoch });
    });
  }

  /** Calls `listener` when another process has begun a new epoch. This object then takes it over, or has to be opened again. */
  onNewEpoch(listener: () => void): void {
    this.#state.onChange(() => {
      if (this.#state.data.epoch !== this.#epoch) listener();
    });
  }

  /** Takes over the epoch that another process has begun. Only for a log of which the database has lost nothing. */
  takeEpoch(): void {
    this.#former = formerOf(this.#state.data);
    this.#epoch = this.#state.data.epoch;
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
      this.#newest = [];
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
    for (const record of records) this.#newest.push(entryOf(record, ++this.#head));
    if (this.#newest.length > 2 * newestEvents) this.#newest.splice(0, this.#newest.length - newestEvents);
    if (this.#keepsHead)
      this.#headTimer ??= setTimeout(() => void this.saveHead().catch(() => {}), headDelayMs).unref();
    if (this.#advanceFloor() - this.#trimmed >= trimThreshold) void this.#trim();
    for (const listener of this.#listeners) listener();
  }

  /** Advances the floor according to the retention, and returns it. */
  #advanceFloor(): number {
    this.#floor = Math.max(this.#floor, this.#head - this.retention.events);
    const now = this.#now();
    const oldest = now - this.retention.ageMs;
    const [first] = this.#newest;
    if (first !== undefined && first.at < oldest) this.#floor = Math.max(this.#floor, this.#lastOld);
    if (this.#floor < this.#lastOld) {
      if (now >= this.#findAt) void this.findFloor().catch(() => {});
    } else while (this.#floor < this.#head && this.#newest[this.#floor - this.#lastOld]!.at < oldest) this.#floor++;
    return this.#floor;
  }

  /** Finds the first event that is young enough in the journal, where it is not in memory. Rejects with StoreError. */
  findFloor(): Promise<void> {
    this.#finding ??= this.#findFloor().finally(() => (this.#finding = undefined));
    return this.#finding;
  }

  async #findFloor(): Promise<void> {
    const oldest = this.#now() - this.retention.ageMs;
    const timeAfter = async (seq: number): Promise<number> => {
      const [next] = await this.#journal.read(seq, 1);
      return next === undefined ? Number.POSITIVE_INFINITY : (JSON.parse(next.record) as EventRecord).at;
    };
    // A failed search is tried again after a while.
    this.#findAt = this.#now() + retryMs;
    let [low, high] = [this.#floor, this.#lastOld];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await timeAfter(middle)) < oldest) low = middle + 1;
      else high = middle;
    }
    this.#findAt = (await timeAfter(low)) + this.retention.ageMs;
    this.#floor = Math.max(this.#floor, low);
  }

  /** Trims the journal. If trimming fails, the next trim removes these events too. */
  async #trim(): Promise<void> {
    this.#trimmed = this.#floor;
    // The next append reports a journal that cannot be written.
    await this.#journal.trim(this.#floor).catch(() => {});
  }
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
  let newest: LogEntry[] = [];
  await journal.replay(
    (json, seq) => {
      // Events before a gap are no longer retained.
      if (newest.at(-1)?.seq !== seq - 1) newest = [];
      newest.push(entryOf(JSON.parse(json.toString()) as EventRecord, seq));
    },
    { last: eventsAtStart },
  );
  const keepsHead = store.hasArchive === true && !store.shared;
  if (keepsHead) await endRestore(store, state, journal.lastSeq);
  const log = new JournalEventLog(journal, state, newest, { retention, now, keepsHead });
  await log.findFloor();
  return log;
}

/** Begins a new epoch where the journal is older than what readers have got, or a copy: its next numbers have been given before. */
async function endRestore(store: Store, state: Document<StoredState>, last: number): Promise<void> {
  if (store.endCopy === undefined && last >= (state.data.head ?? 0)) return;
  await state.update((data) => {
    data.epoch = newEpoch();
    delete data.former;
    data.head = last;
  });
  await store.endCopy?.();
}
