/** The aggregator's API over HTTP: two endpoints, and answers that are checked before anything else sees them. */
import { retryAfterMs } from '../upstream/retry-after.ts';
import { UpstreamUnavailableError, type UpstreamGuard } from './upstream-guard.ts';
import { readPairs, type Pair } from './pair.ts';

/** What is asked: any text, or the address of a token on one chain. */
export type Request = { readonly search: string } | { readonly chain: string; readonly address: string };
export type Endpoint = 'search' | 'tokens';

export interface Client {
  /** The pairs that the aggregator has for it. Throws NoAnswer. */
  pairs(request: Request): Promise<Pair[]>;
}

export interface ClientOptions {
  /** Where the API is: only this host is ever asked. */
  readonly baseUrl: URL;
  readonly gate: UpstreamGuard;
  /** Told after each request. */
  readonly asked: (endpoint: Endpoint, ms: number) => void;
}

/** An answer of 30 pairs has about 60 kB. */
const mostBytes = 1_048_576;

const endpointOf = (request: Request): Endpoint => ('search' in request ? 'search' : 'tokens');

const pathOf = (request: Request): string =>
  'search' in request
    ? `/latest/dex/search?q=${encodeURIComponent(request.search)}`
    : `/tokens/v1/${encodeURIComponent(request.chain)}/${encodeURIComponent(request.address)}`;

export function createClient({ baseUrl, gate, asked }: ClientOptions): Client {
  const base = baseUrl.href.replace(/\/+$/, '');

  async function get(path: string, signal: AbortSignal): Promise<Pair[]> {
    try {
      // A redirect would lead to a host that nobody configured.
      const response = await fetch(base + path, {
        headers: { accept: 'application/json', 'user-agent': 'social-data' },
        redirect: 'error',
        signal,
      });
      return await read(response);
    } catch (error) {
      if (error instanceof UpstreamUnavailableError) throw error;
      throw new UpstreamUnavailableError('failed', `no answer: ${(error as Error).message}`, { cause: error });
    }
  }

  return {
    pairs: (request) =>
      gate(async (signal) => {
        const start = performance.now();
        try {
          return await get(pathOf(request), signal);
        } finally {
          asked(endpointOf(request), performance.now() - start);
        }
      }),
  };
}

/** What it leaves unread is let go by the signal of the request: to wait for a body to be cancelled is to trust its sender. */
async function read(response: Response): Promise<Pair[]> {
  const { status, headers } = response;
  // It knows no such token or chain, or nothing of such a name: an answer, not a fault.
  if (status === 400 || status === 404) return [];
  if (status === 429) {
    throw new UpstreamUnavailableError('limited', 'status 429', {
      retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()) ?? 0,
    });
  }
  if (status !== 200) throw new UpstreamUnavailableError('failed', `status ${status}`);
  const pairs = readPairs(JSON.parse(await text(response)));
  if (pairs === undefined) throw new UpstreamUnavailableError('failed', 'an answer of another form');
  return pairs;
}

/** The body as text. Throws NoAnswer, and reads no further, where it is too large, whatever it was compressed to. */
async function text({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > mostBytes) throw new UpstreamUnavailableError('failed', `an answer of more than ${mostBytes} bytes`);
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
