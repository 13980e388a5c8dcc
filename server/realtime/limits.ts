/** The bounds of the event stream; research and practice of comparable services set them. */
import type { Schemas } from '../contract/operations.ts';

export interface Limits {
  /** Connections that one key may have at once. */
  readonly connections: number;
  readonly subscriptions: number;
  /** Commands in a minute; as many at once, so that a listener can resume all its subscriptions. */
  readonly commandsPerMinute: number;
  /** How often in a minute one key may open each of its connections anew. */
  readonly connectsPerMinute: number;
  readonly messageBytes: number;
  /** Questions to the assistant that one connection may have open. */
  readonly asks: number;
  /** Messages in a row that cannot be read, before the connection is closed. */
  readonly invalidMessages: number;
  /** How long a connection may ask for nothing after it was opened. */
  readonly firstCommandMs: number;
  /** Sent where nothing else was for as long; pings go out as often. */
  readonly heartbeatMs: number;
  /** Bytes that may wait for a socket before the listener has to catch up from the log. */
  readonly bufferedBytes: number;
  /** How long a socket may take nothing of what waits for it. */
  readonly stalledMs: number;
  /** A listener this many events behind must get on, by `leastPerSecond`, within `progressMs`. */
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

/** What a client is told of them. */
export const publicLimits = (limits: Limits): Schemas['WsLimits'] => ({
  subscriptions: limits.subscriptions,
  connections: limits.connections,
  commands_per_minute: limits.commandsPerMinute,
  message_bytes: limits.messageBytes,
  query_chars: 1024,
});

/**
 * Why a connection is closed. 4000–4099: do not connect again unchanged; 4100–4199: wait a second or more; 4200–4299: connect again now.
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
  idle: [4101, 'nothing was asked for'],
  slow: [4108, 'too slow: connect again and resume by cursor'],
  internal: [4111, 'internal error'],
  rate: [4129, 'too many commands or connections: slow down'],
  restart: [4200, 'the server restarts'],
  pong: [4201, 'no pong'],
} as const satisfies Record<string, readonly [number, string]>;
export type CloseReason = keyof typeof closeCodes;
