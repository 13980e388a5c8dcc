/**
 * Event streams stopped the WebSocket of the service, one subscription per stream. A stream reconnects automatically and
 * resumes after the last delivered event, so that it loses no event and delivers none twice. `createClient` loads this
 * module at the first read of a stream.
 */
import type { Schemas } from './contract.ts';
import { AbortError, ConnectionError, StreamError } from './errors.ts';
import { sleep } from './retry.ts';

/** For each member of a selection: its channel, and the parameter that takes its value. */
const channels = {
  /** Tweets that match a query, in the syntax of `tweet.advancedSearch`. */
  search: ['search:tweets', 'query'],
  /** Tweets of a user, by username. */
  user: ['user:tweets', 'username'],
  /** Tweets of a user, by id. */
  userId: ['user:tweets', 'user_id'],
  /** Tweets that mention a user, by username. */
  mentions: ['user:mentions', 'username'],
  /** Replies to a tweet, by its id. */
  replies: ['tweet:replies', 'tweet_id'],
  /** The counts of a tweet, by its id. */
  engagement: ['tweet:engagement', 'tweet_id'],
  /** Tweets of a community, by its id. */
  community: ['community:tweets', 'id'],
  /** The communities that a user joins and leaves, by username. */
  memberships: ['community:members', 'username'],
  /** The capacity of the assistant; the value is `true`. */
  pool: ['assistant:pool', undefined],
} as const satisfies Record<string, readonly [Schemas['WsChannel'], keyof Schemas['WsParams'] | undefined]>;
type Channels = typeof channels;

type EventMessage<Name extends Schemas['WsEventName'], Data> = Name extends unknown
  ? Omit<Schemas['WsEvent'], 'type' | 'subs' | 'channel' | 'event' | 'data'> & {
      readonly event: Name;
      readonly data: Data;
    }
  : never;
type TweetEvent<View> =
  | EventMessage<'tweet.created' | 'tweet.updated', View>
  | EventMessage<'tweet.deleted', Schemas['WsDeleted']>;
/** The events of each channel; `event` is the discriminant. */
interface EventsByChannel {
  'search:tweets': TweetEvent<Schemas['TweetShort']>;
  'user:tweets': TweetEvent<Schemas['Tweet']>;
  'user:mentions': TweetEvent<Schemas['TweetShort']>;
  'tweet:replies': TweetEvent<Schemas['Tweet']>;
  'tweet:engagement': EventMessage<'tweet.engagement' | 'tweet.unliked', Schemas['WsEngagement']>;
  'community:tweets': TweetEvent<Schemas['TweetShort']>;
  'community:members': EventMessage<'community.joined' | 'community.left', Schemas['Community']>;
  'assistant:pool': EventMessage<'pool.status', Schemas['PoolStatus']>;
}

type Value<Name extends keyof Channels> = Channels[Name][1] extends undefined ? true : string;
/** The subscription of a stream: exactly one member. */
export type Selection = {
  [Name in keyof Channels]: { readonly [Selected in Name]: Value<Name> } & {
    readonly [Other in Exclude<keyof Channels, Name>]?: never;
  };
}[keyof Channels];
/** The events of a selection. */
export type EventOf<Selected> = EventsByChannel[Channels[keyof Selected & keyof Channels][0]];

/** Events in the order of the event log. `for await` ends when the stream is closed; `break` closes it. */
export interface EventStream<Event> extends AsyncGenerator<Event, void, undefined> {
  close(): void;
}

/** The members of WebSocket that a stream uses: the global of browsers, Deno, Bun and Node ≥ 22, or the package `ws`. */
export interface Socket {
  onopen: unknown;
  onmessage: unknown;
  onclose: unknown;
  onerror: unknown;
  send(text: string): void;
  close(): void;
}
export type SocketClass = new (url: string) => Socket;

