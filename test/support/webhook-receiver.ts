/** A receiver of webhooks on a real socket, which verifies each request with the package of the Standard Webhooks specification. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request that was verified. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly body: {
    readonly type: string;
    readonly cursor?: string;
    readonly search: { readonly id: string };
    readonly data: {
      readonly id?: string;
      readonly ids?: readonly string[];
      readonly from?: string;
      readonly to?: string;
    };
  };
}

/** Answers a request; the default accepts it. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface Receiver {
  readonly url: string;
  /** The accepted and the refused requests, in their order. */
  readonly received: readonly Received[];
  /** Requests that could not be verified. */
  readonly forged: readonly string[];
  /** The secret; requests before it is set are forged. */
  secret: string;
  answer: Answer;
  /** The ids of tweets, in their order. */
  tweets(): string[];
  close(): Promise<void>;
}

export const accept: Answer = (response) => void response.writeHead(204).end();

/** Answers with a status. */
export const refuse =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end('no');

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const forged: string[] = [];
  const receiver = { secret: '', answer: accept };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      try {
        const headers = request.headers as Record<string, string>;
        const body = new Webhook(receiver.secret).verify(text, headers) as Received['body'];
        received.push({ id: headers['webhook-id'] ?? '', type: body.type, body });
      } catch (error) {
        forged.push(String(error));
      }
      receiver.answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    forged,
    tweets: () => received.flatMap(({ body }) => body.data.id ?? []),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  });
}
