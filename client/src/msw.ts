/**
 * Mocks of the service for tests of apps, based on Mock Service Worker. Every method returns the example of the spec
 * unless a test overrides it.
 */
import {
  http,
  HttpResponse,
  ws,
  type HttpHandler,
  type WebSocketHandler,
  type WebSocketHandlerConnection,
  type WebSocketLink,
} from 'msw';
import { keyNames, table, type Methods } from '../../generated/client.ts';
import { answers, failures, inputs, replies, type FailuresOf } from '../../generated/mocks.ts';
import type { Answer, Item, OperationId, OperationRow, Schemas } from './contract.ts';
import type { Parameters } from './parameters.ts';
import type { EventOf } from './events.ts';
import { namesIn } from './input.ts';
import { methodNameOf } from './method-name.ts';
import type { KeyPlace } from './options.ts';
import { receivedOf } from './received.ts';

/** The request that a mock received. */
export interface Mocked<Id extends OperationId> {
  readonly parameters: Parameters<Id>;
  readonly request: Request;
}
/** Options of a handler. */
export interface HandlerOptions {
  /** Handles only the first request; the next handler handles the others. */
  readonly once?: boolean;
}
/** Options of a handler that answers. */
export interface AnswerOptions extends HandlerOptions {
  /** The status, for an operation with several success responses; default: the first one of the contract. */
  readonly status?: number;
  /** Headers beside those of the contract's examples, which they replace. */
  readonly headers?: Readonly<Record<string, string>>;
}
/** Options of a handler that returns an error. */
export interface FailureOptions extends HandlerOptions {
  /** Seconds in `Retry-After`, for errors that have it; default 1. A client with retries waits for that time. */
  readonly retryAfter?: number;
}

/** Creates handlers for one method: pass them to `server.use(…)`. */
export type Mock<Id extends OperationId> = {
  /** Returns this body, or the result of a function of the call. */
  answers(
    answer: Answer<Id> | ((call: Mocked<Id>) => Answer<Id> | Promise<Answer<Id>>),
    options?: AnswerOptions,
  ): HttpHandler;
  /** Returns an error of the spec by its name, or breaks the connection. */
  fails(name: FailuresOf[Id] | 'ConnectionError', options?: FailureOptions): HttpHandler;
} & ([Item<Id>] extends [never]
  ? unknown
  : {
      /** Returns these items in pages, by `limit` and `cursor`. */
      pages(items: readonly Item<Id>[]): HttpHandler;
    });

type Channel = Schemas['WsChannel'];
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
   * Publishes an event to all subscriptions of the channel, independent of their parameters. The first subscription of a
   * channel also gets the events that were published before it.
   */
  emit<On extends Channel>(channel: On, event: MockedEvent<On>): void;
  /** Closes all connections. The default code is 4200, a restart. */
  disconnect(code?: number): void;
}

/** A mock for each method, with the handlers for `msw`. */
export type Mocks = Methods<{ [Id in OperationId]: Mock<Id> }> & {
  /** All methods with the examples of the spec, and the event stream. */
  readonly handlers: (HttpHandler | WebSocketHandler)[];
  readonly events: MockedEvents;
};

interface Page {
  next_cursor: string | null;
  has_next_page: boolean;
}
/** The failures by name; a contract may lack any of them. */
const known: Readonly<Record<string, Failure | undefined>> = failures;
const responseHeaders = known['BadRequest']?.headers ?? {};
const defaultLimit = 20;

/** What the mocks stand for. */
export interface MockOptions {
  /** The URL of the service; the default `*` matches every host. */
  readonly baseUrl?: string;
  /** The key that requests must have; the default accepts every key, and `null` also requests without one. */
  readonly apiKey?: string | null;
}

