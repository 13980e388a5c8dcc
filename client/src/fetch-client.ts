/**
 * The interface of openapi-fetch: `client.GET` and the other verbs, and hooks. The only file that depends on openapi-fetch;
 * the client loads it at the first use of one of the two.
 */
import openapiFetch, { type Client, type Middleware } from 'openapi-fetch';
import type { Attempt, Reply } from './attempt.ts';
import type { paths } from './contract.ts';
import { DecodeError } from './errors.ts';
import { inputOf } from './input.ts';
import type { Settings } from './options.ts';

export type FetchClient = Client<paths, `${string}/${string}`>;

// In CommonJS of Node the import is the module object, and the function is its member `default`.
const createFetchClient = (openapiFetch as unknown as { default?: typeof openapiFetch }).default ?? openapiFetch;

/** `request` of openapi-fetch for any method and path. */
type AnyRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

/** Sends an attempt with the hooks. Errors of `fetch` and of the hooks are thrown unchanged. */
export type ThroughHooks = (attempt: Attempt, signal: AbortSignal) => Promise<Reply>;

/** A function that sends attempts with these hooks. */
export function throughHooks({ baseUrl, keyIn }: Settings, middleware: readonly Middleware[]): ThroughHooks {
  const client = createFetchClient<paths>({ baseUrl });
  client.use(...middleware);
  const request = client.request as AnyRequest;
  return async (attempt, signal) => {
    const { path, operation, parameters, init = {} } = attempt.call;
    const input = parameters === undefined ? init : partsOf(attempt);
    const { params } = input as { params?: { query?: object } };
    const { key } = attempt;
    const keyed =
      keyIn === 'query' && key !== undefined
        ? { params: { ...params, query: { ...params?.query, api_key: key } } }
        : {};
    const { data, error, response } = await request(operation.method, path, {
      ...input,
      ...keyed,
      headers: attempt.headers(),
      signal,
      fetch: (sent: Request) => forward(attempt, sent, signal, init['fetch'] as Settings['fetch']),
    });
    const isOk = response.ok;
    if (parameters !== undefined && isOk && data === undefined)
      throw new DecodeError('the response body is empty', attempt.failed);
    const text = typeof error === 'string' || error === undefined ? error : JSON.stringify(error);
    return { response, isOk, data, text, error };
  };
}

/** The parameters of a method as openapi-fetch takes them. */
function partsOf(attempt: Attempt): object {
  const { body, ...params } = inputOf(attempt.call, attempt.failed);
  return body === undefined ? { params } : { params, body };
}

/** Sends a request of openapi-fetch as a URL with options, because libraries do not know the Request of the runtime. */
async function forward(
  attempt: Attempt,
  sent: Request,
  signal: AbortSignal,
  own: Settings['fetch'],
): Promise<Response> {
  const { method, headers, url } = sent;
  const body = sent.body === null ? {} : { body: await sent.text() };
  return attempt.fetch(url, { method, headers: Object.fromEntries(headers), ...body, signal }, own);
}
