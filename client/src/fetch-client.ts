/**
 * The interface of openapi-fetch: `client.GET` and the other verbs, and hooks. The only file that depends on openapi-fetch;
 * the client loads it at the first use of one of the two.
 */
import openapiFetch, { type Client, type Middleware } from 'openapi-fetch';
import type { Attempt } from './attempt.ts';
import type { Operation, OperationRow, paths } from './contract.ts';
import { DecodeError, UsageError } from './errors.ts';
import type { Call, Reply, Sent } from './exchange.ts';
import { inputOf } from './input.ts';
import type { CallOptions, Settings } from './options.ts';

export type FetchClient = Client<paths, `${string}/${string}`>;

// In CommonJS of Node the import is the module object, and the function is its member `default`.
const createFetchClient = (openapiFetch as unknown as { default?: typeof openapiFetch }).default ?? openapiFetch;

/** `request` of openapi-fetch for any method and path. */
type AnyRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

/** The client for each set of hooks. */
const requests = new WeakMap<readonly Middleware[], AnyRequest>();

function requestWith(middleware: readonly Middleware[], baseUrl: string): AnyRequest {
  let request = requests.get(middleware);
  if (request === undefined) {
    const client = createFetchClient<paths>({ baseUrl });
    client.use(...middleware);
    requests.set(middleware, (request = client.request as AnyRequest));
  }
  return request;
}

/** Sends an attempt with the hooks. Errors of `fetch` and of the hooks are thrown unchanged. */
export async function sendWithHooks(attempt: Attempt, signal: AbortSignal): Promise<Reply> {
  const { call, key, transport } = attempt;
  const { path, operation, parameters, init = {} } = call;
  const { baseUrl, keyIn } = transport.settings;
  const input = parameters === undefined ? init : partsOf(attempt);
  const { params } = input as { params?: { query?: object } };
  const keyed =
    keyIn === 'query' && key !== undefined ? { params: { ...params, query: { ...params?.query, api_key: key } } } : {};
  const request = requestWith(transport.middleware, baseUrl);
  const { data, error, response } = await request(operation.method, path, {
    ...input,
    ...keyed,
    headers: attempt.headers(),
    signal,
    fetch: (sent: Request) => forward(attempt, sent, signal, init['fetch'] as Settings['fetch']),
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof URIError)) throw thrown;
    throw new UsageError('a parameter has half of a surrogate pair', attempt.failed, thrown);
  });
  const isOk = response.ok;
  if (parameters !== undefined && isOk && data === undefined)
    throw new DecodeError('the response body is empty', attempt.failed);
  const text = typeof error === 'string' || error === undefined ? error : JSON.stringify(error);
  return { response, isOk, data, text, error };
}

/** Sends a call by verb and path, with the parameters of openapi-fetch. */
export async function sendVerb(
  transport: { send(call: Call): Promise<Sent> },
  operations: Readonly<Record<string, OperationRow>>,
  verb: string,
  path: string,
  given: object = {},
): Promise<object> {
  const method = verb.toLowerCase();
  const operation: Operation = { ...(operations[`${method} ${path}`] ?? { repeat: 'refused' }), method };
  const { signal, timeoutMs, retry, headers, fetchOptions, ...init }: CallOptions & Record<string, unknown> = {
    ...given,
  };
  const options = { signal, timeoutMs, retry, headers, fetchOptions };
  const { data, error, response } = await transport.send({ path, operation, options, init });
  return error === undefined ? { data, response } : { error, response };
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
