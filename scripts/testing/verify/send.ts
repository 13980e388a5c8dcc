/** Sends calls unchanged: without normalisation of URLs or headers, and without redirects. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf, targetOf, type Call } from './call.ts';

export interface Answer {
  readonly status: number;
  /** All values by header name in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

/** The server is unreachable. */
export class Unreachable extends Error {
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
export interface Sender {
  /** Resolves with the response, or with the reason for none. Waits and retries after a 429 with Retry-After. */
  send(call: Call, timeoutMs?: number): Promise<Answer | { readonly broken: string }>;
  readonly count: { sent: number; waitedMs: number };
  close(): void;
}

/** The maximum total wait per call after 429, in ms; a later 429 is the result of the call. */
const maxWaitMs = 120_000;

/** The first value of a header, named in lower case. */
export const headerOf = (answer: Answer, name: string): string | undefined => answer.headers.get(name)?.[0];

/** Creates a sender with keep-alive connections. */
export function createSender({ base, key, timeoutMs: usualMs, concurrency, signal: stop }: SendOptions): Sender {
  const url = new URL(base);
  const secure = url.protocol === 'https:';
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: concurrency, scheduling: 'fifo' });
  const prefix = url.pathname.replace(/\/$/, '');
  const count = { sent: 0, waitedMs: 0 };
  /** No call starts before this time, because a 429 applies to all calls of the key. */
  let resumeAt = 0;

  const once = (call: Call, timeoutMs: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const body = call.body === undefined ? undefined : Buffer.from(call.body, 'latin1');
      const own = headersOf(call, key).map(([name, value]): [string, string] => [name, utf8Header(value)]);
      const has = (name: string): boolean => own.some(([each]) => each.toLowerCase() === name);
      const headers = [['host', url.host], ...own];
      if (!has('user-agent')) headers.push(['user-agent', 'social-data-verify']);
      const announced = body !== undefined || !['GET', 'HEAD'].includes(call.method);
      if (announced && !has('content-length')) headers.push(['content-length', String(body?.length ?? 0)]);
      const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
      const options = {
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        method: call.method,
        path: prefix + targetOf(call, encodeURIComponent(key)),
        headers: headers.flat(),
        agent,
        signal,
      };
      const request = (secure ? httpsRequest : httpRequest)(options, (incoming: IncomingMessage) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('close', () => reject(new Error('the answer broke off')));
        incoming.once('end', () =>
          resolve({
            status: incoming.statusCode!,
            headers: headersFrom(incoming.rawHeaders),
            body: Buffer.concat(chunks),
          }),
        );
      });
      request.once('error', (error) =>
        reject(signal.aborted && !stop.aborted ? new Error(`no answer within ${timeoutMs / 1000} s`) : error),
      );
      request.end(body);
    });

  return {
    count,
    close: () => agent.destroy(),
    async send(call, timeoutMs = usualMs) {
      let waited = 0;
      for (let again = 0; ;) {
        const pause = resumeAt - Date.now();
        if (pause > 0) await sleep(pause, undefined, { signal: stop });
        count.sent += 1;
        let answer: Answer;
        try {
          answer = await once(call, timeoutMs);
        } catch (error) {
          stop.throwIfAborted();
          const { code, message } = error as NodeJS.ErrnoException;
          if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH')
            throw new Unreachable(`${base} cannot be reached: ${message || code}`);
          // The server may close an idle keep-alive connection at any moment; that is no failure of the call.
          if (code === 'ECONNRESET' && again++ < 2) continue;
          return { broken: message || String(code) };
        }
        const wait = Number(headerOf(answer, 'retry-after')) * 1000;
        if (answer.status !== 429 || !(wait > 0) || waited + wait > maxWaitMs) return answer;
        waited += wait;
        count.waitedMs += wait;
        resumeAt = Math.max(resumeAt, Date.now() + wait);
      }
    },
  };
}

/** Header values are bytes; Node takes them as latin1. */
const utf8Header = (value: string): string =>
  /[^\x00-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;

function headersFrom(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), raw[index + 1]!]);
  }
  return headers;
}
