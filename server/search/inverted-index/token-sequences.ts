/**
 * The token sequences of tweets outside the JavaScript heap, for phrase queries. A boundary ends each text, and a
 * marker precedes the links. The space of a removed sequence is reused for a sequence of the same length.
 */
import { ChunkedMemory } from '../../collections/chunked-memory.ts';
import { FreeList } from '../../collections/free-list.ts';
import type { SavedTable, SectionReader, Sections } from '../../collections/saved-table.ts';

const chunkBits = 20;
const chunkLength = 1 << chunkBits;
const firstChunkLength = 1 << 13;
/** Ends a text or a link. */
export const boundary = 0;
/** Stands between the texts and the links. */
export const linkMark = 1;
/** The lowest number of a token. */
export const firstToken = 2;
/** Matches any one token in a phrase. */
export const anyToken = -1;

export class TokenSequences implements SavedTable {
  readonly #memory = new ChunkedMemory((length) => new Uint32Array(length), firstChunkLength, chunkLength);
  readonly #free = new FreeList();

  /** Allocated bytes. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  /**
   * Stores the texts and links of a tweet and returns a 32-bit handle. `sequence`: for each text its tokens and a boundary,
   * the link mark, and for each link its tokens and a boundary.
   */
  put(sequence: readonly number[]): number {
    const { length } = sequence;
    const handle = this.#free.take(length) ?? this.#memory.allocate(length + 1);
    const chunk = this.#memory.chunks[handle >>> chunkBits]!;
    const start = handle & (chunkLength - 1);
    chunk[start] = length;
    for (let index = 0; index < length; index++) chunk[start + 1 + index] = sequence[index]!;
    return handle;
  }

  /** Removes a sequence and overwrites it. Its handle becomes invalid. */
  remove(handle: number): void {
    const chunk = this.#memory.chunks[handle >>> chunkBits]!;
    const start = handle & (chunkLength - 1);
    const length = chunk[start]!;
    chunk.fill(0, start, start + 1 + length);
    this.#free.give(length, handle);
  }

  *save(): Sections {
    yield* this.#memory.save();
    yield* this.#free.save();
  }

  load(reader: SectionReader): void {
    this.#memory.load(reader);
    this.#free.load(reader);
  }

  /** Whether a text or a link contains the tokens in sequence. `onlyLinks` restricts the test to the links. */
  has(handle: number, tokens: readonly number[], onlyLinks: boolean): boolean {
    const chunk = this.#memory.chunks[handle >>> chunkBits]!;
    const start = (handle & (chunkLength - 1)) + 1;
    const end = start + chunk[start - 1]!;
    let offset = onlyLinks ? chunk.indexOf(linkMark, start) + 1 : start;
    // A phrase starts with a token, never with a wildcard: see parse.ts.
    const first = tokens[0]!;
    for (const last = end - tokens.length; offset <= last; offset++) {
      if (chunk[offset] !== first) continue;
      let matched = 1;
      while (
        matched < tokens.length &&
        (tokens[matched] === anyToken
          ? chunk[offset + matched]! >= firstToken
          : chunk[offset + matched] === tokens[matched])
      )
        matched++;
      if (matched === tokens.length) return true;
    }
    return false;
  }
}
