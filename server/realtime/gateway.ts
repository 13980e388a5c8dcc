/** The door of `/ws`: who may enter, how many, and how they leave. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { WebSocketServer, type WebSocket } from 'ws';
import { streamScopes } from '../../generated/scopes.ts';
import type { Archive } from '../platforms/archive/archive.ts';
import type { Assistant } from '../assistant/assistant.ts';
import { dropOrigin } from '../http/express/canonical-request.ts';
import type { CorsOrigins } from '../http/express/cors.ts';
import { extractKeys } from '../http/pipeline/credentials.ts';
import { respondAndClose } from '../http/server/socket-response.ts';
import { createTokenBucket, type Bucket } from '../keys/token-bucket.ts';
import type { Authenticate } from '../keys/authenticator.ts';
import type { Keys, AuthenticatedKey } from '../keys/keys.ts';
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
  readonly keys: Pick<Keys, 'has' | 'onRevoked'>;
  /** Judges the keys. */
  readonly authenticate: Authenticate;
  /** Tells where a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly corsOrigins: CorsOrigins;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly registry: Registry;
  readonly limits?: Partial<Limits>;
  /** Asked once for each listener who comes: whether there is no room for another. */
  readonly isOverloaded?: () => boolean;
}

export interface Gateway {
  /** Takes a request to go over to WebSocket. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Tells all listeners to connect again soon, and closes them. Resolves when they are gone, at the latest after a second. */
  stop(): Promise<void>;
}

/** The version of the protocol, and its name where a client asks for one. */
const protocol = 1;
const subprotocol = 'social-data.v1.json';
const tickMs = 1_000;
/** Listeners of a server that goes away come back spread over so long. */
const spreadMs = 5_000;
const stopMs = 1_000;

/** Pages of other origins may listen where they may call the API. */
function isAllowed({ headers: { origin, host } }: IncomingMessage, allowed: CorsOrigins): boolean {
  if (origin === undefined || allowed === '*') return true;
  if (allowed !== 'off' && allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

export function createGateway({
  log,
  archive,
  assistant,
  keys,
  authenticate: judge,
  addressOf,
  corsOrigins,
  logger,
  registry,
  limits: given,
  isOverloaded = () => false,
}: GatewayParts): Gateway {
  const limits: Limits = { ...defaultLimits, ...given };
  const connections = new Set<Connection>();
  const byKey = new Map<string, number>();
  const connects = new WeakMap<AuthenticatedKey, Bucket>();
  const broken = (what: string, detail: unknown): void =>
    logger.error(detail instanceof Error ? { err: detail } : { detail }, what);
  const hub = createHub(log, {
    archive,
    epoch: log.epoch,
    poolStatus: () => assistant.status(),
    refuse(entry, why) {
      if (why instanceof Error) logger.error({ err: why, entry }, 'an event that cannot be made');
      else broken('an event that the contract does not allow', { entry, findings: why });
    },
  });
  const asks = createAsks(assistant, limits.asks, broken);
  const measured = measureStream(registry, { connections, log, hub });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    clientTracking: false,
    handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
  });
  // Left alone, ws would refuse in HTML.
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
  const holdBack = createWriteBatcher();
  let stopping = false;

  log.onChange(() => hub.publishPending());
  /** Sends away whose key is no longer valid. */
  function sweep(): void {
    for (const connection of [...connections]) if (!keys.has(connection.keyId)) connection.close('revoked');
  }
  keys.onRevoked(sweep);
  const timer = setInterval(() => {
    const now = performance.now();
    sweep();
    for (const connection of [...connections]) connection.tick(now);
  }, tickMs);
  timer.unref();

  function drawConnect(key: AuthenticatedKey): boolean {
    let bucket = connects.get(key);
    if (bucket === undefined) {
      bucket = createTokenBucket({ requests: limits.connectsPerMinute * limits.connections, periodMs: 60_000 });
      connects.set(key, bucket);
    }
    return bucket.consume().allowed;
  }

  /** The key that an upgrade presents, or why it may not enter. `target` is without the key. */
  function admit(
    presented: readonly string[],
    address: string,
    target: string,
  ): AuthenticatedKey | { refused: CloseReason } {
    // First, because it spares the rest.
    if (isOverloaded()) return { refused: 'overload' };
    const key = judge(presented, address);
    if ('refused' in key) return { refused: key.refused === 'invalid' ? 'key' : 'rate' };
    if (!key.scopes.has(streamScopes.connect)) return { refused: 'scope' };
    if (hasParameters(target)) return { refused: 'parameter' };
    if (stopping) return { refused: 'restart' };
    if (!drawConnect(key)) return { refused: 'rate' };
    return (byKey.get(key.id) ?? 0) < limits.connections ? key : { refused: 'connections' };
  }

  /** An HTTP status would never be seen by a browser's script: so the socket opens, and is closed with a code. */
  function turnAway(ws: WebSocket, reason: CloseReason): void {
    const [code, text] = closeCodes[reason];
    ws.on('error', () => {});
    ws.close(code, text);
    setTimeout(() => ws.terminate(), stopMs).unref();
    measured.closed(code);
  }

  function enter(ws: WebSocket, socket: Socket, key: AuthenticatedKey): void {
    const keyId = key.id;
    const id = `c_${randomBytes(9).toString('base64url')}`;
    byKey.set(keyId, (byKey.get(keyId) ?? 0) + 1);
    const connection = connect(ws, socket, key, id, {
      hub,
      log,
      archive,
      asks,
      limits,
      holdBack,
      broken,
      count: measured.message,
      closed(code) {
        connections.delete(connection);
        const left = byKey.get(keyId)! - 1;
        if (left === 0) byKey.delete(keyId);
        else byKey.set(keyId, left);
        measured.closed(code);
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
    // Until ws takes over, nobody else listens.
    const ignore = (): void => {};
    socket.on('error', ignore);
    const presented = extractKeys(request);
    const address = addressOf(request);
    dropOrigin(request);
    const target = request.url ?? '';
    const asked = target.split('?', 1)[0]!;
    if (asked !== path) return respondAndClose(socket, 404, `path '${asked}' takes no WebSocket: connect to ${path}`);
    if (!isAllowed(request, corsOrigins)) return respondAndClose(socket, 403, 'this origin may not connect');
    sockets.handleUpgrade(request, socket, head, (ws) => {
      socket.off('error', ignore);
      const admitted = admit(presented, address, target);
      if ('refused' in admitted) turnAway(ws, admitted.refused);
      else enter(ws, socket, admitted);
    });
  }

  return {
    upgrade,

    async stop() {
      stopping = true;
      clearInterval(timer);
      for (const connection of connections) {
        connection.send({
          type: 'going_away',
          reconnect_after_ms: Math.floor(Math.random() * spreadMs),
          reason: 'the server restarts',
        });
        connection.close('restart');
      }
      const deadline = performance.now() + stopMs + 100;
      while (connections.size > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}
