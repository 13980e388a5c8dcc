/** An endpoint of the chat form on this machine, for servers that run as separate processes: it counts what each key was asked. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { completion } from './providers/endpoint.ts';

/** A request as it arrived; an answer may be given to it until its caller hangs up. */
export interface Arrived {
  readonly key: string;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { role: string; content: string }[];
    readonly response_format?: unknown;
  };
  /** Resolves when the connection has ended: true where the caller ended it before it had an answer. */
  readonly hungUp: Promise<boolean>;
  answer(content: string): void;
  /** Calls a tool of the service. */
  call(name: string, input: object): void;
  fail(status: number, headers?: Record<string, string>, body?: unknown): void;
}

export interface Loopback {
  /** What accounts have as `base_url`. */
  readonly url: string;
  /** Every request so far, and how many of them each key made. */
  readonly arrived: readonly Arrived[];
  counted(key: string): number;
  /** How many requests were open at once at most. */
  mostOpen(): number;
  /** What is done with a request from now on; until this is said, each is answered by `Fine.`. */
  react(reaction: (request: Arrived) => void): void;
  /** The next request that arrives. */
  next(): Promise<Arrived>;
  close(): Promise<void>;
}

/** A probe asks for no post. */
export const isProbe = ({ body }: Arrived): boolean => JSON.stringify(body.messages).includes('{\\"ok\\": true}');

const answers = (request: Arrived): void => request.answer(isProbe(request) ? '{"ok": true}' : 'Fine.');

/** Listens on a free port. */
export async function startLoopback(): Promise<Loopback> {
  const arrived: Arrived[] = [];
  const counts = new Map<string, number>();
  let waiting = Promise.withResolvers<Arrived>();
  let reaction = answers;
  let open = 0;
  let mostOpen = 0;

  const server = createServer(async (request, response) => {
    const received = await read(request, response).catch(() => undefined);
    if (received === undefined) return;
    arrived.push(received);
    counts.set(received.key, (counts.get(received.key) ?? 0) + 1);
    mostOpen = Math.max(mostOpen, ++open);
    response.once('close', () => open--);
    const { resolve } = waiting;
    waiting = Promise.withResolvers();
    reaction(received);
    resolve(received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    arrived,
    counted: (key) => counts.get(key) ?? 0,
    mostOpen: () => mostOpen,
    react: (next) => void (reaction = next),
    next: () => waiting.promise,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function read(request: IncomingMessage, response: ServerResponse): Promise<Arrived> {
  const body = JSON.parse(await text(request)) as Arrived['body'];
  const send = (status: number, headers: Record<string, string>, value: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
  return {
    key: request.headers.authorization?.replace('Bearer ', '') ?? '',
    body,
    hungUp: once(response, 'close').then(() => !response.writableFinished),
    answer: (content) => send(200, {}, completion(content, body.model)),
    call: (name, input) => {
      const call = { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
      send(200, {}, completion(null, body.model, {}, { tool_calls: [call] }));
    },
    fail: (status, headers = {}, value = { error: { message: 'no' } }) => send(status, headers, value),
  };
}
