/**
 * Event streams over the WebSocket of the service. The streams of one client share a connection, on which each has a
 * subscription. A stream resumes after its last event when the connection is lost, so that it loses no event and delivers none
 * twice. `createClient` loads this module at the first read of a stream.
 */
import { abortError, onAbort } from './abort.ts';
import type { Schemas } from './contract.ts';
import { usageError } from './defined.ts';
import { type Failed, SocialDataError, connectionError, StreamError } from './failure.ts';
import type { EventOptions, Lost, OpenStream, Subscription } from './event-stream.ts';
import type { Delivered, Hub, Link, Member } from './link.ts';

export { Hub } from './link.ts';

/** For each member of a selection: its channel, and the parameter that takes its value. */
const channels = {
  /** Tweets that match a query, in the syntax of `tweet.advancedSearch`. */
  search: 'search:tweets query',
  /** Tweets of a user, by username. */
  user: 'user:tweets username',
  /** Tweets of a user, by id. */
  userId: 'user:tweets user_id',
  /** Tweets that mention a user, by username. */
  mentions: 'user:mentions username',
  /** Replies to a tweet, by its id. Ends when the tweet is deleted. */
  replies: 'tweet:replies tweet_id',
  /** The counts of a tweet, by its id. Ends when the tweet is deleted. */
  engagement: 'tweet:engagement tweet_id',
  /** Tweets of a community, by its id. */
  community: 'community:tweets id',
  /** The communities that a user joins and leaves, by username. */
  memberships: 'community:members username',
  /** The capacity of the assistant; the value is `true`. */
  pool: 'assistant:pool',
} as const satisfies Record<string, Schemas['WsChannel'] | `${Schemas['WsChannel']} ${keyof Schemas['WsParams']}`>;
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

type Value<Name extends keyof Channels> = Channels[Name] extends `${string} ${string}` ? string : true;
type ChannelOf<Target> = Target extends `${infer Channel} ${string}` ? Channel : Target;
/** The subscription of a stream: exactly one member. */
export type Selection = {
  [Name in keyof Channels]: { readonly [Selected in Name]: Value<Name> } & {
    readonly [Other in Exclude<keyof Channels, Name>]?: never;
  };
}[keyof Channels];
/** The events of a selection. */
export type EventOf<Selected> = Selected extends keyof EventsByChannel
  ? EventsByChannel[Selected]
  : EventsByChannel[ChannelOf<Channels[keyof Selected & keyof Channels]> & keyof EventsByChannel];

/** The channel and parameters of a selection. Throws a UsageError for a selection without a known member. */
function subscriptionTo(selection: Selection): Subscription {
  for (const [member, to] of Object.entries(channels)) {
    const value = Object(selection) === selection ? selection[member as keyof Channels] : undefined;
    const [channel = '', parameter] = to.split(' ');
    if (value !== undefined) return { channel, params: parameter ? { [parameter]: value } : {} };
  }
  throw usageError(`select one of ${Object.keys(channels).join(', ')}`);
}

type Refusal = Extract<Delivered, { type: 'error' }>;

/** Reads one subscription: resumes after the last event, and removes duplicates. */
class Stream implements Member, OpenStream {
  readonly options: EventOptions;
  isPaused: boolean | undefined;
  readonly #hub: Hub;
  readonly #to: Subscription;
  /** The ids of the newest 10,000 events: a new epoch of the event log may repeat events. */
  readonly #seen: Set<string>;
  readonly #forget: () => void;
  readonly #events = this.#read();
  #link: Link | undefined;
  #inbox: Delivered[] = [];
  /** The position behind everything that the reader got. */
  #cursor: string | undefined;
  /** The position behind everything that the reader got or that is in the inbox. */
  #received: string | undefined;
  /** Whether the service has confirmed the subscription, so that heartbeats move its position. */
  #isSubscribed: boolean | undefined;
  #isClosed: boolean | undefined;
  /** An error, or what a callback has thrown. */
  #error: unknown;
  #attempts = 1;
  #opened: { cursor: string } | undefined;
  #waiting: (() => void)[] = [];

  constructor(hub: Hub, to: Subscription, options: EventOptions) {
    const { cursor, signal } = options;
    this.#hub = hub;
    this.#to = to;
    this.options = options;
    this.#cursor = this.#received = cursor ?? undefined;
    this.#seen = new Set(to.seen);
    const abort = (): void => this.close(abortError('stream', this.context(), signal?.reason));
    this.#forget = onAbort(signal, abort);
    if (signal?.aborted) abort();
    else this.#link = hub.add(this, options.WebSocket);
  }

  next(): ReturnType<OpenStream['next']> {
    return this.#events.next();
  }

  /** Ends the stream at once. Unread events are not delivered. */
  close(error?: unknown): void {
    this.#inbox = [];
    this.fail(error);
  }

