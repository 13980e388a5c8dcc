/** The options of a client and of a call. */
import type { KeyIn } from './contract.ts';
import { checkNumber, defined, usageError } from './defined.ts';
import type { SocialDataError, UsageError } from './failure.ts';
import type { LogLevel, Logger } from './log.ts';
import type { Middleware } from './openapi-fetch.ts';
import type { RetryOption } from './retry.ts';

export type { Middleware };

/** A token with its end, as `/social/token/create` answers it. */
export interface ShortLivedToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expires_at?: string;
}
/**
 * Returns the key. The client calls it for each request, so that the key can change; after a token with an end, only shortly
 * before that end. It calls it again at a 401, and repeats the request once if the key is another one.
 */
export type ApiKeyFunction = () => string | ShortLivedToken | Promise<string | ShortLivedToken>;
/** The key, or a function that returns it. */
export type ApiKey = string | ApiKeyFunction;
/** The names of the header and the query parameter with the key, and where the client sends it by default. */
export interface KeyNames {
  readonly header: string;
  readonly query: string;
  readonly in: KeyIn;
}

/** Members of `RequestInit` that the client does not set itself, and those of a runtime, such as `next` or `dispatcher`. */
export type FetchOptions = Omit<RequestInit, 'body' | 'headers' | 'method' | 'redirect' | 'signal'> &
  Readonly<Record<string, unknown>>;

/** A response that the client keeps under its ETag. */
export interface CachedResponse {
  readonly etag: string;
  /** The body. */
  readonly text: string;
}
/** Where the client keeps responses, by URL: a `Map`, the `responseCache` of this package, or an object of your own. */
export interface ResponseCache {
  /** The response of a URL; undefined if there is none. */
  get(url: string): CachedResponse | undefined | Promise<CachedResponse | undefined>;
  /** Keeps a response in the place of an earlier one. */
  set(url: string, response: CachedResponse): unknown;
}

/** A retry that follows after `delayMs`. */
export interface RetryNotice {
  /** Its method and path, such as `get /social/user/last_tweets`. */
  readonly operation: string;
  /** The number of attempts so far. */
  readonly attempts: number;
  readonly delayMs: number;
  /** The error of the last attempt. */
  readonly error: SocialDataError;
}

/** Checks the body of a success response: returns what is wrong with it, or undefined. */
export type Validate = (path: string, method: string, body: unknown) => string | undefined;

/** Options of the requests of a client. */
export interface TransportOptions {
  /**
   * The URL of the service, such as `https://social.example`, in a page or worker also a path, such as `/api`. Default: the environment
   * variable SOCIAL_DATA_BASE_URL.
   */
  readonly baseUrl?: string | undefined;
  /** Default: the environment variable SOCIAL_DATA_API_KEY. `null` sends no key, for a proxy that adds it. */
  readonly apiKey?: ApiKey | null | undefined;
  /** Default: `header`, or what the contract has. */
  readonly keyIn?: KeyIn | undefined;
  /** Default: the global `fetch`, which the client looks up at each call. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** More members of the second argument of `fetch`, such as `cache` or `dispatcher`. Default: none. */
  readonly fetchOptions?: FetchOptions | undefined;
  /** Headers of every request. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The time limit of one attempt, key function, hooks and body included, in ms. Default 30 seconds. Operations with a longer
   * limit in the contract (questions to the assistant: 150 seconds) keep theirs. 0 and Infinity mean no limit.
   */
  readonly timeoutMs?: number | undefined;
  /** Default: at most 3 retries within 60 seconds, of what may be repeated. A number sets `retries`; `false` disables retries. */
  readonly retry?: RetryOption | undefined;
  /** Called before the delay of each retry. Default: nothing. */
  readonly onRetry?: ((retry: RetryNotice) => void) | undefined;
  /** Hooks of openapi-fetch for each attempt: `onRequest`, `onResponse`, `onError`. Default: none. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** Keeps responses under their ETag: a repeated read costs a 304 without a body while nothing has changed. Default: none is kept. */
  readonly cache?: ResponseCache | undefined;
  /** Checks the body of each success response. Returns the fault as text, or undefined. Default: the client only checks that the body is plausible. */
  readonly validate?: Validate | undefined;
  /** Default: the environment variable SOCIAL_DATA_LOG, or `warn`. */
  readonly logLevel?: LogLevel | undefined;
  /** Default: the console. */
  readonly logger?: Logger | undefined;
}

/** Options of a single call; they override those of the client. */
export interface CallOptions {
  /** Aborts the call, its retries and the delay before them. Default: none. */
  readonly signal?: AbortSignal | null | undefined;
  /**
   * The time limit of one attempt, key function, hooks and body included, in ms. Default: that of the client, or of the contract if that is
   * longer. 0 and Infinity mean no limit.
   */
  readonly timeoutMs?: number | undefined;
  /** Default: that of the client; the members that are given replace it. A number sets `retries`; `false` disables retries. */
  readonly retry?: RetryOption | undefined;
  /** More headers; they replace those of the client. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** More members of the second argument of `fetch`; they replace those of the client. Default: none. */
  readonly fetchOptions?: FetchOptions | undefined;
}

/** Options of a call of a list. */
export interface ListOptions extends CallOptions {
  /**
   * The maximum number of items of one iteration, default all. The parameter `limit` is the page size instead; without it, pages are as
   * large as this limit needs, at most as large as the contract permits.
   */
  readonly limit?: number | undefined;
}

/** The globals that only some runtimes have. */
const runtime: {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly location?: { readonly href: string };
} = globalThis;

/** An environment variable; undefined where the runtime has none, or does not let the program read it. */
export function environment(name: string): string | undefined {
  try {
    return runtime.process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/** The options with their defaults. */
export type Settings = TransportOptions & {
  readonly baseUrl: string;
  readonly apiKey: ApiKey | null;
  readonly keyIn: KeyIn;
  readonly keyNames: KeyNames;
};

/** Fills in the defaults. Throws a UsageError for an option that is missing or makes no sense. */
export function settingsOf(options: TransportOptions, keyNames: KeyNames): Settings {
  const {
    baseUrl = environment('SOCIAL_DATA_BASE_URL'),
    apiKey = environment('SOCIAL_DATA_API_KEY'),
    timeoutMs = 0,
  } = options;
  const missing = (name: string, hint: string): UsageError =>
    usageError(`'${name}' is missing: pass it, or set SOCIAL_DATA_${hint}`);
  if (baseUrl === undefined) throw missing('baseUrl', 'BASE_URL');
  if (apiKey === undefined) throw missing('apiKey', 'API_KEY; null sends no key');
  checkNumber('timeoutMs', timeoutMs);
  return { ...defined(options), keyIn: options.keyIn ?? keyNames.in, keyNames, baseUrl: absoluteUrl(baseUrl), apiKey };
}

/** The URL without a slash at its end. A relative one is that of the page or worker, also of one from a blob. */
function absoluteUrl(baseUrl: string): string {
  try {
    const base = runtime.location?.href.replace('blob:', '');
    const { origin, pathname, protocol, username, password } = new URL(baseUrl, base);
    if (/^https?:$/.test(protocol) && !/[?#]/.test(baseUrl) && !(username + password))
      return origin + pathname.replace(/\/+$/, '');
  } catch {}
  throw usageError("'baseUrl' must be an absolute http(s) URL without password, query and fragment");
}
