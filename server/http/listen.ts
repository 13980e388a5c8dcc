/** The listening socket: patient enough for honest callers, and stopped without dropping one. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Server, type AddressInfo, type Socket } from 'node:net';
import { endWith } from './raw-answer.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** How long the head of a request may take to arrive, in milliseconds. */
  readonly headersTimeout?: number;
  /** How long a caller may take nothing of an answer that is there, in milliseconds. */
  readonly stalledTimeout?: number;
  /** Takes requests to go over to WebSocket. All other upgrades are ignored, as RFC 9110 §7.8 allows. */
  readonly upgrade?: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

export interface Listening {
  /** `http://HOST:PORT`, with the port that was really taken. */
  readonly url: string;
  readonly port: number;
  /**
   * Takes no new connections, finishes the requests in flight, tells each caller with its answer that the connection ends, and closes
   * idle ones once all is quiet. What is still
   * open after `deadlineMs`, upgraded sockets included, is cut. Resolves when all are closed.
   */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Bytes of a request's head, at most. The longest parameters that the contract allows, a prompt of 4,000 characters before all, take
 * 12 bytes a character when percent-encoded; Node's own 16 kB would refuse them.
 */
const headLimit = 96 * 1024;

/** How often it is looked, while stopping, whether connections have become idle. */
const sweepMs = 50;
/** An idle connection is closed when nobody has called for so long: the next request may be on its way, and would meet a closed one. */
const quietMs = 1_000;

/** Answers what Node could not parse as HTTP, for which there is no request and no response. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  if (error.code === 'HPE_HEADER_OVERFLOW') endWith(socket, 431, `the request head is larger than ${headLimit / 1024} kB`);
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') endWith(socket, 408, 'the request took too long to arrive');
  else endWith(socket, 400, 'this is not a valid HTTP request');
}

/** Says what to do about an address that is taken; the code stays, for whoever tells faults of the operator's apart. */
function explain(error: NodeJS.ErrnoException, { host, port }: ListenOptions): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return Object.assign(new Error(`port ${port} of ${host} is in use: choose another PORT`, { cause: error }), { code: error.code });
}

/** Listens for requests. Rejects when the address cannot be taken. */
export async function listen(handle: RequestListener, options: ListenOptions): Promise<Listening> {
  const { upgrade, headersTimeout = 10_000, stalledTimeout = 30_000 } = options;
  const server = createServer({
    headersTimeout,
    maxHeaderSize: headLimit,
    requestTimeout: 30_000,
    // How often the two above are enforced: with Node's own 30 s a trickling head could stay three times as long.
    connectionsCheckingInterval: 1_000,
    // Longer than the 60 s of common proxies: they, not we, close an idle connection, and no request meets a closed one.
    keepAliveTimeout: 65_000,
    shouldUpgradeCallback: ({ headers }) => upgrade !== undefined && headers.upgrade?.toLowerCase() === 'websocket',
  });
  if (upgrade !== undefined) server.on('upgrade', (request, socket, head) => upgrade(request, socket as Socket, head));
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = 0;

  let stopping = false;
  /** When a request came, or was seen to be under way while stopping, as `performance.now()`. */
  let calledAt = 0;
  /** Each with its last answer: what came before on the same connection is sent before. */
  const sockets = new Map<Socket, ServerResponse | undefined>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    calledAt = performance.now();
    sockets.set(request.socket, response);
    if (stopping) response.setHeader('Connection', 'close');
    handle(request, response);
  });
  // An expectation other than 100-continue may be ignored (RFC 9110 §10.1.1); Node would refuse it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', refuse);

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, options)));
    server.listen(options.port, options.host, resolve);
  });

  // A caller that does not read its answer would keep it in memory, and its place among the requests in flight. How long an answer may take to
  // be made is for others to say; from then on the time is that of the socket, which counts only while nothing is taken.
  const watch = setInterval(() => {
    for (const [socket, answer] of sockets) {
      const isBeingTaken = answer?.writableEnded === true && !answer.writableFinished;
      if (isBeingTaken && !socket.timeout) socket.setTimeout(stalledTimeout);
    }
  }, Math.min(1_000, stalledTimeout)).unref();

  const { port, address, family } = server.address() as AddressInfo;
  const stop = async (deadlineMs: number): Promise<void> => {
    stopping = true;
    for (const response of sockets.values()) if (response?.headersSent === false) response.setHeader('Connection', 'close');
    const sweep = setInterval(() => {
      const now = performance.now();
      if (sockets.values().some((response) => response?.writableFinished === false)) calledAt = now;
      if (now - calledAt < quietMs) return;
      server.closeIdleConnections();
      // Node does not count a connection as idle before its first request; browsers open such ones ahead of need.
      for (const socket of sockets.keys()) if (socket.bytesRead === 0) socket.destroy();
    }, sweepMs);
    const deadline = setTimeout(() => sockets.forEach((_answer, socket) => socket.destroy()), deadlineMs);
    // The close of an HTTP server would cut idle connections at once.
    await new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()));
    // There is nothing left to cut, but the timer that enforces timeouts.
    server.close();
    clearInterval(sweep);
    clearInterval(watch);
    clearTimeout(deadline);
  };
  return { port, url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, stop };
}