  async ready(): Promise<{ cursor: string }> {
    while (!this.#opened) {
      if (this.#isClosed) this.#throw(this.#error ?? abortError('stream', this.context()));
      await this.#change();
    }
    return this.#opened;
  }

  /** The events that the reader gets. The position of the stream follows them. */
  async *#read(): AsyncGenerator<unknown, void, undefined> {
    for (;;) {
      const message = this.#inbox.shift();
      if (message) {
        this.#cursor = message.cursor ?? message.to ?? this.#cursor;
        if (message.type === 'gap') this.#notify(this.options.onGap, message);
        if (message.type === 'event') {
          const { type: _type, subs: _subs, channel: _channel, ...event } = message;
          yield event;
        }
      } else if (this.#isClosed) {
        if (this.#error !== undefined) this.#throw(this.#error);
        return;
      } else {
        if (this.isPaused) {
          this.isPaused = false;
          this.#link?.start(this);
        }
        await this.#change();
      }
    }
  }

  /** Whether the stream has not got an event before. */
  #isNew({ event, event_id: id, data }: Extract<Delivered, { type: 'event' }>): boolean {
    const seen = this.#seen;
    if (seen.has(id)) return false;
    const [oldest = ''] = seen.add(id);
    if (seen.size > 10_000) seen.delete(oldest);
    if (event === 'tweet.deleted') {
      const { id: deleted } = data as Schemas['WsDeleted'];
      // A deleted tweet that comes back is created again, with the same event id.
      seen.delete(`tweet.created:${deleted}`);
      // The event itself is still delivered.
      if (deleted === this.#to.params['tweet_id']) this.fail();
    }
    return true;
  }

  /** Throws an error; one of this package has the position to resume from. */
  #throw(error: unknown): never {
    if (error instanceof SocialDataError && this.#cursor) error.cursor = this.#cursor;
    throw error;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  command(): object {
    this.#isSubscribed = false;
    const onGap = this.options.onGap && 'continue';
    return { type: 'subscribe', ...this.#to, seen: undefined, on_gap: onGap, cursor: this.#received };
  }

  /** Takes a message of the connection. Pauses the subscription when the inbox is full. */
  receive(message: Delivered): void {
    const { type, cursor } = message;
    if (type === 'subscribed') {
      this.#isSubscribed = true;
      this.#cursor ??= cursor;
      this.#received ??= cursor;
      this.#opened = { cursor: message.cursor };
      this.#notify(this.options.onOpen, this.#opened);
    } else if (type === 'error') this.#refuse(message);
    else if (type === 'unsubscribed') this.fail();
    else if (type === 'gap' && !this.options.onGap)
      this.fail(new StreamError(type, `missing events: ${message.hint}`, this.context()));
    else if (type !== 'heartbeat' || this.#isSubscribed) {
      this.#received = cursor ?? message.to ?? this.#received;
      if (
        (type !== 'event' || this.#isNew(message)) &&
        this.#inbox.push(message) >= (this.options.maxBuffered ?? 1_000)
      ) {
        this.isPaused = true;
        this.#isSubscribed = false;
        this.#link?.pause(this);
      }
    }
    this.#wake();
  }

  /** Starts again later where the same command may succeed then; else ends the stream. */
  #refuse({ code, error, status, retry_after_s: delay = status >= 500 ? 1 : -1 }: Refusal): void {
    if (delay >= 0 && this.#attempts++ <= (this.options.retries ?? 30))
      setTimeout(() => this.#isClosed || this.#link?.start(this), delay * 1000);
    else this.fail(new StreamError(code, error, this.context(), status));
  }

  /** Ends the stream. The reader gets the error after the events that came before. */
  fail(error?: unknown): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#error = error;
    this.#forget();
    this.#link?.leave(this);
    this.#wake();
  }

  /** Calls a function of the caller; its error ends the stream. */
  #notify<Value>(callback: ((value: Value) => void) | undefined, value: Value): void {
    try {
      callback?.(value);
    } catch (error) {
      this.close(error);
    }
  }

  /** The connection is lost, and opens again after a delay. */
  lost(lost: Lost): void {
    if (lost.failures > (this.options.retries ?? 30)) return this.fail(connectionError(this.context()));
    this.#attempts = lost.failures + 1;
    this.#notify(this.options.onReconnect, { ...lost, cursor: this.#cursor });
  }

  context(): Failed {
    return this.#hub.context(`events ${this.#to.channel}`, this.#attempts);
  }
}

/** A stream of the events of a subscription or selection. It connects at once. */
export const openStream = (hub: Hub, to: Selection | Subscription, options: EventOptions): OpenStream =>
  new Stream(hub, 'channel' in Object(to) ? (to as Subscription) : subscriptionTo(to as Selection), options);
