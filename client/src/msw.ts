/**
 * Mocks of the service for tests of apps, based on Mock Service Worker. Every method returns the example of the spec
 * unless a test overrides it.
 */
import { http, HttpResponse, ws, type HttpHandler, type WebSocketHandler } from 'msw';
import { table, type Methods } from '../../generated/client.ts';
import { answers, failures, numbers, type FailuresOf } from '../../generated/mocks.ts';
import type { Answer, Item, Operation, OperationId, Parameters, Schemas } from './contract.ts';
import type { EventOf } from './events.ts';

/** The request that a mock received. */
export interface Mocked<Id extends OperationId> {
  readonly parameters: Parameters<Id>;
  readonly request: Request;
}
export interface HandlerOptions {
  /** Handles only the first request; the next handler handles the others. */
  readonly once?: boolean;
}
export interface FailureOptions extends HandlerOptions {
  /** Seconds in `Retry-After`, for errors that have it; default 1. A client with retries waits for that time. */
  readonly retryAfter?: number;
}

/** Creates handlers for one method: pass them to `server.use(…)`. */
export type Mock<Id extends OperationId> = {
  /** Returns this body, or the result of a function of the call. */
  answers(
    answer: Answer<Id> | ((call: Mocked<Id>) => Answer<Id> | Promise<Answer<Id>>),
    options?: HandlerOptions,
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
  /** Publishes an event to all subscriptions of the channel, independent of their parameters. */
  emit<On extends Channel>(channel: On, event: MockedEvent<On>): void;
  /** Closes all connections. The default code is 4200, a restart. */
  disconnect(code?: number): void;
}

export type Mocks = Methods<{ [Id in OperationId]: Mock<Id> }> & {
  /** All methods with the examples of the spec, and the event stream. */
  readonly handlers: (HttpHandler | WebSocketHandler)[];
  readonly events: MockedEvents;
};

interface Page {
  next_cursor: string | null;
  has_next_page: boolean;
}
const headersOf = failures.BadRequest.headers;
const defaultLimit = 20;

/** Mocks of the service at `baseUrl`; the default `*` matches every host. */
export function createMocks({ baseUrl = '*' }: { readonly baseUrl?: string } = {}): Mocks {
  const events = mockEvents(baseUrl);
  const handlers: (HttpHandler | WebSocketHandler)[] = [events.handler];
  const mocks: Record<string, unknown> = { events, handlers };
  for (const [path, operation] of Object.entries(table as Record<string, Operation>)) {
    const [, , group, snake] = path.split('/') as [string, string, string, string];
    const name = snake.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const example = answers[`${group}.${name}`];
    const mock = mockOf(`${baseUrl}${path}`, operation, example);
    ((mocks[group] ??= {}) as Record<string, unknown>)[name] = mock;
    const { items } = operation;
    handlers.push(
      items === undefined ? mock.answers(example) : mock.pages((example as Record<string, unknown[]>)[items]!),
    );
  }
  return mocks as unknown as Mocks;
}

interface AnyMock {
  answers(answer: unknown, options?: HandlerOptions): HttpHandler;
  fails(name: keyof typeof failures | 'ConnectionError', options?: FailureOptions): HttpHandler;
  pages(items: readonly unknown[]): HttpHandler;
}

function mockOf(url: string, { method, items }: Operation, example: unknown): AnyMock {
  const handle = http[method as 'get'];
  const mock: AnyMock = {
    answers(answer, options = {}) {
      return handle(
        url,
        async ({ request }) => {
          const parameters: unknown = method === 'get' ? parametersOf(request.url) : await request.clone().json();
          const body =
            typeof answer === 'function'
              ? await (answer as (call: unknown) => unknown)({ parameters, request })
              : answer;
          return HttpResponse.json(body as object, { headers: headersOf });
        },
        options,
      );
    },
    fails(name, { once = false, retryAfter = 1 } = {}) {
      return handle(
        url,
        () => {
          if (name === 'ConnectionError') return HttpResponse.error();
          const { status, body, headers } = failures[name];
          return HttpResponse.json(body, {
            status,
            headers: { ...headers, ...('Retry-After' in headers ? { 'Retry-After': String(retryAfter) } : {}) },
          });
        },
        { once },
      );
    },
    pages: (all) =>
      mock.answers(({ parameters }: { parameters: { cursor?: string; limit?: number } }) => {
        const from = Number(parameters.cursor?.replace('page.', '') ?? 0);
        const to = from + (parameters.limit ?? defaultLimit);
        const next: Page =
          to < all.length
            ? { next_cursor: `page.${to}`, has_next_page: true }
            : { next_cursor: null, has_next_page: false };
        return { ...(example as object), [items!]: all.slice(from, to), ...next };
      }),
  };
  return mock;
}

/** The query parameters in their types of the contract. */
function parametersOf(url: string): Record<string, string | number> {
  return Object.fromEntries(
    Array.from(new URL(url).searchParams, ([name, value]) => [name, numbers.includes(name) ? Number(value) : value]),
  );
}

function mockEvents(baseUrl: string): MockedEvents {
  const link = ws.link(`${baseUrl.replace(/^http/, 'ws')}/ws`);
  const log: { channel: Channel; frame: string }[] = [];
  const listeners = new Map<(frame: string) => void, Channel>();
  const cursorOf = (seq: number): string => `mock.${seq}`;
  const timestamp = '2026-03-04T05:06:07.000Z';

  const handler = link.addEventListener('connection', ({ client }) => {
    const send = (message: Schemas['WsServerMessage']): void => client.send(JSON.stringify(message));
    const deliver = (frame: string): void => client.send(frame);
    send({
      type: 'connected',
      protocol: 1,
      connection_id: 'c_mock',
      timestamp,
      cursor: cursorOf(log.length),
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
    client.addEventListener('close', () => listeners.delete(deliver));
    client.addEventListener('message', ({ data }) => {
      const command = JSON.parse(String(data)) as Schemas['WsClientMessage'];
      if (command.type !== 'subscribe') return;
      const { id, channel, params } = command;
      const from = command.cursor === undefined ? log.length : Number(command.cursor.replace('mock.', ''));
      send({
        type: 'subscribed',
        id,
        sub: 's1',
        channel,
        params,
        cursor: cursorOf(from),
        recovered: command.cursor === undefined ? null : true,
      });
      for (const entry of log.slice(from)) if (entry.channel === channel) deliver(entry.frame);
      listeners.set(deliver, channel);
    });
  });

  return {
    handler,
    emit(channel, { event, data }) {
      const seq = log.length + 1;
      const message = {
        type: 'event',
        subs: ['s1'],
        channel,
        event,
        seq,
        cursor: cursorOf(seq),
        event_id: `${event}:${seq}`,
        data,
        timestamp,
      } as Schemas['WsEvent'];
      const frame = JSON.stringify(message);
      log.push({ channel, frame });
      for (const [deliver, subscribed] of listeners) if (subscribed === channel) deliver(frame);
    },
    disconnect(code = 4200) {
      listeners.clear();
      for (const client of link.clients) client.close(code);
    },
  };
}
