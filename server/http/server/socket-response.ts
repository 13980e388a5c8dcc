/** Answers where there is no response to write to: straight to the socket, which ends with them. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorResponse } from '../pipeline/error-body.ts';
import { closeLingering } from './lingering-close.ts';

/**
 * Answers with an error, and closes the connection, whatever its other end does. `fields` are added to the head, or
 * replace its fields.
 */
export function respondAndClose(
  socket: Socket,
  status: number,
  message: string,
  fields: Readonly<Record<string, string>> = {},
): void {
  const { headers: head, body } = errorResponse(message);
  const lines = Object.entries({ ...head, Connection: 'close', ...fields }).map(([name, value]) => `${name}: ${value}`);
  const text = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n');
  socket.write(Buffer.concat([Buffer.from(text), body]));
  closeLingering(socket);
}
