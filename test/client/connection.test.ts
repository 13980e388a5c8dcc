/** How streams use connections, against a scripted server of the protocol. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer, type WebSocket as Socket } from 'ws';
import {
  ConnectionError,
  ConversationExpiredError,
  createClient,
  StreamError,
  type SocialDataClient,
} from '../../client/src/index.ts';

interface Command {
  readonly type: string;
  readonly id: string;
  readonly sub?: string;
  readonly cursor?: string;
  readonly channel?: string;
  readonly params: Record<string, string>;
  readonly idempotency_key?: string;
}
const key = 'a-key-of-the-connections';
let http: Server;
let sockets: WebSocketServer;
let url: string;
let client: SocialDataClient;
/** The connections and the commands so far. */
let connections: { readonly socket: Socket; readonly request: IncomingMessage }[];
let commands: Command[];
/** What the server does with a new connection and with a command; tests replace them. */
let greet: (socket: Socket, number: number) => void;
let handle: (command: Command, socket: Socket) => void;

const send = (socket: Socket, message: object): void => socket.send(JSON.stringify(message));
const hello = (socket: Socket): void =>
  send(socket, { type: 'connected', heartbeat_interval_ms: 20_000, limits: { subscriptions: 3 } });
/** The subscription of a command: `s1` for `c1`. */
const subOf = (id: string): string => id.replace('c', 's');
const subscribed = ({ id, channel, cursor, params }: Command, socket: Socket): void =>
  send(socket, { type: 'subscribed', id, sub: subOf(id), channel, params, cursor: cursor ?? 'e.0', recovered: null });
const event = (socket: Socket, seq: number, ...subs: string[]): void =>
  send(socket, {
    type: 'event',
    subs,
    channel: 'search:tweets',
    event: 'tweet.created',
    seq,
    cursor: `e.${seq}`,
    event_id: `tweet.created:${seq}`,
    data: { id: String(seq) },
  });
const idOf = ({ value }: IteratorResult<unknown, unknown>): unknown => (value as { data: { id: string } }).data.id;
const newest = (): Socket => connections.at(-1)!.socket;
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

beforeEach(async () => {
  connections = [];
  commands = [];
  greet = hello;
  handle = (command, socket) => void (command.type === 'subscribe' && subscribed(command, socket));
  http = createServer();
  sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket, request) => {
    connections.push({ socket, request });
    socket.on('message', (data) => {
      const command = JSON.parse(String(data)) as Command;
      commands.push(command);
      handle(command, socket);
    });
    greet(socket, connections.length - 1);
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  client = createClient({ baseUrl: url, apiKey: key });
});
afterEach(() => {
  for (const socket of sockets.clients) socket.terminate();
  http.closeAllConnections();
  http.close();
});

describe('the streams of a client', () => {
  test('share a connection; each gets its events, and resumes by its own cursor', async () => {
    const streams = ['a', 'b'].map((search) => client.events({ search }));
    await Promise.all(streams.map((stream) => stream.ready()));
    expect(connections).toHaveLength(1);
    event(newest(), 1, 's1');
    event(newest(), 2, 's1', 's2');
    const [a, b] = streams as [(typeof streams)[0], (typeof streams)[0]];
    expect([idOf(await a.next()), idOf(await a.next()), idOf(await b.next())]).toEqual(['1', '2', '2']);
    event(newest(), 3, 's1');
    expect(idOf(await a.next())).toBe('3');
    connections[0]!.socket.terminate();
    await until(() => commands.length === 4);
    expect(commands.slice(2).map(({ params, cursor }) => [params['query'], cursor])).toEqual([
      ['a', 'e.3'],
      ['b', 'e.2'],
    ]);
    a.close();
    await until(() => commands.at(-1)?.type === 'unsubscribe');
    b.close();
    await until(() => sockets.clients.size === 0);
  });

  test('use another connection beyond the subscriptions that the service permits', async () => {
    const first = client.events({ search: '0' });
    await first.ready();
    const others = ['1', '2', '3'].map((search) => client.events({ search }));
    await Promise.all(others.map((stream) => stream.ready()));
    expect(connections).toHaveLength(2);
    for (const stream of [first, ...others]) stream.close();
    await until(() => sockets.clients.size === 0);
  });

  test('two that get one event do not share its data', async () => {
    const streams = ['a', 'b'].map((search) => client.events({ search }));
    await Promise.all(streams.map((stream) => stream.ready()));
    event(newest(), 1, 's1', 's2');
    const [one, other] = await Promise.all(streams.map((stream) => stream.next()));
    expect(one).toEqual(other);
    expect((one!.value as { data: object }).data).not.toBe((other!.value as { data: object }).data);
    for (const stream of streams) stream.close();
  });
});

