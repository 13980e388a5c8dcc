/** An answer as it leaves: bytes, their ETag, and their compressed forms. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'deflate' | 'identity';

/** Shorter ones do not get shorter by compression. */
const leastCompressed = 1024;

const compressors: Record<Exclude<Encoding, 'identity'>, (bytes: Buffer) => Promise<Buffer>> = {
  // Quality 4 costs about what gzip does, and is smaller.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => promisify(gzip)(bytes),
  deflate: (bytes) => promisify(deflate)(bytes),
};

export class Representation {
  /** UTF-8 JSON. */
  readonly bytes: Buffer;
  #etag: string | undefined;
  readonly #compressed = new Map<Encoding, Buffer>();
  /** Those that are being made: who asks meanwhile waits for the same one. */
  readonly #making = new Map<Encoding, Promise<Buffer>>();
  readonly #grown: () => void;

  /** `grown` is called when it holds more bytes than before. */
  constructor(bytes: Buffer, grown: () => void = () => {}) {
    this.bytes = bytes;
    this.#grown = grown;
  }

  /** Weak, because it is the same for every encoding (RFC 9110 §8.8.1): made of the length and the SHA-1 of the bytes. */
  get etag(): string {
    return (this.#etag ??= `W/"${this.bytes.length.toString(16)}-${hash('sha1', this.bytes, 'base64').slice(0, 27)}"`);
  }

  /** All bytes that are held. */
  get size(): number {
    let size = this.bytes.length;
    for (const compressed of this.#compressed.values()) size += compressed.length;
    return size;
  }

  /** The best encoding that a caller accepts, of those that pay. */
  encodingFor(acceptEncoding: string | undefined): Encoding {
    return this.bytes.length < leastCompressed ? 'identity' : negotiated(acceptEncoding);
  }

  /** The bytes in an encoding; a promise where they must first be compressed. */
  in(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'identity') return this.bytes;
    return this.#compressed.get(encoding) ?? this.#making.get(encoding) ?? this.#compress(encoding);
  }

  #compress(encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
    const made = this.#make(encoding);
    this.#making.set(encoding, made);
    return made;
  }

  async #make(encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
    try {
      const compressed = await compressors[encoding](this.bytes);
      this.#compressed.set(encoding, compressed);
      this.#grown();
      return compressed;
    } finally {
      this.#making.delete(encoding);
    }
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
    encoding = negotiator.encoding<Encoding>(['br', 'gzip', 'deflate', 'identity'], { preferred: ['br', 'gzip'] }) ?? 'identity';
    if (known.size === mostKnown) known.clear();
    if (acceptEncoding.length <= longestKnown) known.set(acceptEncoding, encoding);
  }
  return encoding;
}
