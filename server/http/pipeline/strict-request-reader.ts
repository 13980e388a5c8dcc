/**
 * Reads requests that have only one interpretation. It produces no errors: it declines every invalid or unusual
 * request, and express-openapi-validator decides about those.
 */
import type { ValidateFunction } from 'ajv';
import type { OperationId } from '../../contract/operations.ts';
import { lazy } from '../../collections/lazy.ts';
import type { CredentialPlace, AcceptedScheme } from '../security.ts';
import type { Credential } from './credentials.ts';
import { resolve, type OpenApiDocument, type OperationMetadata, type Schema } from '../../contract/openapi.ts';

/** A validated query: integers are numbers, and defaults are set. */
export type QueryValues = Readonly<Record<string, unknown>>;

export interface ParsedTarget {
  readonly id: OperationId;
  /** The path without the query, for the log. */
  readonly path: string;
  readonly query: QueryValues;
}

/** The request headers that the response depends on. */
export interface ParsedHeaders {
  readonly credential: Credential;
  readonly requestId: string | undefined;
  readonly origin: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly traceparent: string | undefined;
}

/** Reads and validates the text of a query; undefined if it declines. */
export type ReadQuery = (query: string) => QueryValues | undefined;

/**
 * The characters of a query that every URL parser reads in the same way: no fragment, no backslash, no square brackets.
 */
