/** How far the archive is behind a live source. */

export class Lag {
  /** The lag at the last durable batch, in milliseconds; undefined before the first one. */
  #ms: number | undefined;
  /** The time up to which the archive has everything, in milliseconds since the epoch. */
  #readUntil: number | undefined;
  /** Whether the platform was alive, and nothing came, since the last batch. */
  #isQuiet = false;

  /** `readUntil`: the time of the last durable position. */
  constructor(readUntil: number | undefined) {
    this.#readUntil = readUntil;
  }

  /** A batch is durable; `at`: the time of its newest event at the platform. */
  durable(at: number | undefined, now: number): void {
    this.#isQuiet = false;
    if (at === undefined) return;
    this.#ms = Math.max(0, now - at);
    this.#readUntil = Math.min(at, now);
  }

  /**
   * The platform is alive, and no batch waits. At the second time without a batch in between, it has no events that the
   * archive lacks: one heartbeat could come in the middle of a replay.
   */
  alive(now: number): void {
    if (this.#isQuiet) {
      this.#ms = 0;
      this.#readUntil = now;
    }
    this.#isQuiet = true;
  }

  /** The time up to which the archive has everything, in milliseconds since the epoch; undefined where nothing is known. */
  get readUntil(): number | undefined {
    return this.#readUntil;
  }

  /**
   * The lag in milliseconds; undefined before anything is known. While batches wait, or the source is away, it grows with the
   * time; otherwise it is that of the last batch.
   */
  ms(now: number, isCurrent: boolean): number | undefined {
    if (isCurrent && this.#ms !== undefined) return this.#ms;
    return this.#readUntil === undefined ? undefined : Math.max(0, now - this.#readUntil);
  }
}
