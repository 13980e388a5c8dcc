/** Sends calls as they are: nothing is normalised, joined or followed on the way. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf, targetOf, type Call } from './call.ts';

export interface Answer {
  readonly status: number;
  /** By name in lower case, each value that came. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

/** The server cannot be reached at all, so that nothing can be said of it. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export interface SendOptions {
  /** `http://host:port`, perhaps with a path before those of the contract. */
  readonly base: string;
  readonly key: string;
  readonly timeoutMs: number;
  /** Calls under way at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}
export interface Sender {
  /** Resolves with the answer, or with why there was none. Waits and sends again where the server asks for that by 429. */
  send(call: Call, timeoutMs?: number): Promise<Answer | { readonly broken: string }>;
  readonly count: { sent: number; waitedMs: number };
  close(): void;
}

/** So long the server may make us wait in all before one call; a 429 after that is taken for its answer. */
const mostWaitMs = 120_000;

/** The first value of a header, named in lower case. */
export const headerOf = (answer: Answer, name: string): string | undefined => answer.headers.get(name)?.[0];

/** Opens the connections, which are kept alive. */
export function createSender({ base, key, timeoutMs: usualMs, concurrency, signal: stop }: SendOptions): Sender {
  const url = new URL(base);
  const secure = url.protocol === 'https:';
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: concurrency, scheduling: 'fifo' });
  const prefix = url.pathname.replace(/\/$/, '');
  const count = { sent: 0, waitedMs: 0 };
  /** Until then nobody sends: a 429 is for all of us. */
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
          // A kept connection that the server closed at this very moment says nothing about the call.
          if (code === 'ECONNRESET' && again++ < 2) continue;
          return { broken: message || String(code) };
        }
        const wait = Number(headerOf(answer, 'retry-after')) * 1000;
        if (answer.status !== 429 || !(wait > 0) || waited + wait > mostWaitMs) return answer;
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
