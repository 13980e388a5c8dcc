/** Copies of bodies that pass through, with a bounded size. */
import { Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** Passes everything through, and keeps a copy of up to `limit` bytes. */
export class Capture extends Transform {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#length += chunk.length;
    if (this.#length <= this.#limit) this.#chunks.push(chunk);
    else this.#chunks = [];
    done(null, chunk);
  }

  /** The whole body; undefined where it is larger than the limit. */
  get body(): Buffer | undefined {
    return this.#length <= this.#limit ? Buffer.concat(this.#chunks) : undefined;
  }
}

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** A body without its content encoding; undefined where that is unknown, or the body larger than `limit` bytes. */
export async function decodedBody(
  body: Buffer,
  encoding: string | undefined,
  limit: number,
): Promise<Buffer | undefined> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '' || body.length === 0) return body;
  if (!Object.hasOwn(decoders, name)) return undefined;
  const decode = decoders[name as keyof typeof decoders];
  return decode(body, { maxOutputLength: limit }).catch(() => undefined);
}