describe('a lost connection', () => {
  test('too many connections are passing after the client was connected, and final before', async () => {
    greet = (socket, number) => (number === 1 ? socket.close(4003, 'too many connections of this key') : hello(socket));
    const codes: number[] = [];
    let opened = 0;
    const onOpen = (): void => void opened++;
    const onReconnect = ({ closeCode }: { closeCode: number }): void => void codes.push(closeCode);
    const stream = client.events({ search: 'a' }, { onReconnect, onOpen });
    await stream.ready();
    newest().terminate();
    await until(() => opened === 2);
    event(newest(), 1, subOf(commands.at(-1)!.id));
    expect(idOf(await stream.next())).toBe('1');
    expect(codes).toEqual([1006, 4003]);
    stream.close();
    greet = (socket) => socket.close(4003, 'too many connections of this key');
    const other = createClient({ baseUrl: url, apiKey: key }).events({ search: 'a' });
    await expect(other.next()).rejects.toMatchObject({ name: 'StreamError', code: '4003' });
  });

  test('the time without a message after which it counts as lost can be set', async () => {
    let opened = 0;
    class Counted extends WebSocket {
      constructor(address: string) {
        super(address);
        opened++;
      }
    }
    const options = { heartbeatTimeoutMs: 40, retries: 1, WebSocket: Counted as never };
    await expect(client.events({ search: 'a' }, options).next()).rejects.toBeInstanceOf(ConnectionError);
    expect(opened).toBe(2);
  });

  test('resume behind the last heartbeat, which is a position of all subscriptions', async () => {
    const streams = ['a', 'b'].map((search) => client.events({ search }));
    await Promise.all(streams.map((stream) => stream.ready()));
    event(newest(), 1, 's1');
    send(newest(), { type: 'heartbeat', cursor: 'e.7', timestamp: '2026-03-04T05:06:07.000Z' });
    event(newest(), 8, 's1');
    const [a] = streams as [(typeof streams)[0]];
    expect([idOf(await a.next()), idOf(await a.next())]).toEqual(['1', '8']);
    newest().terminate();
    await until(() => commands.length === 4);
    expect(commands.slice(2).map(({ cursor }) => cursor)).toEqual(['e.8', 'e.7']);
    for (const stream of streams) stream.close();
  });

  test('with an error of a callback, ends without its unread events', async () => {
    const own = new Error('of the app');
    let isLost = false;
    const onReconnect = (): never => {
      isLost = true;
      throw own;
    };
    const stream = client.events({ search: 'a' }, { onReconnect });
    await stream.ready();
    event(newest(), 1, 's1');
    event(newest(), 2, 's1');
    expect(idOf(await stream.next())).toBe('1');
    newest().terminate();
    await until(() => isLost);
    await expect(stream.next()).rejects.toBe(own);
    await until(() => sockets.clients.size === 0);
  });

  test('events that came before the end of a stream are read before its error', async () => {
    const stream = client.events({ search: 'a' });
    await stream.ready();
    event(newest(), 1, 's1');
    newest().close(4005, 'the API key was revoked, or has expired');
    await until(() => sockets.clients.size === 0);
    expect(idOf(await stream.next())).toBe('1');
    await expect(stream.next()).rejects.toMatchObject({ code: '4005', cursor: 'e.1' });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a stream', () => {
  test('ends with return() while next() waits, and closes its connection', async () => {
    const stream = client.events({ search: 'a' });
    await stream.ready();
    const waiting = stream.next();
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    await until(() => sockets.clients.size === 0);
    const readable = ReadableStream.from(client.events({ search: 'a' }));
    const reader = readable.getReader();
    void reader.read().catch(() => {});
    await until(() => sockets.clients.size === 1);
    await reader.cancel();
    await until(() => sockets.clients.size === 0);
    const disposable = client.events({ search: 'a' });
    await disposable.ready();
    await disposable[Symbol.asyncDispose]();
    await until(() => sockets.clients.size === 0);
  });

  test('reports its start with ready() and onOpen, and a failed start', async () => {
    const opened: string[] = [];
    const stream = client.events({ search: 'a' }, { cursor: 'e.5', onOpen: ({ cursor }) => opened.push(cursor) });
    expect(await stream.ready()).toEqual({ cursor: 'e.5' });
    expect(opened).toEqual(['e.5']);
    stream.close();
    handle = ({ id }, socket) => send(socket, { type: 'error', id, code: 'bad_query', error: 'no', status: 400 });
    await expect(client.events({ search: '(' }).next()).rejects.toBeInstanceOf(StreamError);
  });

  test('an error of a callback ends it, and a message that is not of the protocol is a DecodeError', async () => {
    const own = new RangeError('mine');
    const onOpen = (): void => {
      throw own;
    };
    await expect(client.events({ search: 'a' }, { onOpen }).next()).rejects.toBe(own);
    for (const text of ['<html>', 'null', '{"type":"event"}']) {
      greet = (socket) => socket.send(text);
      await expect(client.events({ search: 'a' }).next()).rejects.toMatchObject({ name: 'DecodeError' });
    }
  });

  test('without a member of the selection is a UsageError, and connects to nothing', async () => {
    await expect(client.events({} as never).next()).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('search, user, userId'),
    });
    expect(connections).toHaveLength(0);
  });

  test('starts again later where the service requests it', async () => {
    let refusals = 1;
    handle = (command, socket) => {
      if (refusals-- > 0)
        send(socket, {
          type: 'error',
          id: command.id,
          code: 'too_many_requests',
          error: 'slow',
          status: 429,
          retry_after_s: 0,
        });
      else subscribed(command, socket);
    };
    const stream = client.events({ search: 'a' });
    await stream.ready();
    expect([connections.length, commands.length]).toEqual([1, 2]);
    stream.close();
  });

  test('sends the key in a header outside browsers, and in the URL for a class of the caller', async () => {
    const stream = client.events({ search: 'a' });
    await stream.ready();
    expect([connections[0]!.request.headers['x-api-key'], connections[0]!.request.url]).toEqual([key, '/ws']);
    stream.close();
    const other = client.events({ search: 'a' }, { WebSocket: WebSocket as never });
    await other.ready();
    expect(connections[1]!.request.url).toBe(`/ws?api_key=${key}`);
    other.close();
  });
});

