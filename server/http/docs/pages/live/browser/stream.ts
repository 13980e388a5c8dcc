/**
 * One subscription that outlives its connections: it connects, subscribes, and after a drop goes on at the last cursor, so that
 * nothing is missed; what comes twice is told once.
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
  /** Connects again at `at`, in milliseconds as `performance.now()`; `code` closed the connection before. */
  | { readonly is: 'waiting'; readonly at: number; readonly code: number }
  /** Does not connect again. */
  | { readonly is: 'closed'; readonly code: number; readonly reason: string };

export interface StreamListener {
  state(state: State): void;
  /** An event, and its frame as it came. */
  event(event: Event, frame: string): void;
  /** Events are missing here. */
  gap(gap: Gap): void;
  /** The server does not take the subscription as it is; nothing is open any more. */
  rejected(error: SubscriptionError): void;
}

export interface Stream {
  /** Connects at once where it would wait. */
  reconnectNow(): void;
  stop(): void;
}

/** Event ids that are remembered: a replay after a drop repeats a few at most. */
const mostSeen = 10_000;
/** Used until the server has said how often it sends something. */
const usualHeartbeatMs = 20_000;
const command = 'listen';

/** Begins to listen. `address` has the key in it: browsers can send it in no other way. */
export function listen(address: string, { channel, params }: Subscription, told: StreamListener): Stream {
  const isSeen = createDuplicateFilter(mostSeen);
  let socket: WebSocket | undefined;
  let cursor: string | undefined;
  let state: State = { is: 'idle' };
  let failures = 0;
  let goingAwayMs: number | undefined;
  let heartbeatMs = usualHeartbeatMs;
  let lastSeq = 0;
  /** A listener that was behind is no longer when it is told of this event. */
  let headThen = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function become(next: State): void {
    state = next;
    told.state(next);
  }

  function connect(): void {
    clearTimeout(timer);
    goingAwayMs = undefined;
    become({ is: 'connecting' });
    const opened = (socket = new WebSocket(address));
    opened.onmessage = ({ data }) => {
      if (socket !== opened) return;
      heard();
      take(JSON.parse(String(data)) as Message, String(data));
    };
    opened.onclose = ({ code, reason }) => {
      if (socket === opened) lost(code, reason);
    };
    heard();
  }

  /** Where nothing comes for two heartbeats and a little, the connection is dead: a browser sees no pings. */
  function heard(): void {
    clearTimeout(silence);
    silence = setTimeout(
      () => {
        socket?.close();
        lost(1006, '');
      },
      2 * heartbeatMs + 5_000,
    );
  }

  function leave(): void {
    clearTimeout(timer);
    clearTimeout(silence);
    const left = socket;
    socket = undefined;
    left?.close();
  }

  function lost(code: number, reason: string): void {
    const wait = reconnectAfter({ code, failures, goingAwayMs }, Math.random);
    leave();
    if (wait === undefined) return become({ is: 'closed', code, reason });
    failures++;
    timer = setTimeout(connect, wait);
    become({ is: 'waiting', at: performance.now() + wait, code });
  }

  function subscribe(): void {
    const from = cursor === undefined ? {} : ({ cursor, on_gap: 'continue' } as const);
    socket?.send(
      JSON.stringify({ type: 'subscribe', id: command, channel, params, ...from } satisfies Schemas['WsSubscribe']),
    );
  }

  function take(message: Message, frame: string): void {
    switch (message.type) {
      case 'connected':
        heartbeatMs = message.heartbeat_interval_ms;
        return subscribe();
      case 'subscribed':
        failures = 0;
        cursor = message.cursor;
        return become({ is: message.recovered === null ? 'live' : 'replaying' });
      case 'event':
        cursor = message.cursor;
        lastSeq = message.seq;
        if (state.is === 'lagging' && lastSeq >= headThen) become({ is: 'live' });
        if (!isSeen(message.event_id)) told.event(message, frame);
        return;
      case 'caught_up':
        cursor = message.cursor;
        return become({ is: 'live' });
      case 'heartbeat':
        cursor = message.cursor;
        if (state.is === 'lagging') become({ is: 'live' });
        return;
      case 'lagging':
        headThen = lastSeq + message.behind;
        return become({ is: 'lagging', behind: message.behind });
      case 'gap':
        return told.gap(message);
      case 'going_away':
        goingAwayMs = message.reconnect_after_ms;
        return;
      case 'error':
        return refused(message);
      // Newer servers may say more.
      default:
    }
  }

  function refused(error: SubscriptionError): void {
    if (error.code === 'cursor_in_future') {
      // The server has an older log than it had: what it told since is unknown to it.
      cursor = undefined;
      told.gap({ reason: 'epoch', hint: '' });
      return subscribe();
    }
    if (error.retry_after_s !== undefined) return void (timer = setTimeout(subscribe, error.retry_after_s * 1000));
    leave();
    become({ is: 'refused' });
    told.rejected(error);
  }

  connect();
  return {
    reconnectNow() {
      if (state.is === 'waiting') connect();
    },
    stop() {
      leave();
      become({ is: 'idle' });
    },
  };
}
