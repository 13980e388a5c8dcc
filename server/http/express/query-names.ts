/** Checks the names of query parameters, with clearer errors than the validator, which then checks the values. */
import type { RequestHandler } from 'express';
import { badRequest } from '../../contract/service-error.ts';
import { suggestion } from '../../text/nearest-name.ts';
import { requirement } from '../../contract/requirement.ts';
import type { OperationMetadata } from '../../contract/openapi.ts';

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' and ');

const integer = /^-?\d+$/;

/** Throws 400 for malformed percent-encoding, which the query parser would replace silently. */
function checkEncoding(query: string): void {
  try {
    decodeURIComponent(query);
  } catch {
    throw badRequest('the query is not valid percent-encoded UTF-8');
  }
}

/**
 * Creates the middleware that throws 400 for an unknown, repeated, empty or missing parameter, and unless exactly one
 * of several alternatives is present.
 */
export function checkParameters({ parameters, entry: { required, exactlyOneOf } }: OperationMetadata): RequestHandler {
  const names = [...parameters.keys()];
  return (request, _response, next) => {
    const start = request.originalUrl.indexOf('?');
    if (start >= 0) checkEncoding(request.originalUrl.slice(start + 1));
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
    const present = exactlyOneOf.filter((name) => name in query);
    if (exactlyOneOf.length > 0 && present.length !== 1) {
      throw badRequest(
        `send exactly one of ${quoted(exactlyOneOf)}${present.length > 1 ? `, not ${quoted(present)}` : ''}`,
      );
    }
    next();
  };
}
