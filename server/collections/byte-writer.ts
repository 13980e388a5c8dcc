/** Writes texts one behind the other, in UTF-8. */
import type { RecycledMemory } from './recycled-memory.ts';

const firstBytes = 64 * 1024;
/** The maximum number of bytes that a UTF-16 unit has in UTF-8. */
const maxBytesPerUnit = 3;

export class ByteWriter {
  readonly #memory: RecycledMemory;
  #bytes = Buffer.from(new ArrayBuffer(0));
  #length = 0;

  constructor(memory: RecycledMemory) {
    this.#memory = memory;
  }

  /** The number of bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Writes a text. Returns its bytes, which are valid until the next call. */
  write(text: string): Buffer {
    const maxLength = this.#length + maxBytesPerUnit * text.length;
    if (maxLength > this.#bytes.length) {
      const larger = Buffer.from(this.#memory.take(Math.max(firstBytes, 2 * maxLength)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    const start = this.#length;
    this.#length += this.#bytes.write(text, start);
    return this.#bytes.subarray(start, this.#length);
  }

  /** The bytes since the last call, and with them their memory. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#bytes.buffer, 0, this.#length);
    [this.#bytes, this.#length] = [Buffer.from(new ArrayBuffer(0)), 0];
    return taken;
  }
}
