/**
 * Sends one call: API key, timeout, classification of errors, and retries. The only file that depends on openapi-fetch.
 */
import openapiFetch, { type Client, type Middleware } from 'openapi-fetch';
import type { Operation, paths } from './contract.ts';
import { errorOf } from './error-of.ts';
import {
  AbortError,
  ConnectionError,
  DecodeError,
  notJson,
  TimeoutError,
  type Failed,
  type SocialDataError,
} from './errors.ts';
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

/** How far an attempt came: undefined before the request is sent; `responded` after the response headers. */
type Progress = 'sent' | 'responded' | undefined;

/** `request` of openapi-fetch for any method and path. */
type AnyRequest = (method: string, path: string, init: object) => Promise<Outcome>;

/** Sends the calls of a client. The options hold the defaults of every call. */
export class Transport {
  readonly client: FetchClient;
  readonly #options: TransportOptions;
  readonly #fetch: (request: Request) => Promise<Response>;

  constructor(options: TransportOptions) {
    this.#options = options;
    // Look up the global fetch at each call, so that a later replacement (mocks, instrumentation) takes effect.
    this.#fetch = options.fetch ?? ((request) => globalThis.fetch(request));
    this.client = createFetchClient<paths>({
      baseUrl: options.baseUrl,
      fetch: this.#fetch,
      headers: { ...options.headers },
      // The service never redirects; a redirect to another host would disclose the key.
      redirect: 'error',
    });
    this.client.use(...(options.middleware ?? []));
  }

  /** The current key. */
  readonly key = async (): Promise<string | undefined> => {
    const { apiKey } = this.#options;
    return typeof apiKey === 'function' ? apiKey() : apiKey;
  };

  /**
   * Sends a call, with retries. Returns the result of openapi-fetch, also for error responses; `failed` identifies the
   * call. Throws ConnectionError, TimeoutError, AbortError and DecodeError, and the errors of hooks.
   */
  async send(
    path: string,
    { method, repeat, timeoutSeconds = 30 }: Operation,
    { timeoutMs = this.#options.timeoutMs ?? timeoutSeconds * 1000, retry: retryOption, ...init }: Init,
  ): Promise<Outcome & { failed: Failed }> {
    const retry = retryOf(retryOption, retryOf(this.#options.retry, defaultRetry));
    const startedAt = Date.now();
    for (let repeats = 0; ; repeats++) {
      const failed: Failed = { operation: `${method} ${path}`, attempts: repeats + 1 };
      let error: SocialDataError;
      let outcome: Outcome | undefined;
      try {
        outcome = await this.#attempt(path, method, init, timeoutMs, failed);
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
  }

  /** Sends one attempt. */
  async #attempt(path: string, method: string, init: Init, timeoutMs: number, failed: Failed): Promise<Outcome> {
    const { signal } = init;
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    signal?.addEventListener('abort', abort);
    let timedOut = false;
    // The timer runs until the body is read, because a server may send headers and then stall.
    const timer = timeoutMs > 0 ? setTimeout(() => controller.abort((timedOut = true)), timeoutMs) : undefined;
    let progress: Progress;
    let key: string | undefined;
    try {
      key = await this.key();
      signal?.throwIfAborted();
      const attempt = {
        ...withKey(init, this.#options.keyIn, key),
        signal: controller.signal,
        fetch: async (request: Request) => {
          progress = 'sent';
          const response = await (init.fetch ?? this.#fetch)(request);
          progress = 'responded';
          return response;
        },
      };
      return await (this.client.request as AnyRequest)(method, path, attempt);
    } catch (error) {
      if (signal?.aborted) throw new AbortError('the caller aborted the call', failed, signal.reason);
      if (timedOut) throw new TimeoutError(`no complete response within ${timeoutMs} ms`, failed);
      throw classify(error, progress, failed, key);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

function withKey(init: Init, keyIn: KeyIn = 'header', key?: string): Init {
  if (key === undefined) return init;
  if (keyIn === 'query') return { ...init, params: { ...init.params, query: { ...init.params?.query, api_key: key } } };
  return {
    ...init,
    headers: { ...init.headers, ...(keyIn === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }) },
  };
}

/** Classifies an error of openapi-fetch by name, because `instanceof` fails for runtime errors of another realm. */
function classify(error: unknown, progress: Progress, failed: Failed, key: string | undefined): unknown {
  const cause = withoutKey(error, key);
  const { name } = membersOf(error);
  if (progress === 'responded' && name === 'SyntaxError') return new DecodeError(notJson, failed, cause);
  // The errors of a body read when the connection breaks (Fetch standard, "consume body").
  const isBroken = name === 'TypeError' || name === 'AbortError';
  if (progress === 'sent' || (progress === 'responded' && isBroken))
    return new ConnectionError('the connection failed', failed, cause);
  // The error of a hook, or a key or header that the runtime cannot send.
  return cause;
}

/** The members of an error; none for any other value. */
const membersOf = (error: unknown): Partial<Error> & { readonly code?: unknown } => Object(error);

/** The error, or a copy without the key: runtimes quote invalid headers and URLs in their messages. */
function withoutKey(error: unknown, key: string | undefined): unknown {
  const { message, name, cause, code } = membersOf(error);
  if (!key || typeof message !== 'string') return error;
  const hide = (text: string): string => text.replaceAll(key, '[key]').replaceAll(encodeURIComponent(key), '[key]');
  const inner = withoutKey(cause, key);
  const members = Object.getOwnPropertyNames(error).map((member) => (error as Record<string, unknown>)[member]);
  const isClean = inner === cause && members.every((value) => typeof value !== 'string' || hide(value) === value);
  return isClean ? error : Object.assign(new Error(hide(message), { cause: inner }), { name, code });
}
