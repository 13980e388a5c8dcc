/** The listening HTTP server: time limits, pipelining, and a stop that finishes the requests in flight. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server as HttpServerOfNode,
  type ServerResponse,
} from 'node:http';
import { Server, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorResponse } from '../pipeline/error-body.ts';
import { headFault, maxHeaderFields } from './head-fault.ts';
import { respondAndClose } from './socket-response.ts';
import { closeOnUnreadBody } from './unread-body.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Time limit for the headers of a request, in milliseconds. */
  readonly headersTimeout?: number;
  /** Time limit for a whole request to arrive, in milliseconds. */
  readonly requestTimeout?: number;
  /**
   * Time limit in milliseconds for a connection without progress during a response. The server destroys a connection
   * whose caller reads nothing for so long.
   */
  readonly stallTimeout?: number;
  /** Handles upgrade requests to WebSocket. The server ignores all other upgrades, as RFC 9110 §7.8 allows. */
  readonly upgrade?: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

export interface HttpServer {
  /** `http://HOST:PORT`, with the actual port. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops the server: accepts no new connections, finishes the requests in flight, sends `Connection: close` with each
   * response, and closes idle connections after a quiet period. After `deadlineMs` it destroys all open connections,
   * upgraded sockets included. Resolves when all connections are closed.
   */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Maximum size of the request headers in bytes. The longest parameter of the contract, a prompt of 4,000 characters,
 * takes 12 bytes for each character when it is percent-encoded; the default of Node, 16 kB, would reject it.
 */
export const maxHeaderBytes = 96 * 1024;

/**
 * The pipeline of a connection: it processes requests one at a time, in the order of their arrival (HTTP/1.1
 * pipelining).
 */
interface ConnectionPipeline {
  /** The response to the newest request. */
  last: ServerResponse | undefined;
  /** The response that is in progress, or was last in progress. */
  current: ServerResponse | undefined;
  /** Number of requests that were read and not started. */
  waiting: number;
}

/**
 * Maximum number of waiting requests of a connection. The server destroys a connection that pipelines more. Pipelining
 * is rare: browsers do not use it.
 */
const maxWaiting = 1_000;

/** How often a stopping server looks for idle connections, in milliseconds. */
const sweepMs = 50;
/**
 * A stopping server closes idle connections after a time without requests, in milliseconds: the next request may be on
 * its way and would fail on a closed connection.
 */
const quietMs = 1_000;

/** Responds to input that Node cannot parse as HTTP, so that there is no request and no response object. */
function handleClientError(error: NodeJS.ErrnoException, socket: Socket, current: ServerResponse | undefined): void {
  // The server has rejected the request already, and the caller is still sending.
  if (socket.writableEnded && !socket.destroyed) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // The caller would take a second response for a part of the one in progress.
  if (current?.headersSent === true && !current.writableEnded) return void socket.destroy();
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return respondAndClose(
      socket,
      431,
      `the request head is larger than ${maxHeaderBytes / 1024} kB or has more than ${maxHeaderFields} fields`,
    );
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return respondAndClose(socket, 408, 'the request took too long to arrive');
  respondAndClose(socket, 400, 'this is not a valid HTTP request');
}

type Address = Pick<ListenOptions, 'host' | 'port'>;

/**
 * Replaces the error of a failed `listen` with one that names the setting to change. The error code stays, so that
 * callers can recognise configuration errors.
 */
function explainListenError(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} of ${host} is in use: choose another PORT`,
    EACCES: `port ${port} of ${host} is not available to this user (EACCES): choose another PORT, such as 3000`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: choose another HOST`,
    ENOTFOUND: `${host} is not a known host name: choose another HOST`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? error : Object.assign(new Error(reason, { cause: error }), { code: error.code });
}

/**
 * Resolves when the server listens. Rejects with an error that names the setting to change when the address is not
 * available.
 */
const listenOn = (server: Server, address: Address): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, address)));
    server.listen(address.port, address.host, resolve);
  });

/**
 * Checks that an address is available: listens on it and closes the server again. Rejects as `listen` does. Destroys
 * connections that arrive meanwhile.
 */
export async function tryAddress(address: Address): Promise<void> {
  const server = new Server((socket) => socket.destroy());
  await listenOn(server, address);
  await new Promise((resolve) => server.close(resolve));
}

/** Creates Node's server with the limits of this service. */
function createNodeServer(options: ListenOptions): HttpServerOfNode {
  const { upgrade, headersTimeout = 10_000, requestTimeout = 30_000, stallTimeout = 180_000 } = options;
  const server = createServer({
    headersTimeout,
    maxHeaderSize: maxHeaderBytes,
    requestTimeout,
    // `headFault` checks the Host header, with an error in the format of the contract.
    requireHostHeader: false,
    // How often Node enforces the two time limits. With its default of 30 s, slow headers could take three times the
    // limit.
    connectionsCheckingInterval: 1_000,
    // Longer than the 60 s of common proxies, so that the proxy closes an idle connection and never sends a request to
    // a closed one.
    keepAliveTimeout: 65_000,
    // HTTP/1.0 has no Upgrade: it is ignored there (RFC 9110 §7.8).
    shouldUpgradeCallback: ({ headers, httpVersion }) =>
      upgrade !== undefined && httpVersion === '1.1' && headers.upgrade?.toLowerCase() === 'websocket',
  });
  // One more than the limit, so that `headFault` can detect an excess.
  server.maxHeadersCount = maxHeaderFields + 1;
  server.timeout = stallTimeout;
  server.maxRequestsPerSocket = 0;
  return server;
}

