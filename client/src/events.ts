/**
 * Event streams over the WebSocket of the service. The streams of one client share a connection, on which each has a
 * subscription. A stream resumes after its last event when the connection is lost, so that it loses no event and delivers none
 * twice. `createClient` loads this module at the first read of a stream.
 */
import { abortError, onAbort } from './abort.ts';
import type { Schemas } from './contract.ts';
import { AbortError, SocialDataError, StreamError, type Failed } from './errors.ts';
import { connectionError } from './failure.ts';
import type { Hub, Link, Lost, Member, Message } from './link.ts';

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
export type EventOf<Selected> = Selected extends keyof EventsByChannel
  ? EventsByChannel[Selected]
  : EventsByChannel[Channels[keyof Selected & keyof Channels][0]];

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
  readonly cursor?: string | null | undefined;
  readonly signal?: AbortSignal | null | undefined;
  /**
   * Called when events are missing because the service no longer retains them; the stream then continues. `hint` is the
   * REST path that returns the missing data. Without this callback, a gap causes a StreamError.
   */
  readonly onGap?: ((gap: { readonly from: string; readonly to: string; readonly hint: string }) => void) | undefined;
  /** Called when the service has confirmed the subscription, also after each reconnect. */
  readonly onOpen?: ((opened: { readonly cursor: string }) => void) | undefined;
  /** Called when the connection is lost, before the delay of the reconnect. */
  readonly onReconnect?: ((lost: Lost & { readonly cursor: string | undefined }) => void) | undefined;
  /** The maximum number of consecutive connection failures before a ConnectionError. Default 30. */
  readonly retries?: number | undefined;
  /** The maximum number of unread events, default 1,000. Above it the stream pauses its subscription until they are read. */
  readonly maxBuffered?: number | undefined;
  /** The connection counts as dead after this time without a message, in ms. Default: 2.25 heartbeats of the service. */
  readonly heartbeatTimeoutMs?: number | undefined;
  /** Replaces the global WebSocket and `ws`. It gets the key in the URL. */
  readonly WebSocket?: SocketClass | undefined;
}

/** The number of recent event ids for deduplication; a new epoch of the event log may repeat events. */
const maxSeenIds = 10_000;
const done = { done: true, value: undefined } as const;
const memberNames = Object.keys(channels) as (keyof Channels)[];

/** What a stream subscribes to. */
export interface Subscription {
  readonly channel: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Ids of events that the caller has already. */
  readonly seen?: readonly string[];
}

/** The channel and parameters of a selection. Throws a TypeError for a selection without a known member. */
function subscriptionTo(selection: Selection): Subscription {
  const member = memberNames.find((name) => selection[name] !== undefined);
  if (member === undefined) throw new TypeError(`the selection needs one of ${memberNames.join(', ')}`);
  const [channel, parameter] = channels[member];
  return { channel, params: parameter === undefined ? {} : { [parameter]: selection[member] } };
}

/** Whether the same command may succeed later. */
const isPassing = ({ retry_after_s: delay, status }: Extract<Message, { type: 'error' }>): boolean =>
  delay !== undefined || status >= 500;

/** What `next` gives out: an event, an error that ends the stream, or its end. */
type Outcome = IteratorResult<unknown, void> | undefined;

/** Reads one subscription: resumes after the last event, and removes duplicates. */
class Stream implements Member, OpenStream {
  readonly heartbeatTimeoutMs: number | undefined;
  readonly retries: number;
  readonly #hub: Hub;
  readonly #options: EventOptions;
  readonly #to: Subscription;
  readonly #seen: Set<string>;
  #link: Link | undefined;
  #inbox: Message[] = [];
  #nextIndex = 0;
  #cursor: string | undefined;
  /** The cursor of the event that the reader has: the position once it asks for the next one. */
  #given: string | undefined;
  #isPaused = false;
  #isTweetDeleted = false;
  #isClosed = false;
  #error: unknown;
  #attempts = 1;
  #wake = (): void => {};
  #turn: Promise<unknown> = Promise.resolve();
  #opened: { cursor: string } | undefined;
  readonly #waiting = new Set<() => void>();
  readonly #forget: () => void;