const unambiguousQuery = /^[\w.~%+@:/?!$'()*,;=&"<>{}|^`-]*$/;
/** A value without reserved characters (RFC 3986). express-openapi-validator rejects some of these. */
const unreserved = /^[\w.~-]+$/;
/** Integers that every parser reads in the same way. */
const unambiguousInteger = /^(?:0|[1-9]\d{0,14})$/;

function decoded(value: string): string | undefined {
  if (!value.includes('%')) return value.includes('+') ? value.replaceAll('+', ' ') : value;
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** A query parameter as the reader needs it. */
interface QueryParameter {
  readonly schema: Schema;
  readonly isInteger: boolean;
  readonly allowReserved: boolean;
}

/** The parameters of an operation; undefined if one is no plain string or integer of the query. */
function queryParameters(
  document: OpenApiDocument,
  { parameters, cookieParameters }: OperationMetadata,
): ReadonlyMap<string, QueryParameter> | undefined {
  const read = new Map<string, QueryParameter>();
  if (cookieParameters.size > 0) return undefined;
  for (const [name, parameter] of parameters) {
    const { style, mediaType, allowEmptyValue } = parameter;
    if (style !== 'form' || mediaType !== undefined || allowEmptyValue === true) return undefined;
    // Every object has a member of this name.
    if (name in {}) return undefined;
    const schema = resolve<Schema>(document, parameter.schema);
    if (schema.type !== 'string' && schema.type !== 'integer') return undefined;
    read.set(name, {
      schema,
      isInteger: schema.type === 'integer',
      allowReserved: parameter.allowReserved === true,
    });
  }
  return read;
}

/** The value of a parameter that has one interpretation; undefined for any other. */
function readValue({ isInteger, allowReserved }: QueryParameter, raw: string): string | number | undefined {
  if (isInteger) return unambiguousInteger.test(raw) ? Number(raw) : undefined;
  const value = allowReserved ? decoded(raw) : unreserved.test(raw) ? raw : undefined;
  return value === '' ? undefined : value;
}

/** The values of a query in which each pair has one interpretation; undefined for any other. */
function readPairs(text: string, parameters: ReadonlyMap<string, QueryParameter>): Record<string, unknown> | undefined {
  const query: Record<string, unknown> = {};
  for (const pair of text === '' ? [] : text.split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 0) return undefined;
    const name = pair.slice(0, equals);
    const parameter = parameters.get(name);
    if (parameter === undefined || name in query) return undefined;
    const value = readValue(parameter, pair.slice(equals + 1));
    if (value === undefined) return undefined;
    query[name] = value;
  }
  return query;
}

/**
 * Returns the query reader of an operation; undefined unless it is a conditional GET without path parameters, whose
 * parameters are strings and integers of the query. The schema is compiled at the first request that needs it.
 */
export function createQueryReader(
  document: OpenApiDocument,
  compile: (schema: object) => ValidateFunction,
  operation: OperationMetadata,
): ReadQuery | undefined {
  const { method, path, required, exactlyOneOf } = operation.entry;
  const parameters = queryParameters(document, operation);
  // The reader of headers knows no other parameter in a header.
  if ([...operation.headerParameters.keys()].some((name) => name !== 'x-event-cursor')) return undefined;
  if (method !== 'get' || !operation.conditional || path.includes('{') || parameters === undefined) return undefined;
  const properties = Object.fromEntries(Array.from(parameters, ([name, { schema }]) => [name, schema]));
  const validator = lazy(() => compile({ type: 'object', additionalProperties: false, properties, required }));
  const defaults = [...parameters].flatMap(([name, { schema }]) =>
    schema.default === undefined ? [] : [[name, schema.default] as const],
  );

  return (text) => {
    if (!unambiguousQuery.test(text)) return undefined;
    const query = readPairs(text, parameters);
    if (query === undefined) return undefined;
    let count = 0;
    for (const name of exactlyOneOf) if (name in query) count += 1;
    if (exactlyOneOf.length > 0 && count !== 1) return undefined;
    for (const [name, value] of defaults) if (!(name in query)) query[name] = value;
    return validator()(query) ? query : undefined;
  };
}

/** The part of an operation that the target reader needs. */
interface ReadableOperation {
  readonly id: OperationId;
  readonly metadata: OperationMetadata;
  readonly readQuery: ReadQuery | undefined;
}

/** Reads the targets of the operations that have a query reader. */
export class TargetReader {
  readonly #operations = new Map<string, { readonly id: OperationId; readonly readQuery: ReadQuery }>();

  constructor(operations: Iterable<ReadableOperation>) {
    for (const { id, metadata, readQuery } of operations)
      if (readQuery !== undefined) this.#operations.set(metadata.entry.path, { id, readQuery });
  }

  /** Returns undefined for a target that has more than one interpretation, or none. */
  read(target: string): ParsedTarget | undefined {
    const start = target.indexOf('?');
    const path = start < 0 ? target : target.slice(0, start);
    const operation = this.#operations.get(path);
    const query = operation?.readQuery(start < 0 ? '' : target.slice(start + 1));
    return operation === undefined || query === undefined ? undefined : { id: operation.id, path, query };
  }
}

/** A value of `X-Event-Cursor` that the contract permits, also with a narrower pattern. */
const canonicalCursor = /^[\w-]{1,32}\.(?:0|[1-9]\d{0,14})$/;

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** Reads the headers of a request without a body; undefined if it declines. */
export type ReadHeaders = (rawHeaders: readonly string[]) => ParsedHeaders | undefined;

/** Where API keys are in headers; `bearer` is undefined where another authenticator takes such tokens. */
function placesInHeaders(schemes: readonly AcceptedScheme[]): {
  readonly bearer: CredentialPlace | undefined;
  readonly keyPlaces: readonly CredentialPlace[];
} {
  const inHeaders = schemes.filter(({ place }) => place.in === 'header');
  const ofKeys = inHeaders.filter(({ authenticator }) => authenticator === undefined).map(({ place }) => place);
  const isTaken = inHeaders.some(
    ({ place, authenticator }) => place.scheme === 'bearer' && authenticator !== undefined,
  );
  return {
    bearer: isTaken ? undefined : ofKeys.find(({ scheme }) => scheme === 'bearer'),
    keyPlaces: [...new Set(ofKeys.filter(({ scheme }) => scheme === undefined))],
  };
}

/**
 * Returns the reader of the headers of requests that have an API key. It declines unless the request has exactly one API key,
 * in one header, and each relevant header at most once.
 */
export function createHeaderReader(schemes: readonly AcceptedScheme[]): ReadHeaders {
  const { bearer, keyPlaces } = placesInHeaders(schemes);
  return (rawHeaders) => {
    let credential: Credential | undefined;
    let requestId: string | undefined;
    let origin: string | undefined;
    let acceptEncoding: string | undefined;
    let ifNoneMatch: string | undefined;
    let eventCursor: string | undefined;
    let traceparent: string | undefined;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const value = rawHeaders[index + 1] ?? '';
      const name = (rawHeaders[index] ?? '').toLowerCase();
      for (const place of keyPlaces) {
        if (name !== place.name) continue;
        if (credential !== undefined) return undefined;
        credential = { place, value };
      }
      switch (name) {
        case 'authorization':
          // More than one space after the scheme is valid (RFC 9110 §11.4), but not canonical.
          if (credential !== undefined || bearer === undefined) return undefined;
          if (!value.startsWith('Bearer ') || isBlank(value.charCodeAt(7))) return undefined;
          credential = { place: bearer, value: value.slice(7) };
          break;
        case 'x-request-id':
          if (requestId !== undefined) return undefined;
          requestId = value;
          break;
        case 'origin':
          if (origin !== undefined) return undefined;
          origin = value;
          break;
        case 'accept-encoding':
          if (acceptEncoding !== undefined) return undefined;
          acceptEncoding = value;
          break;
        case 'traceparent':
          if (traceparent !== undefined) return undefined;
          traceparent = value;
          break;
        case 'if-none-match':
          if (ifNoneMatch !== undefined) return undefined;
          ifNoneMatch = value;
          break;
        // Without a canonical value, the validator decides about the header, and words the error.
        case 'x-event-cursor':
          if (eventCursor !== undefined || !canonicalCursor.test(value)) return undefined;
          eventCursor = value;
          break;
        // Rare: Express passes it on to the same step.
        case 'if-match':
        case 'content-length':
        case 'transfer-encoding':
        case 'expect':
        case 'upgrade':
          return undefined;
      }
    }
    if (credential === undefined || credential.value === '') return undefined;
    return { credential, requestId, origin, acceptEncoding, ifNoneMatch, traceparent };
  };
}