/** Mocks of the service. They refuse requests without a key, and parameters that the contract does not have. */
export function createMocks({ baseUrl = '*', apiKey }: MockOptions = {}): Mocks {
  const events = new EventMocks(baseUrl);
  const handlers: (HttpHandler | WebSocketHandler)[] = [events.handler];
  const mocks: Record<string, unknown> = { events, handlers };
  for (const [key, operation] of Object.entries(table as Readonly<Record<string, OperationRow>>)) {
    const [method = '', path = ''] = key.split(' ');
    const [group, name] = methodNameOf(path, operation.name);
    const example = answers[`${group}.${name}`];
    const route = { baseUrl, path, method, key, name: `${group}.${name}` };
    const mock = mockOf(route, operation, example, inputCheck(key, operation, apiKey));
    ((mocks[group] ??= {}) as Record<string, unknown>)[name] = mock;
    const { items } = operation;
    handlers.push(items === undefined ? mock.answers(example) : mock.pages(itemsOf(Object(example), items)));
  }
  return mocks as unknown as Mocks;
}

/** A function that returns a response body. */
type AnswerOf = (call: { readonly parameters: PageParameters; readonly request: Request }) => unknown;
interface PageParameters {
  readonly cursor?: string;
  readonly limit?: number;
}

function itemsOf(page: object, name: string): readonly unknown[] {
  const items: unknown = Object.entries(page).find(([member]) => member === name)?.[1];
  return Array.isArray(items) ? items : [];
}

interface AnyMock {
  answers(answer: unknown, options?: AnswerOptions): HttpHandler;
  fails(name: string, options?: FailureOptions): HttpHandler;
  pages(items: readonly unknown[]): HttpHandler;
}

interface Failure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
/** The failure of a request that the service would refuse; undefined for a valid one. */
type Check = (request: Request, parameters: object) => Failure | undefined;

/** The key of a request, at one of the places where an operation takes it. */
function keyOf({ headers, url }: Request, places: readonly KeyPlace[]): string | undefined {
  for (const [place, name = ''] of places) {
    const [scheme = '', credential] = headers.get('authorization')?.split(' ') ?? [];
    const isScheme = scheme.toLowerCase() === place;
    const text = place === 'header' ? headers.get(name) : new URL(url).searchParams.get(name);
    const key = isScheme ? credential : text;
    if (key) return isScheme && place === 'basic' ? atob(key) : key;
  }
  return undefined;
}
const usualKeys: readonly KeyPlace[] = [['header', keyNames.header], ['bearer'], ['basic'], ['query', keyNames.query]];

/** Checks the key and the names of the parameters. */
function inputCheck(key: string, { wire }: OperationRow, apiKey: string | null | undefined): Check {
  const { names = [], required = [], exactlyOneOf = [] } = inputs[key] ?? {};
  const { keys = usualKeys } = wire ?? {};
  const keyParameters = keys.flatMap(([place, name]) => (place === 'query' ? [name] : []));
  const bad = (error: string): Failure => ({ status: 400, headers: responseHeaders, body: { error } });
  return (request, parameters) => {
    const sent = keyOf(request, keys);
    if (keys.length > 0 && apiKey !== null && (apiKey === undefined ? !sent : sent !== apiKey))
      return known['Unauthorized'] ?? { status: 401, headers: {}, body: { error: 'no key' } };
    const given = Object.keys(parameters).filter((name) => !keyParameters.includes(name));
    const unknown = given.find((name) => !names.includes(name));
    if (unknown !== undefined)
      return bad(`unknown parameter '${unknown}': the operation has ${names.join(', ') || 'none'}`);
    const missing = required.find((name) => !given.includes(name));
    if (missing !== undefined) return bad(`'${missing}' is missing`);
    const chosen = exactlyOneOf.filter((name) => given.includes(name));
    if (exactlyOneOf.length > 0 && chosen.length !== 1) return bad(`send exactly one of ${exactlyOneOf.join(', ')}`);
    return undefined;
  };
}

/** A failure as a response. */
const respondWith = ({ status, body, headers }: Failure): Response =>
  body === undefined
    ? new HttpResponse(null, { status, headers })
    : HttpResponse.json(body as object, { status, headers });

