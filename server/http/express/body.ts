/** Reads the JSON body of a request: only after authentication, and only for operations with a body. */
import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';
import type { RequestHandler } from 'express';
import getRawBody from 'raw-body';
import { badRequest, ServiceError } from '../../contract/service-error.ts';
import { duplicateName } from '../../text/duplicate-json-names.ts';
import { expectsContinue, hasBody } from '../server/unread-body.ts';
import { memberOf } from '../../text/object.ts';

/** Maximum size of a body in bytes, both as sent and decompressed. */
const maxBodyBytes = 16 * 1024;

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Throws 415 unless the body is declared as application/json in UTF-8, the only encoding JSON has (RFC 8259 §8.1). */
function checkMediaType(header: string | undefined): void {
  const [first = ''] = (header ?? '').split(';', 1);
  const type = first.trim().toLowerCase();
  if (type !== 'application/json') {
    const subject = type ? `content type '${type}'` : 'a body without a content type';
    throw new ServiceError(415, `${subject} is not supported: send application/json`);
  }
  for (const [, charset = ''] of (header ?? '').matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)) {
    if (charset.toLowerCase() !== 'utf-8')
      throw new ServiceError(415, `charset '${charset}' is not supported: send UTF-8`);
  }
}

const tooLarge = (): ServiceError => new ServiceError(413, `the body is larger than ${maxBodyBytes / 1024} kB`);

/** Returns the decoder of a content encoding; undefined for identity. Throws 415. */
function decoderOf(header: string | undefined): (() => Transform) | undefined {
  const coding = header?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || Object.hasOwn(decoders, coding)) return decoders[coding];
  const message = 'this content encoding is not supported: send the body uncompressed, or with gzip, deflate or br';
  throw new ServiceError(415, message);
}

/** Reads a stream to its end, or up to the limit; then the stream is paused. Throws 413 and 400. */
async function readBytes(stream: NodeJS.ReadableStream, length?: string): Promise<Buffer> {
  try {
    return await getRawBody(stream, { limit: maxBodyBytes, length: length ?? null });
  } catch (error) {
    if (memberOf(error, 'type') === 'entity.too.large') throw tooLarge();
    throw badRequest('the body could not be read');
  }
}

/** Reads and decompresses the body of a request, within the limit. Throws 413 and 400. */
async function readDecompressed(request: IncomingMessage, decoder: Transform): Promise<Buffer> {
  let received = 0;
  const failed = Promise.withResolvers<never>();
  request.on('data', (chunk: Buffer) => {
    if ((received += chunk.length) > maxBodyBytes) failed.reject(tooLarge());
  });
  request.once('error', () => failed.reject(badRequest('the body could not be read')));
  try {
    return await Promise.race([readBytes(request.pipe(decoder)), failed.promise]);
  } finally {
    request.unpipe(decoder).pause();
    decoder.on('error', () => {}).destroy();
  }
}

/** Parses the JSON value of a body. Throws 400. */
function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('the body is not valid UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('the body is not valid JSON: expected an object');
  }
  const name = duplicateName(text);
  if (name !== undefined) throw badRequest(`member '${name}' of the body is given more than once`);
  return value;
}

/**
 * Parses the body into `request.body`. Replaces the Content-Type by its simplest form, because
 * express-openapi-validator caches a compiled validator for each value of it. Rejects a body that the headers show to
 * be invalid before it reads a byte, and before it sends `100 Continue`. Throws 400, 413 and 415.
 */
export const readBody: RequestHandler = async (request, response, next) => {
  const { headers } = request;
  if (!hasBody(request)) throw badRequest('a JSON body is required');
  checkMediaType(headers['content-type']);
  headers['content-type'] = 'application/json';
  const decoder = decoderOf(headers['content-encoding']);
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  if (expectsContinue(request)) response.writeContinue();
  const length = headers['content-length'];
  const bytes = await (decoder === undefined ? readBytes(request, length) : readDecompressed(request, decoder()));
  request.body = parse(bytes);
  next();
};
