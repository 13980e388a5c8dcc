/** Sends one call: key, time limit, retries, shared pauses, ETags, logs. */
import { abortError, onAbort, sleep } from './abort.ts';
import { Attempt } from './attempt.ts';
import type { Operation } from './contract.ts';
import { checkNumber } from './defined.ts';
import type { TracingChannel } from './diagnostics.ts';
import { ConnectionError, type Failed, TimeoutError, UsageError, isWellFormed, withoutKey } from './failure.ts';
import type { Call, Reply, Sent } from './exchange.ts';
import type { KeySource } from './key-source.ts';
import { laterCursor, userAgent } from './headers.ts';
import { logTo, type Log } from './log.ts';
import { errorResponses, onDemand } from './on-demand.ts';
import { environment, type CallOptions, type Middleware, type Settings } from './options.ts';
import type { Pauses } from './rate-limit.ts';
import { defaultRetry, delayBefore, requestedMs, retryOf, type Failure, type Retry } from './retry.ts';

interface Builtins {
  readonly getBuiltinModule?: (name: string) => { tracingChannel(name: string): TracingChannel } | undefined;
}
const { process }: { readonly process?: Builtins } = globalThis as object;
const keySource = onDemand(() => import('./key-source.ts'));
const tracing = onDemand(() => import('./diagnostics.ts'));

/** The longest time of a timer; a longer one fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** What `limited` limits. */
interface Limited<Result> {
  readonly failed: Failed;
  readonly key?: string | undefined;
  run(signal: AbortSignal): Promise<Result>;
}

/** Sends the calls of a client. */
export class Transport {
  readonly settings: Settings;
  readonly log: Log;
  readonly agent = userAgent();
  /** The latest position of the event log that a response or an event had. */
  cursor: string | undefined;
  /** The hooks. */
  middleware: readonly Middleware[];
  /** The module with openapi-fetch, for hooks and verbs. */
  readonly fetchClient = onDemand(() => import('./fetch-client.ts'));
  readonly #retry: Retry;
  /** Undefined in runtimes without the module. */
  readonly #channel = process
    ?.getBuiltinModule?.('node:diagnostics_channel')
    ?.tracingChannel('@social-data/client:call');
  /** What calls wait for; undefined before the first 429. */
  #pauses: Pauses | undefined;
  readonly #deprecated = new Set<string>();
  /** The keys of a function; undefined before the first one. */
  #keys: Promise<KeySource> | undefined;

  /** Throws a UsageError for options that make no sense. */
  constructor(settings: Settings) {
    this.settings = settings;
    this.middleware = settings.middleware ?? [];
    this.#retry = retryOf(settings.retry, defaultRetry);
    this.log = logTo(settings.logger, settings.logLevel ?? environment('SOCIAL_DATA_LOG'));
  }

