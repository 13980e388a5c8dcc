/**
 * Reads requests that have only one interpretation. It produces no errors: it declines every invalid or unusual
 * request, and express-openapi-validator decides about those.
 */
import type { ValidateFunction } from 'ajv';
import type { OperationId } from '../../contract/operations.ts';
import { lazy } from '../../collections/lazy.ts';
import { compilerWithin } from '../../contract/schema-compiler.ts';
import {
  resolve,
  type OperationMetadataMap,
  type OpenApiDocument,
  type OperationMetadata,
  type Schema,
} from '../../contract/openapi.ts';

export interface ParsedTarget {
  readonly id: OperationId;
  /** The path without the query, for the log. */
  readonly path: string;
  /** Validated; integers are numbers, and defaults are set. */
  readonly query: Readonly<Record<string, string | number>>;
}

/** The request headers that the response depends on. */
export interface ParsedHeaders {
  readonly key: string;
  readonly requestId: string | undefined;
  readonly origin: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

type ReadQuery = (query: string) => ParsedTarget['query'] | undefined;

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

/**
 * Returns the query reader of an operation; undefined where a parameter is neither a string nor an integer of the
 * query.
 */
function createQueryReader(
  document: OpenApiDocument,
  compile: (schema: object) => ValidateFunction,
  { parameters, entry: operation }: OperationMetadata,
): ReadQuery | undefined {
  const schemas = new Map<string, Schema>();
  for (const [name, parameter] of parameters) {
    const schema = resolve<Schema>(document, parameter.schema);
    if (parameter.in !== 'query' || (schema.type !== 'string' && schema.type !== 'integer')) return undefined;
    schemas.set(name, schema);
  }
  const validator = lazy(() =>
    compile({
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(schemas),
      required: operation.required,
    }),
  );
  const { exactlyOneOf } = operation;
  const defaults = [...schemas].flatMap(([name, schema]) =>
    schema.default === undefined ? [] : [[name, schema.default as string | number] as const],
  );

  return (text) => {
    if (!unambiguousQuery.test(text)) return undefined;
    const query: Record<string, string | number> = {};
    for (const pair of text === '' ? [] : text.split('&')) {
      const equals = pair.indexOf('=');
      if (equals < 0) return undefined;
      const name = pair.slice(0, equals);
      const raw = pair.slice(equals + 1);
      const schema = schemas.get(name);
      if (schema === undefined || raw === '' || name in query) return undefined;
      if (schema.type === 'integer') {
        if (!unambiguousInteger.test(raw)) return undefined;
        query[name] = Number(raw);
        continue;
      }
      const value =
        parameters.get(name)!.allowReserved === true ? decoded(raw) : unreserved.test(raw) ? raw : undefined;
      if (value === undefined || value === '') return undefined;
      query[name] = value;
    }
    let count = 0;
    for (const name of exactlyOneOf) if (name in query) count += 1;
    if (exactlyOneOf.length > 0 && count !== 1) return undefined;
    for (const [name, value] of defaults) if (!(name in query)) query[name] = value;
    return validator()(query) ? query : undefined;
  };
}

/**
 * Returns the reader of request targets. It accepts conditional GET operations without path parameters. The schema of a
 * query is compiled at the first request that needs it.
 */
export function createTargetReader(
  document: OpenApiDocument,
  metadata: OperationMetadataMap,
): (target: string) => ParsedTarget | undefined {
  const compile = compilerWithin(document);
  const readers = new Map<string, { id: OperationId; read: ReadQuery }>();
  for (const [id, operation] of Object.entries(metadata) as [OperationId, OperationMetadata][]) {
    const { path, method } = operation.entry;
    if (method !== 'get' || !operation.conditional || path.includes('{')) continue;
    const read = createQueryReader(document, compile, operation);
    if (read !== undefined) readers.set(path, { id, read });
  }
  return (target) => {
    const start = target.indexOf('?');
    const path = start < 0 ? target : target.slice(0, start);
    const match = readers.get(path);
    const query = match?.read(start < 0 ? '' : target.slice(start + 1));
    return query === undefined ? undefined : { id: match!.id, path, query };
  };
}

/**
 * Reads the headers of a request without a body. Returns undefined unless the request has exactly one API key, in one
 * header, and each relevant header at most once.
 */
export function readHeaders(rawHeaders: readonly string[]): ParsedHeaders | undefined {
  let key: string | undefined;
  let requestId: string | undefined;
  let origin: string | undefined;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const value = rawHeaders[index + 1]!;
    switch (rawHeaders[index]!.toLowerCase()) {
      case 'x-api-key':
        if (key !== undefined) return undefined;
        key = value;
        break;
      case 'authorization':
        if (key !== undefined || !value.startsWith('Bearer ')) return undefined;
        key = value.slice(7);
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
      case 'if-none-match':
        if (ifNoneMatch !== undefined) return undefined;
        ifNoneMatch = value;
        break;
      case 'content-length':
      case 'transfer-encoding':
      case 'expect':
      case 'upgrade':
        return undefined;
    }
  }
  return key === undefined || key === '' ? undefined : { key, requestId, origin, acceptEncoding, ifNoneMatch };
}