  constructor(hub: Hub, to: Subscription, options: EventOptions) {
    this.#hub = hub;
    this.#to = to;
    this.#options = options;
    this.#cursor = options.cursor ?? undefined;
    this.#seen = new Set(to.seen);
    this.heartbeatTimeoutMs = options.heartbeatTimeoutMs;
    this.retries = options.retries ?? 30;
    const { signal } = options;
    const abort = (): void => {
      this.#clear();
      this.fail(abortError('stream', this.#failed(), signal?.reason));
    };
    this.#forget = onAbort(signal, abort);
    if (signal?.aborted) abort();
  }

  next(): Promise<IteratorResult<unknown, void>> {
    // One after another, as in an async generator.
    const turn = this.#turn.then(() => this.#take());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  close(): void {
    this.#isClosed = true;
    this.#clear();
    this.#leave();
  }

  async ready(): Promise<{ cursor: string }> {
    this.#join();
    while (this.#opened === undefined) {
      if (this.#error !== undefined) throw this.#takeError();
      if (this.#isClosed) throw new AbortError('the stream is closed', this.#failed());
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
      this.#waiting.clear();
    }
    return this.#opened;
  }

  async #take(): Promise<IteratorResult<unknown, void>> {
    this.#cursor = this.#given ?? this.#cursor;
    this.#given = undefined;
    for (;;) {
      this.#join();
      const message = this.#inbox[this.#nextIndex++];
      if (message !== undefined) {
        const outcome = this.#read(message);
        if (outcome !== undefined) return outcome;
        continue;
      }
      this.#clear();
      if (this.#error !== undefined) throw this.#takeError();
      if (this.#isClosed) return done;
      if (this.#isPaused) {
        this.#isPaused = false;
        this.#link?.start(this);
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The error that ends the stream, with the position to resume from; it is thrown once. */
  #takeError(): unknown {
    const error = this.#error;
    this.#error = undefined;
    if (!(error instanceof SocialDataError)) return error;
    return this.#cursor === undefined ? error : Object.assign(error, { cursor: this.#cursor });
  }

  #clear(): void {
    this.#inbox.length = this.#nextIndex = 0;
  }

  /** Takes part in a connection. */
  #join(): void {
    if (this.#isClosed || this.#link !== undefined) return;
    this.#link = this.#hub.join(this, this.#options.WebSocket);
  }

  #leave(): void {
    this.#forget();
    this.#link?.leave(this);
    this.#notify();
  }

  #notify(): void {
    this.#wake();
    for (const each of this.#waiting) each();
  }

  /** The command that starts the subscription. */
  command(): object {
    return {
      type: 'subscribe',
      channel: this.#to.channel,
      params: this.#to.params,
      on_gap: this.#options.onGap === undefined ? 'error' : 'continue',
      ...(this.#resumeAt() === undefined ? {} : { cursor: this.#resumeAt() }),
    };
  }

  /** The position behind everything that the reader has or that is in the inbox. */
  #resumeAt(): string | undefined {
    for (let index = this.#inbox.length - 1; index >= this.#nextIndex; index--) {
      const message = this.#inbox[index];
      if (message !== undefined && 'cursor' in message) return message.cursor;
      if (message?.type === 'gap') return message.to;
    }
    return this.#given ?? this.#cursor;
  }

  /** Takes a message of the connection. Pauses the subscription when the inbox is full. */
  receive(message: Message): void {
    if (this.#isClosed) return;
    if (message.type === 'subscribed') {
      this.#cursor ??= message.cursor;
      const opened = (this.#opened = { cursor: message.cursor });
      this.#notifyCaller(() => this.#options.onOpen?.(opened));
    } else if (message.type === 'error' && isPassing(message) && this.#attempts++ <= this.retries) {
      this.#link?.startLater(this, (message.retry_after_s ?? 1) * 1000);
    } else {
      this.#inbox.push(message);
      if (this.#inbox.length - this.#nextIndex >= (this.#options.maxBuffered ?? 1_000) && !this.#isPaused) {
        this.#isPaused = true;
        this.#link?.pause(this);
      }
    }
    this.#notify();
  }

  /** Ends the stream with an error, which the reader gets after the events that came before. */
  fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#error = error;
    this.#isClosed = true;
    this.#leave();
  }

  /** Calls a function of the caller; its error ends the stream. */
  #notifyCaller(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.fail(error);
    }
  }

  /** The connection is lost, and opens again after a delay. */
  lost(lost: Lost): void {
    this.#attempts = lost.failures + 1;
    if (lost.failures > this.retries) return this.fail(connectionError({ ...this.#failed(), attempts: lost.failures }));
    this.#notifyCaller(() => this.#options.onReconnect?.({ ...lost, cursor: this.#given ?? this.#cursor }));
  }

  /** The connection ended for good. */
  refused(code: number, reason: string): void {
    this.fail(new StreamError(String(code), reason || `the connection was closed with ${code}`, this.#failed()));
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Reads a message: an event that the reader gets, or undefined. Throws a StreamError when the stream cannot continue. */
  #read(message: Message): Outcome {
    if (message.type === 'event') {
      this.#given = message.cursor;
      if (!this.#isNew(message.event_id)) return this.#commit();
      if (message.event === 'tweet.deleted') this.#noteDeletion(message.data);
      const { type: _type, subs: _subs, channel: _channel, ...event } = message;
      return { done: false, value: event };
    }
    if (message.type === 'heartbeat' || message.type === 'caught_up') this.#cursor = message.cursor;
    else if (message.type === 'gap') {
      const { onGap } = this.#options;
      if (onGap === undefined) return this.#end('gap', `events are missing; read them from ${message.hint}`);
      onGap(message);
      this.#cursor = message.to;
    } else if (message.type === 'unsubscribed') this.close();
    else if (message.type === 'error') {
      if (message.code === 'not_found' && this.#isTweetDeleted) this.close();
      else return this.#end(message.code, message.error, message.status);
    }
    return undefined;
  }

  #commit(): undefined {
    this.#cursor = this.#given ?? this.#cursor;
    this.#given = undefined;
  }

  #end(code: string, text: string, status?: number): undefined {
    this.#clear();
    this.fail(new StreamError(code, text, this.#failed(), status));
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
    this.#isTweetDeleted ||= data.id === this.#to.params['tweet_id'];
  }

  #failed(): Failed {
    return { operation: `events ${this.#to.channel}`, attempts: this.#attempts, url: `${this.#hub.baseUrl}/ws` };
  }
}

/** A stream of the events of a subscription or selection. It connects at the first `next` or `ready`. */
export const openStream = (hub: Hub, to: Selection | Subscription, options: EventOptions): OpenStream =>
  new Stream(hub, 'channel' in to ? to : subscriptionTo(to), options);
