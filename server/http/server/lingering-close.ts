/**
 * Closes a connection whose caller may still be sending. If a server closes a socket with unread bytes, TCP resets the
 * connection, and the reset can destroy the response before the caller has read it. So the server ends its own
 * direction first, and reads and drops the remaining input, within limits of bytes and time (nginx: `lingering_close`;
 * RFC 9112 §9.6).
 */
import type { Socket } from 'node:net';

/** Maximum number of bytes to read and drop; later bytes stay in the buffers of the caller. */
const maxBytes = 256 * 1024;
/** Time limit for the caller to read the response and to close its end, in milliseconds. */
const maxMs = 2_000;

/** Ends the connection after all written data was sent. Destroys the socket after `maxMs` at the latest. */
export function closeLingering(socket: Socket): void {
  if (socket.destroyed) return;
  const byteLimit = socket.bytesRead + maxBytes;
  const timer = setTimeout(() => socket.destroy(), maxMs).unref();
  socket.on('data', () => {
    if (socket.bytesRead >= byteLimit) socket.pause();
  });
  socket.once('end', () => {
    if (socket.writableFinished) socket.destroy();
    else socket.once('finish', () => socket.destroy());
  });
  socket.once('error', () => {});
  socket.once('close', () => clearTimeout(timer));
  socket.resume().end();
}
