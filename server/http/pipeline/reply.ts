/** Sends the replies of handlers: any status, headers and body that the contract declares. */
import { validateHeaderValue } from 'node:http';
import type { ValidateFunction } from 'ajv';
import type { OperationId } from '../../contract/operations.ts';
import { headerText } from '../../contract/parameter-value.ts';
import { declaredMediaType, isMediaRange, mediaTypeOf } from '../../contract/media-type.ts';
import { responseFor, type Media, type OperationMetadata, type ResponseMetadata } from '../../contract/openapi.ts';
import { ServerSentEvent } from '../../contract/server-sent-event.ts';
import { hasMembers, isObject } from '../../text/object.ts';
import { ContractBreach } from './contract-breach.ts';
import type { Exchange } from './exchange.ts';
import { Representation } from './representation.ts';
import { breach, type Serialise, type SerialiserCompiler } from './serialiser.ts';
import { endSource, sendPieces, type Piece, type PieceStream } from './stream.ts';

/** What a handler returns for an operation that has no plain body; `Reply` of the contract's types says the same to handlers. */
interface AnyReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly contentType: string | undefined;
}

/** A body that is ready to be sent. */
type Outgoing =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly bytes: Buffer; readonly contentType: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly contentType: string }
  | {
      readonly kind: 'stream';
      readonly stream: PieceStream;
      readonly length: number | undefined;
      readonly contentType: string;
    };

const withCharset = (mediaType: string): string =>
  /;\s*charset=/i.test(mediaType) ? mediaType : `${mediaType}; charset=utf-8`;

/** Sets a header in alternating names and values: in place of the present one, but for cookies, of which there can be several. */
function setPair(pairs: string[], name: string, value: string): void {
  const index = pairs.findIndex((each, at) => at % 2 === 0 && each.toLowerCase() === name.toLowerCase());
  if (index < 0 || name.toLowerCase() === 'set-cookie') pairs.push(name, value);
  else pairs[index + 1] = value;
}

/** Sends the replies of one operation. Schemas are compiled at the first reply that needs them. */
export class ReplyWriter {
  readonly #id: OperationId;
  readonly #metadata: OperationMetadata;
  readonly #compiler: SerialiserCompiler;
  readonly #serialisers = new Map<Media, Serialise>();
  readonly #validators = new Map<object, () => ValidateFunction>();

  constructor(id: OperationId, metadata: OperationMetadata, compiler: SerialiserCompiler) {
    this.#id = id;
    this.#metadata = metadata;
    this.#compiler = compiler;
  }

  /**
   * Validates and sends a reply. Throws, or rejects with, a ContractBreach for a reply that the contract does not have, and for
   * an item of a stream that it does not allow.
   */
  async send(exchange: Exchange, result: unknown): Promise<void> {
    const reply = this.#read(result);
    try {
      const response = responseFor(this.#metadata, reply.status);
      if (response === undefined || reply.status === 304) throw this.#fault(`status ${reply.status} is not declared`);
      const headers = this.#headers(response, reply.headers);
      const outgoing = this.#outgoing(response, reply);
      for (const [name, value] of headers) setPair(exchange.headers, name, value);
      exchange.response.statusCode = reply.status;
      await this.#send(exchange, outgoing);
    } catch (error) {
      endSource(reply.body);
      throw error;
    }
  }

  #fault(message: string): ContractBreach {
    return new ContractBreach(this.#id, `${this.#id}: ${message}`);
  }

  #read(result: unknown): AnyReply {
    if (!isObject(result) || !Number.isInteger(result.status)) throw this.#fault('the handler returned no reply');
    const { status, headers, body, contentType } = result;
    return {
      status: Number(status),
      headers: isObject(headers) ? headers : {},
      body,
      contentType: typeof contentType === 'string' ? contentType : undefined,
    };
  }

