/** The sending side of one WebSocket connection. The socket buffer is limited, and there is no other queue. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { textFrame, type FrameHolder, type WriteBatcher } from './frame.ts';
import { closeCodes, type CloseReason } from './limits.ts';
import { frameOf, type ServerMessage } from './messages.ts';
import type { Outlet } from './outlet.ts';

export interface MessageSocketParts {
  readonly ws: WebSocket;
  readonly socket: Socket;
  /** Bytes in the socket buffer above which no event is written. */
  readonly bufferedBytes: number;
  /** Shared by all connections. */
  readonly batchWrites: WriteBatcher;
  /** Reports an internal error. */
  readonly reportFault: (what: string, detail: unknown) => void;
  /** Counts a message in the metrics. */
  readonly countMessage: (direction: 'in' | 'out', type: string) => void;
}

/** Milliseconds for which a peer may delay its close frame before the socket is terminated. */
const closeTimeoutMs = 1_000;

export class MessageSocket implements FrameHolder, Outlet {
  readonly #parts: MessageSocketParts;
  readonly #maxBufferedBytes: number;
  #isClosing = false;
  #closeCode: number | undefined;
  #lastSent = performance.now();
  /** The frames of this turn. Most turns have one, for which corking the socket would only cost. */
  #firstHeld: Buffer | undefined;
  #otherHeld: Buffer[] = [];
  #heldBytes = 0;

  constructor(parts: MessageSocketParts) {
    this.#parts = parts;
    // A socket emits 'drain' only after its buffer has reached its own high-water mark.
    this.#maxBufferedBytes = Math.max(parts.bufferedBytes, parts.socket.writableHighWaterMark);
  }

  /** Whether the connection is closed or closing. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** The code that this server closed the connection with. */
  get closeCode(): number | undefined {
    return this.#closeCode;
  }

  /** Bytes in the socket buffer, and in the frames of this turn. */
  get buffered(): number {
    return this.#parts.socket.writableLength + this.#heldBytes;
  }

  /** Bytes that the system has taken from the socket buffer. */
  get acceptedBytes(): number {
    return this.#parts.socket.bytesWritten - this.#parts.socket.writableLength;
  }

  /** Whether the socket buffer has reached its limit. */
  get isFull(): boolean {
    return this.buffered > this.#maxBufferedBytes;
  }

  /** When the last frame was written, in the time of `performance.now()`. */
  get lastSent(): number {
    return this.#lastSent;
  }

  /**
   * Writes a frame to the socket when the turn ends, without `ws`, which would create a new frame for each connection.
   */
  write(frame: Buffer, type: ServerMessage['type']): void {
    const { ws, batchWrites, countMessage } = this.#parts;
    if (ws.readyState !== ws.OPEN) return;
    countMessage('out', type);
    this.#heldBytes += frame.length;
    if (this.#firstHeld !== undefined) return void this.#otherHeld.push(frame);
    this.#firstHeld = frame;
    batchWrites(this);
  }

  flush(now: number): void {
    const [first, others] = [this.#firstHeld, this.#otherHeld];
    if (first === undefined) return;
    this.#firstHeld = undefined;
    this.#heldBytes = 0;
    if (others.length > 0) this.#otherHeld = [];
    const { ws, socket } = this.#parts;
    // No frame may follow a close frame (RFC 6455 §5.5.1), which ws may have sent in the meantime.
    if (ws.readyState !== ws.OPEN) return;
    if (others.length > 0) socket.cork();
    socket.write(first);
    for (const frame of others) socket.write(frame);
    if (others.length > 0) socket.uncork();
    this.#lastSent = now;
  }

  send(message: ServerMessage): void {
    const { ws, reportFault } = this.#parts;
    if (ws.readyState !== ws.OPEN) return;
    // Only replies are sent here, one for each command. A client that reads no replies is disconnected.
    if (this.buffered > 4 * this.#maxBufferedBytes) return this.close('slow');
    const text = frameOf(message);
    if (text !== undefined) return this.write(textFrame(text), message.type);
    // The message itself can have texts of callers.
    reportFault('a message violates the contract', { type: message.type });
    const id = 'id' in message && message.id !== undefined ? { id: message.id } : {};
    const error = { type: 'error', error: 'internal error', status: 500, code: 'internal', ...id } as const;
    this.write(textFrame(JSON.stringify(error)), 'error');
  }

  ping(): boolean {
    this.#parts.ws.ping();
    return true;
  }

  close(reason: CloseReason): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const [code, text] = closeCodes[reason];
    this.#closeCode = code;
    const { ws } = this.#parts;
    this.flush(performance.now());
    ws.close(code, text);
    // A peer that has stopped reading never sends its close frame.
    setTimeout(() => ws.terminate(), closeTimeoutMs).unref();
  }

  /** Notes that the peer or the network has closed the connection. */
  markClosed(): void {
    this.#isClosing = true;
  }
}
