/** A real HTTP server with scripted responses, for cases that the service itself cannot produce. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answering = (request: IncomingMessage, response: ServerResponse, number: number) => void;

export interface Scripted {
  readonly url: string;
  /** Every request so far, as method and target. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  /** When each came, as `performance.now()`. */
  readonly times: number[];
  stop(): Promise<void>;
}

/** `number` counts the requests from 0. */
export async function startScripted(answer: Answering): Promise<Scripted> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const times: number[] = [];
  const server = createServer((request, response) => {
    times.push(performance.now());
    headers.push(request.headers);
    requests.push(`${request.method} ${request.url}`);
    answer(request, response, requests.length - 1);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    times,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => {});
    },
  };
}

/** A JSON answer. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
