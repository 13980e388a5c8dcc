/**
 * One subscription across several connections: it connects, subscribes, and after a lost connection resumes at the last
 * cursor, so that no event is missed. It reports a repeated event only once.
 */
import type { components } from '../../generated/types.ts';
import { reconnectAfter } from './reconnect.ts';
import { DuplicateFilter } from './seen.ts';

type Schemas = components['schemas'];
type Message = Schemas['WsServerMessage'];
export type Event = Schemas['WsEvent'];
export type Gap = Pick<Schemas['WsGap'], 'reason' | 'hint'>;
export type SubscriptionError = Schemas['WsError'];
export type Subscription = Pick<Schemas['WsSubscribe'], 'channel' | 'params'>;

export type State =
  | { readonly is: 'idle' | 'connecting' | 'replaying' | 'live' | 'refused' }
  | { readonly is: 'lagging'; readonly behind: number }
  /** Reconnects at `at`, as `performance.now()` in milliseconds; `code` closed the previous connection. */
  | { readonly is: 'waiting'; readonly at: number; readonly code: number }
  /** The server has ended the subscription. */
  | { readonly is: 'ended'; readonly reason: string }
  /** Does not reconnect. */
  | { readonly is: 'closed'; readonly code: number; readonly reason: string };

export interface StreamListener {
  state(state: State): void;
  /** An event, and its frame as received. */
  event(event: Event, frame: string): void;
  /** Events are missing at this position. */
  gap(gap: Gap): void;
  /** The server rejects the subscription; the connection is closed. */
  rejected(error: SubscriptionError): void;
}

export interface Stream {
  /** Reconnects immediately if the stream waits for a reconnect. */
  reconnectNow(): void;
  stop(): void;
}

/** Maximum number of remembered event ids; a replay after a lost connection repeats only a few events. */
const maxRememberedIds = 10_000;
/** Heartbeat interval until the server sends its own, in milliseconds. */
const defaultHeartbeatMs = 20_000;
const subscriptionId = 'listen';

