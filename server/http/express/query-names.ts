/** Checks the names of query parameters, with clearer errors than the validator, which then checks the values. */
import type { Request, RequestHandler } from 'express';
import { badRequest } from '../../contract/service-error.ts';
import { suggestion } from '../../text/nearest-name.ts';
import { requirement } from '../../contract/requirement.ts';
import type { OperationMetadata } from '../../contract/openapi.ts';
import { setTarget } from '../pipeline/request-target.ts';

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' and ');

const integer = /^-?\d+$/;

/** Throws 400 for malformed percent-encoding, which the query parser would replace silently. */
export function checkEncoding(query: string): void {
  try {
    decodeURIComponent(query);
  } catch {
    throw badRequest('the query is not valid percent-encoded UTF-8');
  }
}

/**
 * Percent-encodes the reserved characters that `encodeURIComponent` leaves as they are: the validator rejects them, and programs in
 * JavaScript send them.
 */
function encodeMarks(request: Request, start: number): void {
  const { originalUrl } = request;
  const query = originalUrl
    .slice(start)
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  if (query.length > originalUrl.length - start) setTarget(request, originalUrl.slice(0, start) + query);
}

/** Throws 400 unless exactly one of several alternative parameters is present. */
export function checkExactlyOne({ entry: { exactlyOneOf } }: OperationMetadata, query: object): void {
  const present = exactlyOneOf.filter((name) => name in query);
  if (exactlyOneOf.length === 0 || present.length === 1) return;
  throw badRequest(
    `send exactly one of ${quoted(exactlyOneOf)}${present.length > 1 ? `, not ${quoted(present)}` : ''}`,
  );
}

/**
 * Creates the middleware that throws 400 for an unknown, repeated, empty or missing parameter, and unless exactly one
 * of several alternatives is present.
 */
export function checkParameters(operation: OperationMetadata): RequestHandler {
  const {
    parameters,
    entry: { required },
  } = operation;
  const names = [...parameters.keys()];
  return (request, _response, next) => {
    const start = request.originalUrl.indexOf('?');
    if (start >= 0) {
      checkEncoding(request.originalUrl.slice(start + 1));
      encodeMarks(request, start);
    }
    const query = request.query;
    for (const [name, value] of Object.entries(query)) {
      const parameter = parameters.get(name);
      if (!parameter) throw badRequest(`unknown parameter '${name}'${suggestion(name, names)}`);
      const repeated = Array.isArray(value) && parameter.schema.type !== 'array';
      if (repeated) throw badRequest(`parameter '${name}' is given more than once`);
      if (value === '') throw badRequest(`parameter '${name}' is empty`);
      // The validator converts with Number(), which accepts 'Infinity' as an integer and reads '0x10' as 16.
      if (parameter.schema.type === 'integer' && !integer.test(String(value))) {
        throw badRequest(
          `parameter '${name}' ${requirement('type', parameter.schema, value, 'must be a whole number')}`,
        );
      }
    }
    const missing = required.find((name) => !(name in query));
    if (missing !== undefined) throw badRequest(`parameter '${missing}' is missing`);
    checkExactlyOne(operation, query);
    next();
  };
}
