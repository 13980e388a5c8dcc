/** Sends the answers of operations, whichever way their requests took. */
import type { ServerResponse } from 'node:http';
import type { Encoding, Representation } from './representation.ts';

/** What the caller said that the form of the answer depends on. */
export interface Wishes {
  readonly acceptEncoding: string | undefined;
  /** If-None-Match; left out where the operation has no conditional answers. */
  readonly ifNoneMatch: string | undefined;
}

/**
 * Sends 200, in the best encoding that pays, or 304 to whoever has it. `head`: other headers, as names and values in turn, beside those
 * that the response has. Vary must be among them.
 */
export function sendAnswer(response: ServerResponse, head: readonly string[], representation: Representation, conditional: boolean, { acceptEncoding, ifNoneMatch }: Wishes): void {
  if (conditional && representation.isNamedBy(ifNoneMatch)) {
    response.writeHead(304, [...head, 'ETag', representation.etag]);
    response.end();
    return;
  }
  const encoding = representation.encodingFor(acceptEncoding);
  const write = (body: Buffer): void => {
    response.writeHead(200, headOf(head, representation, conditional, encoding, body.length));
    response.end(body);
  };
  const body = representation.in(encoding);
  if (body instanceof Promise) void body.then(write, () => response.destroy());
  else write(body);
}

function headOf(head: readonly string[], { etag }: Representation, conditional: boolean, encoding: Encoding, length: number): string[] {
  const whole = [...head, 'Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length)];
  if (conditional) whole.push('ETag', etag);
  if (encoding !== 'identity') whole.push('Content-Encoding', encoding);
  return whole;
}
