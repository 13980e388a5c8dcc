/**
 * The texts of tweets as numbers of their tokens, outside the JavaScript heap: what phrases are looked up in. Texts are set apart by
 * a boundary; a mark stands before the links. The place of a sequence that is taken out is used again for one of the same length.
 */
import { FreeList } from '../../collections/free-list.ts';

const chunkBits = 20;
const chunkLength = 1 << chunkBits;
const boundary = 0;
const linkMark = 1;
/** Numbers of tokens begin here. */
export const firstToken = 2;
/** Stands for any one token in what is looked for. */
export const anyToken = -1;

export class TokenSequences {
  #chunks: Uint32Array[] = [];
  #used = chunkLength;
  readonly #free = new FreeList();

  /** Bytes held. */
  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  /** Stores texts and links; the handle, of 32 bits, finds them again. */
  put(texts: readonly (readonly number[])[], links: readonly (readonly number[])[]): number {
    const length =
      texts.reduce((sum, text) => sum + text.length + 1, 0) + links.reduce((sum, link) => sum + link.length + 1, 0) + 1;
    const handle = this.#free.take(length) ?? this.#place(length);
    const chunk = this.#chunks[handle >>> chunkBits]!;
    let place = handle & (chunkLength - 1);
    const write = (tokens: readonly number[]): void => {
      for (const token of tokens) chunk[place++] = token;
      chunk[place++] = boundary;
    };
    chunk[place++] = length;
    for (const text of texts) write(text);
    chunk[place++] = linkMark;
    for (const link of links) write(link);
    return handle;
  }

  /** Takes a sequence out; its handle means nothing any more. */
  remove(handle: number): void {
    this.#free.give(this.#chunks[handle >>> chunkBits]![handle & (chunkLength - 1)]!, handle);
  }

  /** A new place for so many numbers and their count. */
  #place(length: number): number {
    if (this.#used + length + 1 > chunkLength) {
      this.#chunks.push(new Uint32Array(Math.max(chunkLength, length + 1)));
      this.#used = 0;
    }
    const handle = (this.#chunks.length - 1) * chunkLength + this.#used;
    this.#used += length + 1;
    return handle;
  }

  /** Whether tokens stand next to each other in a text or a link, or, where asked so, in a link. */
  has(handle: number, tokens: readonly number[], onlyLinks: boolean): boolean {
    const chunk = this.#chunks[handle >>> chunkBits]!;
    const start = (handle & (chunkLength - 1)) + 1;
    const end = start + chunk[start - 1]!;
    let place = onlyLinks ? chunk.indexOf(linkMark, start) + 1 : start;
    // What is looked for begins with a token, never with a gap: see parse.ts.
    const first = tokens[0]!;
    for (const last = end - tokens.length; place <= last; place++) {
      if (chunk[place] !== first) continue;
      let matched = 1;
      while (
        matched < tokens.length &&
        (tokens[matched] === anyToken
          ? chunk[place + matched]! >= firstToken
          : chunk[place + matched] === tokens[matched])
      )
        matched++;
      if (matched === tokens.length) return true;
    }
    return false;
  }
}
