/** The load: connections that each send a request when the answer to the one before is there, or when its time has come. */
import { connect, type Socket } from 'node:net';
import { answerCalls } from '../stream/calls.ts';
import { percentile } from '../table.ts';
import { key, targetsOf, type Shape } from './shapes.ts';

export interface LoadOptions {
  readonly port: number;
  readonly shape: Shape;
  readonly connections: number;
  readonly seconds: number;
  /** Requests that are made at least, however long they take. */
  readonly least?: number;
  /** Requests a second that are begun, whether answers are there or not; as many as are answered when left out. */
  readonly rate?: number | undefined;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds from the moment at which a request was due to the end of its answer. */
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 200. */
  readonly failed: number;
  /** Bytes of the bodies, in the mean. */
  readonly bodyBytes: number;
}

const headEnd = Buffer.from('\r\n\r\n');

/** One connection: sends a request, calls back when its answer is whole. Answers need a Content-Length, or chunks. */
class Connection {
  readonly #socket: Socket;
  readonly #ready: Promise<void>;
  #done: (status: number, bytes: number) => void = () => {};
  /** The beginning of a head that came in pieces. */
  #head: Buffer | undefined;
  #status = 0;
  #length = 0;
  /** Bytes of the body still to come; -1 while the head is. */
  #left = -1;
  /** The end of a body in chunks, so far. */
  #tail = '';

  constructor(port: number, buffer: Buffer) {
    const opened = Promise.withResolvers<void>();
    this.#ready = opened.promise;
    this.#socket = connect(
      { port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: (read) => this.#take(buffer, read) } },
      () => opened.resolve(),
    );
    this.#socket.once('error', opened.reject);
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  send(request: string, done: (status: number, bytes: number) => void): void {
    this.#done = done;
    this.#socket.write(request, 'latin1');
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(buffer: Buffer, read: number): boolean {
    let data = buffer.subarray(0, read);
    if (this.#left === -1) {
      if (this.#head !== undefined) data = Buffer.concat([this.#head, data]);
      const end = data.indexOf(headEnd);
      if (end < 0) {
        this.#head = Buffer.from(data);
        return true;
      }
      this.#head = undefined;
      const head = data.toString('latin1', 0, end);
      this.#status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      this.#left = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
      this.#length = length === undefined ? 0 : this.#left;
      data = data.subarray(end + 4);
    }
    if (this.#left === Number.POSITIVE_INFINITY) {
      this.#length += data.length;
      this.#tail = (this.#tail + data.toString('latin1', Math.max(0, data.length - 7))).slice(-7);
      if (!this.#tail.endsWith('\r\n0\r\n\r\n')) return true;
      this.#tail = '';
    } else if ((this.#left -= data.length) > 0) return true;
    this.#left = -1;
    this.#done(this.#status, this.#length);
    return true;
  }
}

/** Each call goes on where the one before ended: what must be new is never asked for twice. */
const next = new Map<string, () => string>();

async function run({ port, shape, connections, seconds, least = 0, rate }: LoadOptions): Promise<LoadResult> {
  const id = `${port} ${shape}`;
  if (!next.has(id)) next.set(id, targetsOf(shape));
  const target = next.get(id)!;
  const all = Array.from({ length: connections }, () => new Connection(port, Buffer.allocUnsafe(256 * 1024)));
  await Promise.all(all.map((each) => each.ready));
  const times: number[] = [];
  let failed = 0;
  let bodyBytes = 0;
  let running = 0;
  const began = performance.now();
  const until = began + seconds * 1000;
  const over = Promise.withResolvers<void>();
  const ask = (connection: Connection, due: number, then: () => void): void => {
    running += 1;
    connection.send(`GET ${target()} HTTP/1.1\r\nHost: bench\r\nx-api-key: ${key}\r\n\r\n`, (status, bytes) => {
      running -= 1;
      times.push(performance.now() - due);
      bodyBytes += bytes;
      if (status !== 200) failed += 1;
      then();
    });
  };
  if (rate === undefined) {
    const again = (connection: Connection): void => {
      const now = performance.now();
      if (now < until || times.length + running < least) ask(connection, now, () => again(connection));
      else if (running === 0) over.resolve();
    };
    all.forEach(again);
  } else {
    const free = [...all];
    let due = 0;
    const begin = (): void => {
      const now = performance.now();
      const planned = Math.floor(((Math.min(now, until) - began) / 1000) * rate);
      while (due < planned && free.length > 0) {
        const connection = free.pop()!;
        ask(connection, began + (due / rate) * 1000, () => {
          free.push(connection);
          begin();
        });
        due += 1;
      }
      if (now >= until && running === 0 && due >= planned) over.resolve();
    };
    const timer = setInterval(begin, 1);
    void over.promise.then(() => clearInterval(timer));
  }
  await over.promise;
  const took = (performance.now() - began) / 1000;
  for (const each of all) each.end();
  return {
    requests: times.length,
    perSecond: times.length / took,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    failed,
    bodyBytes: bodyBytes / times.length,
  };
}

const handlers = { run };
export type Load = typeof handlers;
answerCalls(handlers);