export interface EventOptions {
  /** The `cursor` of an event: the stream starts after it. Without it, the stream starts with new events. */
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | null | undefined;
  /**
   * Called when events are missing because the service no longer retains them; the stream then continues. `hint` is the
   * REST path that returns the missing data. Without this callback, a gap causes a StreamError.
   */
  readonly onGap?: ((gap: { readonly from: string; readonly to: string; readonly hint: string }) => void) | undefined;
  /** Called when the connection is lost, before the delay of the reconnect. */
  readonly onReconnect?:
    | ((lost: {
        readonly closeCode: number;
        readonly failures: number;
        readonly delayMs: number;
        readonly cursor: string | undefined;
      }) => void)
    | undefined;
  /** The maximum number of consecutive connection failures before a ConnectionError. Default 30. */
  readonly retries?: number | undefined;
  /** The maximum number of unread messages, default 1,000. Above it the stream disconnects until they are read. */
  readonly maxBuffered?: number | undefined;
  /** Replaces the global WebSocket and `ws`. */
  readonly WebSocket?: SocketClass | undefined;
}

/** The connection settings of the client. */
export interface Connecting {
  readonly baseUrl: string;
  readonly key: () => Promise<string | undefined>;
}

const baseMs = 250;
const capMs = 30_000;
/** The number of recent event ids for deduplication; a new epoch of the event log may repeat events. */
const maxSeenIds = 10_000;
/** The heartbeat interval until the server announces its own. */
const defaultHeartbeatMs = 20_000;
/** The close codes of RFC 6455 §7.4.1 for a client error. Runtimes report other codes for a lost connection. */
const fatal = new Set([1002, 1003, 1007, 1008, 1009, 1010]);

type Message = Schemas['WsServerMessage'];

