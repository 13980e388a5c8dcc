/**
 * One call, from its parameters to its answer: the key, the time it may take, what went wrong, and repeats. The only file that
 * knows openapi-fetch.
 */
import openapiFetch, { type Client, type Middleware } from 'openapi-fetch';
import type { Operation, paths } from './contract.ts';
import { errorOf } from './error-of.ts';
import { AbortError, ConnectionError, DecodeError, TimeoutError, type Failed, type SocialDataError } from './errors.ts';
import { defaultRetry, delayBefore, retryOf, sleep, type RetryOption } from './retry.ts';

export type { Middleware };
export type FetchClient = Client<paths, `${string}/${string}`>;

// Required by CommonJS of Node, the default export of openapi-fetch is a member of what is imported.
const createFetchClient = (openapiFetch as unknown as { default?: typeof openapiFetch }).default ?? openapiFetch;

/** The key, or what gives it: called for each request, so that keys can change. */
export type ApiKey = string | (() => string | Promise<string>);
/** Where the key goes: `x-api-key`, `Authorization: Bearer`, or the query, which ends up in logs. */
export type KeyIn = 'header' | 'bearer' | 'query';

export interface TransportOptions {
  /** Where the service is, such as `https://social.example`. */
  readonly baseUrl: string;
  readonly apiKey?: ApiKey | undefined;
  /** `header` unless told otherwise. */
  readonly keyIn?: KeyIn | undefined;
  /** Instead of the global `fetch`, which is looked up at each call. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long one try may take until its whole answer is there: 30 seconds, or what the spec says. 0 is no limit. */
  readonly timeoutMs?: number | undefined;
  readonly retry?: RetryOption | undefined;
  /** Hooks of openapi-fetch around each try: `onRequest`, `onResponse`, `onError`. */
  readonly middleware?: readonly Middleware[] | undefined;
}

/** What a single call may have otherwise than the client. */
export interface CallOptions {
  /** Ends the call, its repeats and the wait between them. */
  readonly signal?: AbortSignal | null | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retry?: RetryOption | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What openapi-fetch answers. */
export interface Outcome {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

type Init = Record<string, unknown> &
  CallOptions & { params?: { query?: Record<string, unknown> }; fetch?: TransportOptions['fetch'] };

export interface Transport {
  /**
   * Sends it, again where that helps. Answers what openapi-fetch does, errors of the service included; `failed` says of which call.
   * Throws ConnectionError, TimeoutError, AbortError and DecodeError, and what a hook throws.
   */
  send(path: string, operation: Operation, init: Init): Promise<Outcome & { failed: Failed }>;
  readonly client: FetchClient;
  /** The key now. */
  key(): Promise<string | undefined>;
}

export function createTransport(options: TransportOptions): Transport {
  const { apiKey, keyIn = 'header', middleware = [] } = options;
  const baseRetry = retryOf(options.retry, defaultRetry);
  // The global fetch is looked up for each call, so that what replaces it later (mocks, instrumentation) is used.
  const goOut = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  // The service never redirects, and a redirect to another host would take the key there.
  const client = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    fetch: goOut,
    headers: { ...options.headers },
    redirect: 'error',
  });
  client.use(...middleware);

  const currentKey = async (): Promise<string | undefined> => (typeof apiKey === 'function' ? apiKey() : apiKey);

  function withKey(init: Init, key: string | undefined): Init {
    if (key === undefined) return init;
    if (keyIn === 'query')
      return { ...init, params: { ...init.params, query: { ...init.params?.query, api_key: key } } };
    return {
      ...init,
      headers: { ...init.headers, ...(keyIn === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }) },
    };
  }

  /** One try. */
  async function attempt(
    path: string,
    method: string,
    init: Init,
    timeoutMs: number,
    failed: Failed,
  ): Promise<Outcome> {
    const { signal } = init;
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    signal?.addEventListener('abort', abort);
    let timedOut = false;
    // Until the body is read: a server may send its head and then nothing.
    const timer = timeoutMs > 0 ? setTimeout(() => controller.abort((timedOut = true)), timeoutMs) : undefined;
    let step: 'before' | 'under way' | 'answered' = 'before';
    let key: string | undefined;
    try {
      key = await currentKey();
      signal?.throwIfAborted();
      return (await client.request(
        method as 'get',
        path as '/social/assistant/status',
        {
          ...withKey(init, key),
          signal: controller.signal,
          fetch: async (request: Request) => {
            step = 'under way';
            const response = await (init.fetch ?? goOut)(request);
            step = 'answered';
            return response;
          },
        } as never,
      )) as Outcome;
    } catch (error) {
      if (signal?.aborted) throw new AbortError('the caller ended the call', failed, signal.reason);
      if (timedOut) throw new TimeoutError(`the answer was not whole within ${timeoutMs} ms`, failed);
      throw told(error, step, failed, key);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  return {
    client,
    key: currentKey,

    async send(
      path,
      { method, repeat, timeoutSeconds = 30 },
      { timeoutMs = options.timeoutMs ?? timeoutSeconds * 1000, retry: given, ...init },
    ) {
      const retry = retryOf(given, baseRetry);
      const startedAt = Date.now();
      for (let repeats = 0; ; repeats++) {
        const failed: Failed = { operation: `${method} ${path}`, attempts: repeats + 1 };
        let error: SocialDataError;
        let outcome: Outcome | undefined;
        try {
          outcome = await attempt(path, method, init, timeoutMs, failed);
          if (outcome.response.ok) return { ...outcome, failed };
          error = errorOf(outcome.response, outcome.error, failed);
        } catch (thrown) {
          if (!(thrown instanceof ConnectionError || thrown instanceof TimeoutError)) throw thrown;
          error = thrown;
        }
        const delay = delayBefore(error, repeat, retry, repeats, Date.now() - startedAt);
        if (delay !== undefined) await sleep(delay, init.signal);
        else if (outcome === undefined) throw error;
        else return { ...outcome, failed };
      }
    },
  };
}

/** Sorts what openapi-fetch threw. By name: an error of the runtime may be of another realm, where `instanceof` fails. */
function told(
  error: unknown,
  step: 'before' | 'under way' | 'answered',
  failed: Failed,
  key: string | undefined,
): unknown {
  const cause = withoutKey(error, key);
  const { name } = (error ?? {}) as Partial<Error>;
  if (step === 'answered' && name === 'SyntaxError') return new DecodeError('the answer is not JSON', failed, cause);
  // What reading a body throws when the connection breaks (Fetch standard, "consume body").
  const isBroken = name === 'TypeError' || name === 'AbortError';
  if (step === 'under way' || (step === 'answered' && isBroken))
    return new ConnectionError('the connection failed before the answer was whole', failed, cause);
  // A hook's own error, or a key or header that cannot be sent.
  return cause;
}

/** The error itself, or a copy that says the same without the key: runtimes quote headers and URLs that they cannot use. */
function withoutKey(error: unknown, key: string | undefined): unknown {
  const { message, name, cause, code } = (error ?? {}) as Partial<Error> & { code?: unknown };
  if (!key || typeof message !== 'string') return error;
  const hide = (text: string): string => text.replaceAll(key, '[key]').replaceAll(encodeURIComponent(key), '[key]');
  const inner = withoutKey(cause, key);
  const members = Object.getOwnPropertyNames(error).map((member) => (error as Record<string, unknown>)[member]);
  const isClean = inner === cause && members.every((value) => typeof value !== 'string' || hide(value) === value);
  return isClean ? error : Object.assign(new Error(hide(message), { cause: inner }), { name, code });
}
