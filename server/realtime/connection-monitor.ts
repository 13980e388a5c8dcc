/** Watches one connection once a second: heartbeats, pongs, and whether the client reads. */
import type { EventLog } from '../ports/event-log.ts';
import type { Limits } from './limits.ts';
import type { Outlet } from './outlet.ts';

/** What a monitor reads of its connection. */
export interface WatchedConnection {
  /** The last event that all its subscriptions have received. */
  readonly served: number;
  /** The cursor of a position in the log. */
  cursor(seq: number): string;
}

/** What all monitors share. */
interface MonitorParts {
  readonly log: Pick<EventLog, 'head' | 'floor' | 'retention'>;
  readonly limits: Limits;
}

export class ConnectionMonitor {
  readonly #socket: Outlet;
  readonly #connection: WatchedConnection;
  readonly #parts: MonitorParts;
  readonly #openedAt = performance.now();
  #hasReceivedCommand = false;
  #lastPing = this.#openedAt;
  #unansweredPings = 0;
  /** When the socket last accepted bytes, and how many it had accepted by then. */
  #drainedAt = this.#openedAt;
  #drainedBytes = 0;
  #progress: { readonly at: number; readonly cursor: number } | undefined;
  #isLagReported = false;

  constructor(socket: Outlet, connection: WatchedConnection, parts: MonitorParts) {
    this.#socket = socket;
    this.#connection = connection;
    this.#parts = parts;
  }

  onCommand(): void {
    this.#hasReceivedCommand = true;
  }

  onPong(): void {
    this.#unansweredPings = 0;
  }

  /** Notes that all subscriptions are at the head. */
  onCaughtUp(): void {
    this.#isLagReported = false;
    this.#progress = undefined;
  }

  /** Sends due heartbeats, and closes a connection that breaks a time limit. `now` is `performance.now()`. */
  tick(now: number): void {
    this.#checkHeartbeat(now);
    if (!this.#socket.isClosing) this.#checkProgress(now);
  }

  #checkHeartbeat(now: number): void {
    const socket = this.#socket;
    const { limits } = this.#parts;
    if (!this.#hasReceivedCommand && now - this.#openedAt > limits.firstCommandMs) return socket.close('idle');
    if (now - this.#lastPing >= limits.heartbeatMs) {
      if (this.#unansweredPings >= 2) return socket.close('pong');
      this.#lastPing = now;
      if (socket.ping()) this.#unansweredPings++;
    }
    if (now - socket.lastSent >= limits.heartbeatMs && socket.buffered === 0)
      socket.send({
        type: 'heartbeat',
        cursor: this.#connection.cursor(this.#connection.served),
        timestamp: new Date().toISOString(),
      });
  }

  /** Warns a client that lags, and closes a connection that makes no progress. */
  #checkProgress(now: number): void {
    const socket = this.#socket;
    const { log, limits } = this.#parts;
    const bytes = socket.acceptedBytes;
    if (bytes > this.#drainedBytes || socket.buffered === 0) [this.#drainedAt, this.#drainedBytes] = [now, bytes];
    const stalledFor = now - this.#drainedAt;
    const behind = log.head - this.#connection.served;
    const isFarBehind = behind > Math.min(limits.farBehind, log.retention.events) / 2;
    if ((stalledFor > limits.stalledMs / 2 || (isFarBehind && socket.isFull)) && !this.#isLagReported) {
      this.#isLagReported = true;
      socket.send({ type: 'lagging', behind, oldest_cursor: this.#connection.cursor(log.floor) });
    }
    if (stalledFor > limits.stalledMs) return socket.close('slow');
    if (behind <= limits.farBehind) this.#progress = undefined;
    else this.#checkRate(now);
  }

  /** Closes a connection that is far behind and reads too slowly. */
  #checkRate(now: number): void {
    const { limits } = this.#parts;
    const { served } = this.#connection;
    const since = (this.#progress ??= { at: now, cursor: served });
    if (now - since.at < limits.progressMs) return;
    const perSecond = ((served - since.cursor) / (now - since.at)) * 1000;
    if (perSecond < limits.minPerSecond) this.#socket.close('slow');
    this.#progress = undefined;
  }
}
