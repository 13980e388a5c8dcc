/** An answer as it leaves: bytes, their ETag, and their compressed forms. */
import { isAscii } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, deflate, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { detachedCopy } from '../../collections/detached-copy.ts';

export type Encoding = 'br' | 'gzip' | 'deflate' | 'identity';

/** Shorter ones do not get shorter by compression. */
const leastCompressed = 1024;
/** Up to here a text that is sent along with the head, in one write, is faster than bytes of its own. */
const longestText = 2048;

const compressors: Record<Exclude<Encoding, 'identity'>, (bytes: Buffer) => Promise<Buffer>> = {
  // Quality 4 costs about what gzip does, and is smaller.
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
  deflate: (bytes) => promisify(deflate)(bytes),
};

export class Representation {
  /** UTF-8 JSON. */
  readonly bytes: Buffer;
  /** The bytes as a text of one byte for each character, where it is short; to be written as `latin1`. */
  readonly text: string | undefined;
  #etag: string | undefined;
  /** A promise where it is being made: who asks meanwhile waits for the same one. Made for the first that is not identity. */
  #compressed: Map<Encoding, Buffer | Promise<Buffer>> | undefined;
  readonly #grown: () => void;

  /** `grown` is called when it holds more bytes than before. */
  constructor(bytes: Buffer, grown: () => void = () => {}) {
    this.bytes = bytes;
    this.text = bytes.length <= longestText && isAscii(bytes) ? bytes.toString('latin1') : undefined;
    this.#grown = grown;
  }

  /**
   * Weak, because it is the same for every encoding (RFC 9110 §8.8.1): made of the length and the CRC-32 of the bytes. It only has to tell
   * apart what one URL answers over time; a cryptographic hash of a page would take as long as all else that is done for it.
   */
  get etag(): string {
    return (this.#etag ??= `W/"${this.bytes.length.toString(16)}-${crc32(this.bytes).toString(16).padStart(8, '0')}"`);
  }

  /** All bytes that are held. */
  get size(): number {
    let size = this.bytes.length + (this.text?.length ?? 0);
    for (const compressed of this.#compressed?.values() ?? [])
      if (Buffer.isBuffer(compressed)) size += compressed.length;
    return size;
  }

  /** The best encoding that a caller accepts, of those that pay. */
  encodingFor(acceptEncoding: string | undefined): Encoding {
    return this.bytes.length < leastCompressed ? 'identity' : negotiated(acceptEncoding);
  }

  /** The bytes in an encoding; a promise where they must first be compressed. */
  in(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'identity') return this.bytes;
    return this.#compressed?.get(encoding) ?? this.#compress(encoding);
  }

  #compress(encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
    const held = (this.#compressed ??= new Map<Encoding, Buffer | Promise<Buffer>>());
    const making = compressors[encoding](this.bytes).then(
      (made) => {
        const bytes = detachedCopy(made);
        held.set(encoding, bytes);
        this.#grown();
        return bytes;
      },
      (error: unknown) => {
        held.delete(encoding);
        throw error;
      },
    );
    held.set(encoding, making);
    return making;
  }

  /** Whether If-None-Match names it (RFC 9110 §13.1.2). */
  isNamedBy(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    const { etag } = this;
    if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
    const strong = etag.slice(2);
    return ifNoneMatch.split(',').some((name) => name.trim() === etag || name.trim() === strong);
  }
}

/** What callers say that they accept is the same few texts again and again. */
const known = new Map<string, Encoding>();
const mostKnown = 200;
const longestKnown = 200;

function negotiated(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity';
  let encoding = known.get(acceptEncoding);
  if (encoding === undefined) {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
    encoding =
      negotiator.encoding<Encoding>(['br', 'gzip', 'deflate', 'identity'], { preferred: ['br', 'gzip'] }) ?? 'identity';
    if (known.size === mostKnown) known.clear();
    if (acceptEncoding.length <= longestKnown) known.set(acceptEncoding, encoding);
  }
  return encoding;
}
