/**
 * Strings kept as UTF-8 in large buffers outside the JavaScript heap, so that a million of them cost the garbage collector
 * nothing. A string that is replaced leaves its old bytes behind until the archive is opened again.
 */
const slabBytes = 8 * 1024 * 1024;

export class Slabs {
  #slabs: Buffer[] = [];
  #used = slabBytes;

  /** Bytes held, the replaced ones included. */
  get bytes(): number {
    return this.#slabs.reduce((sum, slab) => sum + slab.length, 0);
  }

  /** Stores a string; the handle reads it back. */
  put(text: string): number {
    const most = text.length * 3;
    if (most > slabBytes - this.#used) {
      this.#slabs.push(Buffer.allocUnsafeSlow(Math.max(slabBytes, most + 4)));
      this.#used = 0;
    }
    const slab = this.#slabs.at(-1)!;
    const written = slab.write(text, this.#used + 4, 'utf8');
    slab.writeUInt32LE(written, this.#used);
    const handle = (this.#slabs.length - 1) * slabBytes + this.#used;
    this.#used += written + 4;
    if (slab.length > slabBytes) this.#used = slabBytes;
    return handle;
  }

  get(handle: number): string {
    const slab = this.#slabs[Math.floor(handle / slabBytes)]!;
    const start = handle % slabBytes;
    return slab.toString('utf8', start + 4, start + 4 + slab.readUInt32LE(start));
  }
}
