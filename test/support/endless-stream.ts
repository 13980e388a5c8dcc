/** Answers without end, for tests of readers and of callers that do not read. The kernel may hold any part of them. */
import type { Writable } from 'node:stream';

/** Writes a piece again and again, as fast as it is read, until the stream is closed. Ends the stream at `isOver`. */
export function writeEndlessly(stream: Writable, piece: string | Buffer, isOver: () => boolean = () => false): void {
  const write = (): void => {
    while (!isOver()) if (stream.destroyed || !stream.write(piece)) return;
    stream.off('drain', write).end();
  };
  stream.on('drain', write);
  write();
}
