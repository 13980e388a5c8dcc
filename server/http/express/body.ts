/** Reads the body of a request: only after authentication, and only for operations with a body. */
import type { IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import type { RequestHandler, Response } from 'express';
import getRawBody from 'raw-body';
import { lazy } from '../../collections/lazy.ts';
import { declaredMediaType, mediaTypeOf } from '../../contract/media-type.ts';
import type { Media, OpenApiDocument, RequestBody } from '../../contract/openapi.ts';
import { shapeOf } from '../../contract/parameter-value.ts';
import { badRequest, ServiceError } from '../../contract/service-error.ts';
import { duplicateName } from '../../text/duplicate-json-names.ts';
import { expectsContinue, hasBody } from '../server/unread-body.ts';
import { memberOf } from '../../text/object.ts';
import { BodyValidators } from './body-validator.ts';
import { formMembers, parseForm, schemaWithoutFiles } from '../../contract/form-body.ts';
import './locals.ts';
import { limitBytes, Uploads } from './upload.ts';

/** Maximum size of a body in bytes, both as sent and decompressed, unless the contract says otherwise by `x-max-bytes`. */
export const maxBodyBytes = 16 * 1024;

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Maximum size in bytes of a body of files or bytes, which is kept in temporary files, unless the contract says otherwise. */
const maxFileBytes = 10 * 1024 * 1024;

const sizeOf = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Number((bytes / 1024 / 1024).toFixed(1))} MB` : `${Number((bytes / 1024).toFixed(1))} kB`;

const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError(413, `the body is larger than ${sizeOf(maxBytes)}`);

const alternatives = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** The declared media type of a body. Throws 415 for another one, and for text that is not in UTF-8, the only encoding here. */
function mediaOf({ content }: RequestBody, header: string | undefined): Media {
  const declared = header === undefined ? undefined : declaredMediaType(content.keys(), header);
  const media = declared === undefined ? undefined : content.get(declared);
  if (media === undefined) {
    const type = mediaTypeOf(header ?? '');
    const subject = type ? `content type '${type}'` : 'a body without a content type';
    throw new ServiceError(415, `${subject} is not supported: send ${alternatives([...content.keys()])}`);
  }
  if (media.kind === 'binary') return media;
  for (const [, charset = ''] of (header ?? '').matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)) {
    if (charset.toLowerCase() !== 'utf-8')
      throw new ServiceError(415, `charset '${charset}' is not supported: send UTF-8`);
  }
  return media;
}

/** Returns the decoder of a content encoding; undefined for identity. Throws 415. */
function decoderOf(header: string | undefined): (() => Transform) | undefined {
  const coding = header?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || Object.hasOwn(decoders, coding)) return decoders[coding];
  const message = 'this content encoding is not supported: send the body uncompressed, or with gzip, deflate or br';
  throw new ServiceError(415, message);
}

/** Reads a stream to its end, or up to the limit; then the stream is paused. Throws 413 and 400. */
async function readBytes(stream: NodeJS.ReadableStream, maxBytes: number, length?: string): Promise<Buffer> {
  try {
    return await getRawBody(stream, { limit: maxBytes, length: length ?? null });
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (memberOf(error, 'type') === 'entity.too.large') throw tooLarge(maxBytes);
    throw badRequest('the body could not be read');
  }
}

/** A body that is being received: its bytes as sent are limited, too. */
interface Incoming {
  readonly request: IncomingMessage;
  readonly decoder: Transform | undefined;
  readonly maxBytes: number;
}

/** Uses the decompressed stream of a body, which `use` reads; afterwards nothing more is read. Throws what `use` throws, 413 and 400. */
async function withStream<Result>(
  { request, decoder, maxBytes }: Incoming,
  use: (stream: Readable) => Promise<Result>,
): Promise<Result> {
  let received = 0;
  const failed = Promise.withResolvers<never>();
  const count = (chunk: Buffer): void => {
    if ((received += chunk.length) > maxBytes) failed.reject(tooLarge(maxBytes));
  };
  const limited = limitBytes(maxBytes, () => tooLarge(maxBytes));
  const abort = (): void => void limited.destroy(badRequest('the body could not be read'));
  // Node closes a request that has arrived, too.
  const close = (): void => void (request.complete || abort());
  request.on('data', count).once('error', abort).once('close', close);
  const decoded = decoder === undefined ? request : request.pipe(decoder);
  decoder?.once('error', abort);
  decoded.pipe(limited);
  try {
    return await Promise.race([use(limited), failed.promise]);
  } finally {
    request.off('error', abort).off('close', close).off('data', count);
    if (decoder !== undefined) {
      request.unpipe(decoder).pause();
      decoder.on('error', () => {}).destroy();
    } else request.unpipe(limited).pause();
    limited.on('error', () => {}).destroy();
  }
}

/** Decodes a text. Throws 400 unless it is UTF-8. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('the body is not valid UTF-8');
  }
}

/** Parses the JSON value of a body. Throws 400. */
function parse(text: string, expected: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest(`the body is not valid JSON${expected}`);
  }
  const name = duplicateName(text);
  if (name !== undefined) throw badRequest(`member '${name}' of the body is given more than once`);
  return value;
}

/** Reads the bodies of one media type. */
interface BodyReader {
  readonly maxBytes: number;
  /** Reads and, unless express-openapi-validator does so later, validates a body. */
  readonly read: (incoming: Incoming, response: Response) => Promise<unknown>;
}

/** Whether no bytes are a value of the media type that a request names: an empty file or text, a form without members. */
function isEmptyValue({ content }: RequestBody, header: string | undefined): boolean {
  const declared = header === undefined ? undefined : declaredMediaType(content.keys(), header);
  const kind = declared === undefined ? undefined : content.get(declared)?.kind;
  return kind === 'binary' || kind === 'text' || kind === 'form';
}

/** What the readers of bodies share. */
export interface BodyParts {
  readonly document: OpenApiDocument;
  readonly validators: BodyValidators;
  /** Whether express-openapi-validator validates the body. */
  readonly isPlain: boolean;
}

const readAll = async ({ request, decoder, maxBytes }: Incoming): Promise<Buffer> =>
  decoder === undefined
    ? readBytes(request, maxBytes, request.headers['content-length'])
    : withStream({ request, decoder, maxBytes }, (stream) => readBytes(stream, maxBytes));

/** The reader of a form with files. */
function multipartReader(media: Media, { document, validators }: BodyParts): BodyReader {
  const members = formMembers(document, media);
  const validate = validators.validator(schemaWithoutFiles(document, media, members));
  return {
    maxBytes: media.maxBytes ?? maxFileBytes,
    read: async (incoming, response) => {
      const { headers } = incoming.request;
      const uploads = new Uploads(response);
      const { readMultipart } = await import('./multipart-body.ts');
      const form = await withStream(incoming, (stream) =>
        readMultipart(stream, headers['content-type'] ?? '', members, uploads),
      );
      validate(form, 0);
      return form;
    },
  };
}

/** The reader of the bytes of a file. */
const binaryReader = ({ maxBytes = maxFileBytes }: Media): BodyReader => ({
  maxBytes,
  read: (incoming, response) => {
    const type = mediaTypeOf(incoming.request.headers['content-type'] ?? '');
    const uploads = new Uploads(response);
    return withStream(incoming, (stream) => uploads.receive(stream, type));
  },
});

function readerOf(media: Media, parts: BodyParts): BodyReader {
  const { schema = {}, kind, maxBytes = maxBodyBytes } = media;
  const { document, validators, isPlain } = parts;
  const validate = validators.validator(schema);
  switch (kind) {
    case 'multipart':
      return multipartReader(media, parts);
    case 'binary':
      return binaryReader(media);
    case 'form': {
      const members = formMembers(document, media);
      return {
        maxBytes,
        read: async (incoming) => {
          const bytes = await readAll(incoming);
          const form = parseForm(members, textOf(bytes));
          validate(form, bytes.length);
          return form;
        },
      };
    }
    case 'text':
      return {
        maxBytes,
        read: async (incoming) => {
          const bytes = await readAll(incoming);
          const text = textOf(bytes);
          // Schemas of XML describe objects, which a text is not.
          if (shapeOf(document, schema).types.has('string')) validate(text, bytes.length);
          return text;
        },
      };
    default: {
      const types = shapeOf(document, schema).types;
      const expected = types.size === 1 && types.has('object') ? ': expected an object' : '';
      return {
        maxBytes,
        read: async (incoming) => {
          const bytes = await readAll(incoming);
          const value = parse(textOf(bytes), expected);
          if (!isPlain) validate(value, bytes.length);
          return value;
        },
      };
    }
  }
}

/**
 * Creates the middleware that reads the body of an operation into `request.body`. Replaces the Content-Type by its simplest form,
 * because express-openapi-validator caches a compiled validator for each value of it. Rejects a body that the headers show to
 * be invalid before it reads a byte, and before it sends `100 Continue`. Throws 400, 413 and 415.
 */
export function readBody(body: RequestBody, parts: BodyParts): RequestHandler {
  const readers = new Map([...body.content.values()].map((media) => [media, lazy(() => readerOf(media, parts))]));
  const isJson = body.content.size === 1 && body.content.has('application/json');
  return async (request, response, next) => {
    const { headers } = request;
    if (!hasBody(request) && !isEmptyValue(body, headers['content-type'])) {
      if (body.required) throw badRequest(`a ${isJson ? 'JSON ' : ''}body is required`);
      delete headers['content-type'];
      return next();
    }
    const media = mediaOf(body, headers['content-type']);
    const type = mediaTypeOf(headers['content-type'] ?? '');
    const { maxBytes, read } = readers.get(media)!();
    const decoder = decoderOf(headers['content-encoding']);
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    if (expectsContinue(request)) response.writeContinue();
    request.body = await read({ request, decoder: decoder?.(), maxBytes }, response);
    if (body.content.size > 1) response.locals.bodyType = media.mediaType.includes('*') ? type : media.mediaType;
    if (parts.isPlain) headers['content-type'] = 'application/json';
    else delete headers['content-type'];
    next();
  };
}

const json: Media = {
  mediaType: 'application/json',
  kind: 'json',
  schema: { type: 'object' },
  encoding: {},
  maxBytes: undefined,
};
const noDocument = { components: {} } as OpenApiDocument;

/** The middleware that reads a JSON body of at most so many bytes, which is validated later. */
export const readJsonUpTo = (maxBytes: number | undefined): RequestHandler =>
  readBody(
    { required: true, content: new Map([[json.mediaType, { ...json, maxBytes }]]) },
    { document: noDocument, validators: new BodyValidators(noDocument), isPlain: true },
  );

/** The middleware that reads a JSON body of the usual size, which is validated later. */
export const readJson: RequestHandler = readJsonUpTo(undefined);
