/** The gateway of the event stream: connections at `/ws`, those with server-sent events, and shutdown. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from '../observability/metrics-library.ts';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Assistant } from '../assistant/assistant.ts';
import { dropOrigin } from '../http/pipeline/request-target.ts';
import type { CorsOrigins } from '../config/cors-origins.ts';
import { createExtractor } from '../http/pipeline/credentials.ts';
import { placeOf } from '../http/security.ts';
import { streamSchemes } from '../../generated/scopes.ts';
import { respondAndClose } from '../http/server/socket-response.ts';
import type { Authenticate } from '../keys/authenticator.ts';
import { loggedFindings } from '../observability/logged-error.ts';
import { epochAt, type EventLog, type LogEntry } from '../ports/event-log.ts';
import type { AuthenticatedKey, Keys } from '../ports/keys.ts';
import type { StreamSource } from '../ports/platform.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import { Admission } from './admission.ts';
import { Asks } from './asks.ts';
import { EventOutlet } from './event-outlet.ts';
import { MessageSocket } from './message-socket.ts';
import { streamError } from './stream-error.ts';
import type { EventStreamRequest, EventStreams } from '../ports/event-streams.ts';
import type { ServerSentEvents } from '../contract/server-sent-event.ts';
import { Connection, type ConnectionParts } from './connection.ts';
import { Deletions } from './deletions.ts';
import { EventReader } from './event-reader.ts';
import { createWriteBatcher, type WriteBatcher } from './frame.ts';
import { Hub } from './hub.ts';
import { closeCodes, defaultLimits, publicLimits, type CloseReason, type Limits } from './limits.ts';
import { measureStream, type StreamMetrics } from './stream-metrics.ts';
import type { Outlet } from './outlet.ts';
import { path } from './path.ts';
import { cursorAt } from './event-cursor.ts';

export interface GatewayParts {
  readonly log: EventLog;
  readonly platform: StreamSource;
  readonly assistant: Assistant;
  readonly keys: Pick<Keys, 'has' | 'find' | 'onChange' | 'recordUse'>;
  /** Authenticates the presented API keys. */
  readonly authenticate: Authenticate;
  /** The rate limit of keys, which a question consumes as its GET does. */
  readonly rateLimiter: RateLimiter;
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly corsOrigins: CorsOrigins;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly registry: Registry;
  readonly limits?: Partial<Limits>;
  /** The open connections of a key in the other processes that share the storage. */
  readonly connectionsElsewhere?: (keyId: string) => number;
  /** Called once for each new connection: whether the server is overloaded. */
  readonly isOverloaded?: () => boolean;
  /** Where the deletions of the log are published; others can hold data of tweets, too. */
  readonly deletions?: Deletions;
  /** How long a subscription waits for the position of its cursor, in milliseconds: another process may be ahead. By default 0. */
  readonly cursorWaitMs?: number;
}

/** The protocol version, and the WebSocket subprotocol name for clients that request one. */
const protocol = 1;
const subprotocol = 'social-data.v1.json';
const tickMs = 1_000;
/** A server that stops spreads the reconnects of its clients over this time, in milliseconds. */
const maxReconnectDelayMs = 5_000;
const closeTimeoutMs = 1_000;

/** Asks a client to connect again, each after another time, and ends its connection. */
function endForRestart(connection: Pick<Outlet, 'send' | 'close'>): void {
  connection.send({
    type: 'going_away',
    reconnect_after_ms: Math.floor(Math.random() * maxReconnectDelayMs),
    reason: 'the server restarts',
  });
  connection.close('restart');
}

