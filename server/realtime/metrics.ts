/** The figures of the event stream as Prometheus metrics. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Connection } from './connection.ts';
import type { EventLog } from './event-log.ts';
import type { Hub } from './hub.ts';

export interface StreamMetrics {
  message(direction: 'in' | 'out', type: string): void;
  closed(code: number): void;
}

export function measureStream(registry: Registry, { connections, log, hub }: { connections: ReadonlySet<Connection>; log: EventLog; hub: Hub }): StreamMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  gauge('ws_connections', 'Listeners that are connected.', () => connections.size);
  gauge('ws_subscriptions', 'Subscriptions of all listeners.', () => connections.values().reduce((sum, { subscriptions }) => sum + subscriptions, 0));
  gauge('ws_buffered_bytes', 'Bytes that wait for sockets.', () => connections.values().reduce((sum, { buffered }) => sum + buffered, 0));
  gauge('event_log_head', 'The number of the last event.', () => log.head);
  gauge('event_log_events', 'Events that are kept.', () => log.head - log.floor);
  gauge('event_log_untold', 'Events that those at the head have not been told yet.', () => log.head - hub.position);
  const messages = new Counter({ name: 'ws_messages_total', help: 'Messages received (in) and sent (out).', labelNames: ['direction', 'type'], registers });
  const closes = new Counter({ name: 'ws_closed_total', help: 'Connections that ended, by close code.', labelNames: ['code'], registers });
  // One label set each, so that a message costs no look-up by labels.
  const children = { in: new Map<string, Counter.Internal>(), out: new Map<string, Counter.Internal>() };
  return {
    message(direction, type) {
      let child = children[direction].get(type);
      if (child === undefined) children[direction].set(type, (child = messages.labels(direction, type)));
      child.inc();
    },
    closed: (code) => closes.inc({ code }),
  };
}
