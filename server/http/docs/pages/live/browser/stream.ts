/**
 * One subscription across several connections: it connects, subscribes, and after a lost connection resumes at the last
 * cursor, so that no event is missed. It reports a repeated event only once.
 */
import type { components } from '../../../../../../generated/types.ts';
import { reconnectAfter } from './reconnect.ts';
import { createDuplicateFilter } from './seen.ts';

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

/** Subscribes to a channel. `address` contains the API key, because browsers cannot send it in a header. */
export function listen(address: string, { channel, params }: Subscription, listener: StreamListener): Stream {
  const isDuplicate = createDuplicateFilter(maxRememberedIds);
  let socket: WebSocket | undefined;
  let cursor: string | undefined;
  let state: State = { is: 'idle' };
  let failures = 0;
  let goingAwayMs: number | undefined;
  let heartbeatMs = defaultHeartbeatMs;
  let lastSeq = 0;
  /** The seq at which a lagging subscription has caught up. */
  let caughtUpSeq = 0;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;

  function setState(next: State): void {
    state = next;
    listener.state(next);
  }

  function connect(): void {
    clearTimeout(reconnectTimer);
    goingAwayMs = undefined;
    setState({ is: 'connecting' });
    const opened = (socket = new WebSocket(address));
    opened.onmessage = ({ data }) => {
      if (socket !== opened) return;
      restartSilenceTimer();
      handleMessage(JSON.parse(String(data)) as Message, String(data));
    };
    opened.onclose = ({ code, reason }) => {
      if (socket === opened) handleClose(code, reason);
    };
    restartSilenceTimer();
  }

  /**
   * Restarts the timer that closes a silent connection. A connection without data for two heartbeats and 5 s is dead;
   * the page cannot see pings.
   */
  function restartSilenceTimer(): void {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(
      () => {
        socket?.close();
        handleClose(1006, '');
      },
      2 * heartbeatMs + 5_000,
    );
  }

  function disconnect(): void {
    clearTimeout(reconnectTimer);
    clearTimeout(silenceTimer);
    const closing = socket;
    socket = undefined;
    closing?.close();
  }

  function handleClose(code: number, reason: string): void {
    const wait = reconnectAfter({ code, failures, goingAwayMs }, Math.random);
    disconnect();
    if (wait === undefined) return setState({ is: 'closed', code, reason });
    failures++;
    reconnectTimer = setTimeout(connect, wait);
    setState({ is: 'waiting', at: performance.now() + wait, code });
  }

  function subscribe(): void {
    const from = cursor === undefined ? {} : ({ cursor, on_gap: 'continue' } as const);
    socket?.send(
      JSON.stringify({
        type: 'subscribe',
        id: subscriptionId,
        channel,
        params,
        ...from,
      } satisfies Schemas['WsSubscribe']),
    );
  }

  function handleMessage(message: Message, frame: string): void {
    switch (message.type) {
      case 'connected':
        heartbeatMs = message.heartbeat_interval_ms;
        return subscribe();
      case 'subscribed':
        failures = 0;
        cursor = message.cursor;
        return setState({ is: message.recovered === null ? 'live' : 'replaying' });
      case 'event':
        cursor = message.cursor;
        lastSeq = message.seq;
        if (state.is === 'lagging' && lastSeq >= caughtUpSeq) setState({ is: 'live' });
        if (!isDuplicate(message.event_id)) listener.event(message, frame);
        return;
      case 'caught_up':
        cursor = message.cursor;
        return setState({ is: 'live' });
      case 'heartbeat':
        cursor = message.cursor;
        if (state.is === 'lagging') setState({ is: 'live' });
        return;
      case 'lagging':
        caughtUpSeq = lastSeq + message.behind;
        return setState({ is: 'lagging', behind: message.behind });
      case 'gap':
        return listener.gap(message);
      case 'going_away':
        goingAwayMs = message.reconnect_after_ms;
        return;
      case 'error':
        return handleError(message);
      // Newer servers may send other messages.
      default:
    }
  }

  function handleError(error: SubscriptionError): void {
    if (error.code === 'cursor_in_future') {
      // The server has an older event log than before and does not know the events since, so the subscription starts
      // without a cursor.
      cursor = undefined;
      listener.gap({ reason: 'epoch', hint: '' });
      return subscribe();
    }
    if (error.retry_after_s !== undefined)
      return void (reconnectTimer = setTimeout(subscribe, error.retry_after_s * 1000));
    disconnect();
    setState({ is: 'refused' });
    listener.rejected(error);
  }

  connect();
  return {
    reconnectNow() {
      if (state.is === 'waiting') connect();
    },
    stop() {
      disconnect();
      setState({ is: 'idle' });
    },
  };
}
