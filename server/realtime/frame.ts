/** WebSocket text frames that connections share, and the batching of socket writes. */

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

/** The text of a frame that `textFrame` has made, in UTF-8. */
export function textOf(frame: Buffer): Buffer {
  const length = frame[1];
  return frame.subarray(length === 126 ? 4 : length === 127 ? 10 : 2);
}

/** Holds frames until the current turn of the event loop ends. */
export interface FrameHolder {
  /** Writes the frames. `now` is `performance.now()`. */
  flush(now: number): void;
}

/** Flushes a holder when the current turn ends, so that the frames of a socket leave in one system call. */
export type WriteBatcher = (holder: FrameHolder) => void;

/** Creates one batcher for all sockets: a timer or closure for each socket would cost more than the batching saves. */
export function createWriteBatcher(): WriteBatcher {
  let holders: FrameHolder[] = [];
  const flush = (): void => {
    const flushed = holders;
    holders = [];
    const now = performance.now();
    for (const holder of flushed) holder.flush(now);
  };
  return (holder) => {
    if (holders.length === 0) process.nextTick(flush);
    holders.push(holder);
  };
}