async function socketClass(): Promise<SocketClass> {
  const globalClass = (globalThis as { WebSocket?: unknown }).WebSocket as SocketClass | undefined;
  if (globalClass !== undefined) return globalClass;
  // Node 20 has no global WebSocket. The variable hides the package name from bundlers.
  const name = 'ws';
  return ((await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as { WebSocket: SocketClass }).WebSocket;
}

function addressOf(baseUrl: string, key: string | undefined): string {
  const url = new URL(
    `${baseUrl.replace(/\/$/, '')}/ws`,
    (globalThis as { location?: { href: string } }).location?.href,
  );
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (key !== undefined) url.searchParams.set('api_key', key);
  return url.href;
}

/** Yields the events of one subscription until `closing` aborts. Throws StreamError, ConnectionError and AbortError. */
export async function* listen(
  { baseUrl, key }: Connecting,
  selection: Selection,
  options: EventOptions,
  closing: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const { signal, onGap, onReconnect, retries = 30, maxBuffered = 1_000 } = options;
  const [topic, value] = Object.entries(selection).find(([, member]) => member !== undefined)!;
  const [channel, parameter] = channels[topic as keyof Channels];
  const operation = `events ${channel}`;
  const Class = options.WebSocket ?? (await socketClass());
  const seen = new Set<string>();
  let { cursor } = options;
  let failures = 0;
  /** Resolves the wait for a message. */
  let wake = (): void => {};
  let socket: Socket | undefined;
  let watchdog: ReturnType<typeof setInterval> | undefined;
  const stopped = new AbortController();
  const isStopped = (): boolean => stopped.signal.aborted;
  const stop = (): void => {
    stopped.abort();
    disconnect();
    wake();
  };
  for (const abortSignal of [signal, closing]) {
    if (abortSignal?.aborted) stop();
    abortSignal?.addEventListener('abort', stop);
  }

  function disconnect(): void {
    clearInterval(watchdog);
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    // A socket closed before it is open reports an error; this handler ignores it.
    socket.onerror = () => {};
    socket.close();
    socket = undefined;
  }

  try {
    while (!isStopped()) {
      const inbox: string[] = [];
      let read = 0;
      let closed: { code: number; reason: string } | undefined;
      let isFull = false;
      let delayMs: number | undefined;
      let heartbeatIntervalMs = defaultHeartbeatMs;
      let lastMessageAt = Date.now();
      const onLost = (code: number, reason = ''): void => {
        closed ??= { code, reason };
        disconnect();
        wake();
      };
      const address = addressOf(baseUrl, await key());
      if (isStopped()) break;
      socket = new Class(address);
      const subscribe = JSON.stringify({
        type: 'subscribe',
        id: '1',
        channel,
        params: parameter === undefined ? {} : { [parameter]: value },
        on_gap: onGap === undefined ? 'error' : 'continue',
        ...(cursor === undefined ? {} : { cursor }),
      });
      socket.onopen = () => socket!.send(subscribe);
      socket.onmessage = ({ data }: { data: string }) => {
        lastMessageAt = Date.now();
        inbox.push(data);
        // The stream drops the unread messages and reads them again from the cursor.
        isFull = inbox.length - read >= maxBuffered;
        if (isFull) onLost(1000);
        wake();
      };
      socket.onclose = ({ code, reason }: { code: number; reason: string }) => onLost(code, reason);
      socket.onerror = () => {};
      // The connection is dead when no message arrives for more than two heartbeat intervals.
      watchdog = setInterval(() => Date.now() - lastMessageAt > 2.25 * heartbeatIntervalMs && onLost(1006), 1_000);

      for (;;) {
        while (read < inbox.length && !isStopped()) {
          const message = JSON.parse(inbox[read++]!) as Message;
          if (message.type === 'connected') heartbeatIntervalMs = message.heartbeat_interval_ms;
          else if (message.type === 'subscribed') cursor ??= message.cursor;
          else if (message.type === 'going_away') delayMs = message.reconnect_after_ms;
          else if (message.type === 'heartbeat' || message.type === 'caught_up')
            [cursor, failures] = [message.cursor, 0];
          else if (message.type === 'gap') {
            if (onGap === undefined)
              throw new StreamError('gap', `events are missing: take them from ${message.hint}`, {
                operation,
                attempts: failures + 1,
              });
            onGap(message);
            cursor = message.to;
          } else if (message.type === 'error' && message.id === '1') {
            if (message.retry_after_s === undefined && message.status < 500) {
              throw new StreamError(message.code, message.error, { operation, attempts: failures + 1 }, message.status);
            }
            delayMs = (message.retry_after_s ?? 1) * 1000;
            onLost(4100);
          } else if (message.type === 'event') {
            failures = 0;
            if (!seen.has(message.event_id)) {
              seen.add(message.event_id);
              if (seen.size > maxSeenIds) seen.delete(seen.values().next().value!);
              const { type: _type, subs: _subs, channel: _channel, ...event } = message;
              yield event;
            }
            cursor = message.cursor;
          }
        }
        if (closed !== undefined || isStopped()) break;
        inbox.length = read = 0;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      disconnect();
      if (isStopped()) break;
      if (isFull) continue;
      const { code, reason } = closed!;
      if (fatal.has(code) || (code >= 4000 && code < 4100))
        throw new StreamError(String(code), reason || `the connection was closed with ${code}`, {
          operation,
          attempts: failures + 1,
        });
      if (failures++ >= retries)
        throw new ConnectionError(`the connection failed ${failures} times in a row`, {
          operation,
          attempts: failures,
        });
      // Full jitter; codes 4100-4199 require at least one second, and codes from 4200 on come with their own delay.
      const minMs = code >= 4100 && code < 4200 ? 1000 : 0;
      delayMs ??= minMs + Math.random() * Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 16));
      onReconnect?.({ closeCode: code, failures, delayMs, cursor });
      await sleep(delayMs, stopped.signal);
    }
    if (signal?.aborted && !closing.aborted)
      throw new AbortError('the caller ended the stream', { operation, attempts: failures + 1 }, signal.reason);
  } catch (error) {
    if (error instanceof Error && 'operation' in error && cursor !== undefined) Object.assign(error, { cursor });
    throw error;
  } finally {
    disconnect();
    signal?.removeEventListener('abort', stop);
    closing.removeEventListener('abort', stop);
  }
}
