/**
 * Stores strings as UTF-8 in large buffers outside the JavaScript heap, so that a million of them cost the garbage
 * collector nothing. The block of a removed string is reused for a string of the same size in bytes, so that frequent
 * changes do not increase the memory without limit.
 */
import { ChunkedMemory } from './chunked-memory.ts';
import { FreeList } from './free-list.ts';
import type { SavedTable, SectionReader, Sections } from './saved-table.ts';

const slabBytes = 8 * 1024 * 1024;
const firstSlabBytes = 64 * 1024;

export class SlabAllocator implements SavedTable {
  readonly #slabs = new ChunkedMemory((bytes) => Buffer.allocUnsafeSlow(bytes), firstSlabBytes, slabBytes);
  readonly #free = new FreeList();

  /** Allocated bytes, including the free ones. */
  get bytes(): number {
    return this.#slabs.bytes;
  }

  /** Stores a string and returns its handle. */
  put(text: string): number {
    const bytes = Buffer.byteLength(text);
    const handle = this.#free.take(bytes) ?? this.#slabs.allocate(bytes + 4);
    const { slab, start } = this.#at(handle);
    slab.writeUInt32LE(bytes, start);
    slab.write(text, start + 4, 'utf8');
    return handle;
  }

  get(handle: number): string {
    const { slab, start } = this.#at(handle);
    return slab.toString('utf8', start + 4, start + 4 + slab.readUInt32LE(start));
  }

  /** Whether the string with this handle is `text`, which has no lone surrogates. */
  equals(handle: number, text: string): boolean {
    const { slab, start } = this.#at(handle);
    const bytes = slab.readUInt32LE(start);
    if (bytes !== text.length) return bytes > text.length && this.get(handle) === text;
    // As many bytes as UTF-16 units: the string is ASCII, or it is another one.
    for (let index = 0; index < bytes; index++) if (slab[start + 4 + index] !== text.charCodeAt(index)) return false;
    return true;
  }

  /** Removes a string and overwrites its bytes; its handle is then invalid. Returns the number of bytes. */
  remove(handle: number): number {
    const { slab, start } = this.#at(handle);
    const bytes = slab.readUInt32LE(start);
    slab.fill(0, start, start + 4 + bytes);
    this.#free.give(bytes, handle);
    return bytes;
  }

  *save(): Sections {
    yield* this.#slabs.save();
    yield* this.#free.save();
  }

  load(reader: SectionReader): void {
    this.#slabs.load(reader);
    this.#free.load(reader);
  }

  #at(handle: number): { slab: Buffer; start: number } {
    return { slab: this.#slabs.chunks[Math.floor(handle / slabBytes)]!, start: handle % slabBytes };
  }
}
