/**
 * What is ready for the next batch, and the position that goes with it: everything before a position is delivered, what
 * events refer to included.
 */
import type { ArchiveRecord } from '../../domain/records.ts';
import type { LiveBatch } from '../../ports/live-source.ts';
import type { RecentRecords } from './recent.ts';

/** Maximum number of records in a batch. */
export const maxBatchRecords = 1000;

/** An event whose records are not all ready. */
export class PendingEvent {
  /** Microseconds since the epoch. */
  readonly time: number;
  /** The number of reasons to wait. */
  holds = 0;

  constructor(time: number) {
    this.time = time;
  }
}

export class Delivery {
  readonly #recent: RecentRecords;
  readonly #unfinished = new Set<PendingEvent>();
  #records: ArchiveRecord[] = [];
  #events: Record<string, number> = {};
  #newest = 0;
  /** The latest time of an event that was read, in microseconds. */
  #read = 0;
  #position: number;

  /** `position`: that of the last delivered batch, in microseconds. */
  constructor(recent: RecentRecords, position: number) {
    this.#recent = recent;
    this.#position = position;
  }

  /** The number of events whose records are not all ready. */
  get unfinished(): number {
    return this.#unfinished.size;
  }
  /** The number of records that are ready. */
  get size(): number {
    return this.#records.length;
  }
  /** The position of the last batch, in microseconds. */
  get position(): number {
    return this.#position;
  }

  /** Begins an event. `kind` is for the metrics. `time` in microseconds, not in the future. */
  begin(time: number, kind: string): PendingEvent {
    this.#read = Math.max(this.#read, time);
    this.#newest = Math.max(this.#newest, time);
    this.#events[kind] = (this.#events[kind] ?? 0) + 1;
    return new PendingEvent(time);
  }

  /** Everything up to this time was read, also where there was no event. */
  reached(time: number): void {
    this.#read = Math.max(this.#read, time);
  }

  /** The event waits for something. */
  hold(event: PendingEvent): void {
    if (event.holds++ === 0) this.#unfinished.add(event);
  }

  /** The event does not wait for it any more. */
  release(event: PendingEvent): void {
    if (--event.holds === 0) this.#unfinished.delete(event);
  }

  /** Adds a record to the next batch. */
  emit(record: ArchiveRecord): void {
    this.#recent.note(record);
    this.#records.push(record);
  }

  /** The next batch; undefined where there is nothing new. The position comes with the last of several batches. */
  drain(): LiveBatch | undefined {
    if (this.#records.length > maxBatchRecords) return { records: this.#records.splice(0, maxBatchRecords) };
    const position = this.#nextPosition();
    const hasMoved = position > this.#position;
    if (this.#records.length === 0 && !hasMoved) return undefined;
    this.#position = Math.max(this.#position, position);
    const batch: LiveBatch = {
      records: this.#records,
      ...(hasMoved ? { position: String(position) } : {}),
      ...(this.#newest > 0 ? { at: Math.floor(this.#newest / 1000) } : {}),
      ...(this.#newest > 0 ? { events: this.#events } : {}),
    };
    [this.#records, this.#events, this.#newest] = [[], {}, 0];
    return batch;
  }

  /** The connection ends and no further batch is taken: the next connection delivers the events again. */
  discard(): void {
    for (const record of this.#records.splice(0)) this.#recent.forget(record);
  }

  #nextPosition(): number {
    let position = this.#read;
    for (const { time } of this.#unfinished) position = Math.min(position, time - 1);
    return position;
  }
}
