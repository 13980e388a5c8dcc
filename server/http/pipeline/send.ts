/** Sends the answers of operations, whichever way their requests took. */
import type { ServerResponse } from 'node:http';
import type { Representation } from './representation.ts';

/** What the caller said that the form of the answer depends on. */
export interface ContentPreferences {
  readonly acceptEncoding: string | undefined;
  /** If-None-Match; of no effect where the operation has no conditional answers. */
  readonly ifNoneMatch: string | undefined;
}

/**
 * Sends the status of the response, 200 unless it was set, in the best encoding that pays, or 304 to whoever has it. `head`: other headers, as
 * names and values in turn, beside those that the response has; it is added to. Vary must be among them.
 */
export function sendResponse(
  response: ServerResponse,
  head: string[],
  representation: Representation,
  conditional: boolean,
  { acceptEncoding, ifNoneMatch }: ContentPreferences,
): void {
  if (conditional) {
    head.push('ETag', representation.etag);
    if (representation.isNamedBy(ifNoneMatch)) {
      response.writeHead(304, head).end();
      return;
    }
  }
  const encoding = representation.encodingFor(acceptEncoding);
  const write = (body: Buffer): void => {
    head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length));
    if (encoding !== 'identity') head.push('Content-Encoding', encoding);
    response.writeHead(response.statusCode, head);
    if (encoding === 'identity' && representation.text !== undefined) response.end(representation.text, 'latin1');
    else response.end(body);
  };
  const body = representation.in(encoding);
  if (Buffer.isBuffer(body)) write(body);
  else void body.then(write, () => response.destroy());
}
