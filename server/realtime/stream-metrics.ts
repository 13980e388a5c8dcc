/** Prometheus metrics of the event stream. */
import { Counter, type Registry } from '../observability/metrics-library.ts';
import { gaugesIn } from '../observability/gauge.ts';
import type { Connection } from './connection.ts';
import type { EventLog } from '../ports/event-log.ts';
import { closeCodes } from './limits.ts';

/**
 * The close codes of this server. A client can close with any code; codes outside these and RFC 6455 §7.4.1 count as
 * `other`.
 */
const namedCodes = new Set<number>(Object.values(closeCodes).map(([code]) => code));
const codeLabel = (code: number): string =>
  namedCodes.has(code) || (code >= 1000 && code <= 1015) ? String(code) : 'other';

export interface StreamMetrics {
  message(direction: 'in' | 'out', type: string): void;
  closed(code: number): void;
}

/** The data of the metrics. */
export interface StreamState {
  readonly connections: ReadonlySet<Connection>;
  readonly log: Pick<EventLog, 'head' | 'floor'>;
  readonly hub: { readonly position: number };
}

/** Registers the metrics of the event stream. Returns the functions that count messages and closed connections. */
export function measureStream(registry: Registry, { connections, log, hub }: StreamState): StreamMetrics {
  const registers = [registry];
  const gauge = gaugesIn(registry);
  gauge(
    'ws_connections',
    'Open connections of the event stream: WebSockets, and responses with server-sent events.',
    () => connections.size,
  );
  gauge('ws_subscriptions', 'Subscriptions of all connections.', () =>
    connections.values().reduce((sum, { subscriptions }) => sum + subscriptions.size, 0),
  );
  gauge(
    'ws_buffered_bytes',
    'Bytes that wait for the callers: in the send buffers of all WebSockets, and for server-sent events.',
    () => connections.values().reduce((sum, { buffered }) => sum + buffered, 0),
  );
  gauge('ws_behind_events', 'Events that the slowest connection is behind.', () =>
    connections.values().reduce((max, { behind }) => Math.max(max, behind), 0),
  );
  gauge('event_log_head', 'The number of the last event.', () => log.head);
  gauge('event_log_events', 'Events in the log.', () => log.head - log.floor);
  gauge('event_log_pending', 'Events that are not published yet.', () => log.head - hub.position);
  // Messages are far more frequent than scrapes, so a message only increments a number in a map.
  const pendingCounts = { in: new Map<string, number>(), out: new Map<string, number>() };
  new Counter({
    name: 'ws_messages_total',
    help: 'Messages received (in) and sent (out).',
    labelNames: ['direction', 'type'],
    registers,
    collect() {
      for (const direction of ['in', 'out'] as const) {
        for (const [type, count] of pendingCounts[direction]) this.inc({ direction, type }, count);
        pendingCounts[direction].clear();
      }
    },
  });
  const closes = new Counter({
    name: 'ws_closed_total',
    help: 'Closed connections by close code.',
    labelNames: ['code'],
    registers,
  });
  for (const code of namedCodes) closes.inc({ code: codeLabel(code) }, 0);
  return {
    message: (direction, type) =>
      void pendingCounts[direction].set(type, (pendingCounts[direction].get(type) ?? 0) + 1),
    closed: (code) => closes.inc({ code: codeLabel(code) }),
  };
}