/** The lines or events of a stream. */
function streamOf(items: AsyncIterable<unknown> | Iterable<unknown>, kind: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const write = (item: unknown): string =>
    kind === 'event-stream' ? `data: ${JSON.stringify(item)}\n\n` : `${JSON.stringify(item)}\n`;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const item of items) yield encoder.encode(write(item));
  }
  const source = pieces();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await source.return(undefined)),
  });
}

/** A success response with this body. */
function replyWith(body: unknown, name: string, options: AnswerOptions): Response {
  const declared = replies[name] ?? [{ status: 200, type: 'application/json', kind: 'json' }];
  const reply = declared.find(({ status }) => status === options.status) ?? declared[0];
  const { type, kind = 'binary', headers: own = {} } = reply ?? {};
  const status = options.status ?? reply?.status ?? 200;
  const headers = { ...responseHeaders, ...own, ...options.headers };
  if (type === undefined) return new HttpResponse(null, { status, headers });
  if (kind === 'json') return HttpResponse.json(body as object, { status, headers });
  const content =
    kind === 'text' || kind === 'binary'
      ? (body as BodyInit | null)
      : streamOf((body ?? []) as Iterable<unknown>, kind);
  return new HttpResponse(content, { status, headers: { ...headers, 'content-type': type } });
}

/** Where an operation is. */
interface Route {
  readonly baseUrl: string;
  readonly path: string;
  readonly method: string;
  /** Its method and path. */
  readonly key: string;
  /** Its group and name. */
  readonly name: string;
}

function mockOf(
  { baseUrl, path, method, key, name: ofMethod }: Route,
  row: OperationRow,
  example: unknown,
  check: Check,
): AnyMock {
  const { items = '' } = row;
  const handle = http[method as 'get'];
  const names = namesIn(path);
  // The names of msw have letters and digits only.
  const url = baseUrl + names.reduce((route, name, index) => route.replace(`{${name}}`, `:p${index}`), path);
  const mock: AnyMock = {
    answers(answer, options = {}) {
      return handle(
        url,
        async ({ request }) => {
          const values = patternOf(path).exec(new URL(request.url).pathname)?.slice(1) ?? [];
          const parameters = await receivedOf(request, path, values, row, inputs[key] ?? {});
          const failure = check(request, parameters);
          if (failure !== undefined) return respondWith(failure);
          const answered = typeof answer === 'function' ? await (answer as AnswerOf)({ parameters, request }) : answer;
          return replyWith(answered, ofMethod, options);
        },
        options,
      );
    },
    fails(name, { once = false, retryAfter = 1 } = {}) {
      return handle(
        url,
        () => {
          if (name === 'ConnectionError') return HttpResponse.error();
          const { status, body, headers } = known[name] ?? { status: 500, headers: {} };
          const wait = 'Retry-After' in headers ? { 'Retry-After': String(retryAfter) } : {};
          return respondWith({ status, body, headers: { ...headers, ...wait } });
        },
        { once },
      );
    },
    pages: (all) =>
      mock.answers(({ parameters }: { readonly parameters: PageParameters }) => {
        const from = Number(parameters.cursor?.replace('page.', '') ?? 0);
        const to = from + (parameters.limit ?? defaultLimit);
        const next: Page =
          to < all.length
            ? { next_cursor: `page.${to}`, has_next_page: true }
            : { next_cursor: null, has_next_page: false };
        return { ...Object(example), [items]: all.slice(from, to), ...next } as object;
      }),
  };
  return mock;
}

/** An expression with a group for each parameter of a path, as it is in the URL. A service may have a path before it. */
const patternOf = (path: string): RegExp =>
  new RegExp(`${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^{}]*\}/g, '([^/]*)')}$`);

const timestamp = '2026-03-04T05:06:07.000Z';
const cursorOf = (seq: number): string => `mock.${seq}`;

type MockClient = WebSocketHandlerConnection['client'];

interface LoggedEvent {
  readonly channel: Channel;
  readonly frame: string;
  /** The id of the tweet that the event reports as deleted. */
  readonly deletedId: string | undefined;
}
interface Subscription {
  readonly channel: Channel;
  readonly tweetId: string | undefined;
  readonly send: (frame: string) => void;
}

