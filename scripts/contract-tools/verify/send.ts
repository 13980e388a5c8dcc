/** Sends calls unchanged: without normalisation of URLs or headers, and without redirects. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf, targetOf, type Call } from './call.ts';
import { isStream } from './stream-items.ts';

export interface HttpResponse {
  readonly status: number;
  /** All values by header name in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
  /** Whether the response goes on, such as a stream that does not end. */
  readonly isCutOff?: true;
}

/** The server is unreachable. */
export class UnreachableError extends Error {
  override readonly name = 'Unreachable';
}

export interface SendOptions {
  /** `http://host:port`, optionally with a path prefix. */
  readonly base: string;
  readonly key: string;
  readonly timeoutMs: number;
  /** The maximum number of concurrent calls. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}
/** The maximum total wait per call after 429, in ms; a later 429 is the result of the call. */
const maxWaitMs = 120_000;

/** The first value of a header, named in lower case. */
export const headerOf = (answer: HttpResponse, name: string): string | undefined => answer.headers.get(name)?.[0];

/** The reason why a call has no response. */
export interface NoResponse {
  readonly noResponse: string;
}

/** No server closes a connection as idle before this time, in ms. A reset before it is a failure of the server. */
const minIdleMs = 1_000;

/** A reset of a connection that was idle before the call. */
class IdleResetError extends Error {
  readonly code = 'ECONNRESET';
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** Sends calls over keep-alive connections. */
export class Sender {
  readonly count = { sent: 0, waitedMs: 0 };
  readonly #options: SendOptions;
  readonly #url: URL;
  readonly #agent: HttpAgent;
  /** When the last response on a connection ended. */
  readonly #lastUse = new WeakMap<object, number>();
  /** No call starts before this time, because a 429 applies to all calls of the key. */
  #resumeAt = 0;

  constructor(options: SendOptions) {
    this.#options = options;
    this.#url = new URL(options.base);
    const Agent = this.#isSecure() ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.concurrency, scheduling: 'fifo' });
  }

  /** Resolves with the response, or with the reason for none. Waits and retries after a 429 with Retry-After. */
  async send(call: Call, timeoutMs = this.#options.timeoutMs): Promise<HttpResponse | NoResponse> {
    const { signal } = this.#options;
    let waited = 0;
    for (let resets = 0; ;) {
      const pause = this.#resumeAt - Date.now();
      if (pause > 0) await sleep(pause, undefined, { signal });
      this.count.sent += 1;
      let response: HttpResponse;
      try {
        response = await this.#attempt(call, timeoutMs);
      } catch (error) {
        signal.throwIfAborted();
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH')
          throw new UnreachableError(`${this.#options.base} is unreachable: ${message || code}`);
        // The server may close an idle keep-alive connection at any moment; that is no failure of the call.
        if (code === 'ECONNRESET' && error instanceof IdleResetError && resets++ < 2) continue;
        return { noResponse: message || String(code) };
      }
      const wait = Number(headerOf(response, 'retry-after')) * 1000;
      if (response.status !== 429 || !(wait > 0) || waited + wait > maxWaitMs) return response;
      waited += wait;
      this.count.waitedMs += wait;
      this.#resumeAt = Math.max(this.#resumeAt, Date.now() + wait);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #isSecure(): boolean {
    return this.#url.protocol === 'https:';
  }

  #attempt(call: Call, timeoutMs: number): Promise<HttpResponse> {
    const { key, signal: stop } = this.#options;
    const body = call.body === undefined ? undefined : Buffer.from(call.body, 'latin1');
    const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
    const options = {
      host: this.#url.hostname.replace(/^\[|\]$/g, ''),
      port: this.#url.port,
      method: call.method,
      path: this.#url.pathname.replace(/\/$/, '') + targetOf(call, encodeURIComponent(key)),
      headers: this.#headers(call, body).flat(),
      agent: this.#agent,
      signal,
    };
    return new Promise((resolve, reject) => {
      const request = (this.#isSecure() ? httpsRequest : httpRequest)(options, (incoming) => {
        const { socket } = incoming;
        incoming.once('end', () => this.#lastUse.set(socket, Date.now()));
        readResponse(incoming).then(resolve, reject);
      });
      request.once('error', (error: NodeJS.ErrnoException) => {
        const idleMs = Date.now() - (this.#lastUse.get(request.socket ?? this) ?? 0);
        const wasIdle = request.reusedSocket && idleMs >= minIdleMs;
        if (signal.aborted && !stop.aborted) reject(new Error(`no response within ${timeoutMs / 1000} s`));
        else reject(error.code === 'ECONNRESET' && wasIdle ? new IdleResetError(error) : error);
      });
      request.end(body);
    });
  }

  #headers(call: Call, body: Buffer | undefined): [string, string][] {
    const own = headersOf(call, this.#options.key).map(([name, value]): [string, string] => [name, utf8Header(value)]);
    const has = (name: string): boolean => own.some(([each]) => each.toLowerCase() === name);
    const headers: [string, string][] = [['host', this.#url.host], ...own];
    if (!has('user-agent')) headers.push(['user-agent', 'contract-verify']);
    const needsLength = body !== undefined || !['GET', 'HEAD'].includes(call.method);
    if (needsLength && !has('content-length')) headers.push(['content-length', String(body?.length ?? 0)]);
    return headers;
  }
}

/** How long a stream is read, in milliseconds; how long after its last bytes, because many are silent after the first; and how many bytes of it. */
const streamMs = 2_000;
const silenceMs = 300;
const streamBytes = 1 << 20;
/** The maximum size of any other response, in bytes: one that does not end must not fill the memory. */
const maxBytes = 16 << 20;

/** Reads the whole response, or the first part of a stream. Rejects when the connection closes before its end. */
function readResponse(incoming: IncomingMessage): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const mediaType = incoming.headers['content-type'] ?? '';
    let silence: ReturnType<typeof setTimeout> | undefined;
    const stopTimers = (): void => {
      clearTimeout(timer);
      clearTimeout(silence);
    };
    const finish = (isCutOff: boolean): void => {
      stopTimers();
      resolve({
        status: incoming.statusCode ?? 0,
        headers: headersFrom(incoming.rawHeaders),
        body: Buffer.concat(chunks),
        ...(isCutOff && { isCutOff: true as const }),
      });
      if (isCutOff) incoming.destroy();
    };
    // A stream need not end, so a part of it is read.
    const timer = isStream(mediaType) ? setTimeout(() => finish(true), streamMs) : undefined;
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      clearTimeout(silence);
      if (timer !== undefined) silence = setTimeout(() => finish(true), silenceMs);
      if (timer !== undefined && bytes > streamBytes) finish(true);
      else if (bytes > maxBytes) {
        reject(new Error(`the response has more than ${maxBytes} bytes`));
        incoming.destroy();
      }
    });
    incoming.once('error', reject);
    incoming.once('close', stopTimers);
    incoming.once('close', () => reject(new Error('the connection closed before the end of the response')));
    incoming.once('end', () => finish(false));
  });
}

/** Header values are bytes; Node takes them as latin1. */
const utf8Header = (value: string): string =>
  /[^\x00-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;

function headersFrom(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2);
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value]);
  }
  return headers;
}