/** A server on a TCP port: the pipelines of its connections, and its stop. */
class ListeningServer {
  readonly #server: HttpServerOfNode;
  readonly #handle: RequestListener;
  readonly #upgrade: ListenOptions['upgrade'];
  readonly #pipelines = new Map<Socket, ConnectionPipeline>();
  #stopping = false;
  /**
   * Time of the last activity, as `performance.now()`: the arrival of a request or, while stopping, a request in
   * progress.
   */
  #lastActivityAt = 0;

  constructor(handle: RequestListener, options: ListenOptions) {
    this.#server = createNodeServer(options);
    this.#handle = handle;
    this.#upgrade = options.upgrade;
    this.#observe();
  }

  get port(): number {
    return this.#address().port;
  }

  get url(): string {
    const { port, address, family } = this.#address();
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Rejects when the address is not available. */
  open(address: Address): Promise<void> {
    return listenOn(this.#server, address);
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    for (const { last } of this.#pipelines.values())
      if (last?.headersSent === false) last.setHeader('Connection', 'close');
    const sweepTimer = setInterval(() => this.#sweep(), sweepMs);
    const deadlineTimer = setTimeout(() => this.#pipelines.forEach((_, socket) => socket.destroy()), deadlineMs);
    // `close` of the HTTP server would destroy idle connections immediately.
    await new Promise<void>((resolve) => Server.prototype.close.call(this.#server, () => resolve()));
    // No connection is left; this call only stops the timer that enforces the time limits.
    this.#server.close();
    clearInterval(sweepTimer);
    clearTimeout(deadlineTimer);
  }

  #address(): AddressInfo {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
    return address;
  }

  #observe(): void {
    const server = this.#server;
    server.on('connection', (socket: Socket) => {
      this.#pipelines.set(socket, { last: undefined, current: undefined, waiting: 0 });
      // It comes once; `once` would keep another 136 bytes for each connection.
      socket.on('close', () => this.#pipelines.delete(socket));
    });
    server.on('request', (request, response) => this.#receive(request, response));
    // The reader of the body sends `100 Continue`, so a request that is rejected by its headers does not get it.
    server.on('checkContinue', (request, response) => server.emit('request', request, response));
    // The server may ignore expectations other than 100-continue (RFC 9110 §10.1.1); Node would reject them without a
    // body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    server.on('clientError', (error, stream) => {
      const socket = asSocket(stream);
      handleClientError(error, socket, this.#pipelines.get(socket)?.current);
    });
    server.on('connect', (_request, stream) => this.#refuseTunnel(asSocket(stream)));
    if (this.#upgrade === undefined) return;
    const upgrade = this.#upgrade;
    server.on('upgrade', (request, stream, head) => {
      const fault = headFault(request);
      if (fault === undefined) upgrade(request, asSocket(stream), head);
      else respondAndClose(asSocket(stream), ...fault);
    });
  }

  /** Answers CONNECT, for which Node has no response object, behind the responses to the requests before it. */
  #refuseTunnel(socket: Socket): void {
    socket.on('error', () => {});
    const refuse = (): void =>
      respondAndClose(socket, 405, 'method CONNECT is not allowed here: this is no proxy', {
        Allow: 'GET, HEAD, POST',
      });
    const previous = this.#pipelines.get(socket)?.last;
    if (previous === undefined || previous.writableFinished) refuse();
    else previous.once('close', refuse);
  }

  /** Starts a request, or queues it until the response to the previous one on its connection. */
  #receive(request: IncomingMessage, response: ServerResponse): void {
    this.#lastActivityAt = performance.now();
    const { socket } = request;
    const pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) return void socket.destroy();
    // A response that closes the connection was sent. Later requests on it are read and dropped (RFC 9112 §9.6).
    if (socket.writableEnded) return;
    const previous = pipeline.last;
    pipeline.last = response;
    if (previous === undefined || previous.writableFinished) return this.#start(pipeline, request, response);
    // The request is pipelined, so it waits. If each request started immediately, a caller that reads no responses
    // could fill the memory at little cost.
    if (++pipeline.waiting > maxWaiting) return void socket.destroy();
    previous.once('close', () => {
      pipeline.waiting -= 1;
      if (socket.writable) this.#start(pipeline, request, response);
    });
  }

  #start(pipeline: ConnectionPipeline, request: IncomingMessage, response: ServerResponse): void {
    pipeline.current = response;
    const fault = headFault(request);
    if (fault !== undefined || (this.#stopping && pipeline.last === response))
      response.setHeader('Connection', 'close');
    closeOnUnreadBody(request, response);
    if (fault === undefined) return this.#handle(request, response);
    const { headers, body } = errorResponse(fault[1]);
    response.writeHead(fault[0], headers).end(body);
  }

  /** Closes the idle connections of a stopping server after a quiet period. */
  #sweep(): void {
    const now = performance.now();
    if (this.#pipelines.values().some(({ last }) => last?.writableFinished === false)) this.#lastActivityAt = now;
    if (now - this.#lastActivityAt < quietMs) return;
    this.#server.closeIdleConnections();
    // Node does not count a connection as idle before its first request. Browsers open such connections in advance.
    for (const socket of this.#pipelines.keys()) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** The socket of an HTTP server: Node types it as a stream, because a caller may emit events with another stream. */
const asSocket = (stream: Duplex): Socket => stream as Socket;

/** Starts an HTTP server on an address. Rejects when the address is not available. */
export async function listen(handle: RequestListener, options: ListenOptions): Promise<HttpServer> {
  const server = new ListeningServer(handle, options);
  await server.open(options);
  const { port, url } = server;
  return { port, url, stop: (deadlineMs) => server.stop(deadlineMs) };
}