  /** The current key; another one than `refused` if the function of the key has one. Throws a UsageError when the function of the key fails, or a header cannot contain the key. */
  async key(failed: Failed, refused?: string): Promise<string | undefined> {
    const { apiKey, keyIn } = this.settings;
    let key: unknown = apiKey;
    try {
      if (typeof apiKey === 'function')
        key = await (await (this.#keys ??= keySource().then(({ KeySource }) => new KeySource(apiKey)))).key(refused);
    } catch (error) {
      throw new UsageError('the function apiKey failed', failed, error);
    }
    if (key === null || key === undefined) return undefined;
    if (typeof key === 'string' && (keyIn === 'query' ? isWellFormed(key) : /^[\t\x20-\x7e\x80-\xff]*$/.test(key)))
      return key;
    throw new UsageError('the API key is not a string, or has a character that cannot be sent', failed);
  }

  /**
   * Sends a call, with retries. Resolves also with error responses. Rejects with ConnectionError, TimeoutError, AbortError,
   * DecodeError and UsageError, and with the errors of hooks.
   */
  async send(call: Call): Promise<Sent> {
    const channel = this.#channel;
    return channel === undefined || channel.hasSubscribers === false
      ? this.#send(call)
      : (await tracing()).trace(channel, call, this.settings.baseUrl, () => this.#send(call));
  }

  async #send(call: Call): Promise<Sent> {
    const { path, operation, options } = call;
    const timeoutMs = this.#timeoutMs(operation, options);
    const retry = retryOf(options.retry, this.#retry);
    const startedAt = Date.now();
    if (this.#pauses) await this.#pauses.wait(path, retry, options.signal);
    let refused: string | undefined;
    let sent: Sent | undefined;
    for (let repeats = 0; ; repeats++) {
      const attempt = new Attempt(this, call, repeats + 1, refused);
      let error: Failure;
      try {
        const reply = await this.limited(attempt, timeoutMs, options.signal);
        // The function of the key has no other one.
        if (reply === undefined) return sent!;
        sent = undefined;
        const { failed } = attempt;
        this.#note(attempt, reply, startedAt);
        if (reply.isOk) return { ...reply, failed };
        const { errorOf, Pauses } = await errorResponses();
        const failure = (error = errorOf(reply.response, reply.text, failed, attempt.key));
        sent = { ...reply, failed, failure };
        if (failure.status === 401 && refused === undefined && typeof this.settings.apiKey === 'function') {
          refused = attempt.key;
          if (refused !== undefined) continue;
        }
        if (failure.status === 429) (this.#pauses ??= new Pauses()).add(path, requestedMs(failure), failure.rateLimit);
      } catch (thrown) {
        if (!(thrown instanceof ConnectionError || thrown instanceof TimeoutError)) throw thrown;
        error = thrown;
      }
      const delayMs = delayBefore(error, operation.repeat, retry, repeats, Date.now() - startedAt);
      if (delayMs === undefined) {
        if (sent === undefined) throw error;
        return sent;
      }
      const { message } = error;
      this.log('info', () => `${attempt.failed.operation}: ${message}; retry in ${Math.round(delayMs)} ms`);
      this.settings.onRetry?.({ ...attempt.failed, delayMs, error });
      await sleep(delayMs, options.signal);
    }
  }

  /** The attempt, or an error when the time is over or the caller aborts, whatever the attempt still waits for. */
  limited<Result>(attempt: Limited<Result>, timeoutMs: number, signal?: AbortSignal | null): Promise<Result> {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let forget: (() => void) | undefined;
    return new Promise<Result>((resolve, reject) => {
      const stop = (error: unknown): void => {
        reject(error);
        controller.abort(error);
      };
      const abort = (): void => stop(abortError('call', attempt.failed, withoutKey(signal?.reason, attempt.key)));
      if (signal?.aborted) return abort();
      forget = onAbort(signal, abort);
      if (timeoutMs > 0 && timeoutMs <= maxTimerMs)
        timer = setTimeout(
          () => stop(new TimeoutError(`no complete response within ${timeoutMs} ms`, attempt.failed)),
          timeoutMs,
        );
      attempt.run(controller.signal).then(resolve, reject);
    }).finally(() => {
      clearTimeout(timer);
      forget?.();
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

  /** Takes note of a position of the event log. */
  noteCursor(cursor: string | null | undefined): void {
    this.cursor = laterCursor(this.cursor, cursor);
  }

  /** Logs a response; reads the headers that concern later calls. */
  #note(
    { failed: { operation, attempts } }: Attempt,
    { response: { status, headers } }: Reply,
    startedAt: number,
  ): void {
    this.log('debug', () => `${operation}: ${status} after ${Date.now() - startedAt} ms, attempt ${attempts}`);
    this.noteCursor(headers.get('x-event-cursor'));
    const sunset = headers.get('sunset');
    if (!(sunset || headers.has('deprecation')) || this.#deprecated.has(operation)) return;
    this.#deprecated.add(operation);
    this.log('warn', () => `${operation} is deprecated${sunset ? `, and ends on ${sunset}` : ''}`);
  }
}
