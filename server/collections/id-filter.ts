/**
 * A set of ids that can have a false positive but no false negative, in a few bits an id: a Bloom filter with one hash. It grows by
 * doubling: each bit is copied to both of the places that its ids can have then. An id cannot be removed.
 */
import { bytesOf, readNumbers, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';
import { hashText } from './string-hash.ts';

const bitsPerWord = 32;
const firstWords = 2 ** 10;
/** The number of bits for each id that it has, as long as it may grow. */
const bitsPerId = 32;

export class IdFilter implements SavedTable {
  #words = new Uint32Array(firstWords);
  /** The number of ids that were new. */
  #count = 0;

  /** Adds an id. `maxBits`: the filter does not grow beyond this length; it then has more false positives. */
  add(id: string, maxBits: number): void {
    if (this.mayHave(id)) return;
    const bits = this.#words.length * bitsPerWord;
    if (++this.#count * bitsPerId > bits && 2 * bits <= maxBits) this.#double();
    const hash = hashText(id);
    this.#words[(hash >>> 5) & (this.#words.length - 1)]! |= 1 << (hash & 31);
  }

  /** False for an id that was never added. */
  mayHave(id: string): boolean {
    const hash = hashText(id);
    return (this.#words[(hash >>> 5) & (this.#words.length - 1)]! & (1 << (hash & 31))) !== 0;
  }

  #double(): void {
    const { length } = this.#words;
    const words = new Uint32Array(2 * length);
    words.set(this.#words);
    words.set(this.#words, length);
    this.#words = words;
  }

  *save(): Sections {
    yield bytesOf(Float64Array.of(this.#count));
    yield bytesOf(this.#words);
  }

  load(reader: SectionReader): void {
    this.#count = readNumbers(reader, Float64Array)[0] ?? 0;
    this.#words = readNumbers(reader, Uint32Array);
  }
}