/** One subscription of the page, across several connections. */
class ResumingStream implements Stream {
  readonly #address: string;
  readonly #subscription: Subscription;
  readonly #listener: StreamListener;
  readonly #shown = new DuplicateFilter(maxRememberedIds);
  #socket: WebSocket | undefined;
  #cursor: string | undefined;
  #state: State = { is: 'idle' };
  #failures = 0;
  #goingAwayMs: number | undefined;
  #heartbeatMs = defaultHeartbeatMs;
  #lastSeq = 0;
  /** The seq at which a lagging subscription has caught up. */
  #caughtUpSeq = 0;
  #reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(address: string, subscription: Subscription, listener: StreamListener) {
    this.#address = address;
    this.#subscription = subscription;
    this.#listener = listener;
    this.#connect();
  }

  reconnectNow(): void {
    if (this.#state.is === 'waiting') this.#connect();
  }

  stop(): void {
    this.#disconnect();
    this.#setState({ is: 'idle' });
  }

  #setState(next: State): void {
    this.#state = next;
    this.#listener.state(next);
  }

  #connect(): void {
    clearTimeout(this.#reconnectTimer);
    this.#goingAwayMs = undefined;
    this.#setState({ is: 'connecting' });
    const opened = (this.#socket = new WebSocket(this.#address));
    opened.onmessage = ({ data }) => {
      if (this.#socket !== opened) return;
      this.#restartSilenceTimer();
      this.#handleMessage(JSON.parse(String(data)), String(data));
    };
    opened.onclose = ({ code, reason }) => {
      if (this.#socket === opened) this.#handleClose(code, reason);
    };
    this.#restartSilenceTimer();
  }

  /**
   * Restarts the timer that closes a silent connection. A connection without data for two heartbeats and 5 s is dead;
   * the page cannot see pings.
   */
  #restartSilenceTimer(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(
      () => {
        this.#socket?.close();
        this.#handleClose(1006, '');
      },
      2 * this.#heartbeatMs + 5_000,
    );
  }

  #disconnect(): void {
    clearTimeout(this.#reconnectTimer);
    clearTimeout(this.#silenceTimer);
    const closing = this.#socket;
    this.#socket = undefined;
    closing?.close();
  }

  #handleClose(code: number, reason: string): void {
    const outcome = { code, failures: this.#failures, goingAwayMs: this.#goingAwayMs };
    const wait = reconnectAfter(outcome, Math.random);
    this.#disconnect();
    if (wait === undefined) return this.#setState({ is: 'closed', code, reason });
    this.#failures++;
    this.#reconnectTimer = setTimeout(() => this.#connect(), wait);
    this.#setState({ is: 'waiting', at: performance.now() + wait, code });
  }

  #subscribe(): void {
    const { channel, params } = this.#subscription;
    const from = this.#cursor === undefined ? {} : ({ cursor: this.#cursor, on_gap: 'continue' } as const);
    this.#socket?.send(
      JSON.stringify({
        type: 'subscribe',
        id: subscriptionId,
        channel,
        params,
        ...from,
      } satisfies Schemas['WsSubscribe']),
    );
  }

  #handleMessage(message: Message, frame: string): void {
    switch (message.type) {
      case 'connected':
        this.#heartbeatMs = message.heartbeat_interval_ms;
        return this.#subscribe();
      case 'subscribed':
        this.#failures = 0;
        this.#cursor = message.cursor;
        return this.#setState({ is: message.recovered === null ? 'live' : 'replaying' });
      case 'event':
        return this.#handleEvent(message, frame);
      case 'caught_up':
        this.#cursor = message.cursor;
        return this.#setState({ is: 'live' });
      case 'heartbeat':
        this.#cursor = message.cursor;
        if (this.#state.is === 'lagging') this.#setState({ is: 'live' });
        return;
      case 'lagging':
        this.#caughtUpSeq = this.#lastSeq + message.behind;
        return this.#setState({ is: 'lagging', behind: message.behind });
      case 'gap':
        return this.#listener.gap(message);
      case 'going_away':
        this.#goingAwayMs = message.reconnect_after_ms;
        return;
      case 'unsubscribed':
        this.#disconnect();
        return this.#setState({ is: 'ended', reason: message.reason ?? '' });
      case 'error':
        return this.#handleError(message);
      // Newer servers may send other messages.
      default:
    }
  }

  #handleEvent(event: Event, frame: string): void {
    this.#cursor = event.cursor;
    this.#lastSeq = event.seq;
    if (this.#state.is === 'lagging' && this.#lastSeq >= this.#caughtUpSeq) this.#setState({ is: 'live' });
    // A deleted tweet that comes back is created again, with the same event id.
    if (event.event === 'tweet.deleted' && 'id' in event.data) this.#shown.forget(`tweet.created:${event.data.id}`);
    if (!this.#shown.isDuplicate(event.event_id)) this.#listener.event(event, frame);
  }

  #handleError(error: SubscriptionError): void {
    if (error.code === 'cursor_in_future') {
      // The server has an older event log than before and does not know the events since, so the subscription starts
      // without a cursor.
      this.#cursor = undefined;
      this.#listener.gap({ reason: 'epoch', hint: '' });
      return this.#subscribe();
    }
    if (error.retry_after_s !== undefined)
      return void (this.#reconnectTimer = setTimeout(() => this.#subscribe(), error.retry_after_s * 1000));
    this.#disconnect();
    this.#setState({ is: 'refused' });
    this.#listener.rejected(error);
  }
}

/** Subscribes to a channel. `address` contains the API key, because browsers cannot send it in a header. */
export const listen = (address: string, subscription: Subscription, listener: StreamListener): Stream =>
  new ResumingStream(address, subscription, listener);
