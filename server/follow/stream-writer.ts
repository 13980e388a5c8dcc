/** Writes the batches of a live source into the archive: several batches and the position in one durable step. */
import type { ArchiveRecord } from '../domain/records.ts';
import type { LiveBatch } from '../ports/live-source.ts';
import type { LiveSink, SourcePosition } from '../ports/live-sink.ts';
import { Backoff } from './backoff.ts';
import { BatchQueue, type Step } from './batch-queue.ts';
import type { Clock } from './clock.ts';
import type { SourceMetrics } from './follow-metrics.ts';
import { Lag } from './lag.ts';
import { countUnusable, validRecords } from './record-check.ts';

/** The shortest time between two writes of a position alone, in milliseconds. */
const positionEveryMs = 1000;
/** The time after which a quiet source writes its position again, so that the age of the position stays small. */
const quietEveryMs = 600_000;

export interface StreamWriterParts {
  readonly source: string;
  /** The last durable position of the source. Only this object writes it. */
  readonly position: SourcePosition | undefined;
  readonly sink: Pick<LiveSink, 'follow'>;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
  /** Resolves when everything that must be durable before the next position is. */
  readonly beforePosition: () => Promise<void>;
  /** Gets the records of each durable step. */
  readonly onApplied: (records: readonly ArchiveRecord[]) => void;
  readonly onInvalid: (reason: string) => void;
  /** The archive rejects changes, as with a full disk; `undefined`: it accepts them again. */
  readonly onFailed: (error: unknown) => void;
}

export class StreamWriter {
  readonly #parts: StreamWriterParts;
  readonly #queue: BatchQueue;
  readonly #lag: Lag;
  readonly #backoff = new Backoff();
  /** A position that is not durable yet. */
  #pending: SourcePosition | undefined;
  /** The last durable position. */
  #durable: SourcePosition | undefined;
  #writtenAt: number;
  #hasFailed = false;

  constructor(parts: StreamWriterParts) {
    this.#parts = parts;
    this.#queue = new BatchQueue(parts.clock);
    this.#durable = parts.position;
    this.#lag = new Lag(parts.position?.at);
    this.#writtenAt = parts.clock.now();
  }

  /** The number of records that wait. */
  get queued(): number {
    return this.#queue.size;
  }

  /** The time up to which the archive has everything, in milliseconds since the epoch. */
  get readUntil(): number | undefined {
    return this.#lag.readUntil;
  }

  lagMs(isConnected: boolean): number | undefined {
    return this.#lag.ms(this.#parts.clock.now(), isConnected && this.#queue.size === 0);
  }

  /** The platform is alive. */
  alive(): void {
    if (this.#queue.size === 0) this.#lag.alive(this.#parts.clock.now());
  }

  /** Takes a batch; resolves when a further one fits. */
  async add(batch: LiveBatch, signal: AbortSignal): Promise<void> {
    this.#queue.push(batch);
    await this.#queue.room(signal);
  }

  /** Resolves when all batches are durable, or when the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    await this.#queue.empty(signal);
  }

  /** Writes until the signal aborts; then a position that waits. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = await this.#queue.next(this.#waitMs(), signal);
      if (signal.aborted) break;
      if (next === undefined) await this.#writeIdle(signal);
      else if (await this.#retry(() => this.#write(next.step), signal)) next.remove();
    }
    // Records that are not durable come again at the next start.
    if (this.#hasFailed) return;
    this.#renew();
    if (this.#pending !== undefined) await this.#follow([]).catch(() => {});
  }

  /** The time until something is to be written though nothing comes. */
  #waitMs(): number {
    const every = this.#pending === undefined ? quietEveryMs : positionEveryMs;
    return Math.max(0, this.#writtenAt + every - this.#parts.clock.now());
  }

  async #write({ records, position, at, events }: Step): Promise<void> {
    const { clock, metrics, onApplied, onInvalid } = this.#parts;
    const now = clock.now();
    if (position !== undefined) this.#pending = { position, at: Math.min(at ?? now, now) };
    let invalid = 0;
    const valid = validRecords(records, (reason) => {
      invalid++;
      onInvalid(reason);
    });
    if (valid.length > 0 || this.#waitMs() === 0) await this.#follow(valid);
    if (invalid > 0) metrics.rejected('invalid', invalid);
    metrics.events(events);
    this.#lag.durable(at, clock.now());
    onApplied(valid);
  }

  /** Where no position waits: the last one waits with the time at which it is known to be current. */
  #renew(): void {
    const last = this.#durable;
    const readUntil = this.#lag.readUntil;
    if (this.#pending === undefined && last !== undefined && readUntil !== undefined && readUntil > last.at)
      this.#pending = { position: last.position, at: readUntil };
  }

  /** Writes a position alone. */
  async #writeIdle(signal: AbortSignal): Promise<void> {
    this.#renew();
    if (this.#pending === undefined) this.#writtenAt = this.#parts.clock.now();
    else await this.#retry(() => this.#follow([]), signal);
  }

  async #follow(records: readonly ArchiveRecord[]): Promise<void> {
    const { sink, source, clock, metrics, beforePosition } = this.#parts;
    const position = this.#pending;
    if (position !== undefined) await beforePosition();
    const outcomes = await sink.follow(source, position, records);
    if (position !== undefined) this.#durable = position;
    if (this.#pending === position) this.#pending = undefined;
    this.#writtenAt = clock.now();
    countUnusable(outcomes, metrics);
  }

  /** Repeats a write until the archive accepts it; false where the signal aborts before. */
  async #retry(write: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        await write();
        this.#backoff.reset();
        if (this.#hasFailed) this.#parts.onFailed(undefined);
        this.#hasFailed = false;
        return true;
      } catch (error) {
        if (!this.#hasFailed) this.#parts.onFailed(error);
        this.#hasFailed = true;
        await this.#parts.clock.sleep(this.#backoff.next(), signal);
      }
    }
    return false;
  }
}
