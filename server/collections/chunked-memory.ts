/**
 * Numbers in large chunks outside the JavaScript heap, addressed by handles. The first chunk begins small and doubles when
 * it is full, so that a small archive takes little memory.
 */
import { bytesOf, readNumbers, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';
import { tableMemory } from './table-memory.ts';

export class ChunkedMemory<Chunk extends Buffer | Uint32Array> implements SavedTable {
  readonly #viewOf: (memory: SharedArrayBuffer) => Chunk;
  readonly #bytesPerNumber: number;
  readonly #firstLength: number;
  readonly #chunkLength: number;
  readonly #chunks: Chunk[] = [];
  /** The numbers in use of each chunk before the last one. */
  readonly #usedBefore: number[] = [];
  #used: number;

  /** `viewOf` makes a chunk of its memory; lengths are in numbers. */
  constructor(viewOf: (memory: SharedArrayBuffer) => Chunk, firstLength: number, chunkLength: number) {
    this.#viewOf = viewOf;
    this.#bytesPerNumber = viewOf(tableMemory(0)).BYTES_PER_ELEMENT;
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
      if (this.#chunks.length > 0) this.#usedBefore.push(this.#used);
      this.#chunks.push(this.#create(Math.max(usual, length)));
      this.#used = 0;
    }
    const last = this.#chunks.length - 1;
    const start = this.#used;
    this.#used += length;
    if (this.#used > this.#chunks[last]!.length) this.#enlargeFirst(this.#used);
    return last * this.#chunkLength + start;
  }

  #create(length: number): Chunk {
    return this.#viewOf(tableMemory(length * this.#bytesPerNumber));
  }

  /** Copies the first chunk to a larger one and overwrites the old one, which may hold removed texts later. */
  #enlargeFirst(minLength: number): void {
    const chunk = this.#chunks[0]!;
    const larger = this.#create(Math.min(this.#chunkLength, Math.max(minLength, chunk.length * 2)));
    larger.set(chunk);
    chunk.fill(0);
    this.#chunks[0] = larger;
  }

  /** Leaves out the unused ends of the chunks: new memory can hold anything. */
  *save(): Sections {
    yield bytesOf(Float64Array.of(this.#chunks.length, this.#chunks.at(-1)?.length ?? 0, this.#used));
    for (const [index, chunk] of this.#chunks.entries())
      yield bytesOf(chunk.subarray(0, this.#usedBefore[index] ?? this.#used));
  }

  load(reader: SectionReader): void {
    const [chunks = 0, lastLength = 0, used = 0] = readNumbers(reader, Float64Array);
    this.#used = used;
    for (let index = 0; index < chunks; index++) {
      const length = reader.nextBytes / this.#bytesPerNumber;
      // Only the last chunk gets more blocks.
      const isLast = index === chunks - 1;
      const chunk = this.#create(isLast ? lastLength : length);
      reader.into(bytesOf(chunk).subarray(0, length * this.#bytesPerNumber));
      this.#chunks.push(chunk);
      if (!isLast) this.#usedBefore.push(length);
    }
  }
}
