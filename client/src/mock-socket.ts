/** The WebSocket of the service for tests of apps: subscriptions to events, and questions whose answer arrives in parts. */
import { ws, type WebSocketHandler, type WebSocketHandlerConnection, type WebSocketLink } from 'msw';
import type { Schemas } from './contract.ts';
import type { EventOf } from './events.ts';

type Channel = Schemas['WsChannel'];
type Params = Schemas['WsParams'];
type Command = Schemas['WsClientMessage'];
type Message = Schemas['WsServerMessage'];
/** The `event` and `data` of the events of a channel. */
export type MockedEvent<On extends Channel> = On extends Channel ? Slim<EventOf<SelectionOf[On]>> : never;
type Slim<Event> = Event extends { event: infer Name; data: infer Data }
  ? { readonly event: Name; readonly data: Data }
  : never;
interface SelectionOf extends Record<Channel, unknown> {
  'search:tweets': { search: string };
  'user:tweets': { user: string };
  'user:mentions': { mentions: string };
  'tweet:replies': { replies: string };
  'tweet:engagement': { engagement: string };
  'community:tweets': { community: string };
  'community:members': { memberships: string };
  'assistant:pool': { pool: true };
}

/** The event stream. A subscription with an earlier cursor gets the emitted events as a replay. */
export interface MockedEvents {
  readonly handler: WebSocketHandler;
  /** Resolves when the channel has a subscription. */
  ready(channel: Channel): Promise<void>;
  /**
   * Publishes an event to the subscriptions of the channel that it concerns. The data decides, as at the service: the author of
   * a tweet on `user:tweets`, the usernames in its text on `user:mentions`, `tweet_id` on `tweet:engagement`. Where the data does not
   * say it, all subscriptions of the channel get the event; `to` names the parameters of those that get it, such as
   * `{ query: 'coffee' }`. An event that no subscription has got is for the next new one that it concerns.
   */
  emit<On extends Channel>(channel: On, event: MockedEvent<On>, to?: Params): void;
  /** Closes all connections. The default code is 4200, a restart. */
  disconnect(code?: number): void;
}

const timestamp = '2026-03-04T05:06:07.000Z';
const cursorOf = (seq: number): string => `mock.${seq}`;

/** The members of the data of an event that say whom it concerns. */
interface Concerning {
  readonly id?: string;
  readonly tweet_id?: string;
  readonly text?: string;
  readonly author?: { readonly id: string; readonly username: string };
}
interface LoggedEvent {
  readonly channel: Channel;
  readonly event: Schemas['WsEventName'];
  readonly data: Concerning;
  readonly to: Params | undefined;
  readonly seq: number;
  /** Whether a subscription has got it. */
  isDelivered: boolean;
}
interface Connection {
  readonly send: (message: Message) => void;
  readonly close: (code: number, reason?: string) => void;
  readonly url: URL;
  /** The subscriptions by their id. */
  readonly subscriptions: Map<string, Subscription>;
  /** The open questions by the id of their command. */
  readonly questions: Map<string, AbortController>;
}
interface Subscription {
  readonly channel: Channel;
  readonly params: Params;
}

/** Whether two texts are the same username, or the same other parameter. */
const isSame = (one = '', other = ''): boolean =>
  one.replace(/^@/, '').toLowerCase() === other.replace(/^@/, '').toLowerCase();

/** Whether the data of an event concerns a subscription; undefined where it does not say that. */
function concerns(
  { author, tweet_id: tweetId, text }: Concerning,
  { channel, params }: Subscription,
): boolean | undefined {
  if (channel === 'user:tweets' && author)
    return params.user_id === undefined ? isSame(author.username, params.username) : author.id === params.user_id;
  if (channel === 'tweet:engagement' && tweetId !== undefined) return tweetId === params.tweet_id;
  const mentioned = channel === 'user:mentions' ? text?.match(/@[\w.-]*\w/g) : undefined;
  return mentioned?.some((name) => isSame(name, params.username));
}

/** Asks the mock of `tweet.assistant` for a response; the URL is that of the connection. Rejects where it breaks the connection. */
export type AskMock = (url: URL, params: Schemas['WsAskParams'], signal: AbortSignal) => Promise<Response>;

/** The code of `/ws` for an error of REST. */
const codes: Readonly<Record<number, Schemas['WsError']['code']>> = {
  400: 'bad_params',
  404: 'not_found',
  409: 'conversation_expired',
  429: 'too_many_requests',
  502: 'upstream_failed',
  503: 'no_account',
  504: 'upstream_failed',
};

/** The mocked WebSocket. */
export class MockSocket implements MockedEvents {
  readonly handler: WebSocketHandler;
  readonly #link: WebSocketLink;
  readonly #ask: AskMock;
  readonly #connections = new Set<Connection>();
  #log: LoggedEvent[] = [];
  /** The channels with their parameters that had a subscription. */
  readonly #known = new Set<string>();
  readonly #waiting = new Map<Channel, (() => void)[]>();
  /** The number of subscriptions so far. Each has an id of its own. */
  #count = 0;

