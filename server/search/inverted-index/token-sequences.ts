/**
 * The token sequences of tweets outside the JavaScript heap, for phrase queries. A boundary ends each text, and a marker
 * precedes the links. A number takes one to five bytes (LEB128): frequent words have small numbers, so most take two.
 */
import { ChunkedMemory } from '../../collections/chunked-memory.ts';
import { FreeList } from '../../collections/free-list.ts';
import type { SavedTable, SectionReader, Sections } from '../../collections/saved-table.ts';

/**
 * Blocks consist of units of so many bytes, so that the block of a removed sequence fits another one more often. A handle counts units: 32 bits
 * are enough for 16 GB.
 */
const unitBytes = 4;
const unitBits = 20;
const unitsInChunk = 1 << unitBits;
const chunkLength = unitsInChunk * unitBytes;
const firstChunkLength = 1 << 15;
const maxBytesPerNumber = 5;
/** Ends a text or a link. */
export const boundary = 0;
/** Stands between the texts and the links. */
export const linkMark = 1;
/** The lowest number of a token. */
export const firstToken = 2;
/** Matches any one token in a phrase. */
export const anyToken = -1;

/** The bytes of a number but the last one have this bit. */
const more = 0x80;

/** Writes a number; returns the offset behind it. */
function write(bytes: Uint8Array | number[], at: number, number: number): number {
  let rest = number;
  for (; rest >= more; rest >>>= 7) bytes[at++] = (rest & (more - 1)) | more;
  bytes[at++] = rest;
  return at;
}

export class TokenSequences implements SavedTable {
  readonly #memory = new ChunkedMemory((memory) => Buffer.from(memory), firstChunkLength, chunkLength);
  /** Free blocks by their size. */
  readonly #free = new FreeList();
  /** The bytes of the sequence of the current call. */
  #bytes = new Uint8Array(256);
  /** The bytes of the last phrase: a search tests many tweets for one. */
  #phrase: { readonly tokens: readonly number[]; readonly bytes: readonly number[] | undefined } | undefined;

  /** Allocated bytes. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  /**
   * Stores the texts and links of a tweet and returns a 32-bit handle. `sequence`: for each text its tokens and a boundary,
   * the link mark, and for each link its tokens and a boundary.
   */
  put(sequence: readonly number[]): number {
    const maxLength = sequence.length * maxBytesPerNumber;
    if (maxLength > this.#bytes.length) this.#bytes = new Uint8Array(2 * maxLength);
    const bytes = this.#bytes;
    let length = 0;
    for (let index = 0; index < sequence.length; index++) length = write(bytes, length, sequence[index]!);
    const size = blockSize(length);
    const handle = this.#free.take(size) ?? this.#memory.allocate(size) / unitBytes;
    const chunk = this.#memory.chunks[handle >>> unitBits]!;
    const start = write(chunk, startOfBlock(handle), length);
    for (let index = 0; index < length; index++) chunk[start + index] = bytes[index]!;
    return handle;
  }

  /** Removes a sequence and overwrites it. Its handle becomes invalid. */
  remove(handle: number): void {
    const { chunk, end } = this.#at(handle);
    const block = startOfBlock(handle);
    chunk.fill(0, block, end);
    this.#free.give(roundedUp(end - block), handle);
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
    const phrase = this.#bytesOf(tokens);
    if (phrase === undefined) return false;
    const { chunk, start, end } = this.#at(handle);
    // A phrase starts with a token, never with a wildcard: see parse.ts.
    const first = phrase[0]!;
    for (let at = onlyLinks ? behindLinkMark(chunk, start) : start; at < end; at++)
      if (chunk[at] === first && (at === start || chunk[at - 1]! < more) && matches(chunk, at, end, phrase))
        return true;
    return false;
  }

  /** The bytes of a phrase, with `anyToken` for any token; undefined where a token has no number. */
  #bytesOf(tokens: readonly number[]): readonly number[] | undefined {
    if (this.#phrase?.tokens !== tokens) {
      const bytes: number[] = [];
      for (const token of tokens)
        if (token === anyToken) bytes.push(anyToken);
        else write(bytes, bytes.length, token);
      this.#phrase = { tokens, bytes: tokens.some((token) => token < anyToken) ? undefined : bytes };
    }
    return this.#phrase.bytes;
  }

  /** The bytes of a sequence. */
  #at(handle: number): { readonly chunk: Buffer; readonly start: number; readonly end: number } {
    const chunk = this.#memory.chunks[handle >>> unitBits]!;
    let start = startOfBlock(handle);
    let [length, shift] = [0, 0];
    for (; chunk[start]! >= more; start++, shift += 7) length |= (chunk[start]! & (more - 1)) << shift;
    length |= chunk[start++]! << shift;
    return { chunk, start, end: start + length };
  }
}

/** The size of the block of a sequence, with its length before it. */
function blockSize(length: number): number {
  let size = length + 1;
  for (let rest = length >>> 7; rest > 0; rest >>>= 7) size++;
  return roundedUp(size);
}

const roundedUp = (bytes: number): number => Math.ceil(bytes / unitBytes) * unitBytes;
/** The offset of a block in its chunk. */
const startOfBlock = (handle: number): number => (handle & (unitsInChunk - 1)) * unitBytes;

function behindLinkMark(chunk: Uint8Array, start: number): number {
  let at = start;
  while (chunk[at] !== linkMark || (at > start && chunk[at - 1]! >= more)) at++;
  return at + 1;
}

/** Whether the bytes of a sequence from an offset on, where a number begins, are those of the phrase. */
function matches(chunk: Uint8Array, from: number, end: number, phrase: readonly number[]): boolean {
  let at = from;
  for (let index = 0; index < phrase.length; index++) {
    if (at >= end) return false;
    const byte = chunk[at++]!;
    if (phrase[index] === anyToken) {
      if (byte < firstToken) return false;
      for (let each = byte; each >= more; each = chunk[at++]!);
    } else if (byte !== phrase[index]) return false;
  }
  return true;
}
