/** WebSocket text frames that connections share, and the batching of socket writes. */
import type { Socket } from 'node:net';

const textOpcode = 0x81;

/** Encodes a text as one unmasked WebSocket frame (RFC 6455 §5.2). All connections can send the same frame. */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const headerBytes = bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10;
  // Not from Node's shared buffer pool (see own-memory.ts): a cached frame would retain the whole pool slab.
  const frame = Buffer.allocUnsafeSlow(headerBytes + bytes);
  frame[0] = textOpcode;
  frame[1] = headerBytes === 2 ? bytes : headerBytes === 4 ? 126 : 127;
  if (headerBytes === 4) frame.writeUInt16BE(bytes, 2);
  if (headerBytes === 10) frame.writeBigUInt64BE(BigInt(bytes), 2);
  frame.write(text, headerBytes);
  return frame;
}

/** Collects the writes to a socket until the current turn ends, so that they leave in one system call. */
export type WriteBatcher = (socket: Socket) => void;

/** Creates one batcher for all sockets: a timer or closure for each socket would cost more than the batching saves. */
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
