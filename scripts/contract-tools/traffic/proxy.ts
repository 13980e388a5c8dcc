/**
 * A validation proxy: forwards requests to a server and judges both directions by the contract. Bodies pass through as they
 * come; a copy of limited size is judged after the exchange, so that the proxy changes neither content nor order.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Contract } from '../verify/contract.ts';
import type { HttpResponse } from '../verify/send.ts';
import { Capture, decodedBody } from './capture.ts';
import { TrafficJudge, type Violation } from './judge.ts';
import type { ObservedCall } from './observed-call.ts';
import { TrafficLog, type TrafficReport } from './report.ts';

export interface ProxyOptions {
  readonly contract: Contract;
  /** The server, as `http://host:port` with an optional path. */
  readonly upstream: string;
  /** Bodies up to this number of bytes are judged. Default 1 MiB. */
  readonly maxBody?: number;
  /** Called for each exchange when it is judged. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** A judged exchange. It holds no query and no credentials. */
export interface Exchange {
  readonly method: string;
  /** The path of the contract, or `(unknown path)`. */
  readonly path: string;
  /** Undefined where the server did not answer. */
  readonly status: number | undefined;
  readonly ms: number;
  readonly violations: readonly Violation[];
}

/** Headers of one connection (RFC 9110 §7.6.1), which a proxy does not forward. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Exchanges that wait for their judgement. Further ones pass through without one. */
const maxPending = 64;

/** The forwarded headers, in their order: names and values in turn. */
function forwarded(raw: readonly string[], host?: string): string[] {
  const named = new Set<string>();
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index]?.toLowerCase() === 'connection')
      for (const name of (raw[index + 1] ?? '').split(',')) named.add(name.trim().toLowerCase());
  const headers: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2);
    const lower = name.toLowerCase();
    if (hopByHop.has(lower) || named.has(lower)) continue;
    headers.push(name, lower === 'host' && host !== undefined ? host : value);
  }
  return headers;
}

/** Whether a response has no end that can be waited for. */
const isStream = (response: IncomingMessage): boolean =>
  response.headers['content-type']?.toLowerCase().startsWith('text/event-stream') ?? false;

/** All values by header name in lower case. */
function headersOf(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), raw[index + 1] ?? '']);
  }
  return headers;
}