  constructor(baseUrl: string, ask: AskMock) {
    this.#ask = ask;
    this.#link = ws.link(`${baseUrl.replace(/^http/, 'ws')}/ws`);
    this.handler = this.#link.addEventListener('connection', ({ client }) => this.#connect(client));
  }

  readonly emit: MockedEvents['emit'] = (channel, { event, data }, to) => {
    const seq = this.#log.length + 1;
    const logged: LoggedEvent = { channel, event, data: data as Concerning, to, seq, isDelivered: false };
    this.#log.push(logged);
    for (const connection of this.#connections) {
      const subs = Array.from(connection.subscriptions).filter(([, each]) => this.#isFor(logged, each));
      if (subs.length > 0)
        this.#deliver(
          logged,
          connection,
          subs.map(([sub]) => sub),
        );
    }
  };

  readonly ready: MockedEvents['ready'] = (channel) =>
    new Promise((resolve) => {
      const isSubscribed = [...this.#connections].some(({ subscriptions }) =>
        [...subscriptions.values()].some((each) => each.channel === channel),
      );
      if (isSubscribed) resolve();
      else this.#waiting.set(channel, [...(this.#waiting.get(channel) ?? []), resolve]);
    });

  readonly disconnect: MockedEvents['disconnect'] = (code = 4200) => {
    for (const connection of this.#connections) this.#drop(connection, code);
  };

  /** Ends all streams and questions, and forgets all events. */
  reset(): void {
    this.#log = [];
    this.#known.clear();
    this.#waiting.clear();
    for (const { subscriptions, questions, send } of this.#connections) {
      for (const [sub] of subscriptions) send({ type: 'unsubscribed', sub, reason: 'the mocks were reset' });
      for (const [id, question] of questions) {
        question.abort();
        send({ type: 'cancelled', id });
      }
      subscriptions.clear();
      questions.clear();
    }
  }

  /** Whether a subscription gets an event. A deletion has only an id: it is for those that the tweet was for. */
  #isFor({ channel, data, to }: LoggedEvent, subscription: Subscription): boolean {
    if (channel !== subscription.channel) return false;
    const { params } = subscription;
    if (to) return Object.entries(to).every(([name, value]) => isSame(value, params[name as keyof Params]));
    const known = this.#log.find((each) => each.channel === channel && each.data.author && each.data.id === data.id);
    return concerns(known && !data.author ? known.data : data, subscription) ?? true;
  }