/** Whether the CORS setting permits the origin of a browser page. Requests without an origin are permitted. */
function isOriginAllowed({ headers: { origin, host } }: IncomingMessage, allowed: CorsOrigins): boolean {
  if (origin === undefined || allowed === '*') return true;
  if (allowed !== 'off' && allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Answers a handshake that ws refuses. By default, ws responds with HTML. */
function refuseHandshake(error: Error, socket: Duplex, { method, headers }: IncomingMessage): void {
  if (!(socket instanceof Socket)) return void socket.destroy();
  const version = headers['sec-websocket-version'];
  if (method !== 'GET')
    respondAndClose(socket, 405, `method ${method} cannot open a WebSocket: use GET`, { Allow: 'GET' });
  // RFC 6455 §4.4.
  else if (version !== '13' && version !== '8') {
    const fields = { Connection: 'close, Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    respondAndClose(socket, 426, 'this WebSocket version is not supported: use 13', fields);
  } else respondAndClose(socket, 400, `this is not a WebSocket handshake: ${error.message}`);
}

/** Takes the API keys from a request, by the security schemes of the protocol. */
const extractCredentials = createExtractor(streamSchemes.flatMap((scheme) => placeOf(scheme) ?? []));

export class Gateway implements EventStreams {
  readonly #parts: GatewayParts;
  readonly #limits: Limits;
  readonly #connections = new Set<Connection>();
  readonly #admission: Admission;
  readonly #hub: ConnectionParts['hub'];
  readonly #metrics: StreamMetrics;
  readonly #connectionParts: ConnectionParts;
  /** What reads the events; webhooks share it. */
  readonly stream: Pick<ConnectionParts, 'hub' | 'events' | 'log'>;
  readonly #sockets: WebSocketServer;
  /** Shared by all WebSockets. */
  readonly #batchWrites: WriteBatcher = createWriteBatcher();
  readonly #timer: NodeJS.Timeout;
  /** Aborts when the gateway stops. */
  readonly #stopping = new AbortController();
  readonly #unsubscribe: readonly (() => void)[];

  /** Starts a one-second timer, which `stop` clears. */
  constructor(parts: GatewayParts) {
    const {
      log,
      platform,
      assistant,
      authenticate,
      rateLimiter,
      connectionsElsewhere = () => 0,
      isOverloaded = () => false,
      cursorWaitMs = 0,
      deletions = new Deletions(),
    } = parts;
    this.#parts = parts;
    const limits = (this.#limits = { ...defaultLimits, ...parts.limits });
    this.#admission = new Admission({ authenticate, limits, connectionsElsewhere, isOverloaded });
    const reportFault = (what: string, detail: unknown): void => this.#reportFault(what, detail);
    const reportInvalid = (entry: LogEntry, why: unknown): void => this.#reportInvalid(entry, why);
    const context = {
      get epoch() {
        return log.epoch;
      },
      epochAt: (seq: number) => epochAt(log, seq),
      poolStatus: () => assistant.status(),
      reportInvalid,
    };
    const asks = new Asks(assistant, limits.asks, reportFault, deletions);
    const events = new EventReader(log, platform, context, this.#stopping, deletions);
    const hub = (this.#hub = new Hub({ log, events, platform, deletions, reportInvalid, reportFault }));
    this.#metrics = measureStream(parts.registry, { connections: this.#connections, log, hub });
    this.#connectionParts = {
      hub,
      log,
      events,
      platform,
      deletions,
      limits,
      rateLimiter,
      asks,
      cursorWaitMs,
      reportFault,
      countMessage: this.#metrics.message,
      recordUse: (key) => parts.keys.recordUse(key, key.lastUse.from),
      onClosed: (connection, code) => this.#closed(connection, code),
    };
    this.stream = this.#connectionParts;
    this.#sockets = this.#createSockets();
    this.#unsubscribe = [log.onHead(() => hub.publishPending()), parts.keys.onChange(() => this.#closeInvalidKeys())];
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  /** Handles an HTTP upgrade request. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    // Until ws takes over the socket, nothing else handles its errors.
    const ignoreError = (): void => {};
    socket.on('error', ignoreError);
    const presented = extractCredentials(request).map(({ value }) => value);
    const address = this.#parts.addressOf(request);
    dropOrigin(request);
    const target = request.url ?? '';
    const [requestedPath] = target.split('?', 1);
    if (requestedPath !== path)
      return respondAndClose(socket, 404, `path '${requestedPath}' does not accept WebSockets: connect to ${path}`);
    if (!isOriginAllowed(request, this.#parts.corsOrigins))
      return respondAndClose(socket, 403, 'this origin is not allowed');
    this.#sockets.handleUpgrade(request, socket, head, (ws) => {
      socket.off('error', ignoreError);
      const admitted = this.#admission.admit(presented, address, target);
      if ('rejected' in admitted) this.#closeRejected(ws, admitted.rejected);
      else this.#accept(ws, socket, admitted);
    });
  }

  /** Starts a subscription whose events are the body of a response. The request is authenticated and has the scope. */
  async open({ keyId, credentialEnds, channel, params, cursor, onGap }: EventStreamRequest): Promise<ServerSentEvents> {
    const key = this.#keyOf(keyId, credentialEnds);
    const rejected = this.#admission.admitKey(key);
    if (rejected !== undefined && rejected !== 'restart') throw streamError(rejected);
    const outlet = new EventOutlet({ ...this.#connectionParts, bufferedBytes: this.#limits.bufferedBytes });
    if (rejected === 'restart') {
      // An EventSource connects again after the end of a stream, and not after an error of HTTP.
      endForRestart(outlet);
      return outlet;
    }
    const connection = this.#connect(outlet, key);
    outlet.listen({ onDrain: () => connection.drained(), onEnd: (code) => connection.finish(code) });
    try {
      await connection.follow({
        ...{ type: 'subscribe', id: 'events', channel, params },
        ...(cursor === undefined ? {} : { cursor }),
        ...(onGap === undefined ? {} : { on_gap: onGap }),
      });
      return outlet;
    } catch (error) {
      await outlet.return();
      throw streamError(error);
    }
  }

  /** The key of a request, or its token where that ends earlier. Throws ServiceError 503 if it has been revoked meanwhile. */
  #keyOf(keyId: string, credentialEnds: number): AuthenticatedKey {
    const key = this.#parts.keys.find(keyId);
    if (key === undefined) throw streamError('restart');
    return credentialEnds < key.expiresAt ? { ...key, issuer: key, expiresAt: credentialEnds } : key;
  }

  /** The open connections by key id. */
  get openByKey(): ReadonlyMap<string, number> {
    return this.#admission.open;
  }

  /**
   * Asks all clients to reconnect, and closes their connections, of both kinds. Resolves when they are closed, after about one
   * second at most.
   */
  async stop(): Promise<void> {
    this.#admission.stop();
    clearInterval(this.#timer);
    for (const connection of this.#connections) endForRestart(connection);
    const deadline = performance.now() + closeTimeoutMs + 100;
    while (this.#connections.size > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#stopping.abort();
  }

  #createSockets(): WebSocketServer {
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: this.#limits.messageBytes,
      clientTracking: false,
      handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
    });
    return sockets.on('wsClientError', refuseHandshake);
  }

  #reportFault(what: string, detail: unknown): void {
    this.#parts.logger.error(detail instanceof Error ? { err: detail } : { detail }, what);
  }

  #reportInvalid(entry: LogEntry, why: unknown): void {
    const { seq, event } = entry;
    if (why instanceof Error) this.#parts.logger.error({ err: why, seq, event }, 'an event could not be built');
    else this.#reportFault('an event violates the contract', { seq, event, findings: loggedFindings(why) });
  }

  #tick(): void {
    const now = performance.now();
    this.#closeInvalidKeys();
    for (const connection of [...this.#connections]) connection.tick(now);
  }

  /** Closes the connections whose key is revoked or has expired, or whose token has ended. */
  #closeInvalidKeys(): void {
    for (const connection of [...this.#connections])
      if (!this.#parts.keys.has(connection.keyId)) connection.close('revoked');
      else if (connection.hasTokenEnded) connection.close('token');
  }

  /**
   * Closes an opened WebSocket with a close code, because a browser script cannot see the HTTP status of a failed
   * handshake.
   */
  #closeRejected(ws: WebSocket, reason: CloseReason): void {
    const [code, text] = closeCodes[reason];
    ws.on('error', () => {});
    ws.close(code, text);
    setTimeout(() => ws.terminate(), closeTimeoutMs).unref();
    this.#metrics.closed(code);
  }

  #accept(ws: WebSocket, socket: Socket, key: AuthenticatedKey): void {
    const { log } = this.#parts;
    const { bufferedBytes } = this.#limits;
    const { reportFault, countMessage } = this.#connectionParts;
    const batchWrites = this.#batchWrites;
    const outlet = new MessageSocket({ ws, socket, bufferedBytes, batchWrites, reportFault, countMessage });
    const connection = this.#connect(outlet, key);
    connection.listen(ws, socket);
    connection.send({
      type: 'connected',
      protocol,
      connection_id: connection.connectionId,
      timestamp: new Date().toISOString(),
      cursor: cursorAt(log, this.#hub.position),
      heartbeat_interval_ms: this.#limits.heartbeatMs,
      replay_window_s: Math.floor(log.retention.ageMs / 1000),
      limits: publicLimits(this.#limits),
    });
  }

  /** Counts a connection, and serves it until it closes. */
  #connect(outlet: Outlet, key: AuthenticatedKey): Connection {
    const id = `c_${randomBytes(9).toString('base64url')}`;
    this.#admission.opened(key.id);
    const connection = new Connection(outlet, key, id, this.#connectionParts);
    this.#connections.add(connection);
    return connection;
  }

  #closed(connection: Connection, code: number): void {
    this.#connections.delete(connection);
    this.#admission.closed(connection.keyId);
    this.#metrics.closed(code);
  }
}
