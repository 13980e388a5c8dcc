/** The WebSocket gateway at `/ws`: handshake, authentication, connection limits, and shutdown. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { WebSocketServer, type WebSocket } from 'ws';
import { streamScopes } from '../../generated/scopes.ts';
import type { Archive } from '../platforms/archive/archive.ts';
import type { Assistant } from '../assistant/assistant.ts';
import { dropOrigin } from '../http/pipeline/request-target.ts';
import type { CorsOrigins } from '../config/cors-origins.ts';
import { extractKeys } from '../http/pipeline/credentials.ts';
import { respondAndClose } from '../http/server/socket-response.ts';
import { createTokenBucket, type Bucket } from '../keys/token-bucket.ts';
import type { Authenticate, AuthenticationFailure } from '../keys/authenticator.ts';
import type { AuthenticatedKey, Keys } from '../ports/keys.ts';
import { createAsks } from './asks.ts';
import { connect, type Connection } from './connection.ts';
import type { EventLog } from './event-log.ts';
import { createWriteBatcher } from './frame.ts';
import { createHub } from './hub.ts';
import { closeCodes, defaultLimits, publicLimits, type CloseReason, type Limits } from './limits.ts';
import { measureStream } from './stream-metrics.ts';
import { hasParameters, path } from './path.ts';
import { formatCursor } from './event-cursor.ts';

export interface GatewayParts {
  readonly log: EventLog;
  readonly archive: Archive;
  readonly assistant: Assistant;
  readonly keys: Pick<Keys, 'has' | 'onChange' | 'recordUse'>;
  /** Authenticates the presented API keys. */
  readonly authenticate: Authenticate;
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly corsOrigins: CorsOrigins;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly registry: Registry;
  readonly limits?: Partial<Limits>;
  /** Called once for each new connection: whether the server is overloaded. */
  readonly isOverloaded?: () => boolean;
}

export interface Gateway {
  /** Handles an HTTP upgrade request. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /**
   * Asks all clients to reconnect, and closes their connections. Resolves when they are closed, after about one
   * second at most.
   */
  stop(): Promise<void>;
}

/** The protocol version, and the WebSocket subprotocol name for clients that request one. */
const protocol = 1;
const subprotocol = 'social-data.v1.json';
const tickMs = 1_000;
/** A server that stops spreads the reconnects of its clients over this time, in milliseconds. */
const maxReconnectDelayMs = 5_000;
const closeTimeoutMs = 1_000;

/** Why a connection is closed when its authentication failed. */
const authenticationRejections = {
  invalid: 'key',
  failures: 'rate',
  unavailable: 'overload',
} as const satisfies Record<AuthenticationFailure['reason'], CloseReason>;

