/** The JSON body of a request: read only after the key was accepted, and only where the operation has one. */
import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';
import type { RequestHandler } from 'express';
import getRawBody from 'raw-body';
import { badRequest, ServiceError } from '../../contract/service-error.ts';
import { duplicateName } from '../../text/duplicate-json-names.ts';
import { expectsContinue, hasBody } from '../server/unread-body.ts';

/** Bytes of a body at most, as it is sent and after it is decompressed. */
const limit = 16 * 1024;

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Throws 415 unless the body is declared as application/json in UTF-8, the only encoding JSON has (RFC 8259 §8.1). */
function checkMediaType(header: string | undefined): void {
  const type = header?.split(';', 1)[0]!.trim().toLowerCase();
  if (type !== 'application/json') {
    const what = type ? `content type '${type}'` : 'a body without a content type';
    throw new ServiceError(415, `${what} is not supported: send application/json`);
  }
  for (const [, charset] of header!.matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)) {
    if (charset!.toLowerCase() !== 'utf-8')
      throw new ServiceError(415, `charset '${charset}' is not supported: send UTF-8`);
  }
}

const tooLarge = (): ServiceError => new ServiceError(413, `the body is larger than ${limit / 1024} kB`);

/** How to decompress the body; undefined for one that is sent as it is. Throws 415. */
function decoderOf(header: string | undefined): (() => Transform) | undefined {
  const coding = header?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || Object.hasOwn(decoders, coding)) return decoders[coding];
  const message = 'this content encoding is not supported: send the body as it is, or as gzip, deflate or br';
  throw new ServiceError(415, message);
}

/** Reads a stream to its end, or until it is larger than the limit: then it is paused. Throws 413 and 400. */
async function bytesOf(stream: NodeJS.ReadableStream, length?: string): Promise<Buffer> {
  try {
    return await getRawBody(stream, { limit, length: length ?? null });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') throw tooLarge();
    throw badRequest('the body could not be read');
  }
}

/** Decompresses what `request` sends, within the limit. Throws 413 and 400. */
async function decompressed(request: IncomingMessage, decoder: Transform): Promise<Buffer> {
  let received = 0;
  const unread = Promise.withResolvers<never>();
  request.on('data', (chunk: Buffer) => {
    if ((received += chunk.length) > limit) unread.reject(tooLarge());
  });
  request.once('error', () => unread.reject(badRequest('the body could not be read')));
  try {
    return await Promise.race([bytesOf(request.pipe(decoder)), unread.promise]);
  } finally {
    request.unpipe(decoder).pause();
    decoder.on('error', () => {}).destroy();
  }
}

/** Reads the JSON value of a body. Throws 400. */
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
 * Parses the body into `request.body`. Its Content-Type then has one form only, because express-openapi-validator
 * keeps a compiled validator for each that it sees. What the head already shows to be wrong is refused before a byte
 * of the body is read, or asked for by `100 Continue`. Throws 400, 413 and 415.
 */
export const readBody: RequestHandler = async (request, response, next) => {
  const { headers } = request;
  if (!hasBody(request)) throw badRequest('a JSON body is required');
  checkMediaType(headers['content-type']);
  headers['content-type'] = 'application/json';
  const decoder = decoderOf(headers['content-encoding']);
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge();
  if (expectsContinue(request)) response.writeContinue();
  const length = headers['content-length'];
  const bytes = await (decoder === undefined ? bytesOf(request, length) : decompressed(request, decoder()));
  request.body = parse(bytes);
  next();
};
