/** One attempt of a call: builds the request, sends it, and reads the response. */
import type { FetchOptions, Middleware, Settings } from './options.ts';
import { type Failed, type Stage, UsageError, classify } from './failure.ts';
import type { Call, Init, Names, Reply } from './exchange.ts';
import { inputOf, type Input } from './input.ts';
import { onDemand } from './on-demand.ts';

const cached = onDemand(() => import('./cache.ts'));

/** The URL with the key in its query. */
export const withKey = (url: string, key: string | undefined, { keyNames }: Pick<Settings, 'keyNames'>): string =>
  key === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${keyNames.query}=${encodeURIComponent(key)}`;

/** What an attempt needs of the client that sends it. */
interface Sender {
  readonly settings: Settings;
  readonly middleware: readonly Middleware[];
  readonly agent: string | undefined;
  /** The latest position of the event log that a response or an event had. */
  readonly cursor: string | undefined;
  /** The current key. Rejects with a UsageError. */
  key(failed: Failed, refused?: string): Promise<string | undefined>;
  /** The module with openapi-fetch. */
  fetchClient(): Promise<{ sendWithHooks(attempt: Attempt, signal: AbortSignal): Promise<Reply> }>;
}

export class Attempt {
  failed: Failed;
  key: string | undefined;
  readonly transport: Sender;
  readonly call: Call;
  #stage: Stage;
  /** The URL with the key, if the query has it. */
  #keyedUrl = '';

  /** The key that the service has refused. */
  readonly #refused: string | undefined;

  constructor(transport: Sender, call: Call, attempts: number, refused?: string) {
    this.transport = transport;
    this.#refused = refused;
    this.call = call;
    const { method } = call.operation;
    const operation = `${method} ${call.path}`;
    this.failed = { operation, attempts, method: method.toUpperCase(), url: transport.settings.baseUrl + call.path };
  }

  /** Sends the request; undefined where its key is still the refused one. Rejects with errors of this package, and with those of hooks. */
  async run(signal: AbortSignal): Promise<Reply | undefined> {
    const { transport, call } = this;
    try {
      this.key = await transport.key(this.failed, this.#refused);
      if (this.#refused !== undefined && this.key === this.#refused) return undefined;
      if (call.init || call.operation.wire || transport.middleware.length > 0)
        return await (await transport.fetchClient()).sendWithHooks(this, signal);
      return await this.#direct(signal);
    } catch (error) {
      throw classify(error, this.#stage, this.failed, this.key);
    }
  }

  /** Calls `fetch`. */
  async fetch(url: string, init: Init, own?: Settings['fetch']): Promise<Response> {
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
  headers(keyIn = this.transport.settings.keyIn): Names {
    const { agent, cursor, settings } = this.transport;
    const { options, operation } = this.call;
    const headers: Names = {};
    if (agent !== undefined) headers['user-agent'] = agent;
    if (cursor !== undefined && !operation.ignoresCursor) headers['x-event-cursor'] = cursor;
    const given = [settings.headers, options.headers];
    // In lower case, so that the headers of a call replace those of the client.
    for (const names of given) for (const name in names) headers[name.toLowerCase()] = names[name] ?? '';
    try {
      if (given[0] ?? given[1]) new Headers(headers);
    } catch (cause) {
      throw new UsageError('a header cannot be sent', this.failed, cause);
    }
    if (this.key !== undefined) {
      if (keyIn === 'header') headers[settings.keyNames.header] = this.key;
      else if (keyIn === 'bearer') headers['authorization'] = `Bearer ${this.key}`;
      else if (keyIn === 'basic') headers['authorization'] = `Basic ${btoa(this.key)}`;
    }
    return headers;
  }

  /** Sends a request, and reads the JSON of its response. */
  async send(init: Init): Promise<Reply> {
    const response = await this.fetch(this.#keyedUrl, init);
    const text = await response.text();
    const isOk = response.ok;
    return { response, isOk, text, data: isOk ? JSON.parse(text) : undefined };
  }

  /** Sends the call with `fetch` alone. */
  async #direct(signal: AbortSignal): Promise<Reply> {
    const input = inputOf(this.call, this.failed);
    const { settings } = this.transport;
    const { method } = this.call.operation;
    const url = this.#address(input);
    this.failed = { ...this.failed, url };
    this.#keyedUrl = settings.keyIn === 'query' ? withKey(url, this.key, settings) : url;
    const headers = this.headers();
    const init: Init = { method: method.toUpperCase(), headers, signal };
    if (input.body) {
      headers['content-type'] ??= 'application/json';
      init.body = JSON.stringify(input.body);
    }
    return settings.cache && method === 'get'
      ? (await cached()).sendCached(this, settings.cache, url, init)
      : this.send(init);
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
    let url = this.transport.settings.baseUrl;
    url += this.call.path.replace(/\{([^{}]*)\}/g, (_, name: string) => encode(name, path[name]));
    let separator = '?';
    for (const name in query) {
      const value = query[name];
      // `next_cursor` of a last page is null.
      if (value === undefined || value === null) continue;
      url += `${separator}${name}=${encode(name, value)}`;
      separator = '&';
    }
    return url;
  }
}
