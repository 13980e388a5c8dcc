/**
 * Reads and validates the parameters of operations that express-openapi-validator does not read right: lists and objects in all
 * styles, cookies, parameters with a media type, alternatives of types, and values that are empty.
 */
import type { Request, RequestHandler } from 'express';
import type { ValidateFunction } from 'ajv';
import { lazy } from '../../collections/lazy.ts';
import { isFrameRequestHeader } from '../../contract/frame-headers.ts';
import { mediaKind } from '../../contract/media-type.ts';
import type { OpenApiDocument, OperationMetadata, Parameter } from '../../contract/openapi.ts';
import {
  belongsTo,
  fieldValues,
  isStructured,
  pathValues,
  queryValues,
  shapeOf,
  type RawPair,
  type Shape,
} from '../../contract/parameter-value.ts';
import { rawPathValues } from '../../contract/path-template.ts';
import type { CompileSchema } from '../../contract/schema-compiler.ts';
import { badRequest } from '../../contract/service-error.ts';
import { suggestion } from '../../text/nearest-name.ts';
import { pathOf } from '../pipeline/request-target.ts';
import type { ReadParameters } from './locals.ts';
import { checkEncoding, checkExactlyOne } from './query-names.ts';
import { valueWording } from './value-wording.ts';

/** A parameter with what is needed to read it. */
interface Reader {
  readonly parameter: Parameter;
  readonly shape: Shape;
  readonly validator: () => ValidateFunction;
}

/** A decoded text; unchanged where it is no percent-encoding. */
function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const decodeQuery = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
/** A header has no percent-encoding. */
const same = (text: string): string => text;

const subjectOf = ({ in: place, name }: Parameter): string =>
  `${place === 'header' || place === 'cookie' ? place : 'parameter'} '${name}'`;

/** The cookies of a request (RFC 6265 §5.4); the first of several with one name. */
function cookiesOf(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim();
    if (name === '' || cookies.has(name)) continue;
    cookies.set(
      name,
      part
        .slice(equals + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    );
  }
  return cookies;
}

/** The pairs of a query; names are decoded. */
function pairsOf(target: string): RawPair[] {
  const start = target.indexOf('?');
  if (start < 0) return [];
  const query = target.slice(start + 1);
  checkEncoding(query);
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? { name: decodeQuery(pair), raw: '' }
        : { name: decodeQuery(pair.slice(0, equals)), raw: pair.slice(equals + 1) };
    });
}

/** Parses the text of a parameter with a media type. Throws 400. */
function parseContent({ parameter }: Reader, text: string): unknown {
  if (mediaKind(parameter.mediaType ?? '') !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`${subjectOf(parameter)} is not valid JSON`);
  }
}

/** The first of the possible values that conforms to the schema. Throws 400 for none. */
function choose({ parameter, validator }: Reader, values: readonly unknown[]): unknown {
  const isValid = validator();
  let wording: string | undefined;
  for (const value of values) {
    if (isValid(value)) return value;
    wording ??= valueWording(isValid.errors ?? [], value, parameter.example);
  }
  throw badRequest(`${subjectOf(parameter)}${wording ?? ' is not valid'}`);
}

/** Reads the parameters of one operation. */
class ParameterReader {
  readonly #metadata: OperationMetadata;
  readonly #query: readonly Reader[];
  readonly #path: readonly Reader[];
  readonly #headers: readonly Reader[];
  readonly #cookies: readonly Reader[];

  constructor(document: OpenApiDocument, metadata: OperationMetadata, compile: CompileSchema) {
    this.#metadata = metadata;
    const readers = (parameters: ReadonlyMap<string, Parameter>): Reader[] =>
      [...parameters.values()].map((parameter) => ({
        parameter,
        shape: shapeOf(document, parameter.schema),
        validator: lazy(() => compile(parameter.schema)),
      }));
    this.#query = readers(metadata.parameters);
    this.#path = readers(metadata.pathParameters);
    this.#headers = readers(metadata.headerParameters);
    this.#cookies = readers(metadata.cookieParameters);
  }

