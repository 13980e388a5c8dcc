/**
 * Many short lists of tweets in a few large arrays outside the JavaScript heap: most terms have few tweets, and an array of its own
 * would cost each of them more than what it holds. Each list has room for a power of two; its length stands before it.
 */
import type { Order } from '../../platforms/archive/timeline.ts';

const chunkBits = 16;
const chunkLength = 1 << chunkBits;
/** What is longer belongs elsewhere. */
export const maxShortLength = 32;

const roomFor = (length: number): number => (length <= 2 ? 2 : 2 ** (32 - Math.clz32(length - 1)));

/** A list is known by a handle, which changes as it grows or shrinks. */
export class ShortPostings {
  readonly #chunks: Uint32Array[] = [];
  #used = chunkLength;
  /** Handles that were given back, by room. */
  readonly #free = new Map<number, number[]>();

  /** A list of up to `longestShort` ordinals, in the order given. */
  put(ordinals: ArrayLike<number>): number {
    const handle = this.#take(roomFor(ordinals.length));
    this.#write(handle, ordinals);
    return handle;
  }

  /** The ordinals; good until the next change. */
  get(handle: number): Uint32Array {
    const place = (handle & (chunkLength - 1)) + 1;
    const chunk = this.#chunks[handle >>> chunkBits]!;
    return chunk.subarray(place, place + chunk[place - 1]!);
  }

  /** Adds a tweet where it belongs by time, to a list shorter than `longestShort`. Returns its handle from now on. */
  add(handle: number, ordinal: number, order: Order): number {
    const list = this.get(handle);
    const { length } = list;
    let grown = handle;
    if (length === roomFor(length)) {
      grown = this.#take(length * 2);
      this.#write(grown, list);
      this.free(handle);
    }
    const chunk = this.#chunks[grown >>> chunkBits]!;
    const first = (grown & (chunkLength - 1)) + 1;
    let place = first + length;
    for (; place > first && order(chunk[place - 1]!, ordinal) > 0; place--) chunk[place] = chunk[place - 1]!;
    chunk[place] = ordinal;
    chunk[first - 1] = length + 1;
    return grown;
  }

  /** Gives the room of a list back. */
  free(handle: number): void {
    const room = roomFor(this.get(handle).length);
    const free = this.#free.get(room);
    if (free === undefined) this.#free.set(room, [handle]);
    else free.push(handle);
  }

  #write(handle: number, ordinals: ArrayLike<number>): void {
    const chunk = this.#chunks[handle >>> chunkBits]!;
    const place = handle & (chunkLength - 1);
    chunk[place] = ordinals.length;
    chunk.set(ordinals, place + 1);
  }

  #take(room: number): number {
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