test.each([
  ['a browser', { userAgent: 'Mozilla/5.0' }],
  ['a Worker with nodejs_compat', { userAgent: 'Cloudflare-Workers' }],
  ['React Native', {}],
])('%s gets the key in the URL of the WebSocket, and no second argument', async (_what, navigator) => {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  const { WebSocket: Global } = globalThis;
  const calls: unknown[][] = [];
  class Watched extends WebSocket {
    constructor(...given: [string]) {
      super(...given);
      calls.push(given);
    }
  }
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  globalThis.WebSocket = Watched as never;
  try {
    const stream = createClient({ baseUrl: url, apiKey: key }).events({ search: 'a' });
    await stream.ready();
    stream.close();
    expect(calls).toEqual([[`${url.replace('http', 'ws')}/ws?api_key=${key}`]]);
  } finally {
    globalThis.WebSocket = Global;
    if (own) Object.defineProperty(globalThis, 'navigator', own);
    else Reflect.deleteProperty(globalThis, 'navigator');
  }
});

describe('a runtime without a WebSocket', () => {
  const { WebSocket: Global } = globalThis;
  const { getBuiltinModule } = process;
  beforeEach(() => void Reflect.deleteProperty(globalThis, 'WebSocket'));
  afterEach(() => {
    globalThis.WebSocket = Global;
    process.getBuiltinModule = getBuiltinModule;
  });

  test('uses the package ws, with the key in a header', async () => {
    const stream = client.events({ search: 'a' });
    await stream.ready();
    expect(connections.map(({ request }) => [request.headers['x-api-key'], request.url])).toEqual([[key, '/ws']]);
    stream.close();
  });

  test('and without ws has a UsageError that names both ways out', async () => {
    process.getBuiltinModule = (() => undefined) as never;
    await expect(client.events({ search: 'a' }).next()).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/Node 22, or install ws/),
      operation: 'events',
      url: `${url}/ws`,
    });
    expect(connections).toHaveLength(0);
  });
});

