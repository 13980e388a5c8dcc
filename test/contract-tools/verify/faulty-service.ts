/** A server between the caller and the real one that changes what is asked or answered: each lie is a fault planted in the service. */
import { once } from 'node:events';
import { createServer, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';

export type Headers = [name: string, value: string][];
export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: Buffer;
}
export interface UpstreamReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}
/** What is changed; the rest goes through as it is. `answer` may take over the connection by returning undefined. */
export interface Lie {
  readonly ask?: (received: ReceivedRequest) => ReceivedRequest;
  readonly answer?: (
    reply: UpstreamReply,
    received: ReceivedRequest,
    response: ServerResponse,
  ) => UpstreamReply | undefined;
  /** Changes a message of the server on a WebSocket; undefined drops it. */
  readonly message?: (message: Record<string, unknown>) => Record<string, unknown> | undefined;
  readonly closeCode?: (code: number) => number;
}

const pairs = (raw: readonly string[]): Headers =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!]);
const read = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Sends the request to the real server. Resolves with undefined for a stream of events, which has no end: `response` gets it as it comes. */
function forward(
  upstream: URL,
  { method, target, headers, body }: ReceivedRequest,
  response: ServerResponse,
): Promise<UpstreamReply | undefined> {
  return new Promise((resolve, reject) => {
    const kept = headers.filter(
      ([name]) => !['content-length', 'transfer-encoding', 'connection'].includes(name.toLowerCase()),
    );
    const sized: Headers =
      body.length > 0 || !['GET', 'HEAD'].includes(method) ? [...kept, ['content-length', String(body.length)]] : kept;
    send({ host: upstream.hostname, port: upstream.port, method, path: target, headers: sized.flat() }, (incoming) => {
      if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
        response.writeHead(incoming.statusCode!, incoming.rawHeaders);
        pipeline(incoming, response, () => {});
        resolve(undefined);
        return;
      }
      read(incoming).then(
        (text) => resolve({ status: incoming.statusCode!, headers: pairs(incoming.rawHeaders), body: text }),
        reject,
      );
    })
      .once('error', reject)
      .end(body);
  });
}

/** Relays a WebSocket to the real server. */
function relay(client: WebSocket, upstream: WebSocket, lie: () => Lie): void {
  const waiting: [Buffer, boolean][] = [];
  const forward = (data: Buffer, isBinary: boolean): void => upstream.send(data, { binary: isBinary });
  client.on('message', (data, isBinary) => {
    if (upstream.readyState === WebSocket.OPEN) forward(data as Buffer, isBinary);
    else waiting.push([data as Buffer, isBinary]);
  });
  upstream.on('open', () => waiting.forEach((each) => forward(...each)));
  upstream.on('message', (data) => {
    const message = JSON.parse(String(data)) as Record<string, unknown>;
    const { message: change } = lie();
    const changed = change === undefined ? message : change(message);
    if (changed !== undefined) client.send(JSON.stringify(changed));
  });
  upstream.on('close', (code) => client.close(lie().closeCode?.(code) ?? code));
  upstream.on('error', () => client.terminate());
  client.on('close', () => upstream.terminate());
}

/** Listens on a free port. */
export async function startLiar(
  upstream: string,
): Promise<{ url: string; use(lie: Lie): void; stop(): Promise<void> }> {
  let lie: Lie = {};
  const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    void (async () => {
      const received = {
        method: request.method!,
        target: request.url!,
        headers: pairs(request.rawHeaders),
        body: await read(request),
      };
      const changed = lie.ask?.(received) ?? received;
      // Of HEAD, too, the whole answer is wanted; Node leaves its body out.
      const reply = await forward(
        new URL(upstream),
        changed.method === 'HEAD' ? { ...changed, method: 'GET' } : changed,
        response,
      );
      if (reply === undefined) return;
      const answer = lie.answer === undefined ? reply : lie.answer(reply, received, response);
      if (answer === undefined) return;
      const fixed = answer.headers.filter(
        ([name]) => !['connection', 'keep-alive', 'transfer-encoding', 'date'].includes(name.toLowerCase()),
      );
      const resized =
        answer.body === reply.body
          ? fixed
          : fixed.map(([name, value]): [string, string] =>
              name.toLowerCase() === 'content-length' ? [name, String(answer.body.length)] : [name, value],
            );
      response.writeHead(answer.status, resized.flat()).end(answer.body);
    })().catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { 'x-api-key': given } = request.headers;
    const headers = typeof given === 'string' ? { 'x-api-key': given } : {};
    const target = `${upstream.replace('http', 'ws')}${request.url}`;
    sockets.handleUpgrade(request, socket, head, (client) =>
      relay(client, new WebSocket(target, { headers }), () => lie),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (next) => void (lie = next),
    async stop() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Lies about answers with this status to this path. */
export const answering = (
  path: string,
  change: (reply: UpstreamReply, received: ReceivedRequest) => UpstreamReply,
  status = 200,
): Lie => ({
  answer: (reply, received) =>
    reply.status === status && received.target.split('?')[0] === path ? change(reply, received) : reply,
});
/** The answer with another body. */
export const body =
  (change: (value: any) => unknown) =>
  (reply: UpstreamReply): UpstreamReply => {
    const value = JSON.parse(reply.body.toString()) as object;
    return { ...reply, body: Buffer.from(JSON.stringify(change(value) ?? value)) };
  };
/** The answer without this header. */
export const lacking =
  (header: string) =>
  (reply: UpstreamReply): UpstreamReply => ({
    ...reply,
    headers: reply.headers.filter(([name]) => name.toLowerCase() !== header),
  });
/** The answer with one more header. */
export const adding =
  (...header: [string, string]) =>
  (reply: UpstreamReply): UpstreamReply => ({ ...reply, headers: [...reply.headers, header] });
/** An error in the form of the contract, whatever was asked. */
export const error =
  (status: number, text = 'planted') =>
  (reply: UpstreamReply): UpstreamReply => {
    const kept = reply.headers.filter(
      ([name]) => !['etag', 'x-event-cursor', 'content-length', 'content-type'].includes(name.toLowerCase()),
    );
    const wrong = Buffer.from(JSON.stringify({ error: text }));
    return {
      status,
      headers: [...kept, ['content-type', 'application/json; charset=utf-8'], ['content-length', String(wrong.length)]],
      body: wrong,
    };
  };
/** Changes the query before the real server sees it. */
export const asking = (change: (query: string) => string): Lie => ({
  ask: (received) => {
    const [path, ...query] = received.target.split('?');
    const changed = change(query.join('?'));
    return { ...received, target: changed === '' ? path! : `${path}?${changed}` };
  },
});
/** Changes the headers before the real server sees them. */
export const askingWith = (change: (headers: Headers) => Headers): Lie => ({
  ask: (received) => ({ ...received, headers: change(received.headers) }),
});