  /** The headers of a reply as names and values. */
  #headers(response: ResponseMetadata, given: Readonly<Record<string, unknown>>): [string, string][] {
    const present = Object.entries(given).filter(([, value]) => value !== undefined);
    const names = new Set(present.map(([name]) => name.toLowerCase()));
    for (const { name, required } of response.headers.values())
      if (required && !names.has(name.toLowerCase()))
        throw this.#fault(`the header ${name} of ${response.key} is missing`);
    return present.flatMap(([name, value]) => {
      const header = response.headers.get(name.toLowerCase());
      if (header === undefined) throw this.#fault(`the handler cannot set the header ${name} of ${response.key}`);
      this.#validate(header.schema, value, `/headers/${name}`);
      const values = name.toLowerCase() === 'set-cookie' && Array.isArray(value) ? value : [value];
      return values.map((each): [string, string] => {
        const text = headerText(header, each);
        validateHeaderValue(header.name, text);
        return [header.name, text];
      });
    });
  }

  /** Throws a ContractBreach for a value that a schema does not allow. */
  #validate(schema: object, value: unknown, pointer: string): void {
    const validator = this.#validators.get(schema) ?? this.#compiler.validator(schema);
    this.#validators.set(schema, validator);
    const isValid = validator();
    if (!isValid(value)) throw breach(this.#id, isValid.errors ?? [], pointer);
  }

  /** The declared media type of a reply, and the one to send. */
  #mediaOf({ content, key }: ResponseMetadata, { contentType }: AnyReply): { media: Media; contentType: string } {
    const [only, ...others] = content.keys();
    const named = contentType ?? (others.length === 0 && only !== undefined && !isMediaRange(only) ? only : undefined);
    if (named === undefined) throw this.#fault(`the reply of ${key} must name its contentType`);
    const declared = declaredMediaType(content.keys(), named);
    const media = declared === undefined ? undefined : content.get(declared);
    if (media === undefined) throw this.#fault(`${key} has no media type ${named}`);
    return { media, contentType: mediaTypeOf(named) === mediaTypeOf(media.mediaType) ? media.mediaType : named };
  }

  #outgoing(response: ResponseMetadata, reply: AnyReply): Outgoing {
    if (response.content.size === 0) {
      if (reply.body !== undefined) throw this.#fault(`${response.key} has no body`);
      return { kind: 'none' };
    }
    const { media, contentType } = this.#mediaOf(response, reply);
    const { body } = reply;
    switch (media.kind) {
      case 'json': {
        const type = contentType === 'application/json' ? withCharset(contentType) : contentType;
        return { kind: 'text', bytes: this.#json(media, body), contentType: type };
      }
      case 'text':
        return { kind: 'text', bytes: this.#text(media, body), contentType: withCharset(contentType) };
      case 'json-lines':
        return this.#items(media, body, contentType, (text) => `${text}\n`);
      case 'event-stream':
        return this.#items(media, body, contentType, (text) => `data: ${text}\n\n`, ': keep-alive\n\n');
      case 'binary':
        return this.#bytes(body, contentType);
      default:
        throw this.#fault(`a response in ${contentType} cannot be sent`);
    }
  }

  #json(media: Media, body: unknown): Buffer {
    const serialise = this.#serialisers.get(media) ?? this.#compiler.serialiser(this.#id, media.schema ?? {});
    this.#serialisers.set(media, serialise);
    return serialise(body);
  }

  #text({ schema }: Media, body: unknown): Buffer {
    if (typeof body !== 'string') throw this.#fault('the body must be a string');
    // Schemas of XML describe objects, which a text is not.
    if (schema?.type === 'string') this.#validate(schema, body, '/body');
    return Buffer.from(body);
  }

  #items(
    { schema }: Media,
    body: unknown,
    contentType: string,
    format: (text: string) => string,
    keepAlive?: string,
  ): Outgoing {
    if (!hasMembers(body) || !(Symbol.asyncIterator in body || Symbol.iterator in body))
      throw this.#fault(`the body of ${contentType} must be iterable`);
    const write = (item: unknown): Piece => {
      if (item instanceof ServerSentEvent) return item.bytes;
      if (item === undefined) throw this.#fault('an item of the stream is undefined');
      if (schema !== undefined) this.#validate(schema, item, '/item');
      return format(JSON.stringify(item));
    };
    const pieces = body as unknown as AsyncIterable<unknown>;
    const cut = 'cut' in body && body.cut instanceof AbortSignal ? body.cut : undefined;
    return { kind: 'stream', stream: { pieces, write, keepAlive, cut }, length: undefined, contentType };
  }

  #bytes(body: unknown, contentType: string): Outgoing {
    if (body instanceof Uint8Array) return { kind: 'bytes', bytes: body, contentType };
    const write = (piece: unknown): Piece => {
      if (!(piece instanceof Uint8Array)) throw this.#fault('a part of the body is no Uint8Array');
      return piece;
    };
    const [pieces, length]: [unknown, number | undefined] =
      body instanceof Blob ? [body.stream(), body.size] : [body, undefined];
    if (!hasMembers(pieces) || !(Symbol.asyncIterator in pieces))
      throw this.#fault('the body must be a Blob, a Uint8Array, or an async iterable of Uint8Array');
    const stream = { pieces: pieces as unknown as AsyncIterable<unknown>, write, keepAlive: undefined };
    return { kind: 'stream', stream, length, contentType };
  }

  async #send(exchange: Exchange, outgoing: Outgoing): Promise<void> {
    const { response, headers, facts } = exchange;
    const conditional = this.#metadata.conditional && response.statusCode === 200;
    switch (outgoing.kind) {
      case 'none':
        if (response.statusCode !== 204) headers.push('Content-Length', '0');
        response.writeHead(response.statusCode, headers).end();
        return;
      case 'text':
        await sendText(exchange, outgoing, conditional);
        return;
      case 'bytes':
        headers.push('Content-Type', outgoing.contentType, 'Content-Length', String(outgoing.bytes.length));
        response.writeHead(response.statusCode, headers).end(outgoing.bytes);
        return;
      case 'stream': {
        const { stream, length, contentType } = outgoing;
        // Compression, here or at a proxy, would hold back parts of the stream.
        if (length === undefined) setPair(headers, 'Cache-Control', 'no-store, no-transform');
        headers.push('Content-Type', contentType);
        // nginx would buffer the events.
        if (stream.keepAlive !== undefined) headers.push('X-Accel-Buffering', 'no');
        if (length !== undefined) headers.push('Content-Length', String(length));
        const writeHead = (): void => void response.writeHead(response.statusCode, headers);
        if (facts.method !== 'HEAD') return await sendPieces(response, stream, writeHead);
        writeHead();
        response.end();
        endSource(stream.pieces);
      }
    }
  }
}

/** The value of a header in alternating names and values. */
function valueIn(pairs: readonly string[], name: string): string | undefined {
  const index = pairs.findIndex((each, at) => at % 2 === 0 && each.toLowerCase() === name);
  return index < 0 ? undefined : pairs[index + 1];
}

/** Whether a caller has a representation by its date, which counts where it sends no ETag (RFC 9110 §13.1.3, §13.2.2). */
function isUnmodified({ request, headers, preferences }: Exchange): boolean {
  const since = request.headers['if-modified-since'];
  if (since === undefined || preferences.ifNoneMatch !== undefined) return false;
  return Date.parse(valueIn(headers, 'last-modified') ?? '') <= Date.parse(since);
}

/** Sends a whole text, or 304 where the caller has it. */
async function sendText(
  exchange: Exchange,
  { bytes, contentType }: { readonly bytes: Buffer; readonly contentType: string },
  conditional: boolean,
): Promise<void> {
  const representation = new Representation(bytes);
  if (!conditional || !isUnmodified(exchange)) return exchange.send(representation, conditional, contentType);
  exchange.headers.push('ETag', representation.etag);
  exchange.response.writeHead(304, exchange.headers).end();
}
