/** Checks the names in a query, which the validator words poorly; it goes on to check the values. */
import type { RequestHandler } from 'express';
import { badRequest } from '../../contract/service-error.ts';
import { suggestion } from '../../text/nearest-name.ts';
import { requirement } from '../../contract/requirement.ts';
import type { OperationMetadata } from '../../contract/openapi.ts';

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' and ');

const wholeNumber = /^-?\d+$/;

/** Malformed percent-encoding would otherwise be replaced silently. */
function checkEncoding(query: string): void {
  try {
    decodeURIComponent(query);
  } catch {
    throw badRequest('the query is not valid percent-encoded UTF-8');
  }
}

/** Throws 400 for an unknown, repeated, empty or missing parameter, and where not exactly one of several is given. */
export function checkParameters({ parameters, entry: { required, exactlyOneOf } }: OperationMetadata): RequestHandler {
  const known = [...parameters.keys()];
  return (request, _response, next) => {
    const start = request.originalUrl.indexOf('?');
    if (start >= 0) checkEncoding(request.originalUrl.slice(start + 1));
    const query = request.query;
    for (const [name, value] of Object.entries(query)) {
      const parameter = parameters.get(name);
      if (!parameter) throw badRequest(`unknown parameter '${name}'${suggestion(name, known)}`);
      const repeated = Array.isArray(value) && parameter.schema.type !== 'array';
      if (repeated) throw badRequest(`parameter '${name}' is given more than once`);
      if (value === '') throw badRequest(`parameter '${name}' is empty`);
      // The validator reads as Number() does, to which 'Infinity' is a whole number below any maximum, and '0x10' is 16.
      if (parameter.schema.type === 'integer' && !wholeNumber.test(String(value))) {
        throw badRequest(
          `parameter '${name}' ${requirement('type', parameter.schema, value, 'must be a whole number')}`,
        );
      }
    }
    const missing = required.find((name) => !(name in query));
    if (missing !== undefined) throw badRequest(`parameter '${missing}' is missing`);
    const given = exactlyOneOf.filter((name) => name in query);
    if (exactlyOneOf.length > 0 && given.length !== 1) {
      throw badRequest(
        `give exactly one of ${quoted(exactlyOneOf)}${given.length > 1 ? `, not ${quoted(given)}` : ''}`,
      );
    }
    next();
  };
}
