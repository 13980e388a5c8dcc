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
const boundary = 0;
const linkMark = 1;
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

  /** Stores texts and links and returns a 32-bit handle. */
  put(texts: readonly (readonly number[])[], links: readonly (readonly number[])[]): number {
    const length =
      texts.reduce((sum, text) => sum + text.length + 1, 0) + links.reduce((sum, link) => sum + link.length + 1, 0) + 1;
    const handle = this.#free.take(length) ?? this.#memory.allocate(length + 1);
    const chunk = this.#memory.chunks[handle >>> chunkBits]!;
    let offset = handle & (chunkLength - 1);
    const write = (tokens: readonly number[]): void => {
      for (const token of tokens) chunk[offset++] = token;
      chunk[offset++] = boundary;
    };
    chunk[offset++] = length;
    for (const text of texts) write(text);
    chunk[offset++] = linkMark;
    for (const link of links) write(link);
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
