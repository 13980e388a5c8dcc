/** The limits of the event stream, and the close codes. */
import type { Schemas } from '../contract/operations.ts';

export interface Limits {
  /** Concurrent connections for each key. */
  readonly connections: number;
  readonly subscriptions: number;
  /** Commands per minute, also as one burst, so that a client can resume all its subscriptions. */
  readonly commandsPerMinute: number;
  /** New connections per minute, for each connection that the key may have. */
  readonly connectsPerMinute: number;
  readonly messageBytes: number;
  /** Open assistant questions for each connection. */
  readonly asks: number;
  /** Consecutive invalid messages before the connection is closed. */
  readonly invalidMessages: number;
  /** Milliseconds within which a new connection must send its first command. */
  readonly firstCommandMs: number;
  /** A heartbeat is sent after this many milliseconds without another message; pings use the same interval. */
  readonly heartbeatMs: number;
  /** Bytes in the socket buffer above which the connection reads the log instead of receiving live events. */
  readonly bufferedBytes: number;
  /** Milliseconds for which a socket with buffered data may accept no bytes. */
  readonly stalledMs: number;
  /**
   * A connection that is more than this many events behind must read at `minPerSecond` over `progressMs`, or it is
   * closed.
   */
  readonly farBehind: number;
  readonly minPerSecond: number;
  readonly progressMs: number;
}

export const defaultLimits: Limits = {
  connections: 5,
  subscriptions: 100,
  commandsPerMinute: 120,
  connectsPerMinute: 12,
  messageBytes: 64 * 1024,
  asks: 2,
  invalidMessages: 5,
  firstCommandMs: 30_000,
  heartbeatMs: 20_000,
  bufferedBytes: 256 * 1024,
  stalledMs: 10_000,
  farBehind: 100_000,
  minPerSecond: 5,
  progressMs: 60_000,
};

/** The limits that the server reports to clients. */
export const publicLimits = (limits: Limits): Schemas['WsLimits'] => ({
  subscriptions: limits.subscriptions,
  connections: limits.connections,
  commands_per_minute: limits.commandsPerMinute,
  message_bytes: limits.messageBytes,
  query_chars: 1024,
});

/**
 * Close codes and texts by reason. 4000–4099: do not reconnect with the same request. 4100–4199: reconnect after a
 * second or more. 4200–4299: reconnect now.
 */
export const closeCodes = {
  protocol: [4000, 'too many messages that cannot be read'],
  key: [4001, 'Invalid or missing API key'],
  scope: [4002, 'this API key lacks the scope of the event stream'],
  connections: [4003, 'too many connections of this key'],
  parameter: [4004, 'unknown parameter: /ws takes only api_key'],
  revoked: [4005, 'the API key was revoked, or has expired'],
  binary: [1003, 'binary messages are not understood'],
  overload: [4100, 'the server is overloaded'],
  idle: [4101, 'no command was received'],
  slow: [4108, 'too slow: connect again and resume by cursor'],
  internal: [4111, 'internal error'],
  rate: [4129, 'too many commands or connections: slow down'],
  restart: [4200, 'the server restarts'],
  pong: [4201, 'no pong'],
  token: [4202, 'the token has ended: connect again with a new one'],
} as const satisfies Record<string, readonly [number, string]>;
export type CloseReason = keyof typeof closeCodes;