/** Whether the CORS setting permits the origin of a browser page. Requests without an origin are permitted. */
function isOriginAllowed({ headers: { origin, host } }: IncomingMessage, allowed: CorsOrigins): boolean {
  if (origin === undefined || allowed === '*') return true;
  if (allowed !== 'off' && allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Creates the gateway and starts its one-second timer, which `stop` clears. */
export function createGateway({
  log,
  archive,
  assistant,
  keys,
  authenticate,
  addressOf,
  corsOrigins,
  logger,
  registry,
  limits: limitOverrides,
  isOverloaded = () => false,
}: GatewayParts): Gateway {
  const limits: Limits = { ...defaultLimits, ...limitOverrides };
  const connections = new Set<Connection>();
  const connectionsPerKey = new Map<string, number>();
  const connectBuckets = new WeakMap<AuthenticatedKey, Bucket>();
  const reportFault = (what: string, detail: unknown): void =>
    logger.error(detail instanceof Error ? { err: detail } : { detail }, what);
  const hub = createHub(log, {
    archive,
    epoch: log.epoch,
    poolStatus: () => assistant.status(),
    reportInvalid(entry, why) {
      if (why instanceof Error) logger.error({ err: why, entry }, 'an event that cannot be made');
      else reportFault('an event that the contract does not allow', { entry, findings: why });
    },
  });
  const asks = createAsks(assistant, limits.asks, reportFault);
  const metrics = measureStream(registry, { connections, log, hub });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    clientTracking: false,
    handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
  });
  // By default, ws responds with HTML.
  sockets.on('wsClientError', (error, socket, { method, headers }) => {
    const version = headers['sec-websocket-version'];
    if (method !== 'GET')
      respondAndClose(socket as Socket, 405, `method ${method} cannot open a WebSocket: use GET`, { Allow: 'GET' });
    // RFC 6455 §4.4.
    else if (version !== '13' && version !== '8') {
      const fields = { Connection: 'close, Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
      respondAndClose(socket as Socket, 426, 'this version of WebSocket is not spoken: use 13', fields);
    } else respondAndClose(socket as Socket, 400, `this is not a WebSocket handshake: ${error.message}`);
  });
  const batchWrites = createWriteBatcher();
  let isStopping = false;

  log.onChange(() => hub.publishPending());
  /** Closes the connections whose key is revoked or has expired. */
  function closeInvalidKeys(): void {
    for (const connection of [...connections]) if (!keys.has(connection.keyId)) connection.close('revoked');
  }
  const stopListening = keys.onChange(closeInvalidKeys);
  const timer = setInterval(() => {
    const now = performance.now();
    closeInvalidKeys();
    for (const connection of [...connections]) connection.tick(now);
  }, tickMs);
  timer.unref();

  function consumeConnect(key: AuthenticatedKey): boolean {
    let bucket = connectBuckets.get(key);
    if (bucket === undefined) {
      bucket = createTokenBucket({ requests: limits.connectsPerMinute * limits.connections, periodMs: 60_000 });
      connectBuckets.set(key, bucket);
    }
    return bucket.consume().allowed;
  }

  /** Authenticates an upgrade and checks the connection limits. `target` does not contain the key. */
  function admit(
    presented: readonly string[],
    address: string,
    target: string,
  ): AuthenticatedKey | { rejected: CloseReason } {
    // First, because it avoids all other work.
    if (isOverloaded()) return { rejected: 'overload' };
    const key = authenticate(presented, address);
    if ('reason' in key) return { rejected: authenticationRejections[key.reason] };
    if (!key.scopes.has(streamScopes.connect)) return { rejected: 'scope' };
    if (hasParameters(target)) return { rejected: 'parameter' };
    if (isStopping) return { rejected: 'restart' };
    if (!consumeConnect(key)) return { rejected: 'rate' };
    return (connectionsPerKey.get(key.id) ?? 0) < limits.connections ? key : { rejected: 'connections' };
  }

  /**
   * Closes an opened WebSocket with a close code, because a browser script cannot see the HTTP status of a failed
   * handshake.
   */
  function closeRejected(ws: WebSocket, reason: CloseReason): void {
    const [code, text] = closeCodes[reason];
    ws.on('error', () => {});
    ws.close(code, text);
    setTimeout(() => ws.terminate(), closeTimeoutMs).unref();
    metrics.closed(code);
  }

  function accept(ws: WebSocket, socket: Socket, key: AuthenticatedKey): void {
    const keyId = key.id;
    const id = `c_${randomBytes(9).toString('base64url')}`;
    connectionsPerKey.set(keyId, (connectionsPerKey.get(keyId) ?? 0) + 1);
    const connection = connect(ws, socket, key, id, {
      hub,
      log,
      archive,
      asks,
      limits,
      batchWrites,
      reportFault,
      countMessage: metrics.message,
      recordUse: () => keys.recordUse(key, key.lastUse.from),
      onClosed(code) {
        connections.delete(connection);
        const remaining = connectionsPerKey.get(keyId)! - 1;
        if (remaining === 0) connectionsPerKey.delete(keyId);
        else connectionsPerKey.set(keyId, remaining);
        metrics.closed(code);
      },
    });
    connections.add(connection);
    connection.send({
      type: 'connected',
      protocol,
      connection_id: id,
      timestamp: new Date().toISOString(),
      cursor: formatCursor(log.epoch, hub.position),
      heartbeat_interval_ms: limits.heartbeatMs,
      replay_window_s: Math.floor(log.retention.ageMs / 1000),
      limits: publicLimits(limits),
    });
  }

  function upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    // Until ws takes over the socket, nothing else handles its errors.
    const ignoreError = (): void => {};
    socket.on('error', ignoreError);
    const presented = extractKeys(request);
    const address = addressOf(request);
    dropOrigin(request);
    const target = request.url ?? '';
    const requestedPath = target.split('?', 1)[0]!;
    if (requestedPath !== path)
      return respondAndClose(socket, 404, `path '${requestedPath}' takes no WebSocket: connect to ${path}`);
    if (!isOriginAllowed(request, corsOrigins)) return respondAndClose(socket, 403, 'this origin may not connect');
    sockets.handleUpgrade(request, socket, head, (ws) => {
      socket.off('error', ignoreError);
      const admitted = admit(presented, address, target);
      if ('rejected' in admitted) closeRejected(ws, admitted.rejected);
      else accept(ws, socket, admitted);
    });
  }

  return {
    upgrade,

    async stop() {
      isStopping = true;
      clearInterval(timer);
      stopListening();
      for (const connection of connections) {
        connection.send({
          type: 'going_away',
          reconnect_after_ms: Math.floor(Math.random() * maxReconnectDelayMs),
          reason: 'the server restarts',
        });
        connection.close('restart');
      }
      const deadline = performance.now() + closeTimeoutMs + 100;
      while (connections.size > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}
