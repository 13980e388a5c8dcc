/**
 * The event log: numbered domain events in order. An event is durable before it is published. An entry holds ids
 * only; the hub reads the current data from the archive when it sends the event. A cursor is a position in the log,
 * `<epoch>.<seq>`: the last event received.
 */
import { randomBytes } from 'node:crypto';
import type { EventSink } from '../ports/event-sink.ts';
import type { DomainEvent, PublishedEvent } from '../domain/events.ts';
import type { Schemas } from '../contract/operations.ts';
import type { Store, StoreError } from '../ports/storage.ts';

export type EventName = Schemas['WsEventName'];
/** A domain event as the log stores it: ids only. The archive has the tombstone of a removed tweet. */
type LoggedEvent =
  | Exclude<DomainEvent, { readonly event: 'tweet.deleted' }>
  | { readonly event: 'tweet.deleted'; readonly id: string };
export type LogEntry = (LoggedEvent | { readonly event: 'pool.status' }) & {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

export interface Retention {
  /** Maximum age of a retained event, in milliseconds. */
  readonly ageMs: number;
  /** Maximum number of retained events. */
  readonly events: number;
}

export interface EventLog extends EventSink {
  /** Identifies this log. Event numbers of different epochs cannot be compared. */
  readonly epoch: string;
  /** The number of the last durable event. */
  readonly head: number;
  /** The oldest position from which a replay is complete: all later events are retained. */
  readonly floor: number;
  readonly retention: Retention;
  /** Why the log cannot be written now; undefined again after a write has succeeded. */
  readonly failed: StoreError | undefined;
  /** The entry with this number, which must be after `floor` and not after `head`. */
  entry(seq: number): LogEntry;
  /** Records an event that does not come from the archive. Never rejects. */
  record(event: 'pool.status'): Promise<void>;
  /** Calls `listener` each time the head has advanced. */
  onChange(listener: () => void): void;
}

/** An entry in the format of the journal; `change` is the number of the change in the archive's journal. */
interface Line {
  readonly event: EventName;
  readonly at: number;
  readonly id?: string;
  readonly user_id?: string;
  readonly change?: number;
}

const names = [
  'tweet.created',
  'tweet.updated',
  'tweet.engagement',
  'tweet.unliked',
  'community.joined',
  'pool.status',
  'tweet.deleted',
] as const satisfies EventName[];
const codeByName = new Map<string, number>(names.map((name, number) => [name, number]));

/** Events in one memory block; an event takes 25 bytes. */
const blockSize = 8192;
class Block {
  readonly name = new Uint8Array(blockSize);
  readonly at = new Float64Array(blockSize);
  readonly id = new BigUint64Array(blockSize);
  readonly userId = new BigUint64Array(blockSize);
}

/** Small segments, because trimming removes whole files only. */
const segmentBytes = 4 * 1024 * 1024;
/** Delay before a failed write is retried, in milliseconds. */
const retryMs = 1_000;
/** Events in one write, at most. A start may find millions of unpublished events, more than fit into one string. */
const maxBatchLines = 10_000;
/** The journal is trimmed when this many more events are no longer retained. */
const trimThreshold = 20_000;

/** Opens the event log of a store. Throws StoreError when the log is damaged. `now` returns milliseconds since 1970. */
export async function openEventLog(
  store: Store,
  retention: Retention,
  now: () => number = Date.now,
): Promise<EventLog> {
  const journal = await store.journal('events', { segmentBytes });
  // The document is in the journal's folder: if the folder is deleted, the new log gets a new epoch.
  const state = await store.document<{ epoch: string; told_up_to?: number }>('events/log', { epoch: '' });
  if (state.data.epoch === '') await state.update((data) => void (data.epoch = randomBytes(6).toString('base64url')));

  const listeners: (() => void)[] = [];
  const blocks: Block[] = [];
  /** The number of the first event in the first block. */
  let base = 1;
  let checkpoint = state.data.told_up_to;
  /** The checkpoint of the last durable event. */
  let durableCheckpoint = checkpoint;
  let floor = 0;
  /** Lines that are not written yet, oldest first. */
  let pending: Line[] = [];
  let writing: Promise<void> = Promise.resolve();
  let nextWrite: Promise<void> | undefined;
  let failed: StoreError | undefined;

  function storeEntry(seq: number, { event, at, id = '0', user_id = '0' }: Line): void {
    const index = seq - base;
    const block = (blocks[Math.floor(index / blockSize)] ??= new Block());
    block.name[index % blockSize] = codeByName.get(event)!;
    block.at[index % blockSize] = at;
    block.id[index % blockSize] = BigInt(id);
    block.userId[index % blockSize] = BigInt(user_id);
  }

  const blockOf = (seq: number): Block => blocks[Math.floor((seq - base) / blockSize)]!;
  const timeOf = (seq: number): number => blockOf(seq).at[(seq - base) % blockSize]!;

  /** Advances the floor according to the retention, and returns it. */
  function advanceFloor(): number {
    floor = Math.max(floor, head - retention.events);
    const oldest = now() - retention.ageMs;
    while (floor < head && timeOf(floor + 1) < oldest) floor++;
    while (base + blockSize <= floor + 1 && blocks.length > 1) {
      blocks.shift();
      base += blockSize;
    }
    return floor;
  }

  await journal.replay((json, seq) => {
    if (blocks.length === 0) base = seq;
    const line = JSON.parse(json.toString()) as Line;
    storeEntry(seq, line);
    if (line.change !== undefined) checkpoint = Math.max(checkpoint ?? 0, line.change);
  });
  durableCheckpoint = checkpoint;
  let head = journal.lastSeq;
  floor = journal.firstSeq - 1;
  let trimmed = floor;
  if (blocks.length === 0) base = head + 1;

  const notifyListeners = (): void => listeners.forEach((listener) => listener());

  /** Queues lines and writes them. Lines that arrive during a write go into the next write together. Never rejects. */
  function append(lines: readonly Line[]): Promise<void> {
    pending = pending.length === 0 ? [...lines] : pending.concat(lines);
    nextWrite ??= writing.then(() => {
      nextWrite = undefined;
      return (writing = write());
    });
    return nextWrite;
  }

  /** Writes the pending lines in batches. Never rejects. */
  async function write(): Promise<void> {
    while (pending.length > 0 && (await writeBatch()));
  }

  /** Writes one batch. Returns false when the write failed; a timer then retries it. */
  async function writeBatch(): Promise<boolean> {
    const lines = pending.slice(0, maxBatchLines);
    pending = pending.slice(maxBatchLines);
    try {
      const last = await journal.append(lines.map((line) => JSON.stringify(line)));
      lines.forEach((line, index) => storeEntry(last - lines.length + 1 + index, line));
      head = last;
      durableCheckpoint = lines.findLast(({ change }) => change !== undefined)?.change ?? durableCheckpoint;
      failed = undefined;
    } catch (error) {
      pending = lines.concat(pending);
      failed = error as StoreError;
      setTimeout(() => void append([]), retryMs).unref();
      return false;
    }
    // Outside the try block: an error here must not repeat the write.
    if (advanceFloor() - trimmed >= trimThreshold) void trim();
    notifyListeners();
    return true;
  }

  /** Trims the journal. If trimming fails, the next trim removes these events too. */
  async function trim(): Promise<void> {
    const upTo = (trimmed = floor);
    try {
      // After trimming, the retained events may no longer contain the checkpoint.
      await state.update((data) => void (durableCheckpoint === undefined || (data.told_up_to = durableCheckpoint)));
      await journal.trim(upTo);
    } catch {
      // The next append reports a journal that cannot be written.
    }
  }

  return {
    epoch: state.data.epoch,
    retention,
    get head() {
      return head;
    },
    get floor() {
      return advanceFloor();
    },
    get failed() {
      return failed;
    },
    get checkpoint() {
      return checkpoint;
    },

    entry(seq) {
      const block = blockOf(seq);
      const index = (seq - base) % blockSize;
      const event = names[block.name[index]!]!;
      const [id, at] = [String(block.id[index]), block.at[index]!];
      if (event === 'pool.status') return { event, seq, at };
      return event === 'community.joined'
        ? { event, seq, at, id, userId: String(block.userId[index]) }
        : { event, seq, at, id };
    },

    publish(events: readonly PublishedEvent[]) {
      checkpoint = Math.max(checkpoint ?? 0, events.at(-1)?.change ?? 0);
      const at = now();
      const lines = events.map(({ event, id, change, ...rest }, index): Line => {
        // Only the last event of a change carries its number: after a crash between its events, the change is
        // published again.
        const isLast = events[index + 1]?.change !== change;
        return { event, id, ...('userId' in rest ? { user_id: rest.userId } : {}), at, ...(isLast ? { change } : {}) };
      });
      return append(lines);
    },

    async advanceCheckpoint(change) {
      checkpoint = change;
      await state.update((data) => void (data.told_up_to = change));
    },

    // The hub reads the current figures when it sends the event, so one pending event is enough.
    record: (event) => append(pending.at(-1)?.event === event ? [] : [{ event, at: now() }]),

    onChange: (listener) => void listeners.push(listener),
  };
}
