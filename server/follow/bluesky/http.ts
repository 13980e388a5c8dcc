/** GET requests to one host: no redirects, bounded bodies, checked addresses. */
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';
import { traceHeaders } from '../../observability/trace-context.ts';
import { publicLookup, type Resolve } from '../../upstream/public-lookup.ts';

export interface HttpResponse {
  readonly status: number;
  /** The value of a response header by its lower-case name. */
  header(name: string): string | undefined;
  readonly body: string;
}

/** Rejects when there is no complete response within the bounds. A redirect is a response like any other. */
export type HttpGet = (url: URL, signal: AbortSignal) => Promise<HttpResponse>;

/** Maximum size of a response: 100 posts with their authors and quoted posts have less than 1 MB. */
const maxBytes = 8 * 1024 * 1024;
const maxSockets = 8;

/** A client for the host of a base URL. */
export function createHttpGet(base: URL, resolve?: Resolve): HttpGet {
  const lookup = publicLookup(base.hostname, resolve);
  const isSecure = base.protocol === 'https:';
  const options = { keepAlive: true, maxSockets, ...(lookup === undefined ? {} : { lookup }) };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const usual = { accept: 'application/json', 'user-agent': 'social-data' };
  return async (url, signal) => {
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { ...usual, ...traceHeaders() };
    const request = (isSecure ? httpsGet : httpGet)(url, { agent, headers, signal }, answered);
    request.on('error', reject);
    const response = await promise;
    return {
      status: response.statusCode ?? 0,
      header(name) {
        const value = response.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      body: await bodyOf(response),
    };
  };
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`a response of more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
