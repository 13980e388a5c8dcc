/**
 * Events of the service's WebSocket, one subscription a stream: it connects again by itself and goes on after the last event that
 * was handed over, so that none is lost and none comes twice. Loaded when a stream is first read.
 */
import type { Schemas } from './contract.ts';
import { AbortError, ConnectionError, StreamError } from './errors.ts';
import { sleep } from './retry.ts';

/** What can be listened to: the channel of each, and the parameter that its value is. */
const channels = {
  /** Tweets that a search finds, in the syntax of `tweet.advancedSearch`. */
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

type Told<Name extends Schemas['WsEventName'], Data> = Name extends unknown
  ? Omit<Schemas['WsEvent'], 'type' | 'subs' | 'channel' | 'event' | 'data'> & {
      readonly event: Name;
      readonly data: Data;
    }
  : never;
type News<Form> = Told<'tweet.created' | 'tweet.updated', Form> | Told<'tweet.deleted', Schemas['WsDeleted']>;
/** What each channel tells, by the `event` that tells the kinds apart. */
interface ToldOn {
  'search:tweets': News<Schemas['TweetShort']>;
  'user:tweets': News<Schemas['Tweet']>;
  'user:mentions': News<Schemas['TweetShort']>;
  'tweet:replies': News<Schemas['Tweet']>;
  'tweet:engagement': Told<'tweet.engagement' | 'tweet.unliked', Schemas['WsEngagement']>;
  'community:tweets': News<Schemas['TweetShort']>;
  'community:members': Told<'community.joined' | 'community.left', Schemas['Community']>;
  'assistant:pool': Told<'pool.status', Schemas['PoolStatus']>;
}

type Value<Name extends keyof Channels> = Channels[Name][1] extends undefined ? true : string;
/** What a stream listens to: exactly one member. */
export type Selection = {
  [Name in keyof Channels]: { readonly [Given in Name]: Value<Name> } & {
    readonly [Other in Exclude<keyof Channels, Name>]?: never;
  };
}[keyof Channels];
/** The events of a selection. */
export type EventOf<Given> = ToldOn[Channels[keyof Given & keyof Channels][0]];

/** Events in the order in which they happened. `for await` ends when the stream is closed; `break` closes it. */
export interface EventStream<Event> extends AsyncGenerator<Event, void, undefined> {
  close(): void;
}

/** What is needed of a WebSocket: the global one of browsers, Deno, Bun and Node from 22 on, or that of the package `ws`. */
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
  /** The `cursor` of an event: only what happened after it. Without it the stream begins now. */
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | null | undefined;
  /**
   * Told when events are missing because the service keeps them no longer; the stream then goes on. `hint` is the REST path that
   * answers what is missing. Without it, a gap is a StreamError.
   */
  readonly onGap?: ((gap: { readonly from: string; readonly to: string; readonly hint: string }) => void) | undefined;
  /** Told when the connection was lost, before the wait that precedes the next. */
  readonly onReconnect?:
    | ((lost: {
        readonly closeCode: number;
        readonly failures: number;
        readonly delayMs: number;
        readonly cursor: string | undefined;
      }) => void)
    | undefined;
  /** How often in a row the connection may fail before a ConnectionError; 30. */
  readonly retries?: number | undefined;
  /** How many events may wait to be read, 1,000; beyond that the connection is given up, and resumed when they are read. */
  readonly maxBuffered?: number | undefined;
  /** Instead of the global WebSocket or `ws`. */
  readonly WebSocket?: SocketClass | undefined;
}

/** What the client lends. */
export interface Connecting {
  readonly baseUrl: string;
  readonly key: () => Promise<string | undefined>;
}

const baseMs = 250;
const capMs = 30_000;
/** How many event ids are remembered to leave out repeats, which a new epoch of the log may bring. */
const remembered = 10_000;
/** Until the server has told how often it sends something. */
const heartbeatMs = 20_000;
/** The codes of RFC 6455 §7.4.1 that say that the client is at fault. Runtimes make up others for a lost connection. */
const fatal = new Set([1002, 1003, 1007, 1008, 1009, 1010]);

