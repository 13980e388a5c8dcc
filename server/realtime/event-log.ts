/**
 * The event log: what happened, in order and numbered, durable before anyone is told. An entry names what it happened to; how that is
 * now is read from the archive when the event is sent. A cursor is a place in the log: `<epoch>.<seq>`, the last event that was seen.
 */
import { randomBytes } from 'node:crypto';
import type { EventSink, PublishedEvent } from '../platforms/archive/durable-archive.ts';
import type { DomainEvent } from '../platforms/archive/archive.ts';
import type { Schemas } from '../contract/operations.ts';
import type { Store, StoreError } from '../ports/storage.ts';

export type EventName = Schemas['WsEventName'];
export type LogEntry = (DomainEvent | { readonly event: 'pool.status' }) & {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

export interface Retention {
  /** How long an event is kept, in milliseconds. */
  readonly ageMs: number;
  /** How many are kept at most. */
  readonly events: number;
}

export interface EventLog extends EventSink {
  /** Of this log and no other: numbers of different epochs do not compare. */
  readonly epoch: string;
  /** The last event that may be told. */
  readonly head: number;
  /** The oldest place from which everything that follows is still kept. */
  readonly floor: number;
  /** How long and how many events are kept. */
  readonly retention: Retention;
  /** Why nothing can be logged now; undefined again once what happened meanwhile is. */
  readonly failed: StoreError | undefined;
  /** An event between floor and head. */
  entry(seq: number): LogEntry;
  /** Something happened outside the archive. Never rejects. */
  record(event: 'pool.status'): Promise<void>;
  /** Calls back when the head has moved on. */
  onChange(listener: () => void): void;
}

/** As the journal keeps it; `change` is the number in the archive's journal. */
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
] as const satisfies EventName[];
const codeByName = new Map<string, number>(names.map((name, number) => [name, number]));

/** Events are kept in memory by blocks of so many, 25 bytes each. */
const blockSize = 8192;
class Block {
  readonly name = new Uint8Array(blockSize);
  readonly at = new Float64Array(blockSize);
  readonly id = new BigUint64Array(blockSize);
  readonly userId = new BigUint64Array(blockSize);
}

/** Small enough that the files follow what is kept closely. */
const segmentBytes = 4 * 1024 * 1024;
/** How long after a failure it is tried again, in milliseconds. */
const retryMs = 1_000;
/** So many events are written at once: a start may find millions that were not told yet, more than fit into one string. */
const maxBatchLines = 10_000;
/** The files are trimmed when so many more events may go. */
const trimThreshold = 20_000;

/** Opens the log of a store. Throws StoreError where it is damaged. `now` in milliseconds since the epoch. */
export async function openEventLog(
  store: Store,
  retention: Retention,
  now: () => number = Date.now,
): Promise<EventLog> {
  const journal = await store.journal('events', { segmentBytes });
  // Inside the journal's folder: who takes that away begins a log of another epoch.
  const state = await store.document<{ epoch: string; told_up_to?: number }>('events/log', { epoch: '' });
  if (state.data.epoch === '') await state.update((data) => void (data.epoch = randomBytes(6).toString('base64url')));

  const listeners: (() => void)[] = [];
  const blocks: Block[] = [];
  /** The number of the first event in the first block. */
  let base = 1;
  let checkpoint = state.data.told_up_to;
  /** The same, as the journal has it for sure. */
  let durableCheckpoint = checkpoint;
  let floor = 0;
  /** What is not written yet, oldest first. */
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

  /** Moves the floor to where the retention has it now. */
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

  /** Writes what is owed; what comes while a write is under way goes out together in the next one. Never rejects. */
  function append(lines: readonly Line[]): Promise<void> {
    pending = pending.length === 0 ? [...lines] : pending.concat(lines);
    nextWrite ??= writing.then(() => {
      nextWrite = undefined;
      return (writing = write());
    });
    return nextWrite;
  }

  /** Writes what is owed, in pieces. Never rejects. */
  async function write(): Promise<void> {
    while (pending.length > 0 && (await writeBatch()));
  }

  /** False where it could not be written: then it is tried again later. */
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
    // Out of the above: what fails here is no reason to write the same again.
    if (advanceFloor() - trimmed >= trimThreshold) void trim();
    notifyListeners();
    return true;
  }

  /** What cannot be removed now is removed with what comes after it. */
  async function trim(): Promise<void> {
    const upTo = (trimmed = floor);
    try {
      // What is kept may not tell any more how far the archive was told.
      await state.update((data) => void (durableCheckpoint === undefined || (data.told_up_to = durableCheckpoint)));
      await journal.trim(upTo);
    } catch {
      // A journal that cannot be written says so at the next append.
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
        // A change counts as told by the last of what it did: where a crash cuts between the two, it is told again, not left out.
        const isLast = events[index + 1]?.change !== change;
        return { event, id, ...('userId' in rest ? { user_id: rest.userId } : {}), at, ...(isLast ? { change } : {}) };
      });
      return append(lines);
    },

    async advanceCheckpoint(change) {
      checkpoint = change;
      await state.update((data) => void (data.told_up_to = change));
    },

    // It tells the figures as they are when it is read: one that waits to be written is enough.
    record: (event) => append(pending.at(-1)?.event === event ? [] : [{ event, at: now() }]),

    onChange: (listener) => void listeners.push(listener),
  };
}
