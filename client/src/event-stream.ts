/** Event streams as callers see them, of any contract. */
import type { SocketClass } from './socket.ts';

/** A lost connection. */
export interface Lost {
  readonly closeCode: number;
  /** The number of consecutive failures. */
  readonly failures: number;
  readonly delayMs: number;
}

/**
 * Events in the order of the event log. `for await` ends when the stream is closed, and after the `tweet.deleted` of the
 * tweet that it is about; `break` closes it.
 */
export interface EventStream<Event> extends AsyncGenerator<Event, void, undefined> {
  /** Ends the stream, also while `next` waits. */
  close(): void;
  /**
   * Starts the stream and resolves when the service has confirmed the subscription: what happens from then on is in the
   * stream. `cursor` is the position after which it starts. Rejects with the error of a stream that cannot start.
   */
  ready(): Promise<{ readonly cursor: string }>;
}
/** The part of a stream that this module implements. */
export type OpenStream = Pick<EventStream<unknown>, 'next' | 'ready' | 'close'>;

/** Options of an event stream. */
export interface EventOptions {
  /** The `cursor` of an event: the stream starts after it. Default: the stream starts with new events. */
  readonly cursor?: string | null | undefined;
  /** Ends the stream with an AbortError. Default: none. */
  readonly signal?: AbortSignal | null | undefined;
  /**
   * Called when events are missing because the service no longer retains them; the stream then continues. `hint` is the
   * REST path that returns the missing data. Default: none; a gap then causes a StreamError.
   */
  readonly onGap?: ((gap: { readonly from: string; readonly to: string; readonly hint: string }) => void) | undefined;
  /** Called when the service has confirmed the subscription, also after each reconnect. Default: nothing. */
  readonly onOpen?: ((opened: { readonly cursor: string }) => void) | undefined;
  /** Called when the connection is lost, before the delay of the reconnect. Default: nothing. */
  readonly onReconnect?: ((lost: Lost & { readonly cursor: string | undefined }) => void) | undefined;
  /** The maximum number of consecutive connection failures before a ConnectionError. Default 30. */
  readonly retries?: number | undefined;
  /** The maximum number of unread events, default 1,000. Above it the stream pauses its subscription until they are read. */
  readonly maxBuffered?: number | undefined;
  /** The connection counts as dead after this time without a message, in ms. Default: 2.25 heartbeats of the service. */
  readonly heartbeatTimeoutMs?: number | undefined;
  /** A class that gets the key in the URL. Default: the global WebSocket, on Node 20 the package `ws`. */
  readonly WebSocket?: SocketClass | undefined;
}

/** What a stream subscribes to. */
export interface Subscription {
  readonly channel: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Ids of events that the caller has already. */
  readonly seen?: readonly string[];
}
