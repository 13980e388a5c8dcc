/**
 * Reads requests that are plainly right. It knows no errors: what is wrong, or only unusual, it does not read, and the way that
 * words errors decides about it.
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
  /** The path alone, for the log. */
  readonly path: string;
  /** Validated, as numbers where the contract says so, with the defaults. */
  readonly query: Readonly<Record<string, string | number>>;
}

/** What the headers say that an answer depends on. */
export interface ParsedHeaders {
  readonly key: string;
  readonly requestId: string | undefined;
  readonly origin: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

type ReadQuery = (query: string) => ParsedTarget['query'] | undefined;

/** What a URL may hold without being read in more than one way: no fragment, no backslash, no square brackets. */
const plainQuery = /^[\w.~%+@:/?!$'()*,;=&"<>{}|^`-]*$/;
/** A value without characters that RFC 3986 reserves, whose meaning express-openapi-validator would question. */
const unreserved = /^[\w.~-]+$/;
/** Whole numbers that every reader reads alike. */
const plainInteger = /^(?:0|[1-9]\d{0,14})$/;

function decoded(value: string): string | undefined {
  if (!value.includes('%')) return value.includes('+') ? value.replaceAll('+', ' ') : value;
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Reads the queries of an operation; undefined where it has parameters of other kinds than texts and whole numbers. */
function queryReader(
  document: OpenApiDocument,
  compile: (schema: object) => ValidateFunction,
  { parameters, entry: row }: OperationMetadata,
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
      required: row.required,
    }),
  );
  const { exactlyOneOf } = row;
  const defaults = [...schemas].flatMap(([name, schema]) =>
    schema.default === undefined ? [] : [[name, schema.default as string | number] as const],
  );

  return (text) => {
    if (!plainQuery.test(text)) return undefined;
    const query: Record<string, string | number> = {};
    for (const pair of text === '' ? [] : text.split('&')) {
      const equals = pair.indexOf('=');
      if (equals < 0) return undefined;
      const name = pair.slice(0, equals);
      const raw = pair.slice(equals + 1);
      const schema = schemas.get(name);
      if (schema === undefined || raw === '' || name in query) return undefined;
      if (schema.type === 'integer') {
        if (!plainInteger.test(raw)) return undefined;
        query[name] = Number(raw);
        continue;
      }
      const value =
        parameters.get(name)!.allowReserved === true ? decoded(raw) : unreserved.test(raw) ? raw : undefined;
      if (value === undefined || value === '') return undefined;
      query[name] = value;
    }
    let given = 0;
    for (const name of exactlyOneOf) if (name in query) given += 1;
    if (exactlyOneOf.length > 0 && given !== 1) return undefined;
    for (const [name, value] of defaults) if (!(name in query)) query[name] = value;
    return validator()(query) ? query : undefined;
  };
}

/** Reads targets of the operations that are asked by GET and may be asked again. A query's schema is compiled for the first request. */
export function createTargetReader(
  document: OpenApiDocument,
  facts: OperationMetadataMap,
): (target: string) => ParsedTarget | undefined {
  const compile = compilerWithin(document);
  const readers = new Map<string, { id: OperationId; read: ReadQuery }>();
  for (const [id, known] of Object.entries(facts) as [OperationId, OperationMetadata][]) {
    const { path, method } = known.entry;
    if (method !== 'get' || !known.conditional || path.includes('{')) continue;
    const read = queryReader(document, compile, known);
    if (read !== undefined) readers.set(path, { id, read });
  }
  return (target) => {
    const start = target.indexOf('?');
    const path = start < 0 ? target : target.slice(0, start);
    const found = readers.get(path);
    const query = found?.read(start < 0 ? '' : target.slice(start + 1));
    return query === undefined ? undefined : { id: found!.id, path, query };
  };
}

/**
 * Reads the headers of a request without a body; undefined where it presents its key otherwise than once in one header, or where one that
 * matters was sent twice.
 */
export function readHead(rawHeaders: readonly string[]): ParsedHeaders | undefined {
  let key: string | undefined;
  let requestId: string | undefined;
  let origin: string | undefined;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1]!;
    switch (rawHeaders[at]!.toLowerCase()) {
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
