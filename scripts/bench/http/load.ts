/** The load process. Each connection sends its next request after a response (closed loop) or at a fixed rate (open loop). */
import { connect, type Socket } from 'node:net';
import { answerCalls } from '../stream/calls.ts';
import { percentile } from '../table.ts';
import { key, targetsOf, type Shape } from './shapes.ts';

export interface LoadOptions {
  readonly port: number;
  readonly shape: Shape;
  readonly connections: number;
  readonly seconds: number;
  /** The minimum number of requests, whatever the duration. Only for the closed loop; default: 0. */
  readonly minRequests?: number;
  /** Requests per second of the open loop. Without it, the load is a closed loop. */
  readonly rate?: number | undefined;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds from the scheduled time of a request to the end of its response. */
  readonly p50: number;
  readonly p99: number;
  /** Responses with another status than 200. */
  readonly failed: number;
  /** The mean size of the bodies. */
  readonly bodyBytes: number;
}

type ResponseListener = (status: number, bytes: number) => void;

const headEnd = Buffer.from('\r\n\r\n');
const chunkedEnd = '\r\n0\r\n\r\n';

/** One HTTP connection with at most one request in flight. It reads bodies with Content-Length and chunked bodies. */
class Connection {
  readonly #socket: Socket;
  readonly #ready: Promise<void>;
  #onResponse: ResponseListener = () => {};
  /** The first part of an incomplete head. */
  #head: Buffer | undefined;
  #status = 0;
  #length = 0;
  /** Missing bytes of the body: -1 before the end of the head, Infinity for a chunked body. */
  #missing = -1;
  /** The last bytes of a chunked body. */
  #tail = '';

  constructor(port: number, buffer: Buffer) {
    const opened = Promise.withResolvers<void>();
    this.#ready = opened.promise;
    this.#socket = connect(
      { port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: (read) => this.#read(buffer, read) } },
      () => opened.resolve(),
    );
    this.#socket.once('error', opened.reject);
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  send(request: string, onResponse: ResponseListener): void {
    this.#onResponse = onResponse;
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(buffer: Buffer, count: number): boolean {
    let data: Buffer | undefined = buffer.subarray(0, count);
    if (this.#missing === -1) data = this.#readHead(data);
    if (data === undefined || !this.#readBody(data)) return true;
    this.#missing = -1;
    this.#onResponse(this.#status, this.#length);
    return true;
  }

  /** Returns the bytes after the head; undefined when the head is incomplete. */
  #readHead(received: Buffer): Buffer | undefined {
    const data = this.#head === undefined ? received : Buffer.concat([this.#head, received]);
    const end = data.indexOf(headEnd);
    if (end < 0) {
      this.#head = Buffer.from(data);
      return undefined;
    }
    this.#head = undefined;
    const head = data.toString('latin1', 0, end);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    this.#missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
    this.#length = length === undefined ? 0 : this.#missing;
    return data.subarray(end + headEnd.length);
  }

  /** Returns true at the end of the body. */
  #readBody(data: Buffer): boolean {
    if (this.#missing !== Number.POSITIVE_INFINITY) return (this.#missing -= data.length) <= 0;
    const tailLength = chunkedEnd.length;
    this.#length += data.length;
    this.#tail = (this.#tail + data.toString('latin1', Math.max(0, data.length - tailLength))).slice(-tailLength);
    if (this.#tail !== chunkedEnd) return false;
    this.#tail = '';
    return true;
  }
}

/** One measurement: sends requests on all connections and collects the durations. */
class LoadRun {
  readonly #options: LoadOptions;
  readonly #nextTarget: () => string;
  readonly #connections: readonly Connection[];
  readonly #finished = Promise.withResolvers<void>();
  /** Milliseconds of each response. */
  readonly #times: number[] = [];
  #failed = 0;
  #bodyBytes = 0;
  #inFlight = 0;
  #startedAt = 0;
  #endsAt = 0;

  constructor(options: LoadOptions, nextTarget: () => string) {
    this.#options = options;
    this.#nextTarget = nextTarget;
    this.#connections = Array.from(
      { length: options.connections },
      () => new Connection(options.port, Buffer.allocUnsafe(256 * 1024)),
    );
  }

  async measure(): Promise<LoadResult> {
    const { seconds, rate } = this.#options;
    await Promise.all(this.#connections.map((connection) => connection.ready));
    this.#startedAt = performance.now();
    this.#endsAt = this.#startedAt + seconds * 1000;
    if (rate === undefined) await this.#closedLoop();
    else await this.#openLoop(rate);
    const duration = (performance.now() - this.#startedAt) / 1000;
    for (const connection of this.#connections) connection.close();
    return {
      requests: this.#times.length,
      perSecond: this.#times.length / duration,
      p50: percentile(this.#times, 0.5),
      p99: percentile(this.#times, 0.99),
      failed: this.#failed,
      bodyBytes: this.#bodyBytes / this.#times.length,
    };
  }

  async #closedLoop(): Promise<void> {
    const { minRequests = 0 } = this.#options;
    const sendNext = (connection: Connection): void => {
      const now = performance.now();
      if (now < this.#endsAt || this.#times.length + this.#inFlight < minRequests)
        this.#send(connection, now, () => sendNext(connection));
      else if (this.#inFlight === 0) this.#finished.resolve();
    };
    this.#connections.forEach(sendNext);
    await this.#finished.promise;
  }

  /** The durations start at the scheduled time, so they include the wait for a free connection. */
  async #openLoop(rate: number): Promise<void> {
    const idle = [...this.#connections];
    let sent = 0;
    const sendDue = (): void => {
      const now = performance.now();
      const planned = Math.floor(((Math.min(now, this.#endsAt) - this.#startedAt) / 1000) * rate);
      while (sent < planned) {
        const connection = idle.pop();
        if (connection === undefined) break;
        this.#send(connection, this.#startedAt + (sent / rate) * 1000, () => {
          idle.push(connection);
          sendDue();
        });
        sent += 1;
      }
      if (now >= this.#endsAt && this.#inFlight === 0 && sent >= planned) this.#finished.resolve();
    };
    const timer = setInterval(sendDue, 1);
    await this.#finished.promise;
    clearInterval(timer);
  }

  #send(connection: Connection, scheduledAt: number, onResponse: () => void): void {
    this.#inFlight += 1;
    const request = `GET ${this.#nextTarget()} HTTP/1.1\r\nHost: bench\r\nx-api-key: ${key}\r\n\r\n`;
    connection.send(request, (status, bytes) => {
      this.#inFlight -= 1;
      this.#times.push(performance.now() - scheduledAt);
      this.#bodyBytes += bytes;
      if (status !== 200) this.#failed += 1;
      onResponse();
    });
  }
}

/** Generators of request targets by server and shape. Runs share them, so no run repeats the targets of another run. */
const targets = new Map<string, () => string>();

function run(options: LoadOptions): Promise<LoadResult> {
  const id = `${options.port} ${options.shape}`;
  const nextTarget = targets.get(id) ?? targetsOf(options.shape);
  targets.set(id, nextTarget);
  return new LoadRun(options, nextTarget).measure();
}

const handlers = { run };
export type Load = typeof handlers;
answerCalls(handlers);
