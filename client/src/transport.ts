/** Sends one call: key, time limit, retries, shared pauses, ETags, logs. */
import { onAbort, sleep } from './abort.ts';
import { Attempt, type Reply } from './attempt.ts';
import type { Operation } from './contract.ts';
import { checkNumber } from './defined.ts';
import { tracer } from './diagnostics.ts';
import { errorOf } from './error-of.ts';
import { AbortError, ApiError, ConnectionError, TimeoutError, UsageError, type Failed } from './errors.ts';
import { withoutKey } from './failure.ts';
import type { ThroughHooks } from './fetch-client.ts';
import { laterCursor, userAgent } from './headers.ts';
import { logTo, type Log } from './log.ts';
import { environment, type CallOptions, type Middleware, type Settings } from './options.ts';
import { defaultRetry, delayBefore, requestedMs, retryOf, type Retry } from './retry.ts';

/** A call: its operation, and its parameters, or what a caller passed to a verb of openapi-fetch. */
export interface Call {
  readonly path: string;
  readonly operation: Operation;
  readonly options: CallOptions;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly init?: Readonly<Record<string, unknown>> | undefined;
}
/** A reply with the context for errors. */
export type Sent = Reply & {
  readonly failed: Failed;
  /** Removes the key from a text. */
  readonly hide: (text: string) => string;
};

/** The longest time of a timer; a longer one fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Sends the calls of a client. */
export class Transport {
  readonly settings: Settings;
  readonly log: Log;
  readonly agent = userAgent();
  /** The latest position of the event log that a response or an event had. */
  cursor: string | undefined;
  readonly #middleware: Middleware[];
  readonly #retry: Retry;
  readonly #trace = tracer();
  #hooks: Promise<ThroughHooks> | undefined;
  /** Until when calls wait after a 429, by path; '' is for all. */
  readonly #pauses = new Map<string, number>();
  readonly #deprecated = new Set<string>();

  /** Throws a UsageError for options that make no sense. */
  constructor(settings: Settings) {
    this.settings = settings;
    this.#retry = retryOf(settings.retry, defaultRetry);
    this.#middleware = [...(settings.middleware ?? [])];
    this.log = logTo(settings.logger, settings.logLevel ?? environment('SOCIAL_DATA_LOG'));
  }

  /** Changes the hooks. */
  changeHooks(change: (hooks: Middleware[]) => void): void {
    change(this.#middleware);
    this.#hooks = undefined;
  }

  /** The current key. Throws a UsageError when the function of the key fails, or a header cannot contain the key. */
  async key(failed: Failed): Promise<string | undefined> {
    const { apiKey, keyIn } = this.settings;
    let key: unknown = apiKey;
    try {
      if (typeof apiKey === 'function') key = await apiKey();
    } catch (error) {
      throw new UsageError('the function apiKey failed', failed, error);
    }
    if (key === null || key === undefined) return undefined;
    if (typeof key !== 'string') throw new UsageError('the API key is not a string', failed);
    if (keyIn === 'query' ? /\p{Surrogate}/u.test(key) : !/^[\t\x20-\x7e\x80-\xff]*$/.test(key))
      throw new UsageError('the API key has a character that cannot be sent', failed);
    return key;
  }

  /** Sends an attempt through openapi-fetch, if this call needs its interface or its hooks. */
  hooksFor({ init }: Call): Promise<ThroughHooks> | undefined {
    if (init === undefined && this.#middleware.length === 0) return undefined;
    return (this.#hooks ??= import('./fetch-client.ts').then(({ throughHooks }) =>
      throughHooks(this.settings, this.#middleware),
    ));
  }

  /**
   * Sends a call, with retries. Resolves also with error responses. Rejects with ConnectionError, TimeoutError, AbortError,
   * DecodeError and UsageError, and with the errors of hooks.
   */
  send(call: Call): Promise<Sent> {
    const { path, operation } = call;
    const context = {
      operation: `${operation.method} ${path}`,
      method: operation.method,
      url: this.settings.baseUrl + path,
    };
    return this.#trace(context, async () => {
      const sent = await this.#send(call);
      return (Object.assign(context, { status: sent.response.status, attempts: sent.failed.attempts }), sent);
    });
  }

