/** Reads a file in chunks into the same memory, each behind the bytes of the chunk before that its caller has not used. */
import type { FileHandle } from 'node:fs/promises';

/** Room for the unused bytes of a chunk: the start of a line. */
const usualRestBytes = 64 * 1024;

export class ChunkReader {
  readonly #handle: FileHandle;
  readonly #chunkBytes: number;
  readonly #end: number;
  #position: number;
  #memory: Buffer;
  #length = 0;

  /** Reads from a position up to `end`, at most `chunkBytes` at a time. */
  constructor(handle: FileHandle, chunkBytes: number, position: number, end: number) {
    this.#handle = handle;
    this.#chunkBytes = Math.max(1, Math.min(chunkBytes, end - position));
    this.#position = position;
    this.#end = end;
    this.#memory = Buffer.allocUnsafeSlow(this.#chunkBytes + usualRestBytes);
  }

  /** The position in the file behind the last chunk. */
  get position(): number {
    return this.#position;
  }

  /**
   * The unused bytes with the next chunk behind them; undefined at the end of the file or of the part. Valid until the next call. `used`: the
   * number of bytes of the last result that the caller does not need again.
   */
  async next(used: number): Promise<Buffer | undefined> {
    this.#memory.copyWithin(0, used, this.#length);
    this.#length -= used;
    const wanted = Math.min(this.#chunkBytes, this.#end - this.#position);
    if (wanted <= 0) return undefined;
    if (this.#length + wanted > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (this.#length + wanted));
      this.#memory.copy(larger, 0, 0, this.#length);
      this.#memory = larger;
    }
    const { bytesRead } = await this.#handle.read(this.#memory, this.#length, wanted, this.#position);
    if (bytesRead === 0) return undefined;
    this.#position += bytesRead;
    this.#length += bytesRead;
    return this.#memory.subarray(0, this.#length);
  }

  /** The unused bytes after the end. */
  get rest(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }
}
