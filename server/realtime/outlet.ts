/** What a connection of the event stream sends to: a WebSocket, or the response of server-sent events. */
import type { CloseReason } from './limits.ts';
import type { ServerMessage } from './messages.ts';

export interface Outlet {
  /** Whether the connection is closed or closing. */
  readonly isClosing: boolean;
  /** The code that this server closed the connection with. */
  readonly closeCode: number | undefined;
  /** Bytes that wait. */
  readonly buffered: number;
  /** Bytes that no longer wait. */
  readonly acceptedBytes: number;
  /** Whether what waits has reached its limit. */
  readonly isFull: boolean;
  /** When the last message was sent, in the time of `performance.now()`. */
  readonly lastSent: number;
  /** Sends a text frame of an event with this cursor. */
  write(frame: Buffer, type: ServerMessage['type'], cursor: string): void;
  send(message: ServerMessage): void;
  /** Sends a ping; false where the transport has none. */
  ping(): boolean;
  close(reason: CloseReason): void;
  /** Notes that the peer or the network has closed the connection. */
  markClosed(): void;
}