class EventMocks implements MockedEvents {
  readonly handler: WebSocketHandler;
  readonly #link: WebSocketLink;
  readonly #log: LoggedEvent[] = [];
  readonly #subscriptions = new Set<Subscription>();
  /** The channels that had a subscription. */
  readonly #known = new Set<Channel>();
  readonly #waiting = new Map<Channel, (() => void)[]>();

  constructor(baseUrl: string) {
    this.#link = ws.link(`${baseUrl.replace(/^http/, 'ws')}/ws`);
    this.handler = this.#link.addEventListener('connection', ({ client }) => this.#connect(client));
  }

  readonly emit: MockedEvents['emit'] = (channel, { event, data }) => {
    const seq = this.#log.length + 1;
    const frame = JSON.stringify({
      type: 'event',
      subs: ['s1'],
      channel,
      event,
      seq,
      cursor: cursorOf(seq),
      event_id: `${event}:${seq}`,
      data,
      timestamp,
    });
    const logged = { channel, frame, deletedId: event === 'tweet.deleted' && 'id' in data ? data.id : undefined };
    this.#log.push(logged);
    for (const subscription of this.#subscriptions) this.#deliver(logged, subscription);
  };

  readonly ready: MockedEvents['ready'] = (channel) =>
    new Promise((resolve) => {
      if ([...this.#subscriptions].some((each) => each.channel === channel)) resolve();
      else this.#waiting.set(channel, [...(this.#waiting.get(channel) ?? []), resolve]);
    });

  readonly disconnect: MockedEvents['disconnect'] = (code = 4200) => {
    this.#subscriptions.clear();
    for (const client of this.#link.clients) client.close(code);
  };

  /** Sends an event of the subscription's channel. The deletion of its own tweet ends the subscription. */
  #deliver({ channel, frame, deletedId }: LoggedEvent, subscription: Subscription): void {
    if (channel !== subscription.channel) return;
    subscription.send(frame);
    if (deletedId === undefined || deletedId !== subscription.tweetId) return;
    this.#subscriptions.delete(subscription);
    const ended: Schemas['WsServerMessage'] = { type: 'unsubscribed', sub: 's1', reason: 'the tweet was deleted' };
    subscription.send(JSON.stringify(ended));
  }

  #connect(client: MockClient): void {
    const send = (message: Schemas['WsServerMessage']): void => client.send(JSON.stringify(message));
    send({
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
    client.addEventListener('message', ({ data }) => {
      const command = JSON.parse(String(data)) as Schemas['WsClientMessage'];
      if (command.type === 'subscribe') this.#subscribe(command, client, send);
    });
  }

  /** Confirms the subscription and replays the events after its cursor. */
  #subscribe(
    { id, channel, params, cursor }: Extract<Schemas['WsClientMessage'], { type: 'subscribe' }>,
    client: MockClient,
    send: (message: Schemas['WsServerMessage']) => void,
  ): void {
    const tweetId = params.tweet_id;
    if (tweetId !== undefined && this.#log.some(({ deletedId }) => deletedId === tweetId))
      return send({ type: 'error', id, error: `tweet ${tweetId} not found`, status: 404, code: 'not_found' });
    // What was published before the first subscription is for it.
    const start = this.#known.has(channel) ? this.#log.length : 0;
    this.#known.add(channel);
    const from = cursor === undefined ? start : Number(cursor.replace('mock.', ''));
    const recovered = cursor === undefined ? null : true;
    send({ type: 'subscribed', id, sub: 's1', channel, params, cursor: cursorOf(from), recovered });
    const subscription: Subscription = { channel, tweetId, send: (frame) => client.send(frame) };
    client.addEventListener('close', () => this.#subscriptions.delete(subscription));
    for (const event of this.#log.slice(from)) this.#deliver(event, subscription);
    this.#subscriptions.add(subscription);
    for (const resolve of this.#waiting.get(channel) ?? []) resolve();
    this.#waiting.delete(channel);
  }
}
