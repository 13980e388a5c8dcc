/** HTTP requests to the configured hosts of the platforms: no redirects, checked addresses, bodies that are read on demand. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { traceHeaders } from '../observability/trace-context.ts';
import { publicLookup, type Resolve } from '../upstream/public-lookup.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request and the body of its response. */
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** The value of a response header by its lower-case name. */
  header(name: string): string | undefined;
  /** Reads from the socket only as fast as the consumer. A consumer that ends early closes the connection. */
  readonly body: AsyncIterable<Buffer>;
  /** Closes the connection of a body that is not read. */
  discard(): void;
}

/** Rejects when there is no response. A redirect is a response like any other: nothing follows it. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

export function createSend(resolve?: Resolve): Send {
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true });
  return async ({ method, url, headers, body, signal }) => {
    const lookup = publicLookup(url.hostname, resolve);
    const options = {
      method,
      headers: { ...headers, ...traceHeaders() },
      signal,
      ...(lookup === undefined ? {} : { lookup }),
    };
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: https }, answered)
        : httpRequest(url, { ...options, agent: http }, answered);
    request.on('error', reject);
    request.end(body);
    return responseOf(await promise);
  };
}

function responseOf(message: IncomingMessage): HttpResponse {
  // An abort also ends a body without a reader; its error has no other listener then.
  message.on('error', () => {});
  return {
    status: message.statusCode ?? 0,
    header(name) {
      const value = message.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    body: message,
    discard: () => void message.destroy(),
  };
}

/** Reads a whole body. Rejects with an error for a body of more than `maxBytes`. */
export async function wholeBody({ body }: HttpResponse, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`a response of more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