  /** Reads all parameters of a request. Throws 400. */
  read(request: Request): ReadParameters {
    const query = this.#readQuery(pairsOf(request.originalUrl));
    checkExactlyOne(this.#metadata, query);
    const cookies = cookiesOf(request.headers.cookie);
    const field =
      (decode: (text: string) => string, textOf: (name: string) => string | undefined) =>
      (reader: Reader): unknown => {
        const text = textOf(reader.parameter.name);
        if (text === undefined) return undefined;
        if (reader.parameter.mediaType !== undefined) return choose(reader, [parseContent(reader, decode(text))]);
        return choose(reader, fieldValues(reader.parameter, reader.shape, text, decode));
      };
    const headers = this.#values(
      this.#headers,
      field(same, (name) => request.headersDistinct[name.toLowerCase()]?.join(', ')),
    );
    for (const name of Object.keys(headers)) if (isFrameRequestHeader(name)) delete headers[name];
    return {
      path: this.#readPath(request),
      query,
      headers,
      cookies: this.#values(
        this.#cookies,
        field(decodeLeniently, (name) => cookies.get(name)),
      ),
    };
  }

  /** The values by name; a missing one is the default. Throws 400 for a missing one that is required. */
  #values(readers: readonly Reader[], read: (reader: Reader) => unknown): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const reader of readers) {
      const { parameter } = reader;
      const given = read(reader);
      // A text can mean null.
      const value = given === undefined ? this.#absent(reader) : given;
      if (value === undefined) continue;
      Object.defineProperty(values, parameter.name, { value, enumerable: true, writable: true, configurable: true });
    }
    return values;
  }

  #absent({ parameter }: Reader): unknown {
    const { default: value } = parameter.schema;
    if (value !== undefined) return structuredClone(value);
    if (parameter.required) throw badRequest(`${subjectOf(parameter)} is missing`);
    return undefined;
  }

  #readPath(request: Request): Record<string, unknown> {
    const raws = rawPathValues(this.#metadata.entry.path, pathOf(request.originalUrl));
    return this.#values(this.#path, (reader) => {
      const { parameter, shape } = reader;
      const raw = raws.get(parameter.name);
      if (raw === undefined) return undefined;
      if (parameter.mediaType !== undefined) return choose(reader, [parseContent(reader, decodeURIComponent(raw))]);
      const values = pathValues(parameter, shape, raw, decodeURIComponent);
      if (values === undefined)
        throw badRequest(`${subjectOf(parameter)} must be written in the style ${parameter.style}`);
      return choose(reader, values);
    });
  }

  #readQuery(pairs: readonly RawPair[]): Record<string, unknown> {
    const groups = new Map<Reader, RawPair[]>();
    for (const pair of pairs) {
      const reader = this.#readerOf(pair.name);
      if (reader === undefined) throw this.#unknown(pair.name);
      groups.set(reader, [...(groups.get(reader) ?? []), pair]);
    }
    return this.#values(this.#query, (reader) => {
      const given = groups.get(reader);
      return given === undefined ? undefined : this.#queryValue(reader, given);
    });
  }

  #readerOf(name: string): Reader | undefined {
    return (
      this.#query.find(({ parameter, shape }) => belongsTo(parameter, shape, name)) ??
      this.#query.find(({ parameter: { style, explode, mediaType }, shape }) => {
        const takesMembers = style === 'form' && explode && mediaType === undefined;
        return takesMembers && shape.types.has('object') && shape.isOpen;
      })
    );
  }

  #unknown(name: string): Error {
    return badRequest(`unknown parameter '${name}'${suggestion(name, [...this.#metadata.parameters.keys()])}`);
  }

  #queryValue(reader: Reader, pairs: readonly RawPair[]): unknown {
    const { parameter, shape } = reader;
    const subject = subjectOf(parameter);
    if (parameter.mediaType !== undefined) {
      if (pairs.length > 1) throw badRequest(`${subject} is given more than once`);
      return choose(reader, [parseContent(reader, decodeQuery(pairs[0]!.raw))]);
    }
    const isEmpty = pairs.length === 1 && pairs[0]!.raw === '' && pairs[0]!.name === parameter.name;
    if (isEmpty && parameter.allowEmptyValue === true) return this.#emptyValue(reader);
    if (isEmpty && !(isStructured(shape) && parameter.explode)) throw badRequest(`${subject} is empty`);
    const values = queryValues(parameter, shape, pairs, decodeQuery);
    if (values === undefined) throw badRequest(`${subject} is given more than once`);
    return choose(reader, values);
  }

  /** An empty value that the contract allows: an empty list or text; true where only a boolean is possible. */
  #emptyValue(reader: Reader): unknown {
    const { types } = reader.shape;
    if (types.has('array')) return choose(reader, [[], ['']]);
    const isFlag = types.has('boolean') && !types.has('string');
    return isFlag ? true : '';
  }
}

/**
 * Creates the middleware that reads all parameters of an operation, by the contract, and throws 400 for what it does not allow.
 */
export function readParameters(
  document: OpenApiDocument,
  metadata: OperationMetadata,
  compile: CompileSchema,
): RequestHandler {
  const reader = new ParameterReader(document, metadata, compile);
  return (request, response, next) => {
    response.locals.parameters = reader.read(request);
    next();
  };
}
