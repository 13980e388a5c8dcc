/** WebSockets as the client uses them. */

/** The members of WebSocket that a stream uses: the global of browsers, Deno, Bun and Node ≥ 22, or the package `ws`. */
export interface Socket {
  onmessage: unknown;
  onclose: unknown;
  onerror: unknown;
  /** Sends a text frame. */
  send(text: string): void;
  /** Starts the closing handshake. */
  close(): void;
}
/** A class of WebSockets. */
export type SocketClass = new (url: string) => Socket;
