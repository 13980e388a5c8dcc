/**
 * Closes a connection whose caller may still be sending. A socket that is closed over unread bytes is reset, and a
 * reset can destroy the answer before the caller has read it. So the server ends its own direction first, and reads
 * and drops what still comes, within a limit of bytes and of time (nginx calls the same `lingering_close`; RFC 9112
 * §9.6).
 */
import type { Socket } from 'node:net';

/** Bytes that are read and dropped at most; what comes after them waits in the caller's own buffers. */
const mostBytes = 256 * 1024;
/** How long the caller has to read the answer and to close its end, in milliseconds. */
const mostMs = 2_000;

/**
 * Ends the connection after what was written to it has been sent. The socket is destroyed after `mostMs` at the
 * latest.
 */
export function closeLingering(socket: Socket): void {
  if (socket.destroyed) return;
  const until = socket.bytesRead + mostBytes;
  const timer = setTimeout(() => socket.destroy(), mostMs).unref();
  socket.on('data', () => {
    if (socket.bytesRead >= until) socket.pause();
  });
  socket.once('end', () => {
    if (socket.writableFinished) socket.destroy();
    else socket.once('finish', () => socket.destroy());
  });
  socket.once('error', () => {});
  socket.once('close', () => clearTimeout(timer));
  socket.resume().end();
}
