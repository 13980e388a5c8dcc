/** HTTP client of the aggregator's API: two endpoints, with validated responses. */
import { retryAfterMs } from '../upstream/retry-after.ts';
import { UpstreamUnavailableError, type UpstreamGuard } from './upstream-guard.ts';
import { readPairs, type Pair } from './pair.ts';
import { traceHeaders } from '../observability/trace-context.ts';
import { messageOf } from '../text/error-text.ts';

/** A text search, or the address of a token on one chain. */
export type Request = { readonly search: string } | { readonly chain: string; readonly address: string };
export type Endpoint = 'search' | 'tokens';

export interface Client {
  /** The pairs for a request. Throws UpstreamUnavailableError. */
  pairs(request: Request): Promise<Pair[]>;
}

export interface ClientOptions {
  /** The base URL of the API. The client calls no other host. */
  readonly baseUrl: URL;
  readonly guard: UpstreamGuard;
  /** Called after each request. */
  readonly onRequest: (endpoint: Endpoint, ms: number) => void;
}

/** Maximum response size. A response with 30 pairs has about 60 kB. */
const maxBytes = 1_048_576;

const endpointOf = (request: Request): Endpoint => ('search' in request ? 'search' : 'tokens');

const pathOf = (request: Request): string =>
  'search' in request
    ? `/latest/dex/search?q=${encodeURIComponent(request.search)}`
    : `/tokens/v1/${encodeURIComponent(request.chain)}/${encodeURIComponent(request.address)}`;

export function createClient({ baseUrl, guard, onRequest }: ClientOptions): Client {
  const base = baseUrl.href.replace(/\/+$/, '');

  async function get(path: string, signal: AbortSignal): Promise<Pair[]> {
    try {
      // A redirect could lead to a host that is not configured.
      const response = await fetch(base + path, {
        headers: { accept: 'application/json', 'user-agent': 'social-data', ...traceHeaders() },
        redirect: 'error',
        signal,
      });
      return await read(response);
    } catch (error) {
      if (error instanceof UpstreamUnavailableError) throw error;
      throw new UpstreamUnavailableError('failed', `no response: ${messageOf(error)}`, { cause: error });
    }
  }

  return {
    pairs: (request) =>
      guard(async (signal) => {
        const start = performance.now();
        try {
          return await get(pathOf(request), signal);
        } finally {
          onRequest(endpointOf(request), performance.now() - start);
        }
      }),
  };
}

/**
 * Reads a response. The abort signal of the request discards an unread body: waiting for its cancellation would depend
 * on the sender.
 */
async function read(response: Response): Promise<Pair[]> {
  const { status, headers } = response;
  // The aggregator does not know the token, chain or name. That is a valid response, not a failure.
  if (status === 400 || status === 404) return [];
  if (status === 429) {
    throw new UpstreamUnavailableError('limited', 'status 429', {
      retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()) ?? 0,
    });
  }
  if (status !== 200) throw new UpstreamUnavailableError('failed', `status ${status}`);
  const pairs = readPairs(JSON.parse(await text(response)));
  if (pairs === undefined) throw new UpstreamUnavailableError('failed', 'an unexpected response');
  return pairs;
}

/** The body as text. Stops and throws UpstreamUnavailableError if the decompressed body is too large. */
async function text({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > maxBytes) throw new UpstreamUnavailableError('failed', `a response of more than ${maxBytes} bytes`);
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
