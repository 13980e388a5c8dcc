/**
 * Event streams over the WebSocket of the service, one subscription per stream. A stream reconnects automatically and
 * resumes after the last delivered event, so that it loses no event and delivers none twice. `createClient` loads this
 * module at the first read of a stream.
 */
import type { Schemas } from './contract.ts';
import { AbortError, ConnectionError, StreamError, type Failed } from './errors.ts';
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
  /** Replies to a tweet, by its id. Ends when the tweet is deleted. */
  replies: ['tweet:replies', 'tweet_id'],
  /** The counts of a tweet, by its id. Ends when the tweet is deleted. */
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
  'tweet:engagement':
    | EventMessage<'tweet.engagement' | 'tweet.unliked', Schemas['WsEngagement']>
    | EventMessage<'tweet.deleted', Schemas['WsDeleted']>;
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

/**
 * Events in the order of the event log. `for await` ends when the stream is closed, and after the `tweet.deleted` of the
 * tweet that it is about; `break` closes it.
 */
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

/** The globals that only some runtimes have. */
const runtime: { readonly WebSocket?: SocketClass; readonly location?: { readonly href: string } } = globalThis;

async function socketClass(): Promise<SocketClass> {
  if (runtime.WebSocket !== undefined) return runtime.WebSocket;
  // Node 20 has no global WebSocket. The variable hides the package name from bundlers.
  const name = 'ws';
  return ((await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as { WebSocket: SocketClass }).WebSocket;
}

function addressOf(baseUrl: string, key: string | undefined): string {
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/ws`, runtime.location?.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (key !== undefined) url.searchParams.set('api_key', key);
  return url.href;
}

/** One WebSocket connection with the messages that the stream has not read. */
class Connection {
  closed: { readonly code: number; readonly reason: string } | undefined;
  /** Whether the connection was closed because `maxBuffered` messages were unread. */
  isFull = false;
  heartbeatIntervalMs = defaultHeartbeatMs;
  readonly #maxBuffered: number;
  #socket: Socket | undefined;
  #inbox: string[] = [];
  #nextIndex = 0;
  #lastMessageAt = Date.now();
  #wake = (): void => {};
  readonly #watchdog: ReturnType<typeof setInterval>;

  constructor(Class: SocketClass, address: string, subscribe: string, maxBuffered: number) {
    this.#maxBuffered = maxBuffered;
    const socket = new Class(address);
    this.#socket = socket;
    socket.onopen = () => socket.send(subscribe);
    socket.onmessage = ({ data }: { data: string }) => this.#receive(data);
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => this.close(code, reason);
    socket.onerror = () => {};
    // The connection is dead when no message arrives for more than two heartbeat intervals.
    this.#watchdog = setInterval(
      () => Date.now() - this.#lastMessageAt > 2.25 * this.heartbeatIntervalMs && this.close(1006),
      1_000,
    );
  }

  /** The next unread message; undefined when there is none. */
  next(): Message | undefined {
    const text = this.#inbox[this.#nextIndex];
    if (text === undefined) {
      this.#inbox.length = this.#nextIndex = 0;
      return undefined;
    }
    this.#nextIndex++;
    return JSON.parse(text) as Message;
  }

  /** Resolves when a message arrives or the connection closes. */
  wait(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** Closes the connection. The first code counts. */
  close(code: number, reason = ''): void {
    this.closed ??= { code, reason };
    clearInterval(this.#watchdog);
    const socket = this.#socket;
    if (socket !== undefined) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      // A socket that is closed before it is open reports an error; this handler ignores it.
      socket.onerror = () => {};
      socket.close();
      this.#socket = undefined;
    }
    this.#wake();
  }

  #receive(data: string): void {
    this.#lastMessageAt = Date.now();
    this.#inbox.push(data);
    // The next connection resumes after the buffered messages.
    this.isFull = this.#inbox.length - this.#nextIndex >= this.#maxBuffered;
    if (this.isFull) this.close(1000);
    this.#wake();
  }
}

const memberNames = Object.keys(channels) as (keyof Channels)[];

/** Reads one subscription: connects, resumes after the last event, and removes duplicates. */
class EventReader {
  readonly #connecting: Connecting;
  readonly #options: EventOptions;
  readonly #closing: AbortSignal;
  readonly #channel: Schemas['WsChannel'];
  readonly #params: Readonly<Record<string, unknown>>;
  readonly #seen = new Set<string>();
  readonly #stopped = new AbortController();
  /** Whether the tweet that the stream is about was deleted. */
  #isTweetDeleted = false;
  #connection: Connection | undefined;
  #cursor: string | undefined;
  #failures = 0;
  /** The delay of the reconnect that the server requests, in ms. */
  #delayMs: number | undefined;

  constructor(connecting: Connecting, selection: Selection, options: EventOptions, closing: AbortSignal) {
    this.#connecting = connecting;
    this.#options = options;
    this.#closing = closing;
    this.#cursor = options.cursor;
    const member = memberNames.find((name) => selection[name] !== undefined);
    if (member === undefined) throw new TypeError(`the selection needs one of ${memberNames.join(', ')}`);
    const [channel, parameter] = channels[member];
    this.#channel = channel;
    this.#params = parameter === undefined ? {} : { [parameter]: selection[member] };
  }

  async *read(): AsyncGenerator<unknown, void, undefined> {
    const { signal } = this.#options;
    const Class = this.#options.WebSocket ?? (await socketClass());
    for (const abortSignal of [signal, this.#closing]) {
      if (abortSignal?.aborted) this.#stop();
      abortSignal?.addEventListener('abort', this.#stop);
    }
    try {
      while (!this.#isStopped()) {
        const address = addressOf(this.#connecting.baseUrl, await this.#connecting.key());
        if (this.#isStopped()) break;
        yield* this.#readConnection(Class, address);
      }
      if (signal?.aborted && !this.#closing.aborted)
        throw new AbortError('the caller aborted the stream', this.#failed(), signal.reason);
    } catch (error) {
      if (error instanceof Error && 'operation' in error && this.#cursor !== undefined)
        Object.assign(error, { cursor: this.#cursor });
      throw error;
    } finally {
      this.#connection?.close(1000);
      signal?.removeEventListener('abort', this.#stop);
      this.#closing.removeEventListener('abort', this.#stop);
    }
  }

  /** Yields the events of one connection, then waits for the delay of the reconnect. */
  async *#readConnection(Class: SocketClass, address: string): AsyncGenerator<unknown, void, undefined> {
    this.#delayMs = undefined;
    const connection = new Connection(Class, address, this.#subscribe(), this.#options.maxBuffered ?? 1_000);
    this.#connection = connection;
    for (;;) {
      const message = this.#isStopped() ? undefined : connection.next();
      if (message?.type === 'event') {
        this.#failures = 0;
        if (this.#isNew(message.event_id)) {
          if (message.event === 'tweet.deleted') this.#noteDeletion(message.data);
          const { type: _type, subs: _subs, channel: _channel, ...event } = message;
          yield event;
        }
        this.#cursor = message.cursor;
      } else if (message !== undefined) this.#handle(message, connection);
      else if (connection.closed !== undefined || this.#isStopped()) break;
      else await connection.wait();
    }
    connection.close(1000);
    if (this.#isStopped() || connection.isFull || connection.closed === undefined) return;
    await this.#backOff(connection.closed.code, connection.closed.reason);
  }

  /** Handles a message other than an event. Throws a StreamError when the stream cannot continue. */
  #handle(message: Exclude<Message, { type: 'event' }>, connection: Connection): void {
    if (message.type === 'connected') connection.heartbeatIntervalMs = message.heartbeat_interval_ms;
    else if (message.type === 'subscribed') this.#cursor ??= message.cursor;
    else if (message.type === 'going_away') this.#delayMs = message.reconnect_after_ms;
    else if (message.type === 'heartbeat' || message.type === 'caught_up') {
      this.#cursor = message.cursor;
      this.#failures = 0;
    } else if (message.type === 'gap') {
      const { onGap } = this.#options;
      if (onGap === undefined)
        throw new StreamError('gap', `events are missing; read them from ${message.hint}`, this.#failed());
      onGap(message);
      this.#cursor = message.to;
    } else if (message.type === 'unsubscribed') this.#stop();
    else if (message.type === 'error' && message.id === '1') {
      if (message.code === 'not_found' && this.#isTweetDeleted) return this.#stop();
      if (message.retry_after_s === undefined && message.status < 500)
        throw new StreamError(message.code, message.error, this.#failed(), message.status);
      this.#delayMs = (message.retry_after_s ?? 1) * 1000;
      connection.close(4100);
    }
  }

  /** Waits before the reconnect. Throws when the close code forbids one or too many connections failed. */
  async #backOff(code: number, reason: string): Promise<void> {
    const { retries = 30, onReconnect } = this.#options;
    if (fatal.has(code) || (code >= 4000 && code < 4100))
      throw new StreamError(String(code), reason || `the connection was closed with ${code}`, this.#failed());
    if (this.#failures >= retries)
      throw new ConnectionError(`the connection failed ${this.#failures + 1} times in a row`, this.#failed());
    this.#failures++;
    // Full jitter; codes 4100-4199 require at least one second, and codes from 4200 on come with their own delay.
    const minMs = code >= 4100 && code < 4200 ? 1000 : 0;
    const delayMs =
      this.#delayMs ?? minMs + Math.random() * Math.min(capMs, baseMs * 2 ** Math.min(this.#failures - 1, 16));
    onReconnect?.({ closeCode: code, failures: this.#failures, delayMs, cursor: this.#cursor });
    await sleep(delayMs, this.#stopped.signal);
  }

  #subscribe(): string {
    return JSON.stringify({
      type: 'subscribe',
      id: '1',
      channel: this.#channel,
      params: this.#params,
      on_gap: this.#options.onGap === undefined ? 'error' : 'continue',
      ...(this.#cursor === undefined ? {} : { cursor: this.#cursor }),
    });
  }

  #isNew(eventId: string): boolean {
    if (this.#seen.has(eventId)) return false;
    this.#seen.add(eventId);
    const [oldest] = this.#seen;
    if (this.#seen.size > maxSeenIds && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }

  #noteDeletion(data: Schemas['WsEvent']['data']): void {
    if (!('id' in data)) return;
    // A deleted tweet that comes back is created again, with the same event id.
    this.#seen.delete(`tweet.created:${data.id}`);
    this.#isTweetDeleted ||= data.id === this.#params['tweet_id'];
  }

  #failed(): Failed {
    return { operation: `events ${this.#channel}`, attempts: this.#failures + 1 };
  }

  #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  readonly #stop = (): void => {
    this.#stopped.abort();
    this.#connection?.close(1000);
  };
}

/** Yields the events of one subscription until `closing` aborts. Throws StreamError, ConnectionError and AbortError. */
export async function* listen(
  connecting: Connecting,
  selection: Selection,
  options: EventOptions,
  closing: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  yield* new EventReader(connecting, selection, options, closing).read();
}
