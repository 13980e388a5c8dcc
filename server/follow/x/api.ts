/** Requests to the API of X with the token: errors as SourceError, rate limits, bounded answers. */
import { isFields, type Fields } from '../../formats/recognised.ts';
import { SourceError, type SourceObserver } from '../../ports/live-source.ts';
import { messageOf } from '../../text/error-text.ts';
import type { Clock } from '../clock.ts';
import { errorOf, untilReset, XError } from './errors.ts';
import type { Query } from './fields.ts';
import { wholeBody, type HttpResponse, type Send } from '../http.ts';

/** An endpoint. `route` names its rate limit: the path without values. */
export interface Call {
  readonly method?: 'GET' | 'POST';
  readonly route: string;
  /** The values of the placeholders of the route, such as `:id`. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: Fields;
}

export interface XApiParts {
  readonly apiUrl: string;
  readonly token: () => string | undefined;
  readonly send: Send;
  readonly clock: Clock;
  readonly observer: SourceObserver;
}

/** Maximum size of an answer: 100 posts with all that they refer to have less than 2 MB. */
const maxBytes = 8 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
const timeoutMs = 30_000;

export class XApi {
  readonly #parts: XApiParts;
  readonly #base: URL;
  /** The time from which an endpoint can be called again, in milliseconds since 1970. */
  readonly #blocked = new Map<string, number>();
  /** The clock of X minus the clock of this machine, in milliseconds. */
  #skewMs = 0;

  constructor(parts: XApiParts) {
    this.#parts = parts;
    this.#base = new URL(parts.apiUrl);
  }

  /** The host without path and query. */
  get host(): string {
    return this.#base.host;
  }

  get origin(): string {
    return this.#base.origin;
  }

  /** The time at X in milliseconds since 1970, as its last response had it. */
  now(): number {
    return this.#parts.clock.now() + this.#skewMs;
  }

  /** The JSON object that a call answers with. Rejects with SourceError. */
  async json(call: Call, signal: AbortSignal): Promise<Fields> {
    return this.#within(signal, async (limited) => {
      const response = await this.#request(call, limited);
      return this.#parsed(await wholeBody(response, maxBytes));
    });
  }

  /** The response of a call whose body does not end. Rejects with SourceError where X does not start it. */
  async open(call: Call, signal: AbortSignal): Promise<HttpResponse> {
    // The body must outlive the time limit of the start, so that the limit has its own signal.
    const start = new AbortController();
    const whole = AbortSignal.any([signal, start.signal]);
    return this.#within(signal, (limited) => {
      const onTimeout = (): void => start.abort();
      limited.addEventListener('abort', onTimeout, { once: true });
      return this.#request(call, whole).finally(() => limited.removeEventListener('abort', onTimeout));
    });
  }

  /** Runs a request with a time limit; its errors become SourceErrors. */
  async #within<Result>(signal: AbortSignal, run: (limited: AbortSignal) => Promise<Result>): Promise<Result> {
    const { clock, observer } = this.#parts;
    const timeout = new AbortController();
    const done = new AbortController();
    void clock.sleep(timeoutMs, done.signal).then(() => {
      if (!done.signal.aborted) timeout.abort();
    });
    try {
      return await run(AbortSignal.any([signal, timeout.signal]));
    } catch (error) {
      if (error instanceof SourceError) throw error;
      observer.requested(0);
      if (signal.aborted) throw new SourceError('the request was cancelled');
      const reason = timeout.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : this.#redact(messageOf(error));
      throw new SourceError(`X cannot be reached at ${this.host}: ${reason}`);
    } finally {
      done.abort();
    }
  }

  async #request(call: Call, signal: AbortSignal): Promise<HttpResponse> {
    const { send, observer, clock } = this.#parts;
    const { method = 'GET', route, body } = call;
    this.#checkLimit(`${method} ${route}`);
    const response = await send({
      method,
      url: this.#url(call),
      headers: {
        ...{ authorization: `Bearer ${this.#token()}`, accept: 'application/json', 'user-agent': 'social-data' },
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
    observer.requested(response.status);
    const date = Date.parse(response.header('date') ?? '');
    if (!Number.isNaN(date)) this.#skewMs = date - clock.now();
    this.#readLimit(`${method} ${route}`, response);
    if (response.status === 200) return response;
    const said = await wholeBody(response, maxErrorBytes).catch(() => '');
    throw errorOf(response, said, clock.now(), (text) => this.#redact(text));
  }

  #url({ route, path = {}, query = {} }: Call): URL {
    const filled = route.replaceAll(/:([a-z]+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const url = new URL(this.#base);
    url.pathname = `${this.#base.pathname.replace(/\/$/, '')}${filled}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  #token(): string {
    const token = this.#parts.token();
    // A header takes no other characters; a message of Node about a wrong one would contain it.
    if (token !== undefined && /^[\x21-\x7e]+$/.test(token)) return token;
    const problem = token === undefined ? 'X needs a bearer token' : 'the bearer token for X has an invalid character';
    throw new SourceError(`${problem}: set X_BEARER_TOKEN, or run npm run follow -- token x`, { isPermanent: true });
  }

  /** Rejects a call that X would reject, without sending it. */
  #checkLimit(limit: string): void {
    const wait = (this.#blocked.get(limit) ?? 0) - this.#parts.clock.now();
    if (wait > 0) throw new XError(429, `the rate limit of X for ${limit} is used up`, { retryAfterMs: wait });
    this.#blocked.delete(limit);
  }

  #readLimit(limit: string, response: HttpResponse): void {
    const isOver = response.status === 429 || response.header('x-rate-limit-remaining') === '0';
    const now = this.#parts.clock.now();
    const wait = isOver ? untilReset(response, now) : undefined;
    if (wait !== undefined) this.#blocked.set(limit, now + wait);
  }

  #parsed(body: string): Fields {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      value = undefined;
    }
    if (!isFields(value)) throw new SourceError('X sent an answer that is not a JSON object');
    return value;
  }

  /** Removes the token from a text. */
  #redact(said: string): string {
    const token = this.#parts.token();
    return token === undefined || token === '' ? said : said.replaceAll(token, '[token]');
  }

  /** The redaction for texts that X sends outside of error responses. */
  readonly redact = (said: string): string => this.#redact(said);
}
