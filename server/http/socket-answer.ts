/** Answers where there is no response to write to: straight to the socket, which ends with them. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorAnswer } from './error-answer.ts';

/** How long what a caller still sends is read and dropped, so that the answer reaches it: a socket closed over unread bytes is reset. */
const lingerMs = 1_000;

/** Answers with an error, and closes the connection, whatever its other end does. */
export function endWith(socket: Socket, status: number, message: string, fields: Readonly<Record<string, string>> = {}): void {
  const { head, body } = errorAnswer(message);
  const lines = Object.entries({ ...head, Connection: 'close', ...fields }).map(([name, value]) => `${name}: ${value}`);
  socket.resume().end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`), body]));
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
