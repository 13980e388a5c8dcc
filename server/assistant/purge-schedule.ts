/** When a journal is purged: before the text of a removed tweet is due, and where much of the journal is superseded. */
import type { PurgeResult } from '../ports/storage.ts';

/** When and how the text of removed tweets leaves the disk. */
export interface PurgeOptions {
  /** The maximum time between a removal and the end of its text on the disk, in milliseconds; 0 purges at once. */
  readonly withinMs?: number;
  /** Whether this process starts purges by itself; other processes may share the journal. */
  readonly mayRun?: () => boolean;
  /** Called after each purge that the archive starts by itself. */
  readonly onPurged?: (result: PurgeResult) => void;
  /** Called when such a purge fails. The archive tries again. */
  readonly onFailed?: (error: unknown) => void;
}

const dayMs = 24 * 60 * 60 * 1000;
/** The time that a purge may take: it starts this long before its deadline, or after nine tenths of the time. */
const purgeReserveMs = 10 * 60 * 1000;
const retryMs = 60 * 1000;
const maxTimerMs = 2 ** 31 - 1;
/** A compaction starts when the lines without effect have more bytes than this and than half of the journal. */
export const minSupersededBytes = 8 * 1024 * 1024;

/** What a purge would remove. */
export interface Purgeable {
  /** The time of the first removal whose text may still be on the disk, in milliseconds since the epoch. */
  readonly since: number | undefined;
  /** The bytes of lines without effect, and of the whole journal. */
  readonly supersededBytes: number;
  readonly journalBytes: number;
}

export class PurgeSchedule {
  readonly #options: PurgeOptions;
  readonly #purgeable: () => Purgeable;
  readonly #purge: () => Promise<PurgeResult>;
  #timer: NodeJS.Timeout | undefined;
  /** The time at which the timer starts a purge, in milliseconds since the epoch. */
  #at = Number.POSITIVE_INFINITY;

  constructor(options: PurgeOptions, purgeable: () => Purgeable, purge: () => Promise<PurgeResult>) {
    this.#options = options;
    this.#purgeable = purgeable;
    this.#purge = purge;
  }

  /** Starts a purge now or later, as the removals and the size of the journal require. Call it after each change of them. */
  update(): void {
    const { withinMs = dayMs } = this.#options;
    const { since, supersededBytes, journalBytes } = this.#purgeable();
    const isBloated = supersededBytes > Math.max(minSupersededBytes, journalBytes / 2);
    const startAfter = withinMs - Math.min(purgeReserveMs, withinMs / 10);
    const at = isBloated ? 0 : since === undefined ? Number.POSITIVE_INFINITY : since + startAfter;
    if (at < this.#at) this.#startTimer(at);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #startTimer(at: number): void {
    clearTimeout(this.#timer);
    this.#at = at;
    const delay = Math.min(Math.max(0, at - Date.now()), maxTimerMs);
    this.#timer = setTimeout(() => void this.#run(), delay).unref();
  }

  async #run(): Promise<void> {
    if (this.#at > Date.now()) return this.#startTimer(this.#at);
    const { onPurged, onFailed, mayRun = () => true } = this.#options;
    if (!mayRun()) return this.#startTimer(Date.now() + retryMs);
    let retryAt = Number.POSITIVE_INFINITY;
    try {
      const result = await this.#purge();
      onPurged?.(result);
    } catch (error) {
      onFailed?.(error);
      retryAt = Date.now() + retryMs;
    }
    this.#at = Number.POSITIVE_INFINITY;
    if (retryAt < Number.POSITIVE_INFINITY) this.#startTimer(retryAt);
    else this.update();
  }
}
