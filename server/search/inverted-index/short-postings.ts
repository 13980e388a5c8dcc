/**
 * Many short postings lists in a few large typed arrays outside the JavaScript heap. Most terms have few tweets, and a
 * separate array for each would cost more memory than its content. The capacity of a list is a power of two; its length
 * is stored before it.
 */
import type { Order } from '../../collections/timeline.ts';

const chunkBits = 16;
const chunkLength = 1 << chunkBits;
/** The maximum length of a list in this store. Longer lists use a Timeline. */
export const maxShortLength = 32;

const capacityFor = (length: number): number => (length <= 2 ? 2 : 2 ** (32 - Math.clz32(length - 1)));

/** Addresses each list by a handle. The handle changes when the list grows or shrinks. */
export class ShortPostings {
  readonly #chunks: Uint32Array[] = [];
  #used = chunkLength;
  /** Free handles by capacity. */
  readonly #free = new Map<number, number[]>();

  /** Stores a list of up to `maxShortLength` ordinals in the order of the argument, and returns its handle. */
  put(ordinals: ArrayLike<number>): number {
    const handle = this.#allocate(capacityFor(ordinals.length));
    this.#write(handle, ordinals);
    return handle;
  }

  /** The ordinals of a list. The view is valid until the next change. */
  get(handle: number): Uint32Array {
    const start = (handle & (chunkLength - 1)) + 1;
    const chunk = this.#chunks[handle >>> chunkBits]!;
    return chunk.subarray(start, start + chunk[start - 1]!);
  }

  /**
   * Inserts an ordinal at its chronological position into a list shorter than `maxShortLength`. Returns the new handle.
   */
  add(handle: number, ordinal: number, order: Order): number {
    const list = this.get(handle);
    const { length } = list;
    let newHandle = handle;
    if (length === capacityFor(length)) {
      newHandle = this.#allocate(length * 2);
      this.#write(newHandle, list);
      this.free(handle);
    }
    const chunk = this.#chunks[newHandle >>> chunkBits]!;
    const first = (newHandle & (chunkLength - 1)) + 1;
    let index = first + length;
    for (; index > first && order(chunk[index - 1]!, ordinal) > 0; index--) chunk[index] = chunk[index - 1]!;
    chunk[index] = ordinal;
    chunk[first - 1] = length + 1;
    return newHandle;
  }

  /** Frees a list, so that its capacity can be used again. */
  free(handle: number): void {
    const capacity = capacityFor(this.get(handle).length);
    const handles = this.#free.get(capacity);
    if (handles === undefined) this.#free.set(capacity, [handle]);
    else handles.push(handle);
  }

  #write(handle: number, ordinals: ArrayLike<number>): void {
    const chunk = this.#chunks[handle >>> chunkBits]!;
    const place = handle & (chunkLength - 1);
    chunk[place] = ordinals.length;
    chunk.set(ordinals, place + 1);
  }

  #allocate(room: number): number {
    const free = this.#free.get(room)?.pop();
    if (free !== undefined) return free;
    if (this.#used + room + 1 > chunkLength) {
      this.#chunks.push(new Uint32Array(chunkLength));
      this.#used = 0;
    }
    const handle = (this.#chunks.length - 1) * chunkLength + this.#used;
    this.#used += room + 1;
    return handle;
  }
}
