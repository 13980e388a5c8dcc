/** Watches one connection once a second: heartbeats, pongs, and whether the client reads. */
import type { EventLog } from '../ports/event-log.ts';
import type { Limits } from './limits.ts';
import type { Outlet } from './outlet.ts';

export interface MonitorParts {
  readonly socket: Outlet;
  readonly log: Pick<EventLog, 'head' | 'floor' | 'retention'>;
  readonly limits: Limits;
  /** The last event that all subscriptions of the connection have received. */
  readonly served: () => number;
  /** The cursor of a position in the log. */
  readonly cursor: (seq: number) => string;
}

export class ConnectionMonitor {
  readonly #parts: MonitorParts;
  readonly #openedAt = performance.now();
  #hasReceivedCommand = false;
  #lastPing = this.#openedAt;
  #unansweredPings = 0;
  /** When the socket last accepted bytes, and how many it had accepted by then. */
  #drained = { at: this.#openedAt, bytes: 0 };
  #progress: { readonly at: number; readonly cursor: number } | undefined;
  #isLagReported = false;

  constructor(parts: MonitorParts) {
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
    if (!this.#parts.socket.isClosing) this.#checkProgress(now);
  }

  #checkHeartbeat(now: number): void {
    const { socket, limits, served, cursor } = this.#parts;
    if (!this.#hasReceivedCommand && now - this.#openedAt > limits.firstCommandMs) return socket.close('idle');
    if (now - this.#lastPing >= limits.heartbeatMs) {
      if (this.#unansweredPings >= 2) return socket.close('pong');
      this.#lastPing = now;
      if (socket.ping()) this.#unansweredPings++;
    }
    if (now - socket.lastSent >= limits.heartbeatMs && socket.buffered === 0)
      socket.send({ type: 'heartbeat', cursor: cursor(served()), timestamp: new Date().toISOString() });
  }

  /** Warns a client that lags, and closes a connection that makes no progress. */
  #checkProgress(now: number): void {
    const { socket, log, limits, served, cursor } = this.#parts;
    const bytes = socket.acceptedBytes;
    if (bytes > this.#drained.bytes || socket.buffered === 0) this.#drained = { at: now, bytes };
    const stalledFor = now - this.#drained.at;
    const behind = log.head - served();
    const isFarBehind = behind > Math.min(limits.farBehind, log.retention.events) / 2;
    if ((stalledFor > limits.stalledMs / 2 || (isFarBehind && socket.isFull)) && !this.#isLagReported) {
      this.#isLagReported = true;
      socket.send({ type: 'lagging', behind, oldest_cursor: cursor(log.floor) });
    }
    if (stalledFor > limits.stalledMs) return socket.close('slow');
    if (behind <= limits.farBehind) this.#progress = undefined;
    else this.#checkRate(now);
  }

  /** Closes a connection that is far behind and reads too slowly. */
  #checkRate(now: number): void {
    const { socket, limits, served } = this.#parts;
    const since = (this.#progress ??= { at: now, cursor: served() });
    if (now - since.at < limits.progressMs) return;
    const perSecond = ((served() - since.cursor) / (now - since.at)) * 1000;
    if (perSecond < limits.minPerSecond) socket.close('slow');
    this.#progress = undefined;
  }
}
