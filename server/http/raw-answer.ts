/** Answers where there is a socket but no response: what is not HTTP, and what wants to go over to another protocol. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** How long the other side may take to close its end: it would otherwise keep the connection for as long as it likes. */
const lingerMs = 1_000;

/** Writes an error in the form of the contract, and ends the connection. */
export function endWith(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify({ error: message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
