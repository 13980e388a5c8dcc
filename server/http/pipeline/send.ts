/** Sends the representation of a response body: conditional requests, content encoding, headers. */
import type { ServerResponse } from 'node:http';
import type { Representation } from './representation.ts';

/** The request headers that the representation depends on. */
export interface ContentPreferences {
  readonly acceptEncoding: string | undefined;
  /** If-None-Match; ignored where the operation has no conditional responses. */
  readonly ifNoneMatch: string | undefined;
}

/**
 * Sends the representation in the best encoding that the caller accepts, with the status of `response` (200 unless it
 * was set), or sends 304 if the caller has it already. `headers`: additional headers as alternating names and values;
 * the function appends to it. Vary must be set by the caller of this function. Returns a promise while the
 * representation is compressed. Throws, or rejects, when the response cannot be written.
 */
export function sendResponse(
  response: ServerResponse,
  headers: string[],
  representation: Representation,
  conditional: boolean,
  { acceptEncoding, ifNoneMatch }: ContentPreferences,
  contentType = 'application/json; charset=utf-8',
): Promise<void> | undefined {
  if (conditional) {
    headers.push('ETag', representation.etag);
    if (representation.matches(ifNoneMatch)) {
      response.writeHead(304, headers).end();
      return undefined;
    }
  }
  const encoding = representation.encodingFor(acceptEncoding);
  const write = (body: Buffer): void => {
    headers.push('Content-Type', contentType, 'Content-Length', String(body.length));
    if (encoding !== 'identity') headers.push('Content-Encoding', encoding);
    response.writeHead(response.statusCode, headers);
    if (encoding === 'identity' && representation.text !== undefined) response.end(representation.text, 'latin1');
    else response.end(body);
  };
  const body = representation.encoded(encoding);
  if (!Buffer.isBuffer(body)) return body.then(write);
  write(body);
  return undefined;
}
