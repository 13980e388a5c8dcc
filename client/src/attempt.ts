/** One attempt of a call: builds the request, sends it, and reads the response. */
import type { FetchOptions } from './options.ts';
import type { Failed } from './errors.ts';
import { UsageError } from './errors.ts';
import { classify, hider, type Stage } from './failure.ts';
import { inputOf, type Input } from './input.ts';
import type { Call, Sent, Transport } from './transport.ts';

/** A response with its body. */
export interface Reply {
  readonly response: Response;
  /** Whether `data` is the body of a success response, also of one that is known by its ETag. */
  readonly isOk: boolean;
  readonly data?: unknown;
  /** The text of the body. Of a success response it can be undefined. */
  readonly text?: string | undefined;
  /** The body of an error response, as openapi-fetch returns it. */
  readonly error?: unknown;
}

type Names = Readonly<Record<string, string>>;
type Init = RequestInit & { readonly headers: Names };

/** A copy with names in lower case, so that the headers of a call replace those of the client. */
const lowerCase = (headers: Names = {}): Names =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export class Attempt {
  readonly failed: Failed;
  key: string | undefined;
  readonly transport: Transport;
  readonly call: Call;
  #stage: Stage;

  constructor(transport: Transport, call: Call, attempts: number) {
    this.transport = transport;
    this.call = call;
    const { method } = call.operation;
    const operation = `${method} ${call.path}`;
    this.failed = { operation, attempts, method: method.toUpperCase(), url: transport.settings.baseUrl + call.path };
  }

  /** Removes the key of this attempt from a text. */
  readonly hide = (text: string): string => hider(this.key)(text);

  /** The reply with the context for errors. */
  completed(reply: Reply): Sent {
    return { ...reply, failed: this.failed, hide: this.hide };
  }

  /** Sends the request. Rejects with errors of this package, and with those of hooks. */
  async run(signal: AbortSignal): Promise<Reply> {
    try {
      this.key = await this.transport.key(this.failed);
      const throughHooks = await this.transport.hooksFor(this.call);
      return await (throughHooks === undefined ? this.#direct(signal) : throughHooks(this, signal));
    } catch (error) {
      throw classify(error, this.#stage, this.failed, this.key);
    }
  }

  /** Calls `fetch`. */
  async fetch(url: string, init: Init, own?: Transport['settings']['fetch']): Promise<Response> {
    // Look up the global fetch at each call, so that a later replacement (mocks, instrumentation) takes effect.
    const { fetch: configured = globalThis.fetch, fetchOptions } = this.transport.settings;
    const fetch = own ?? configured;
    const options: FetchOptions = { ...fetchOptions, ...this.call.options.fetchOptions };
    this.#stage = 'sent';
    // Not `error`, which Cloudflare Workers do not have.
    const response = await fetch(url, { ...options, ...init, redirect: 'manual' });
    this.#stage = 'responded';
    return response;
  }

  /** The headers of the client, the call and the key. */
  headers(): Names {
    const { keyIn = 'header', headers } = this.transport.settings;
    const { agent, cursor } = this.transport;
    const { options, operation } = this.call;
    const custom = (headers ?? options.headers) ? { ...lowerCase(headers), ...lowerCase(options.headers) } : undefined;
    try {
      if (custom !== undefined) new Headers(custom);
    } catch (cause) {
      throw new UsageError('a header cannot be sent', this.failed, cause);
    }
    return {
      ...(agent === undefined ? {} : { 'user-agent': agent }),
      ...(operation.sendsCursor && cursor !== undefined ? { 'x-event-cursor': cursor } : {}),
      ...custom,
      ...(this.key === undefined || keyIn === 'query'
        ? {}
        : keyIn === 'bearer'
          ? { authorization: `Bearer ${this.key}` }
          : { 'x-api-key': this.key }),
    };
  }

  async #direct(signal: AbortSignal): Promise<Reply> {
    const { operation } = this.call;
    const { cache, keyIn } = this.transport.settings;
    const isRead = operation.method === 'get';
    const input = inputOf(this.call, this.failed);
    const url = this.#address(input);
    Object.assign(this.failed, { url });
    let headers = this.headers();
    const known = isRead && headers['if-none-match'] === undefined ? await cache?.get(url) : undefined;
    if (known !== undefined) headers = { ...headers, 'if-none-match': known.etag };
    const body = input.body && { body: JSON.stringify(input.body) };
    if (body) headers = { 'content-type': 'application/json', ...headers };
    const keyed =
      keyIn === 'query' && this.key !== undefined
        ? `${url}${url.includes('?') ? '&' : '?'}api_key=${encodeURIComponent(this.key)}`
        : url;
    const response = await this.fetch(keyed, { method: operation.method.toUpperCase(), headers, ...body, signal });
    if (response.status === 304 && known !== undefined) {
      await response.body?.cancel();
      return { response, isOk: true, data: JSON.parse(known.text) };
    }
    const text = await response.text();
    if (!response.ok) return { response, isOk: false, text };
    const data: unknown = JSON.parse(text);
    const etag = response.headers.get('etag');
    if (isRead && etag !== null) await cache?.set(url, { etag, text });
    return { response, isOk: true, data, text };
  }

  /** The URL without the key. */
  #address({ path, query }: Input): string {
    const encode = (name: string, value: unknown): string => {
      try {
        return encodeURIComponent(String(value));
      } catch (cause) {
        throw new UsageError(`the parameter '${name}' has half of a surrogate pair`, this.failed, cause);
      }
    };
    const address = this.call.path.replace(/\{([^{}]*)\}/g, (_, name: string) => encode(name, path[name]));
    const pairs = Object.entries(query)
      // `next_cursor` of a last page is null.
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => `${name}=${encode(name, value)}`)
      .join('&');
    return `${this.transport.settings.baseUrl}${address}${pairs && `?${pairs}`}`;
  }
}
