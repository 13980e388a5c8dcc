/** The representation of a response body: bytes, ETag, and compressed forms (RFC 9110). */
import { isAscii } from 'node:buffer';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  crc32,
  deflate,
  deflateSync,
  gzip,
  gzipSync,
  type BrotliOptions,
} from 'node:zlib';
import Negotiator from 'negotiator';
import { detachedCopy } from '../../collections/detached-copy.ts';

export type Encoding = 'br' | 'gzip' | 'deflate' | 'identity';

/** Minimum size in bytes for compression; smaller bodies do not get smaller. */
const minCompressedBytes = 1024;
/** Maximum size in bytes for which one write of headers and a string is faster than a separate buffer. */
const maxTextBytes = 2048;

/**
 * Maximum size in bytes for compression in this thread, which takes up to a millisecond. To pass such a body to another thread and back costs
 * this one more, and the response waits until that thread gets a processor.
 */
const maxSyncBytes = 64 * 1024;

/** Quality 3 takes as long as gzip and compresses better. Quality 4 takes twice as long, and saves 3 % more. */
const brotliOptions = (bytes: Buffer): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
});

type Compression = Exclude<Encoding, 'identity'>;

const compressors: Record<Compression, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions(bytes)),
  gzip: (bytes) => promisify(gzip)(bytes),
  deflate: (bytes) => promisify(deflate)(bytes),
};

const syncCompressors: Record<Compression, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliCompressSync(bytes, brotliOptions(bytes)),
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
};

export class Representation {
  /** UTF-8 JSON. */
  readonly bytes: Buffer;
  /** The bytes as a string, where they are short and ASCII; it must be written as `latin1`. */
  readonly text: string | undefined;
  #etag: string | undefined;
  /**
   * The compressed forms; a promise while one is being compressed, so that concurrent requests share it. Created for
   * the first encoding other than identity.
   */
  #compressed: Map<Encoding, Buffer | Promise<Buffer>> | undefined;
  readonly #onGrow: () => void;

  /** `onGrow` is called when the representation holds more bytes than before. */
  constructor(bytes: Buffer, onGrow: () => void = () => {}) {
    this.bytes = bytes;
    this.text = bytes.length <= maxTextBytes && isAscii(bytes) ? bytes.toString('latin1') : undefined;
    this.#onGrow = onGrow;
  }

  /**
   * The ETag. It is weak, because it is the same for every encoding (RFC 9110 §8.8.1). It consists of the length and
   * the CRC-32 of the bytes: it only has to distinguish the successive responses of one URL. A cryptographic hash of a
   * page would take as long as the rest of the request.
   */
  get etag(): string {
    return (this.#etag ??= `W/"${this.bytes.length.toString(16)}-${crc32(this.bytes).toString(16).padStart(8, '0')}"`);
  }

  /** The size in memory in bytes, compressed forms included. */
  get size(): number {
    let size = this.bytes.length + (this.text?.length ?? 0);
    for (const compressed of this.#compressed?.values() ?? [])
      if (Buffer.isBuffer(compressed)) size += compressed.length;
    return size;
  }

  /** The best encoding that the caller accepts; identity where compression does not pay. */
  encodingFor(acceptEncoding: string | undefined): Encoding {
    return this.bytes.length < minCompressedBytes ? 'identity' : negotiate(acceptEncoding);
  }

  /** The bytes in an encoding; a promise where they are many and not compressed yet. */
  encoded(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'identity') return this.bytes;
    return this.#compressed?.get(encoding) ?? this.#compress(encoding);
  }

  #compress(encoding: Compression): Buffer | Promise<Buffer> {
    const compressed = (this.#compressed ??= new Map<Encoding, Buffer | Promise<Buffer>>());
    const keep = (output: Buffer): Buffer => {
      const bytes = detachedCopy(output);
      compressed.set(encoding, bytes);
      this.#onGrow();
      return bytes;
    };
    if (this.bytes.length <= maxSyncBytes) return keep(syncCompressors[encoding](this.bytes));
    const pending = compressors[encoding](this.bytes).then(keep, (error: unknown) => {
      compressed.delete(encoding);
      throw error;
    });
    compressed.set(encoding, pending);
    return pending;
  }

  /** Whether If-None-Match matches the ETag (RFC 9110 §13.1.2). */
  matches(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    const { etag } = this;
    if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
    const strong = etag.slice(2);
    return ifNoneMatch.split(',').some((name) => name.trim() === etag || name.trim() === strong);
  }
}

/** Negotiated encodings by Accept-Encoding: callers send only a few different values. */
const negotiatedEncodings = new Map<string, Encoding>();
const maxNegotiated = 200;
const maxHeaderLength = 200;

function negotiate(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity';
  let encoding = negotiatedEncodings.get(acceptEncoding);
  if (encoding === undefined) {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
    encoding =
      negotiator.encoding<Encoding>(['br', 'gzip', 'deflate', 'identity'], { preferred: ['br', 'gzip'] }) ?? 'identity';
    if (negotiatedEncodings.size === maxNegotiated) negotiatedEncodings.clear();
    if (acceptEncoding.length <= maxHeaderLength) negotiatedEncodings.set(acceptEncoding, encoding);
  }
  return encoding;
}
