/** The batches between the stream of a live source and the archive: a queue with a bound. */
import type { LiveBatch } from '../ports/live-source.ts';
import type { Clock } from './clock.ts';

/** The maximum number of records in one durable step; a larger batch is a separate step. */
export const maxStepRecords = 1000;
/** How long a step waits for further batches, in milliseconds. */
const windowMs = 20;
/** The maximum number of records in the queue, if no batch has more than `maxStepRecords`. */
export const maxQueuedRecords = 5 * maxStepRecords;

/** Several batches as one. */
export interface Step {
  readonly records: LiveBatch['records'];
  readonly position: string | undefined;
  readonly at: number | undefined;
  readonly events: Readonly<Record<string, number>>;
}

/** A batch without records takes a place too. */
const sizeOf = ({ records }: LiveBatch): number => Math.max(1, records.length);

export class BatchQueue {
  readonly #clock: Clock;
  #batches: LiveBatch[] = [];
  #size = 0;
  /** Called at each change of the queue. */
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of records that wait, each batch counted as at least one. */
  get size(): number {
    return this.#size;
  }

  push(batch: LiveBatch): void {
    this.#batches.push(batch);
    this.#size += sizeOf(batch);
    this.#notify();
  }

  /** Resolves when a further batch fits, or when the signal aborts. */
  async room(signal: AbortSignal): Promise<void> {
    while (this.#size + maxStepRecords > maxQueuedRecords && !signal.aborted) await this.#change(signal);
  }

  /** Resolves when the queue is empty, or when the signal aborts. */
  async empty(signal: AbortSignal): Promise<void> {
    while (this.#size > 0 && !signal.aborted) await this.#change(signal);
  }

  /**
   * Resolves with what has come, after the first batch and a short time, or when the maximum number of records waits.
   * Undefined where nothing comes within `waitMs`, or the signal aborts. The batches stay in the queue until `remove`.
   */
  async next(waitMs: number, signal: AbortSignal): Promise<{ readonly step: Step; remove(): void } | undefined> {
    await this.#until(() => this.#size > 0, waitMs, signal);
    if (this.#size === 0) return undefined;
    await this.#until(() => this.#size >= maxStepRecords, windowMs, signal);
    const batches = this.#first();
    return {
      step: combine(batches),
      remove: () => {
        this.#batches.splice(0, batches.length);
        this.#size -= batches.reduce((sum, batch) => sum + sizeOf(batch), 0);
        this.#notify();
      },
    };
  }

  /** The first batches, with at most the records of one step. */
  #first(): LiveBatch[] {
    const batches: LiveBatch[] = [];
    let size = 0;
    for (const batch of this.#batches) {
      size += sizeOf(batch);
      if (size > maxStepRecords && batches.length > 0) break;
      batches.push(batch);
    }
    return batches;
  }

  /** Resolves when the condition holds, after this time, or when the signal aborts. */
  async #until(holds: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    if (holds() || signal.aborted) return;
    const over = new AbortController();
    const end = (): void => over.abort();
    signal.addEventListener('abort', end, { once: true });
    const timer = this.#clock.sleep(ms, over.signal).then(end);
    while (!holds() && !over.signal.aborted) await this.#change(over.signal);
    end();
    signal.removeEventListener('abort', end);
    await timer;
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves at the next change, or when the signal aborts. */
  async #change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const onAbort = (): void => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await promise;
    signal.removeEventListener('abort', onAbort);
    this.#waiting.delete(resolve);
  }
}

function combine(batches: readonly LiveBatch[]): Step {
  const events: Record<string, number> = {};
  for (const batch of batches)
    for (const [kind, count] of Object.entries(batch.events ?? {})) events[kind] = (events[kind] ?? 0) + count;
  const times = batches.flatMap(({ at }) => (at === undefined ? [] : [at]));
  return {
    records: batches.flatMap(({ records }) => records),
    position: batches.findLast(({ position }) => position !== undefined)?.position,
    at: times.length === 0 ? undefined : Math.max(...times),
    events,
  };
}
