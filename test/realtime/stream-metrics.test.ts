import { expect, test } from '@jest/globals';
import { Registry } from '@prometheus-io/client';
import type { Connection } from '../../server/realtime/connection.ts';
import { closeCodes } from '../../server/realtime/limits.ts';
import { measureStream } from '../../server/realtime/stream-metrics.ts';
import { readExposition } from '../support/exposition.ts';

const connection = (subscriptions: number, buffered: number, behind: number): Connection =>
  ({ subscriptions: { size: subscriptions }, buffered, behind }) as unknown as Connection;

/** The metrics of a stream, and what they show now: each series by its name and its labels. */
function measured(...connections: Connection[]) {
  const registry = new Registry();
  const state = { connections: new Set(connections), log: { head: 20, floor: 12 }, hub: { position: 17 } };
  const metrics = measureStream(registry, state);
  const shown = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      readExposition(await registry.metrics()).series.map(({ name, labels, value }) => [
        [name, ...Object.values(labels)].join(' '),
        value,
      ]),
    );
  return { registry, metrics, shown };
}

test('the gauges sum the connections, and show the slowest one and the log', async () => {
  expect(await measured(connection(2, 100, 3), connection(1, 20, 8), connection(0, 0, 0)).shown()).toMatchObject({
    ...{ ws_connections: 3, ws_subscriptions: 3, ws_buffered_bytes: 120, ws_behind_events: 8 },
    ...{ event_log_head: 20, event_log_events: 8, event_log_pending: 3 },
  });
  expect(await measured().shown()).toMatchObject({
    ...{ ws_connections: 0, ws_subscriptions: 0, ws_buffered_bytes: 0, ws_behind_events: 0 },
  });
});

test('messages are counted by direction and type, each once in all scrapes', async () => {
  const { metrics, shown } = measured();
  for (const type of ['ping', 'ping', 'ask']) metrics.message('in', type);
  metrics.message('out', 'pong');
  const expected = { 'ws_messages_total in ping': 2, 'ws_messages_total in ask': 1, 'ws_messages_total out pong': 1 };
  expect(await shown()).toMatchObject(expected);
  expect(await shown()).toMatchObject(expected);
  metrics.message('in', 'ping');
  expect(await shown()).toMatchObject({ ...expected, 'ws_messages_total in ping': 3 });
});

test('closed connections are counted by the codes of the server and of WebSocket, others together', async () => {
  const { metrics, shown } = measured();
  const own = Object.values(closeCodes).map(([code]) => `ws_closed_total ${code}`);
  const closes = async () =>
    Object.fromEntries(Object.entries(await shown()).filter(([name]) => name.startsWith('ws_closed_total')));
  const none = Object.fromEntries(own.map((name) => [name, 0]));
  expect(await closes()).toEqual(none);
  for (const code of [4001, 4001, 999, 1000, 1015, 1016, 3000]) metrics.closed(code);
  expect(await closes()).toEqual({
    ...none,
    ...{ 'ws_closed_total 4001': 2, 'ws_closed_total 1000': 1, 'ws_closed_total 1015': 1, 'ws_closed_total other': 3 },
  });
});

test('each metric has a description', async () => {
  const { registry } = measured();
  expect(Object.fromEntries(readExposition(await registry.metrics()).helps)).toMatchObject({
    ws_messages_total: 'Messages received (in) and sent (out).',
    ws_closed_total: 'Closed connections by close code.',
    ws_behind_events: 'Events that the slowest connection is behind.',
    event_log_pending: 'Events that are not published yet.',
  });
});
