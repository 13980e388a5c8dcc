/**
 * Writes the saved tables of the leader to the database as a snapshot, in the background: when they cover enough that the snapshot there
 * does not. It reads the file of the saved tables, so it holds up neither changes nor saves.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SavedFile } from '../lowdb/saved-file.ts';
import type { SnapshotAbout, TablesSnapshot } from './tables-snapshot.ts';

export interface SnapshotWriterParts {
  readonly snapshot: TablesSnapshot;
  /** The saved tables; undefined without a folder for them. */
  readonly file: SavedFile | undefined;
  /** Whether this process writes snapshots now: one at a time does. */
  readonly mayRun: () => boolean;
  readonly onWritten?: (seconds: number) => void;
  /** A snapshot could not be written. It is tried again. */
  readonly onFailed?: (error: unknown) => void;
}

export interface SnapshotWriterOptions {
  /** A snapshot covers at least this number of records that the one before does not: an instance replays fewer in seconds. */
  readonly minRecords?: number;
  /** How often to look, in milliseconds. */
  readonly checkMs?: number;
}

const defaults = { minRecords: 100_000, checkMs: 30_000 };
/** A snapshot covers at least this share of its records that the one before does not. */
const minNewShare = 1 / 10;
/** Work on a chunk takes at most this share of the time, and snapshots take at most the second share of it. */
const maxShare = { chunk: 1 / 4, snapshots: 1 / 100 } as const;

export class SnapshotWriter {
  readonly #parts: SnapshotWriterParts;
  readonly #options: Required<SnapshotWriterOptions>;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<boolean> | undefined;
  /** The time before which no other snapshot begins, by `performance.now`. */
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(parts: SnapshotWriterParts, options: SnapshotWriterOptions = {}) {
    this.#parts = parts;
    this.#options = { ...defaults, ...options };
  }

  start(): void {
    this.#timer = setInterval(() => void this.check(), this.#options.checkMs).unref();
  }

  /** Abandons a snapshot that is being written. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort();
    await this.#checking;
  }

  /** Writes a snapshot if it is time for one. Returns whether it did. Does not reject. */
  check(): Promise<boolean> {
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async #check(): Promise<boolean> {
    const { file, snapshot, onFailed } = this.#parts;
    if (!this.#mayRun() || performance.now() < this.#notBefore) return false;
    const bytes = await file?.openBytes();
    if (bytes === undefined) return false;
    try {
      const isDue = this.#isDue(bytes.about, await snapshot.describe());
      return isDue && (await this.#write(bytes));
    } catch (error) {
      if (!this.#stopped.signal.aborted) onFailed?.(error);
      return false;
    } finally {
      await bytes.handle.close();
    }
  }

  #mayRun(): boolean {
    return !this.#stopped.signal.aborted && this.#parts.mayRun();
  }

  #isDue({ format, position, records }: SnapshotAbout['about'], before: SnapshotAbout | undefined): boolean {
    const { minRecords } = this.#options;
    // Instances of this version cannot use one of another version.
    if (before?.about.format !== format) return records >= minRecords;
    return position.seq - before.about.position.seq >= Math.max(minRecords, records * minNewShare);
  }

  async #write(bytes: Parameters<TablesSnapshot['write']>[0]): Promise<boolean> {
    const startedAt = performance.now();
    let resumedAt = startedAt;
    const pause = async (): Promise<boolean> => {
      const worked = performance.now() - resumedAt;
      const { signal } = this.#stopped;
      await sleep(worked * (1 / maxShare.chunk - 1), undefined, { signal, ref: false }).catch(() => {});
      resumedAt = performance.now();
      return this.#mayRun();
    };
    try {
      const isWritten = await this.#parts.snapshot.write(bytes, pause);
      if (isWritten) this.#parts.onWritten?.((performance.now() - startedAt) / 1000);
      return isWritten;
    } finally {
      const now = performance.now();
      this.#notBefore = now + (now - startedAt) / maxShare.snapshots;
    }
  }
}
