/** Error responses that are written directly to a socket, where there is no response object. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorResponse } from '../pipeline/error-body.ts';
import { closeLingering } from './lingering-close.ts';

/**
 * Sends an error response and closes the connection, even if the other end keeps sending. `fields` are added to the
 * headers, or replace headers of the same name.
 */
export function respondAndClose(
  socket: Socket,
  status: number,
  message: string,
  fields: Readonly<Record<string, string>> = {},
): void {
  const { headers, body } = errorResponse(message);
  const lines = Object.entries({ ...headers, Connection: 'close', ...fields }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const text = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n');
  socket.write(Buffer.concat([Buffer.from(text), body]));
  closeLingering(socket);
}
