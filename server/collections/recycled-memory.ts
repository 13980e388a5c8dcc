/**
 * Memory for messages of other threads or processes that is used again. New memory for each message would become garbage outside the
 * JavaScript heap, and a thread collects its whole heap for each 64 MB of that.
 */

/** Larger memory is not used again: a message of unusual size must not enlarge all memory. */
const maxBytes = 4 * 1024 * 1024;
/** Sizes are multiples of this one, so that memory fits numbers of each type. */
const unit = 64 * 1024;

export class RecycledMemory {
  readonly #spare: ArrayBuffer[] = [];
  /** The largest size that was requested, up to the maximum. New memory has this size, so that it fits each later request. */
  #usualBytes = 0;

  /** Memory of at least this size, with any content. */
  take(bytes: number): ArrayBuffer {
    const size = Math.ceil(bytes / unit) * unit;
    if (size > maxBytes) return new ArrayBuffer(size);
    this.#usualBytes = Math.max(this.#usualBytes, size);
    for (let spare = this.#spare.pop(); spare !== undefined; spare = this.#spare.pop())
      if (spare.byteLength >= this.#usualBytes) return spare;
    return new ArrayBuffer(this.#usualBytes);
  }

  /** Takes memory back that nobody uses any more. */
  give(memory: readonly ArrayBuffer[]): void {
    this.#spare.push(...memory.filter(({ byteLength }) => byteLength <= maxBytes));
  }
}