type Message = Schemas['WsServerMessage'];

async function socketClass(): Promise<SocketClass> {
  const found = (globalThis as { WebSocket?: unknown }).WebSocket as SocketClass | undefined;
  if (found !== undefined) return found;
  // Node 20 has none. The name is kept from bundlers, which would look for the package.
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

/** The events of one subscription, until `closing` aborts. */
export async function* listen(
  { baseUrl, key }: Connecting,
  selection: Selection,
  options: EventOptions,
  closing: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const { signal, onGap, onReconnect, retries = 30, maxBuffered = 1_000 } = options;
  const [topic, value] = Object.entries(selection).find(([, given]) => given !== undefined)!;
  const [channel, parameter] = channels[topic as keyof Channels];
  const operation = `events ${channel}`;
  const Class = options.WebSocket ?? (await socketClass());
  const seen = new Set<string>();
  let { cursor } = options;
  let failures = 0;
  /** Ends the wait for a message. */
  let wake = (): void => {};
  let socket: Socket | undefined;
  let watch: ReturnType<typeof setInterval> | undefined;
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  const end = (): void => {
    over.abort();
    leave();
    wake();
  };
  for (const each of [signal, closing]) {
    if (each?.aborted) end();
    each?.addEventListener('abort', end);
  }

  function leave(): void {
    clearInterval(watch);
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    // Closed before it was open, it reports an error that nobody needs.
    socket.onerror = () => {};
    socket.close();
    socket = undefined;
  }

  try {
    while (!isOver()) {
      const inbox: string[] = [];
      let read = 0;
      let closed: { code: number; reason: string } | undefined;
      let isFull = false;
      let delayMs: number | undefined;
      let patienceMs = heartbeatMs;
      let heardAt = Date.now();
      const lose = (code: number, reason = ''): void => {
        closed ??= { code, reason };
        leave();
        wake();
      };
      const address = addressOf(baseUrl, await key());
      if (isOver()) break;
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
        heardAt = Date.now();
        inbox.push(data);
        // What is left unread here is read again by the cursor.
        isFull = inbox.length - read >= maxBuffered;
        if (isFull) lose(1000);
        wake();
      };
      socket.onclose = ({ code, reason }: { code: number; reason: string }) => lose(code, reason);
      socket.onerror = () => {};
      // Without a word for more than two heartbeats, the connection is dead though nobody said so.
      watch = setInterval(() => Date.now() - heardAt > 2.25 * patienceMs && lose(1006), 1_000);

      for (;;) {
        while (read < inbox.length && !isOver()) {
          const message = JSON.parse(inbox[read++]!) as Message;
          if (message.type === 'connected') patienceMs = message.heartbeat_interval_ms;
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
            lose(4100);
          } else if (message.type === 'event') {
            failures = 0;
            if (!seen.has(message.event_id)) {
              seen.add(message.event_id);
              if (seen.size > remembered) seen.delete(seen.values().next().value!);
              const { type: _type, subs: _subs, channel: _channel, ...event } = message;
              yield event;
            }
            cursor = message.cursor;
          }
        }
        if (closed !== undefined || isOver()) break;
        inbox.length = read = 0;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      leave();
      if (isOver()) break;
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
      // Full jitter; codes from 4100 on want a second at least, those from 4200 on say themselves when to come back.
      const atLeast = code >= 4100 && code < 4200 ? 1000 : 0;
      delayMs ??= atLeast + Math.random() * Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 16));
      onReconnect?.({ closeCode: code, failures, delayMs, cursor });
      await sleep(delayMs, over.signal);
    }
    if (signal?.aborted && !closing.aborted)
      throw new AbortError('the caller ended the stream', { operation, attempts: failures + 1 }, signal.reason);
  } catch (error) {
    if (error instanceof Error && 'operation' in error && cursor !== undefined) Object.assign(error, { cursor });
    throw error;
  } finally {
    leave();
    signal?.removeEventListener('abort', end);
    closing.removeEventListener('abort', end);
  }
}
