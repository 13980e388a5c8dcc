/** What goes over a socket: frames that are made once for all listeners, and leave in one write a turn. */
import type { Socket } from 'node:net';

const textOpcode = 0x81;

/** A text of a server as one WebSocket frame, whole and without a mask (RFC 6455 §5.2): the same for every listener. */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const head = bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10;
  // In memory of its own (see own-memory.ts): an event keeps its frames, and a slow socket what waits for it.
  const frame = Buffer.allocUnsafeSlow(head + bytes);
  frame[0] = textOpcode;
  frame[1] = head === 2 ? bytes : head === 4 ? 126 : 127;
  if (head === 4) frame.writeUInt16BE(bytes, 2);
  if (head === 10) frame.writeBigUInt64BE(BigInt(bytes), 2);
  frame.write(text, head);
  return frame;
}

/** Holds back what is written to a socket until the current turn is over, so that it leaves in one write. */
export type WriteBatcher = (socket: Socket) => void;

/** One for all sockets: a timer or a closure for each would cost more than it saves. */
export function createWriteBatcher(): WriteBatcher {
  let held: Socket[] = [];
  const release = (): void => {
    const sockets = held;
    held = [];
    for (const socket of sockets) socket.uncork();
  };
  return (socket) => {
    if (socket.writableCorked > 0) return;
    if (held.length === 0) process.nextTick(release);
    held.push(socket);
    socket.cork();
  };
}