  async #send(call: Call): Promise<Sent> {
    const { path, operation, options } = call;
    const timeoutMs = this.#timeoutMs(operation, options);
    const retry = retryOf(options.retry, this.#retry);
    const startedAt = Date.now();
    await this.#awaitPause(path, retry, options.signal);
    for (let repeats = 0; ; repeats++) {
      const attempt = new Attempt(this, call, repeats + 1);
      let error;
      let reply: Reply | undefined;
      try {
        reply = await this.#limited(attempt, timeoutMs, options.signal);
        this.#note(attempt, reply, startedAt);
        if (reply.isOk) return attempt.completed(reply);
        error = errorOf(reply.response, reply.text, attempt.failed, attempt.hide);
      } catch (thrown) {
        if (!(thrown instanceof ConnectionError || thrown instanceof TimeoutError)) throw thrown;
        error = thrown;
      }
      this.#pause(path, error);
      const delayMs = delayBefore(error, operation.repeat, retry, repeats, Date.now() - startedAt);
      const { message } = error;
      if (delayMs === undefined) {
        if (reply === undefined) throw error;
        return attempt.completed(reply);
      }
      this.log('info', () => `${attempt.failed.operation}: ${message}; retry in ${Math.round(delayMs)} ms`);
      this.settings.onRetry?.({ ...attempt.failed, delayMs, error });
      await sleep(delayMs, options.signal);
    }
  }

  /** The attempt, or an error when the time is over or the caller aborts, whatever the attempt still waits for. */
  #limited(attempt: Attempt, timeoutMs: number, signal: AbortSignal | null | undefined): Promise<Reply> {
    const controller = new AbortController();
    return new Promise((resolve, reject) => {
      const end = (error: unknown): void => {
        clearTimeout(timer);
        forget();
        reject(error);
      };
      const stop = (error: unknown): void => {
        end(error);
        controller.abort(error);
      };
      const abort = (): void =>
        stop(new AbortError('the caller aborted the call', attempt.failed, withoutKey(signal?.reason, attempt.key)));
      const timer =
        timeoutMs > 0 && timeoutMs <= maxTimerMs
          ? setTimeout(
              () => stop(new TimeoutError(`no complete response within ${timeoutMs} ms`, attempt.failed)),
              timeoutMs,
            )
          : undefined;
      const forget = onAbort(signal, abort);
      if (signal?.aborted) return abort();
      attempt.run(controller.signal).then((reply) => {
        clearTimeout(timer);
        forget();
        resolve(reply);
      }, end);
    });
  }

  #timeoutMs({ timeoutSeconds = 0 }: Operation, options: CallOptions): number {
    if (options.timeoutMs !== undefined) {
      checkNumber('timeoutMs', options.timeoutMs);
      return options.timeoutMs;
    }
    const { timeoutMs = timeoutSeconds === 0 ? 30_000 : 1 } = this.settings;
    return timeoutMs === 0 ? 0 : Math.max(timeoutMs, timeoutSeconds * 1000);
  }

  /** Waits while other calls wait after a 429, if the policy of the call permits such a delay. */
  async #awaitPause(
    path: string,
    { retries, budgetMs, baseMs }: Retry,
    signal: AbortSignal | null | undefined,
  ): Promise<void> {
    const until = Math.max(this.#pauses.get('') ?? 0, this.#pauses.get(path) ?? 0);
    const waitMs = until - Date.now();
    // The jitter keeps waiting calls from starting at the same time.
    if (retries > 0 && waitMs > 0 && waitMs <= budgetMs) await sleep(waitMs + Math.random() * baseMs, signal);
  }

  /** Lets new calls wait: all of them if the rate limit of the key is used up, else those of the same path. */
  #pause(path: string, error: unknown): void {
    if (!(error instanceof ApiError) || error.status !== 429) return;
    const scope = error.rateLimit?.remaining === 0 ? '' : path;
    this.#pauses.set(scope, Math.max(this.#pauses.get(scope) ?? 0, Date.now() + requestedMs(error)));
  }

  /** Logs a response; reads the headers that concern later calls. */
  #note(
    { failed: { operation, attempts } }: Attempt,
    { response: { status, headers } }: Reply,
    startedAt: number,
  ): void {
    this.log('debug', () => `${operation}: ${status} after ${Date.now() - startedAt} ms, attempt ${attempts}`);
    this.cursor = laterCursor(this.cursor, headers.get('x-event-cursor'));
    const deprecation = headers.get('deprecation');
    const sunset = headers.get('sunset');
    if ((deprecation === null && sunset === null) || this.#deprecated.has(operation)) return;
    this.#deprecated.add(operation);
    const end = sunset === null ? '' : `; it ends on ${sunset}`;
    this.log('warn', () => `${operation} is deprecated${end}. See the changelog of the service`);
  }
}
