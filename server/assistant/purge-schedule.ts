/** When a journal is purged: before the text of a removed tweet is due. */

/** When and how the text of removed tweets leaves the disk. */
export interface PurgeOptions {
  /** The maximum time between a removal and the end of its text on the disk, in milliseconds; 0 purges at once. */
  readonly withinMs?: number;
  /** Whether this process starts purges by itself; other processes may share the journal. */
  readonly mayRun?: () => boolean;
  /** Called when such a purge fails. It is tried again. */
  readonly onFailed?: (error: unknown) => void;
}

const dayMs = 24 * 60 * 60 * 1000;
/** The time that a purge may take: it starts this long before its deadline, or after nine tenths of the time. */
const purgeReserveMs = 10 * 60 * 1000;
const retryMs = 60 * 1000;
const maxTimerMs = 2 ** 31 - 1;

export class PurgeSchedule {
  readonly #options: PurgeOptions;
  readonly #since: () => number | undefined;
  readonly #purge: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  /** The time at which the timer starts a purge, in milliseconds since the epoch. */
  #at = Number.POSITIVE_INFINITY;

  /** `since`: the time of the first removal whose text may still be on the disk, in milliseconds since the epoch. */
  constructor(options: PurgeOptions, since: () => number | undefined, purge: () => Promise<void>) {
    this.#options = options;
    this.#since = since;
    this.#purge = purge;
  }

  /** Starts a purge now or later, as the removals require. Call it after each change of them. */
  update(): void {
    const { withinMs = dayMs } = this.#options;
    const since = this.#since();
    if (since === undefined) return;
    const at = since + withinMs - Math.min(purgeReserveMs, withinMs / 10);
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
    const { onFailed, mayRun = () => true } = this.#options;
    if (!mayRun()) return this.#startTimer(Date.now() + retryMs);
    let retryAt = Number.POSITIVE_INFINITY;
    try {
      await this.#purge();
    } catch (error) {
      onFailed?.(error);
      retryAt = Date.now() + retryMs;
    }
    this.#at = Number.POSITIVE_INFINITY;
    if (retryAt < Number.POSITIVE_INFINITY) this.#startTimer(retryAt);
    else this.update();
  }
}
