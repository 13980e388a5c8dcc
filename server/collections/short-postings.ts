/**
 * Many short postings lists in a few large typed arrays outside the JavaScript heap. Most terms have few tweets, and a
 * separate array for each would cost more memory than its content. The capacity of a list is a power of two; its length
 * is stored before it.
 */
import { ChunkedMemory } from './chunked-memory.ts';
import { FreeList } from './free-list.ts';
import type { SavedTable, SectionReader, Sections } from './saved-table.ts';
import type { Order } from './timeline.ts';

const chunkBits = 16;
const chunkLength = 1 << chunkBits;
const firstChunkLength = 1 << 12;
/** The maximum length of a list in this store. Longer lists use a Timeline. */
export const maxShortLength = 32;

const capacityFor = (length: number): number => (length <= 2 ? 2 : 2 ** (32 - Math.clz32(length - 1)));

/** Addresses each list by a handle. The handle changes when the list grows or shrinks. */
export class ShortPostings implements SavedTable {
  readonly #memory = new ChunkedMemory((memory) => new Uint32Array(memory), firstChunkLength, chunkLength);
  /** Free handles by capacity. */
  readonly #free = new FreeList();

  /** Stores a list of up to `maxShortLength` ordinals in the order of the argument, and returns its handle. */
  put(ordinals: ArrayLike<number>): number {
    const handle = this.#allocate(capacityFor(ordinals.length));
    this.#write(handle, ordinals);
    return handle;
  }

  /** The number of ordinals of a list. */
  length(handle: number): number {
    return this.#memory.chunks[handle >>> chunkBits]![handle & (chunkLength - 1)]!;
  }

  /** The ordinals of a list. The view is valid until the next change. */
  get(handle: number): Uint32Array {
    const start = (handle & (chunkLength - 1)) + 1;
    const chunk = this.#memory.chunks[handle >>> chunkBits]!;
    return chunk.subarray(start, start + chunk[start - 1]!);
  }

  /**
   * Inserts an ordinal at its chronological position into a list shorter than `maxShortLength`. Without `order`, the ordinal
   * is the last one. Returns the new handle.
   */
  add(handle: number, ordinal: number, order: Order | undefined): number {
    const length = this.length(handle);
    const newHandle =
      length === capacityFor(length) ? this.#move(handle, length, length, capacityFor(length + 1)) : handle;
    const chunk = this.#memory.chunks[newHandle >>> chunkBits]!;
    const first = (newHandle & (chunkLength - 1)) + 1;
    let index = first + length;
    if (order !== undefined)
      for (; index > first && order(chunk[index - 1]!, ordinal) > 0; index--) chunk[index] = chunk[index - 1]!;
    chunk[index] = ordinal;
    chunk[first - 1] = length + 1;
    return newHandle;
  }

  /** Moves a list of this length from a place of one capacity to one of another. Returns its new handle. */
  #move(handle: number, length: number, from: number, to: number): number {
    const newHandle = this.#allocate(to);
    const [source, target] = [
      this.#memory.chunks[handle >>> chunkBits]!,
      this.#memory.chunks[newHandle >>> chunkBits]!,
    ];
    const [start, newStart] = [handle & (chunkLength - 1), newHandle & (chunkLength - 1)];
    for (let index = 0; index <= length; index++) target[newStart + index] = source[start + index]!;
    this.#free.give(from, handle);
    return newHandle;
  }

  /** Removes ordinals from a list. Returns the new handle. A list that loses all its ordinals stays until it is freed. */
  remove(handle: number, isRemoved: (ordinal: number) => boolean): number {
    const chunk = this.#memory.chunks[handle >>> chunkBits]!;
    const place = handle & (chunkLength - 1);
    const length = chunk[place]!;
    let kept = 0;
    for (let index = 1; index <= length; index++)
      if (!isRemoved(chunk[place + index]!)) chunk[place + ++kept] = chunk[place + index]!;
    chunk[place] = kept;
    return capacityFor(kept) === capacityFor(length)
      ? handle
      : this.#move(handle, kept, capacityFor(length), capacityFor(kept));
  }

  /** Frees a list, so that its capacity can be used again. */
  free(handle: number): void {
    this.#free.give(capacityFor(this.length(handle)), handle);
  }

  #write(handle: number, ordinals: ArrayLike<number>): void {
    const chunk = this.#memory.chunks[handle >>> chunkBits]!;
    const place = handle & (chunkLength - 1);
    chunk[place] = ordinals.length;
    chunk.set(ordinals, place + 1);
  }

  #allocate(room: number): number {
    return this.#free.take(room) ?? this.#memory.allocate(room + 1);
  }

  *save(): Sections {
    yield* this.#memory.save();
    yield* this.#free.save();
  }

  load(reader: SectionReader): void {
    this.#memory.load(reader);
    this.#free.load(reader);
  }
}