export class ValidationProxy {
  readonly #options: ProxyOptions;
  readonly #upstream: URL;
  readonly #agent: HttpAgent;
  readonly #judge: TrafficJudge;
  readonly #log = new TrafficLog();
  readonly #pending = new Set<Promise<void>>();
  /** The connections of WebSockets. */
  readonly #sockets = new Set<Duplex>();

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#upstream = new URL(options.upstream);
    this.#agent = this.#isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    this.#judge = new TrafficJudge(options.contract);
  }

  get #isSecure(): boolean {
    return this.#upstream.protocol === 'https:';
  }

  get #maxBody(): number {
    return this.#options.maxBody ?? 1 << 20;
  }

  /** The report of everything that was judged; waits for what is still being judged. */
  async report(): Promise<TrafficReport> {
    await Promise.all(this.#pending);
    return this.#log.report(this.#options.upstream);
  }

  close(): void {
    this.#agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Forwards a request. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const started = performance.now();
    const sent = new Capture(this.#maxBody);
    const outgoing = this.#open(request);
    outgoing.on('response', (answer) => {
      const received = new Capture(isStream(answer) ? 0 : this.#maxBody);
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, forwarded(answer.rawHeaders));
      // A stream without an end is judged by its status and headers as soon as it begins.
      if (isStream(answer)) this.#judgeLater(request, sent, answer, undefined, started);
      pipeline(answer, received, response).then(
        () => {
          if (!isStream(answer)) this.#judgeLater(request, sent, answer, received, started);
        },
        () => response.destroy(),
      );
    });
    outgoing.on('error', () => this.#fail(request, response, started));
    response.on('close', () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    pipeline(request, sent, outgoing).catch(() => outgoing.destroy());
  };

  /** Connects a WebSocket to the server. Its messages pass through unjudged. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    this.#log.count.upgrades += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    const outgoing = this.#open(request, true);
    outgoing.on('upgrade', (answer, upstream, first) => {
      const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
      for (let index = 0; index < answer.rawHeaders.length; index += 2)
        lines.push(`${answer.rawHeaders[index]}: ${answer.rawHeaders[index + 1]}`);
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      if (first.length > 0) socket.write(first);
      if (head.length > 0) upstream.write(head);
      // Either end closes both.
      pipeline(socket, upstream).catch(() => upstream.destroy());
      pipeline(upstream, socket).catch(() => socket.destroy());
    });
    outgoing.on('response', (answer) => {
      socket.end(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nConnection: close\r\n\r\n`);
      answer.resume();
    });
    outgoing.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n'));
    socket.on('error', () => outgoing.destroy());
    outgoing.end();
  };

  #open(request: IncomingMessage, isUpgrade = false) {
    const { hostname, port, host, pathname } = this.#upstream;
    const headers = forwarded(request.rawHeaders, host);
    if (isUpgrade) headers.push('Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? 'websocket');
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    return (this.#isSecure ? httpsRequest : httpRequest)({
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method: request.method ?? 'GET',
      path: pathname.replace(/\/$/, '') + (request.url ?? '/'),
      headers: isChunked ? [...headers, 'Transfer-Encoding', 'chunked'] : headers,
      // A connection that becomes a WebSocket is not used again.
      ...(!isUpgrade && { agent: this.#agent }),
    });
  }

  #fail(request: IncomingMessage, response: ServerResponse, started: number): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    this.#log.count.unanswered += 1;
    request.resume();
    response.writeHead(502, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'the server behind the validation proxy did not answer' }));
    const { call } = this.#observed(request, undefined);
    const ms = performance.now() - started;
    this.#options.onExchange({ method: call.method, path: '(no response)', status: undefined, ms, violations: [] });
  }

  #observed({ method = 'GET', url = '/', rawHeaders }: IncomingMessage, body: Buffer | undefined): ObservedCall {
    return this.#judge.read({ method, target: url, rawHeaders, body: body?.length === 0 ? undefined : body });
  }

  #judgeLater(
    request: IncomingMessage,
    sent: Capture,
    answer: IncomingMessage,
    received: Capture | undefined,
    started: number,
  ): void {
    const ms = performance.now() - started;
    if (this.#pending.size >= maxPending) {
      this.#log.count.notJudged += 1;
      return;
    }
    const judged = this.#judgeExchange(request, sent.body, answer, received?.body)
      .then(({ path, violations }) => {
        const method = request.method ?? 'GET';
        this.#log.add(`${method} ${path}`, violations);
        this.#options.onExchange({ method, path, status: answer.statusCode, ms, violations });
      })
      .finally(() => this.#pending.delete(judged));
    this.#pending.add(judged);
  }

  async #judgeExchange(
    request: IncomingMessage,
    sent: Buffer | undefined,
    answer: IncomingMessage,
    received: Buffer | undefined,
  ): Promise<{ path: string; violations: Violation[] }> {
    const content = received && (await decodedBody(received, answer.headers['content-encoding'], this.#maxBody));
    if (sent === undefined || content === undefined) this.#log.count.notJudged += 1;
    const observed = this.#observed(request, sent);
    const path = observed.operation?.path ?? '(unknown path)';
    try {
      const judged = await this.#judge.request(observed, sent !== undefined);
      const response: HttpResponse = {
        status: answer.statusCode ?? 0,
        headers: headersOf(answer.rawHeaders),
        body: content ?? Buffer.alloc(0),
      };
      const violations = await this.#judge.response(judged, response, content !== undefined);
      return { path, violations: [...judged.violations, ...violations] };
    } catch {
      // A schema that cannot be compiled; the lint reports it.
      this.#log.count.notJudged += 1;
      return { path, violations: [] };
    }
  }
}
