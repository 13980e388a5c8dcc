/** The JSON body of a request: read only after the key was accepted, and only where the operation has one. */
import express, { type Request, type RequestHandler } from 'express';
import { badRequest, ServiceError } from '../errors.ts';

const limit = 16 * 1024;
const parse = express.json({ limit, strict: false });

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Throws 415 unless the body is declared as application/json in UTF-8, the only encoding JSON has (RFC 8259 §8.1). */
function checkMediaType(header: string | undefined): void {
  const type = header?.split(';', 1)[0]!.trim().toLowerCase();
  if (type !== 'application/json') {
    const what = type ? `content type '${type}'` : 'a body without a content type';
    throw new ServiceError(415, `${what} is not supported: send application/json`);
  }
  for (const [, charset] of header!.matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)) {
    if (charset!.toLowerCase() !== 'utf-8') throw new ServiceError(415, `charset '${charset}' is not supported: send UTF-8`);
  }
}

/** Words what body-parser could not read; its `type` names the case. */
function unreadable(error: { type?: string; status?: number }): unknown {
  switch (error.type) {
    case 'entity.too.large':
      return new ServiceError(413, `the body is larger than ${limit / 1024} kB`);
    case 'encoding.unsupported':
      return new ServiceError(415, 'this content encoding is not supported: send the body as it is, or as gzip, deflate or br');
    case 'entity.parse.failed':
      return badRequest('the body is not valid JSON: expected an object');
    default:
      return error.status !== undefined && error.status < 500 ? badRequest('the body could not be read') : error;
  }
}

/**
 * Parses the body into `request.body`. Its Content-Type then has one form only, because express-openapi-validator keeps a
 * compiled validator for each that it sees. Throws 400, 413 and 415.
 */
export const readBody: RequestHandler = (request, response, next) => {
  if (!hasBody(request)) throw badRequest('a JSON body is required');
  checkMediaType(request.headers['content-type']);
  request.headers['content-type'] = 'application/json';
  parse(request, response, (error?: unknown) => next(error === undefined ? undefined : unreadable(error as object)));
};
