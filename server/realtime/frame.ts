/** What goes over a socket: frames that are made once for all listeners, and leave in one write a turn. */
import type { Socket } from 'node:net';

const textOpcode = 0x81;

/** A text of a server as one WebSocket frame, whole and without a mask (RFC 6455 §5.2): the same for every listener. */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const headerBytes = bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10;
  // In memory of its own (see own-memory.ts): an event keeps its frames, and a slow socket what waits for it.
  const frame = Buffer.allocUnsafeSlow(headerBytes + bytes);
  frame[0] = textOpcode;
  frame[1] = headerBytes === 2 ? bytes : headerBytes === 4 ? 126 : 127;
  if (headerBytes === 4) frame.writeUInt16BE(bytes, 2);
  if (headerBytes === 10) frame.writeBigUInt64BE(BigInt(bytes), 2);
  frame.write(text, headerBytes);
  return frame;
}

/** Holds back what is written to a socket until the current turn is over, so that it leaves in one write. */
export type WriteBatcher = (socket: Socket) => void;

/** One for all sockets: a timer or a closure for each would cost more than it saves. */
export function createWriteBatcher(): WriteBatcher {
  let corked: Socket[] = [];
  const flush = (): void => {
    const sockets = corked;
    corked = [];
    for (const socket of sockets) socket.uncork();
  };
  return (socket) => {
    if (socket.writableCorked > 0) return;
    if (corked.length === 0) process.nextTick(flush);
    corked.push(socket);
    socket.cork();
  };
}
