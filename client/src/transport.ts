/**
 * Sends one call: API key, timeout, classification of errors, and retries. The only file that depends on openapi-fetch.
 */
import openapiFetch, { type Client, type Middleware } from 'openapi-fetch';
import type { Operation, paths } from './contract.ts';
import { errorOf } from './error-of.ts';
import { AbortError, ConnectionError, DecodeError, TimeoutError, type Failed, type SocialDataError } from './errors.ts';
import { defaultRetry, delayBefore, retryOf, sleep, type RetryOption } from './retry.ts';

export type { Middleware };
export type FetchClient = Client<paths, `${string}/${string}`>;

// In CommonJS of Node the import is the module object, and the function is its member `default`.
const createFetchClient = (openapiFetch as unknown as { default?: typeof openapiFetch }).default ?? openapiFetch;

/** The key, or a function that the client calls for each request, so that the key can change. */
export type ApiKey = string | (() => string | Promise<string>);
/** How the client sends the key: `x-api-key`, `Authorization: Bearer`, or the query. Logs may contain the query. */
export type KeyIn = 'header' | 'bearer' | 'query';

export interface TransportOptions {
  /** The URL of the service, such as `https://social.example`. */
  readonly baseUrl: string;
  readonly apiKey?: ApiKey | undefined;
  /** Default `header`. */
  readonly keyIn?: KeyIn | undefined;
  /** Replaces the global `fetch`, which the client looks up at each call. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The time limit of one attempt, body included, in ms. Default 30 seconds, or that of the spec; 0 disables it. */
  readonly timeoutMs?: number | undefined;
  readonly retry?: RetryOption | undefined;
  /** Hooks of openapi-fetch for each attempt: `onRequest`, `onResponse`, `onError`. */
  readonly middleware?: readonly Middleware[] | undefined;
}

/** Options of a single call; they override those of the client. */
export interface CallOptions {
  /** Aborts the call, its retries and the delay before them. */
  readonly signal?: AbortSignal | null | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retry?: RetryOption | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The result type of openapi-fetch. */
export interface Outcome {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

type Init = Record<string, unknown> &
  CallOptions & { params?: { query?: Record<string, unknown> }; fetch?: TransportOptions['fetch'] };

export interface Transport {
  /**
   * Sends a call, with retries. Returns the result of openapi-fetch, also for error responses; `failed` identifies the call.
   * Throws ConnectionError, TimeoutError, AbortError and DecodeError, and the errors of hooks.
   */
  send(path: string, operation: Operation, init: Init): Promise<Outcome & { failed: Failed }>;
  readonly client: FetchClient;
  /** The current key. */
  key(): Promise<string | undefined>;
}

/** The transport of a client. `options` hold the defaults of every call. */
export function createTransport(options: TransportOptions): Transport {
  const { apiKey, keyIn = 'header', middleware = [] } = options;
  const baseRetry = retryOf(options.retry, defaultRetry);
  // Look up the global fetch at each call, so that a later replacement (mocks, instrumentation) takes effect.
  const fetchRequest = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  // The service never redirects; a redirect to another host would disclose the key.
  const client = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    fetch: fetchRequest,
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

  /** Sends one attempt. */
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
    // The timer runs until the body is read, because a server may send headers and then stall.
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
            const response = await (init.fetch ?? fetchRequest)(request);
            step = 'answered';
            return response;
          },
        } as never,
      )) as Outcome;
    } catch (error) {
      if (signal?.aborted) throw new AbortError('the caller ended the call', failed, signal.reason);
      if (timedOut) throw new TimeoutError(`the answer was not whole within ${timeoutMs} ms`, failed);
      throw classify(error, step, failed, key);
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
      { timeoutMs = options.timeoutMs ?? timeoutSeconds * 1000, retry: retryOption, ...init },
    ) {
      const retry = retryOf(retryOption, baseRetry);
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

/** Classifies an error of openapi-fetch by name, because `instanceof` fails for runtime errors of another realm. */
function classify(
  error: unknown,
  step: 'before' | 'under way' | 'answered',
  failed: Failed,
  key: string | undefined,
): unknown {
  const cause = withoutKey(error, key);
  const { name } = (error ?? {}) as Partial<Error>;
  if (step === 'answered' && name === 'SyntaxError') return new DecodeError('the answer is not JSON', failed, cause);
  // The errors of a body read when the connection breaks (Fetch standard, "consume body").
  const isBroken = name === 'TypeError' || name === 'AbortError';
  if (step === 'under way' || (step === 'answered' && isBroken))
    return new ConnectionError('the connection failed before the answer was whole', failed, cause);
  // The error of a hook, or a key or header that the runtime cannot send.
  return cause;
}

/** The error, or a copy without the key: runtimes quote invalid headers and URLs in their messages. */
function withoutKey(error: unknown, key: string | undefined): unknown {
  const { message, name, cause, code } = (error ?? {}) as Partial<Error> & { code?: unknown };
  if (!key || typeof message !== 'string') return error;
  const hide = (text: string): string => text.replaceAll(key, '[key]').replaceAll(encodeURIComponent(key), '[key]');
  const inner = withoutKey(cause, key);
  const members = Object.getOwnPropertyNames(error).map((member) => (error as Record<string, unknown>)[member]);
  const isClean = inner === cause && members.every((value) => typeof value !== 'string' || hide(value) === value);
  return isClean ? error : Object.assign(new Error(hide(message), { cause: inner }), { name, code });
}
