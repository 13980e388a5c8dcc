/**
 * Numbers in large chunks outside the JavaScript heap, addressed by handles. The first chunk begins small and doubles when
 * it is full, so that a small archive takes little memory.
 */
export class ChunkedMemory<Chunk extends Buffer | Uint32Array> {
  readonly #create: (length: number) => Chunk;
  readonly #firstLength: number;
  readonly #chunkLength: number;
  readonly #chunks: Chunk[] = [];
  #used: number;

  /** `create` allocates a chunk; lengths are in numbers. */
  constructor(create: (length: number) => Chunk, firstLength: number, chunkLength: number) {
    this.#create = create;
    this.#firstLength = firstLength;
    this.#chunkLength = chunkLength;
    this.#used = chunkLength;
  }

  /** Allocated bytes, including the free ones. */
  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  /** The chunks, valid until the next allocation. */
  get chunks(): readonly Chunk[] {
    return this.#chunks;
  }

  /**
   * Allocates a block in one chunk and returns its handle: the index of the chunk times `chunkLength`, plus the start of the
   * block in the chunk. A block longer than a chunk gets a chunk of its own.
   */
  allocate(length: number): number {
    if (length > this.#chunkLength - this.#used) {
      const usual = this.#chunks.length === 0 ? this.#firstLength : this.#chunkLength;
      this.#chunks.push(this.#create(Math.max(usual, length)));
      this.#used = 0;
    }
    const last = this.#chunks.length - 1;
    const start = this.#used;
    this.#used += length;
    if (this.#used > this.#chunks[last]!.length) this.#enlargeFirst(this.#used);
    return last * this.#chunkLength + start;
  }

  /** Copies the first chunk to a larger one and overwrites the old one, which may hold removed texts later. */
  #enlargeFirst(minLength: number): void {
    const chunk = this.#chunks[0]!;
    const larger = this.#create(Math.min(this.#chunkLength, Math.max(minLength, chunk.length * 2)));
    larger.set(chunk);
    chunk.fill(0);
    this.#chunks[0] = larger;
  }
}
