/** The retained events in memory: a few bytes an event, in blocks that are dropped as a whole. */
import type { EventName, LogEntry } from '../../ports/event-log.ts';

/** An event as the journal stores it. `change`: the number of the change in the archive's journal. */
export interface EventRecord {
  readonly event: EventName;
  readonly at: number;
  readonly id?: string;
  readonly user_id?: string;
  readonly change?: number;
}

/** The events of this version. A code is an index of this list: append new names at the end. */
const names = [
  'tweet.created',
  'tweet.updated',
  'tweet.engagement',
  'tweet.unliked',
  'community.joined',
  'pool.status',
  'tweet.deleted',
] as const satisfies readonly EventName[];
const codeByName = new Map<string, number>(names.map((name, code) => [name, code]));
/** The code of an event that a later version recorded. */
const unknownCode = 255;

/** Events in one memory block; an event takes 25 bytes. */
const blockSize = 8192;
class Block {
  readonly code = new Uint8Array(blockSize);
  readonly at = new Float64Array(blockSize);
  readonly id = new BigUint64Array(blockSize);
  readonly userId = new BigUint64Array(blockSize);
}

/** A decimal id as a number; 0 for an absent id, and for a text that is no id. */
const idNumber = (id: string | undefined): bigint => (id !== undefined && /^\d{1,19}$/.test(id) ? BigInt(id) : 0n);

export class EventTable {
  readonly #blocks: Block[] = [];
  /** The number of the first event in the first block. */
  #base: number;

  /** `first`: the number of the first event. */
  constructor(first: number) {
    this.#base = first;
  }

  /** Stores an event. The numbers of the calls are consecutive. */
  add(seq: number, { event, at, id, user_id: userId }: EventRecord): void {
    const place = seq - this.#base;
    let block = this.#blocks[Math.floor(place / blockSize)];
    if (block === undefined) this.#blocks.push((block = new Block()));
    const index = place % blockSize;
    block.code[index] = codeByName.get(event) ?? unknownCode;
    block.at[index] = at;
    block.id[index] = idNumber(id);
    block.userId[index] = idNumber(userId);
  }

  /** The entry with this number. Throws RangeError for a number that is not stored. */
  entry(seq: number): LogEntry {
    const { block, index } = this.#find(seq);
    const event = names[block.code[index] ?? unknownCode] ?? 'unknown';
    const at = block.at[index] ?? 0;
    if (event === 'pool.status' || event === 'unknown') return { event, seq, at };
    const id = String(block.id[index]);
    return event === 'community.joined'
      ? { event, seq, at, id, userId: String(block.userId[index]) }
      : { event, seq, at, id };
  }

  /** When the event was recorded, in milliseconds since the epoch. */
  timeOf(seq: number): number {
    const { block, index } = this.#find(seq);
    return block.at[index] ?? 0;
  }

  /** Drops the blocks that hold only events up to this number, except the last block. */
  dropUpTo(seq: number): void {
    while (this.#base + blockSize <= seq + 1 && this.#blocks.length > 1) {
      this.#blocks.shift();
      this.#base += blockSize;
    }
  }

  #find(seq: number): { block: Block; index: number } {
    const place = seq - this.#base;
    const block = this.#blocks[Math.floor(place / blockSize)];
    if (block === undefined) throw new RangeError(`event ${seq} is not in memory`);
    return { block, index: place % blockSize };
  }
}
