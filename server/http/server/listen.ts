/** The listening socket: patient enough for honest callers, and stopped without dropping one. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Server, type AddressInfo, type Socket } from 'node:net';
import { errorResponse } from '../pipeline/error-body.ts';
import { headFault, maxHeaderFields } from './head-fault.ts';
import { respondAndClose } from './socket-response.ts';
import { closeOnUnreadBody } from './unread-body.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** How long the head of a request may take to arrive, in milliseconds. */
  readonly headersTimeout?: number;
  /** How long a whole request may take to arrive, in milliseconds. */
  readonly requestTimeout?: number;
  /** How long a connection may stand still while it is answered, in milliseconds: who takes nothing of an answer for so long is cut. */
  readonly stallTimeout?: number;
  /** Takes requests to go over to WebSocket. All other upgrades are ignored, as RFC 9110 §7.8 allows. */
  readonly upgrade?: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

export interface HttpServer {
  /** `http://HOST:PORT`, with the port that was really taken. */
  readonly url: string;
  readonly port: number;
  /**
   * Takes no new connections, finishes the requests in flight, tells each caller with its answer that the connection ends, and closes
   * idle ones once all is quiet. What is still open after `deadlineMs`, upgraded sockets included, is cut. Resolves when all are closed.
   */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Bytes of a request's head, at most. The longest parameters that the contract allows, a prompt of 4,000 characters before all, take
 * 12 bytes a character when percent-encoded; Node's own 16 kB would refuse them.
 */
const headLimit = 96 * 1024;

/** The answers of a connection, which are worked on one after the other, in the order of the requests. */
interface Line {
  /** What is sent when all before it was. */
  last: ServerResponse | undefined;
  /** What is worked on, or was last. */
  current: ServerResponse | undefined;
  /** Requests that were read and are not begun. */
  waiting: number;
}

/** Requests of a connection that may wait; one that sends more ahead is cut. Hardly anybody sends any: browsers do not. */
const mostWaiting = 1_000;

/** How often it is looked, while stopping, whether connections have become idle. */
const sweepMs = 50;
/** An idle connection is closed when nobody has called for so long: the next request may be on its way, and would meet a closed one. */
const quietMs = 1_000;

/** Answers what Node could not parse as HTTP, for which there is no request and no response. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, current: ServerResponse | undefined): void {
  // It was refused already, and still sends.
  if (socket.writableEnded && !socket.destroyed) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // The text of another answer would be taken for a part of the one under way.
  if (current?.headersSent === true && !current.writableEnded) return void socket.destroy();
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return respondAndClose(
      socket,
      431,
      `the request head is larger than ${headLimit / 1024} kB or has more than ${maxHeaderFields} fields`,
    );
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return respondAndClose(socket, 408, 'the request took too long to arrive');
  respondAndClose(socket, 400, 'this is not a valid HTTP request');
}

type Address = Pick<ListenOptions, 'host' | 'port'>;

/**
 * Says what to do about an address that cannot be taken; the code stays, for whoever tells faults of the operator's
 * apart.
 */
function explain(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} of ${host} is in use: choose another PORT`,
    EACCES: `port ${port} of ${host} may not be used by this user (EACCES): choose another PORT, such as 3000`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: choose another HOST`,
    ENOTFOUND: `${host} is not a known host name: choose another HOST`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? error : Object.assign(new Error(reason, { cause: error }), { code: error.code });
}

/** Resolves when the server listens. Rejects, with what to do about it, when the address cannot be taken. */
const takeAddress = (server: Server, address: Address): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, address)));
    server.listen(address.port, address.host, resolve);
  });

/**
 * Takes an address and gives it back, to find out whether it can be taken. Rejects as `listen` does. Connections of
 * that moment are cut.
 */
export async function tryAddress(address: Address): Promise<void> {
  const server = new Server((socket) => socket.destroy());
  await takeAddress(server, address);
  await new Promise((resolve) => server.close(resolve));
}

