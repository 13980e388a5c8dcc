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

/** A byte of UTF-8 after the first one of a character, with the last six bits of a number. */
const continuation = (bits: number): number => 0x80 | (bits & 0x3f);

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

const textOf = (units: Uint16Array, from: number, to: number): string =>
  Buffer.from(units.buffer, units.byteOffset + 2 * from, 2 * (to - from)).toString('utf16le');

export class SlabAllocator implements SavedTable {
  readonly #slabs = new ChunkedMemory((memory) => Buffer.from(memory), firstSlabBytes, slabBytes);
  readonly #free = new FreeList();

  /** Allocated bytes, including the free ones. */
  get bytes(): number {
    return this.#slabs.bytes;
  }

  /** Stores a string, which can be in UTF-8 already, and returns its handle. */
  put(text: string | Uint8Array): number {
    const bytes = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
    const handle = this.#free.take(bytes) ?? this.#slabs.allocate(bytes + 4);
    const { slab, start } = this.#at(handle);
    slab.writeUInt32LE(bytes, start);
    if (typeof text === 'string') slab.write(text, start + 4, 'utf8');
    else slab.set(text, start + 4);
    return handle;
  }

  /** As `put`, for the string in UTF-8 in a part of an array. */
  putPart(source: Buffer, from: number, to: number): number {
    const bytes = to - from;
    const handle = this.#free.take(bytes) ?? this.#slabs.allocate(bytes + 4);
    const { slab, start } = this.#at(handle);
    slab.writeUInt32LE(bytes, start);
    source.copy(slab, start + 4, from, to);
    return handle;
  }

  /** As `put`, for the string whose UTF-16 units are in a range of an array: without the string itself, unless it has surrogates. */
  putUnits(units: Uint16Array, from: number, to: number): number {
    let bytes = 0;
    for (let index = from; index < to; index++) {
      const unit = units[index]!;
      if (isSurrogate(unit)) return this.put(textOf(units, from, to));
      bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    }
    const handle = this.#free.take(bytes) ?? this.#slabs.allocate(bytes + 4);
    const { slab, start } = this.#at(handle);
    let at = slab.writeUInt32LE(bytes, start);
    for (let index = from; index < to; index++) {
      const unit = units[index]!;
      if (unit < 0x80) slab[at++] = unit;
      else if (unit < 0x800) slab[at++] = 0xc0 | (unit >> 6);
      else {
        slab[at++] = 0xe0 | (unit >> 12);
        slab[at++] = continuation(unit >> 6);
      }
      if (unit >= 0x80) slab[at++] = continuation(unit);
    }
    return handle;
  }

  get(handle: number): string {
    const { slab, start } = this.#at(handle);
    return slab.toString('utf8', start + 4, start + 4 + slab.readUInt32LE(start));
  }

  /** Whether the string with this handle has these UTF-16 units, which are whole characters. */
  equals(handle: number, units: Uint16Array, from: number, to: number): boolean {
    const { slab, start } = this.#at(handle);
    // A call of `readUInt32LE` costs as much as the comparison of a word.
    const bytes = (slab[start]! | (slab[start + 1]! << 8) | (slab[start + 2]! << 16) | (slab[start + 3]! << 24)) >>> 0;
    const length = to - from;
    // A unit takes one to three bytes in UTF-8.
    if (bytes < length || bytes > 3 * length) return false;
    let at = start + 4;
    const end = at + bytes;
    for (let index = from; index < to; index++) {
      const unit = units[index]!;
      if (unit < 0x80) {
        if (slab[at++] !== unit) return false;
      } else if (unit < 0x800) {
        if (slab[at++] !== (0xc0 | (unit >> 6)) || slab[at++] !== continuation(unit)) return false;
      } else if (!isSurrogate(unit)) {
        if (slab[at++] !== (0xe0 | (unit >> 12)) || slab[at++] !== continuation(unit >> 6)) return false;
        if (slab[at++] !== continuation(unit)) return false;
      } else {
        const character = ((unit - 0xd800) << 10) + (units[++index]! - 0xdc00) + 0x1_0000;
        if (slab[at++] !== (0xf0 | (character >> 18)) || slab[at++] !== continuation(character >> 12)) return false;
        if (slab[at++] !== continuation(character >> 6) || slab[at++] !== continuation(character)) return false;
      }
    }
    return at === end;
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
    // The remainder of an inexact number type is slow: V8 calls a function of the C library.
    const slab = Math.floor(handle / slabBytes);
    return { slab: this.#slabs.chunks[slab]!, start: handle - slab * slabBytes };
  }
}
