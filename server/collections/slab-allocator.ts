/**
 * Strings kept as UTF-8 in large buffers outside the JavaScript heap, so that a million of them cost the garbage collector
 * nothing. The place of a string that is taken out is used again for one of as many bytes: what changes for ever holds no more memory
 * than the lengths that there are.
 */
import { FreeList } from './free-list.ts';

const slabBytes = 8 * 1024 * 1024;

export class SlabAllocator {
  #slabs: Buffer[] = [];
  #used = slabBytes;
  readonly #free = new FreeList();

  /** Bytes held, free ones included. */
  get bytes(): number {
    return this.#slabs.reduce((sum, slab) => sum + slab.length, 0);
  }

  /** Stores a string; the handle reads it back. */
  put(text: string): number {
    const bytes = Buffer.byteLength(text);
    const handle = this.#free.take(bytes) ?? this.#place(bytes);
    const { slab, start } = this.#at(handle);
    slab.writeUInt32LE(bytes, start);
    slab.write(text, start + 4, 'utf8');
    return handle;
  }

  get(handle: number): string {
    const { slab, start } = this.#at(handle);
    return slab.toString('utf8', start + 4, start + 4 + slab.readUInt32LE(start));
  }

  /** Takes a string out; its handle means nothing any more. */
  remove(handle: number): void {
    const { slab, start } = this.#at(handle);
    this.#free.give(slab.readUInt32LE(start), handle);
  }

  #at(handle: number): { slab: Buffer; start: number } {
    return { slab: this.#slabs[Math.floor(handle / slabBytes)]!, start: handle % slabBytes };
  }

  /** A new place. */
  #place(bytes: number): number {
    const most = bytes + 4;
    if (most > slabBytes - this.#used) {
      this.#slabs.push(Buffer.allocUnsafeSlow(Math.max(slabBytes, most)));
      this.#used = 0;
    }
    const handle = (this.#slabs.length - 1) * slabBytes + this.#used;
    // A slab that was made for one string has no room for another.
    this.#used = most > slabBytes ? slabBytes : this.#used + most;
    return handle;
  }
}