/** Listens for requests. Rejects when the address cannot be taken. */
export async function listen(handle: RequestListener, options: ListenOptions): Promise<HttpServer> {
  const { upgrade, headersTimeout = 10_000, requestTimeout = 30_000, stallTimeout = 180_000 } = options;
  const server = createServer({
    headersTimeout,
    maxHeaderSize: headLimit,
    requestTimeout,
    // Looked after here, with an answer in the form of all others.
    requireHostHeader: false,
    // How often the two above are enforced: with Node's own 30 s a trickling head could stay three times as long.
    connectionsCheckingInterval: 1_000,
    // Longer than the 60 s of common proxies: they, not we, close an idle connection, and no request meets a closed one.
    keepAliveTimeout: 65_000,
    shouldUpgradeCallback: ({ headers }) => upgrade !== undefined && headers.upgrade?.toLowerCase() === 'websocket',
  });
  if (upgrade !== undefined) {
    server.on('upgrade', (request, socket, head) => {
      const fault = headFault(request);
      if (fault === undefined) upgrade(request, socket as Socket, head);
      else respondAndClose(socket as Socket, ...fault);
    });
  }
  // One more, so that it can be told that there are too many.
  server.maxHeadersCount = maxHeaderFields + 1;
  server.timeout = stallTimeout;
  server.maxRequestsPerSocket = 0;

  let stopping = false;
  /** When a request came, or was seen to be under way while stopping, as `performance.now()`. */
  let calledAt = 0;
  const lines = new Map<Socket, Line>();
  server.on('connection', (socket: Socket) => {
    lines.set(socket, { last: undefined, current: undefined, waiting: 0 });
    socket.once('close', () => lines.delete(socket));
  });
  server.on('request', (request, response) => {
    calledAt = performance.now();
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) return void socket.destroy();
    // An answer that closes the connection was sent, and what comes after it is only read to be dropped (RFC 9112
    // §9.6).
    if (socket.writableEnded) return;
    const before = line.last;
    line.last = response;
    if (before === undefined || before.writableFinished) return begin(line, request, response);
    // It was sent ahead: begun at once, a few bytes each of a caller who takes no answers would fill the memory.
    if (++line.waiting > mostWaiting) return void socket.destroy();
    before.once('close', () => {
      line.waiting -= 1;
      if (socket.writable) begin(line, request, response);
    });
  });
  function begin(line: Line, request: IncomingMessage, response: ServerResponse): void {
    line.current = response;
    const fault = headFault(request);
    if (fault !== undefined || (stopping && line.last === response)) response.setHeader('Connection', 'close');
    closeOnUnreadBody(request, response);
    if (fault === undefined) return handle(request, response);
    const { headers: head, body } = errorResponse(fault[1]);
    response.writeHead(fault[0], head).end(body);
  }
  // Who reads the body asks for it: a request that is refused by its head gets no `100 Continue`.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  // An expectation other than 100-continue may be ignored (RFC 9110 §10.1.1); Node would refuse it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error, socket) => refuse(error, socket as Socket, lines.get(socket as Socket)?.current));

  await takeAddress(server, options);
  const { port, address, family } = server.address() as AddressInfo;
  const stop = async (deadlineMs: number): Promise<void> => {
    stopping = true;
    for (const { last } of lines.values()) if (last?.headersSent === false) last.setHeader('Connection', 'close');
    const sweep = setInterval(() => {
      const now = performance.now();
      if (lines.values().some(({ last }) => last?.writableFinished === false)) calledAt = now;
      if (now - calledAt < quietMs) return;
      server.closeIdleConnections();
      // Node does not count a connection as idle before its first request; browsers open such ones ahead of need.
      for (const socket of lines.keys()) if (socket.bytesRead === 0) socket.destroy();
    }, sweepMs);
    const deadline = setTimeout(() => lines.forEach((_line, socket) => socket.destroy()), deadlineMs);
    // The close of an HTTP server would cut idle connections at once.
    await new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()));
    // There is nothing left to cut, but the timer that enforces timeouts.
    server.close();
    clearInterval(sweep);
    clearTimeout(deadline);
  };
  return { port, url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, stop };
}