  /** Sends an event once to a connection. The deletion of its own tweet ends a subscription. */
  #deliver(logged: LoggedEvent, { send, subscriptions }: Connection, subs: string[]): void {
    const { channel, event, data, seq } = logged;
    logged.isDelivered = true;
    const frame = {
      type: 'event',
      subs,
      channel,
      event,
      seq,
      cursor: cursorOf(seq),
      event_id: `${event}:${seq}`,
      data,
    };
    send({ ...frame, timestamp } as unknown as Message);
    if (event !== 'tweet.deleted') return;
    for (const sub of subs) {
      if (subscriptions.get(sub)?.params.tweet_id !== data.id) continue;
      subscriptions.delete(sub);
      send({ type: 'unsubscribed', sub, reason: 'the tweet was deleted' });
    }
  }

  #connect(client: WebSocketHandlerConnection['client']): void {
    const connection: Connection = {
      send: (message) => client.send(JSON.stringify(message)),
      close: (code, reason) => client.close(code, reason),
      url: client.url,
      subscriptions: new Map(),
      questions: new Map(),
    };
    this.#connections.add(connection);
    client.addEventListener('close', () => this.#drop(connection));
    client.addEventListener('message', ({ data }) => this.#receive(String(data), connection));
    connection.send({
      type: 'connected',
      protocol: 1,
      connection_id: 'c_mock',
      timestamp,
      cursor: cursorOf(this.#log.length),
      heartbeat_interval_ms: 20_000,
      replay_window_s: 86_400,
      limits: {
        subscriptions: 100,
        connections: 5,
        commands_per_minute: 120,
        message_bytes: 65_536,
        query_chars: 1_024,
      },
    });
  }

  /** Forgets a connection, and closes it where a code says with which reason. */
  #drop(connection: Connection, code?: number, reason?: string): void {
    if (!this.#connections.delete(connection)) return;
    for (const question of connection.questions.values()) question.abort();
    if (code !== undefined) connection.close(code, reason);
  }

  #receive(text: string, connection: Connection): void {
    let command: unknown;
    try {
      command = JSON.parse(text);
    } catch {}
    this.#run(Object(command) as Command, text, connection);
  }

  #run(command: Command, text: string, connection: Connection): void {
    const { send, subscriptions, questions } = connection;
    switch (command.type) {
      case 'subscribe':
        return this.#subscribe(command, connection);
      case 'unsubscribe': {
        const { id, sub } = command;
        if (subscriptions.delete(sub)) return send({ type: 'unsubscribed', id, sub });
        return send({ type: 'error', id, error: `no subscription ${sub}`, status: 404, code: 'unknown_subscription' });
      }
      case 'subscriptions': {
        const cursor = cursorOf(this.#log.length);
        const items = Array.from(subscriptions, ([sub, { channel, params }]) => ({ sub, channel, params, cursor }));
        return send({ type: 'subscriptions', id: command.id, items });
      }
      case 'ask':
        return void this.#answer(command, connection);
      case 'cancel':
        questions.get(command.id)?.abort();
        if (questions.delete(command.id)) send({ type: 'cancelled', id: command.id });
        return undefined;
      case 'ping':
        return send({ ...command, type: 'pong', timestamp });
      default:
        return this.#refuse(command, text, connection);
    }
  }

  /** Answers a frame that the mock does not know with an error that says what to do, so that the test fails with it. */
  #refuse({ id }: { readonly id?: string }, text: string, connection: Connection): void {
    const error = `the mock of /ws does not know the frame ${text.slice(0, 200)}: use the client and the mocks of the same version of this package, or answer the frame with ws.link(…) of msw`;
    console.error(error);
    if (id === undefined) this.#drop(connection, 4000, 'the mock of /ws does not know a frame; the console names it');
    else connection.send({ type: 'error', id, error, status: 400, code: 'bad_message' });
  }

  /** Confirms the subscription and replays the events after its cursor. */
  #subscribe(command: Extract<Command, { type: 'subscribe' }>, connection: Connection): void {
    const { id, channel, params, cursor, tag, dry_run: isTrial } = command;
    const tweetId = params.tweet_id;
    if (tweetId !== undefined && this.#log.some(({ event, data }) => event === 'tweet.deleted' && data.id === tweetId))
      return connection.send({
        type: 'error',
        id,
        error: `tweet ${tweetId} not found`,
        status: 404,
        code: 'not_found',
      });
    const subscription: Subscription = { channel, params };
    const key = JSON.stringify(subscription);
    const isFirst = !this.#known.has(key);
    const after = cursor === undefined ? 0 : Number(cursor.replace('mock.', ''));
    // What no subscription has got is for the first one that it concerns.
    const replay = this.#log
      .slice(after)
      .filter((each) => (cursor !== undefined || (isFirst && !each.isDelivered)) && this.#isFor(each, subscription));
    const from = cursor === undefined ? (replay[0]?.seq ?? this.#log.length + 1) - 1 : after;
    const recovered = cursor === undefined ? null : true;
    const sub = isTrial ? null : `s${++this.#count}`;
    const answer = { type: 'subscribed', id, sub, channel, params, cursor: cursorOf(from), recovered } as const;
    connection.send(tag === undefined ? answer : { ...answer, tag });
    if (sub === null) return;
    this.#known.add(key);
    connection.subscriptions.set(sub, subscription);
    for (const event of replay) if (connection.subscriptions.has(sub)) this.#deliver(event, connection, [sub]);
    for (const resolve of this.#waiting.get(channel) ?? []) resolve();
    this.#waiting.delete(channel);
  }

  /** Answers a question in parts with what the mock of the operation answers. */
  async #answer({ id, params }: Extract<Command, { type: 'ask' }>, connection: Connection): Promise<void> {
    const { send, questions, url } = connection;
    const question = new AbortController();
    questions.set(id, question);
    try {
      const response = await this.#ask(url, params, question.signal);
      const body = (await response.json()) as Schemas['AssistantAnswer'] & { readonly error?: string };
      if (question.signal.aborted) return;
      if (!response.ok) {
        const { status, headers } = response;
        const wait = Number(headers.get('retry-after') ?? Number.NaN);
        const refusal = { error: body.error ?? `error ${status}`, status, code: codes[status] ?? 'internal' } as const;
        return send({ type: 'error', id, ...refusal, ...(wait >= 0 ? { retry_after_s: wait } : {}) });
      }
      for (const [n, delta] of (body.summary.match(/\s*\S+\s*$|\s*\S+/g) ?? []).entries()) {
        send({ type: 'answer', id, n, delta });
        // A client that stops reading is heard between two parts.
        await Promise.resolve();
        if (question.signal.aborted) return;
      }
      send({ type: 'answered', id, result: body });
    } catch {
      if (!question.signal.aborted) this.#drop(connection, 1011, 'the mock breaks the connection');
    } finally {
      questions.delete(id);
    }
  }
}
