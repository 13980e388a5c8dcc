/**
 * Reads the histories of the targets of one source: of new targets, and of all after events may have been missed. Which ones are
 * complete is durable, by target.
 */
import type { ArchiveRecord } from '../domain/records.ts';
import type { LiveSource, ResolvedTarget } from '../ports/live-source.ts';
import type { LiveSink } from '../ports/live-sink.ts';
import { messageOf } from '../text/error-text.ts';
import { Backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { SourceMetrics } from './follow-metrics.ts';
import { countUnusable, validRecords } from './record-check.ts';
import { targetText } from '../config/targets.ts';

/** The maximum number of tweets of an account that are compared after events may have been missed. */
const reconcileLimit = 1000;

const fingerprintPrefix = (source: string): string => `follow ${source}:`;
const fingerprintOf = (text: string): string => `follow ${text}`;

interface Entry {
  readonly text: string;
  readonly backoff: Backoff;
  target: ResolvedTarget;
  isDone: boolean;
  /** The maximum number of tweets of each account. */
  limit: number;
  /** Changes when a reading in progress does not count any more. */
  demand: number;
  /** The number of tweets that the current or last reading brought. */
  read: number;
  error: string | undefined;
  /** In milliseconds since the epoch. */
  nextAt: number;
}

export interface HistoriesParts {
  readonly source: Pick<LiveSource, 'name' | 'history'>;
  readonly sink: LiveSink;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
  /** The maximum number of tweets of each account of a new target; 0: none are read. */
  readonly backfill: number;
  /** Gets the records that are durable. */
  readonly onApplied: (records: readonly ArchiveRecord[]) => void;
  readonly onInvalid: (reason: string) => void;
  /** A history cannot be read, for another reason than before. */
  readonly onFailed: (target: string, reason: string) => void;
}

export class Histories {
  readonly #parts: HistoriesParts;
  readonly #entries = new Map<string, Entry>();
  /** The targets of which it is not durable yet that their history is incomplete. */
  readonly #unmarked = new Set<string>();
  /** The last write of what is complete. The writes happen one after the other. */
  #writing: Promise<void> = Promise.resolve();
  #wake = new AbortController();
  #isConnected = false;
  readonly #onProgress = new Set<() => void>();

  constructor(parts: HistoriesParts) {
    this.#parts = parts;
  }

  /** The state of a target; undefined for an unknown one. */
  get(text: string): Pick<Entry, 'isDone' | 'read' | 'error'> | undefined {
    return this.#entries.get(text);
  }

  /**
   * Sets the resolved targets. Those whose history is not complete are read. `missing`: targets that are followed, but not
   * resolved: events of them are missed from now on. `marked` resolves when that is durable.
   */
  async set(targets: readonly ResolvedTarget[], missing: readonly string[]): Promise<void> {
    const { sink, source } = this.#parts;
    const texts = new Set(targets.map(({ target }) => targetText(target)));
    for (const text of this.#entries.keys()) if (!texts.has(text)) this.#entries.delete(text);
    // A target that is followed again later has missed events too.
    const fingerprints = await sink.fingerprints(fingerprintPrefix(source.name));
    const stored = fingerprints.map((fingerprint) => fingerprint.slice(fingerprintOf('').length));
    for (const text of [...missing, ...stored]) if (!texts.has(text)) this.#unmarked.add(text);
    for (const target of targets) {
      const entry = this.#entries.get(targetText(target.target));
      if (entry === undefined) await this.#add(target);
      else if (entry.target !== target) {
        // Other accounts stand for the target now, as when the members of a list change.
        entry.target = target;
        this.#demand(entry, entry.limit);
      }
    }
    this.#wake.abort();
  }

  async #add(target: ResolvedTarget): Promise<void> {
    const { sink, backfill } = this.#parts;
    const text = targetText(target.target);
    await this.#writing.catch(() => {});
    const progress = await sink.resume(fingerprintOf(text));
    const isDone = progress?.done === true && !this.#unmarked.has(text);
    const limit = progress === undefined || backfill === 0 ? backfill : Math.max(backfill, reconcileLimit);
    this.#entries.set(text, {
      ...{ text, target, limit, isDone, read: progress?.values ?? 0 },
      ...{ backoff: new Backoff(), demand: 0, error: undefined, nextAt: 0 },
    });
  }

  /**
   * Whether the stream is connected. A history that is read before would not hold what happens until then, so that reading begins
   * with the connection.
   */
  setConnected(isConnected: boolean): void {
    this.#isConnected = isConnected;
    this.#wake.abort();
  }

  /** Reads all histories again: events may have been missed. A reading in progress begins again. */
  requireAll(): void {
    const limit = Math.max(reconcileLimit, this.#parts.backfill);
    for (const entry of this.#entries.values()) this.#demand(entry, entry.isDone ? limit : entry.limit);
  }

  /** Reads the histories of these targets again. */
  require(texts: readonly string[], limit: number): void {
    for (const text of texts) {
      const entry = this.#entries.get(text);
      if (entry !== undefined) this.#demand(entry, limit);
    }
  }

  #demand(entry: Entry, limit: number): void {
    entry.isDone = false;
    entry.demand++;
    entry.limit = limit;
    entry.error = undefined;
    entry.nextAt = 0;
    this.#unmarked.add(entry.text);
    this.#wake.abort();
  }

  /** Resolves when all demands are durable. Rejects with StoreError; the next call tries again. */
  marked(): Promise<void> {
    return this.#write(async () => {
      const { sink } = this.#parts;
      for (const text of [...this.#unmarked]) {
        if ((await sink.resume(fingerprintOf(text)))?.done === true)
          await sink.apply(fingerprintOf(text), { values: 0, done: false }, []);
        this.#unmarked.delete(text);
      }
    });
  }

  #write(task: () => Promise<void>): Promise<void> {
    const written = this.#writing.catch(() => {}).then(task);
    // Whoever waits for `written` gets the error.
    written.catch(() => {});
    this.#writing = written;
    return written;
  }

  /** Calls back at each progress, until the returned function is called. */
  watch(onProgress: () => void): () => void {
    this.#onProgress.add(onProgress);
    return () => void this.#onProgress.delete(onProgress);
  }

  /** Reads one history after the other until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    while (!signal.aborted) {
      const open = this.#isConnected ? [...this.#entries.values()].filter(({ isDone }) => !isDone) : [];
      const due = open.toSorted((a, b) => a.nextAt - b.nextAt)[0];
      if (due !== undefined && due.nextAt <= clock.now()) await this.#read(due, signal);
      else await this.#sleep(due?.nextAt, signal);
    }
  }

  async #sleep(until: number | undefined, signal: AbortSignal): Promise<void> {
    const wake = new AbortController();
    this.#wake = wake;
    const onAbort = (): void => wake.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    const { clock } = this.#parts;
    await clock.sleep(until === undefined ? 3_600_000 : Math.max(0, until - clock.now()), wake.signal);
    signal.removeEventListener('abort', onAbort);
  }

  async #read(entry: Entry, signal: AbortSignal): Promise<void> {
    const { clock, onFailed } = this.#parts;
    const { demand } = entry;
    try {
      entry.read = 0;
      if (entry.limit > 0) await this.#readAll(entry, signal);
      const isCurrent = (): boolean =>
        !signal.aborted && demand === entry.demand && this.#entries.get(entry.text) === entry;
      await this.#write(async () => {
        if (!isCurrent()) return;
        await this.#parts.sink.apply(fingerprintOf(entry.text), { values: entry.read, done: true }, []);
        // A demand during the write is in `#unmarked`, and is stored next.
        if (!isCurrent()) return;
        this.#unmarked.delete(entry.text);
        entry.isDone = true;
        entry.error = undefined;
        entry.backoff.reset();
      });
    } catch (error) {
      if (signal.aborted) return;
      const isNew = entry.error !== messageOf(error);
      entry.error = messageOf(error);
      entry.nextAt = clock.now() + entry.backoff.next(error);
      if (isNew) onFailed(entry.text, entry.error);
    } finally {
      for (const onProgress of this.#onProgress) onProgress();
    }
  }

  async #readAll(entry: Entry, signal: AbortSignal): Promise<void> {
    const { source, sink, metrics, onApplied, onInvalid } = this.#parts;
    const { demand } = entry;
    for await (const batch of source.history(entry.target, { limit: entry.limit, reconcile: true, signal })) {
      if (signal.aborted || demand !== entry.demand) return;
      let invalid = 0;
      const valid = validRecords(batch.records, (reason) => {
        invalid++;
        onInvalid(reason);
      });
      if (invalid > 0) metrics.rejected('invalid', invalid);
      entry.read += valid.filter(({ kind }) => kind === 'tweet').length;
      const outcomes = await sink.apply(fingerprintOf(entry.text), { values: entry.read, done: false }, [...valid]);
      countUnusable(outcomes, metrics);
      onApplied(valid);
      for (const onProgress of this.#onProgress) onProgress();
    }
  }
}