test('follow() has the items of the page, oldest first, and then the events after it', async () => {
  http.on('request', (request, response) => {
    if (request.headers.upgrade !== undefined) return;
    const tweets = [{ id: '2' }, { id: '1' }];
    response.setHeader('x-event-cursor', 'e.7');
    response.end(JSON.stringify({ tweets, next_cursor: 'more', has_next_page: true }));
  });
  handle = (command, socket) => {
    subscribed(command, socket);
    for (const seq of [2, 8]) event(socket, seq, 's1');
  };
  const stream = client.user.lastTweets({ username: 'ada', limit: 2 }).follow();
  const seen: unknown[] = [];
  for await (const each of stream) {
    seen.push([each.event, each.data.id, each.cursor]);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([
    ['tweet.created', '1', 'e.7'],
    ['tweet.created', '2', 'e.7'],
    ['tweet.created', '8', 'e.8'],
  ]);
  expect(commands[0]).toMatchObject({ channel: 'user:tweets', params: { username: 'ada' }, cursor: 'e.7' });
  await until(() => sockets.clients.size === 0);
});

describe('a question whose answer arrives in parts', () => {
  const result = { tweet_id: '1', summary: 'It says hello.', citations: [], model: 'm', conversation_id: 'c' };
  const read = async (stream: AsyncIterable<string>): Promise<string[]> => {
    const parts: string[] = [];
    for await (const part of stream) parts.push(part);
    return parts;
  };

  test('has the parts and then the answer; after a lost connection it continues without a repetition', async () => {
    handle = ({ id }, socket) => {
      const isFirst = connections.length === 1;
      send(socket, { type: 'answer', id, n: 0, delta: isFirst ? 'It says ' : 'It ' });
      if (isFirst) socket.terminate();
      else send(socket, { type: 'answered', id, result });
    };
    const stream = client.assistant.stream({ tweet_id: '1' });
    expect(await read(stream)).toEqual(['It says ', 'hello.']);
    expect(await stream.answer()).toEqual(result);
    const [first, second] = commands;
    expect(first).toMatchObject({ type: 'ask', params: { tweet_id: '1' } });
    expect(second!.idempotency_key).toBe(first!.idempotency_key);
    await until(() => sockets.clients.size === 0);
  });

  test('is cancelled by break, cancel() and a signal', async () => {
    handle = ({ id, type }, socket) => void (type === 'ask' && send(socket, { type: 'answer', id, n: 0, delta: 'It' }));
    const pool = client.events({ pool: true });
    for await (const part of client.assistant.stream({ tweet_id: '1' })) {
      expect(part).toBe('It');
      void pool.next();
      await until(() => commands.length === 2);
      break;
    }
    await until(() => commands.at(-1)?.type === 'cancel');
    const controller = new AbortController();
    const stream = client.assistant.stream({ tweet_id: '1' }, { signal: controller.signal });
    await stream.next();
    controller.abort();
    await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' });
    pool.close();
  });

  test('fails with the error class of the REST operation', async () => {
    handle = ({ id }, socket) =>
      send(socket, { type: 'error', id, code: 'conversation_expired', error: 'it has expired', status: 409 });
    const stream = client.assistant.stream({ conversation_id: 'c', prompt: 'why?' });
    await expect(stream.answer()).rejects.toBeInstanceOf(ConversationExpiredError);
    await expect(stream.next()).rejects.toMatchObject({ message: 'it has expired', operation: 'events ask' });
  });
});
