// Tests server/realtime/gateway.ts: which handshakes it refuses, its streams of server-sent events, and what it logs.
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { EventStreamRequest } from '../../server/ports/event-streams.ts';
import type { ServerSentEvents } from '../../server/contract/server-sent-event.ts';
import { key } from '../support/service.ts';
import { sendRaw } from '../support/raw.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { listener, startStream, type Stream } from '../support/stream.ts';
import { until } from '../support/until.ts';

let stream: Stream;
beforeAll(async () => {
  stream = await startStream({ limits: { connections: 2 }, corsOrigins: ['https://app.example'] });
  await stream.take({ kind: 'user', user: { id: '1', username: 'mira', name: 'Mira' } });
});
afterAll(() => stream.stop());
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('a handshake is refused', () => {
  const usual = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ=='];
  const refused = (start: string, ...fields: string[]) =>
    sendRaw(Number(new URL(stream.url).port), [`${start} HTTP/1.1`, ...usual, ...fields]);

  test('with 405 for another method', async () => {
    const { status, head, body } = await refused('POST /ws', 'Sec-WebSocket-Version: 13');
    expect([status, JSON.parse(body)]).toEqual([405, { error: 'method POST cannot open a WebSocket: use GET' }]);
    expect(head).toContain('\r\nAllow: GET');
  });
  test.each([['Sec-WebSocket-Version: 7'], ['X-Other: 13']])('with 426 for another version: %s', async (field) => {
    const { status, head, body } = await refused('GET /ws', field);
    expect([status, JSON.parse(body)]).toEqual([426, { error: 'this WebSocket version is not supported: use 13' }]);
    for (const each of ['Connection: close, Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'])
      expect(head).toContain(`\r\n${each}`);
  });
  test.each(['13', '8'])('with 400 for a wrong key, in version %s', async (version) => {
    const { status, body } = await refused('GET /ws', `Sec-WebSocket-Version: ${version}`, 'Sec-WebSocket-Key: again');
    expect([status, JSON.parse(body)]).toEqual([
      400,
      { error: expect.stringMatching(/^this is not a WebSocket handshake: .*Sec-WebSocket-Key/) },
    ]);
  });
  test('with 404 for another path', async () => {
    const { status, body } = await refused('GET /ws2?a=1', 'Sec-WebSocket-Version: 13');
    expect([status, JSON.parse(body)]).toEqual([
      404,
      { error: "path '/ws2' does not accept WebSockets: connect to /ws" },
    ]);
  });
  test.each(['https://other.example', 'null', 'https://app.example.other'])(
    'with 403 for the origin %s',
    async (origin) => {
      const { status, body } = await refused('GET /ws', 'Sec-WebSocket-Version: 13', `Origin: ${origin}`);
      expect([status, JSON.parse(body)]).toEqual([403, { error: 'this origin is not allowed' }]);
    },
  );
});

describe('a handshake is accepted', () => {
  test.each<[string, () => Record<string, string>]>([
    ['a permitted origin', () => ({ origin: 'https://app.example' })],
    ['the origin of the server itself', () => ({ origin: stream.url })],
    ['no origin', () => ({})],
  ])('from %s', async (_what, headers) => {
    const each = await listener(stream.url, key, { headers: headers() });
    expect((await each.first('connected')).limits.connections).toBe(2);
    each.socket.terminate();
    await until(() => stream.gateway.openByKey.size === 0);
  });
  test('from the origin of the server itself only, where other origins are off', async () => {
    const own = await startStream({ corsOrigins: 'off' });
    try {
      const each = await listener(own.url, key, { headers: { origin: own.url } });
      await each.first('connected');
      each.socket.terminate();
      await expect(listener(own.url, key, { headers: { origin: 'https://app.example' } })).rejects.toThrow('403');
    } finally {
      await own.stop();
    }
  });
});

describe('a stream of server-sent events', () => {
  const request: EventStreamRequest = {
    ...{ keyId: 'test0001', credentialEnds: Infinity, channel: 'user:tweets', params: { user_id: '1' } },
  };
  const open = (more: Partial<EventStreamRequest> = {}): Promise<ServerSentEvents> =>
    stream.gateway.open({ ...request, ...more });
  const textOf = async (events: ServerSentEvents): Promise<string> => {
    const { value } = await events.next();
    return value ? Buffer.from(value.bytes).toString() : '';
  };
  let nextId = 100;
  const take = (text: string): Promise<void> => {
    const created_at = '2026-01-01T00:00:00Z';
    return stream.take({ kind: 'tweet', tweet: { id: String(nextId++), text, created_at, author_id: '1' } });
  };

  test('has the events of its subscription, and counts as a connection of its key until it ends', async () => {
    const events = await open();
    expect([await textOf(events), await textOf(events)]).toEqual([
      'retry: 2000\n\n',
      expect.stringMatching(/^event: subscribed\nid: \S+\ndata: \{"type":"subscribed","id":"events"/),
    ]);
    await take('coffee');
    expect(await textOf(events)).toContain('"text":"coffee"');
    expect(Object.fromEntries(stream.gateway.openByKey)).toEqual({ test0001: 1 });
    await events.return!();
    expect(stream.gateway.openByKey.size).toBe(0);
  });

  test('goes on behind a cursor', async () => {
    await take('tea');
    const cursor = `${stream.log.epoch}.${stream.log.head - 1}`;
    const events = await open({ cursor });
    for (const part of ['retry', '"recovered":true', '"text":"tea"', 'event: caught_up'])
      expect(await textOf(events)).toContain(part);
    await events.return!();
  });

  test('is refused for a cursor of another log, unless a gap is permitted', async () => {
    const cursor = 'other.1';
    await expect(open({ cursor })).rejects.toMatchObject({
      status: 410,
      message: expect.stringContaining('oldest cursor'),
    });
    const events = await open({ cursor, onGap: 'continue' });
    for (const part of ['retry', '"recovered":false', 'event: gap']) expect(await textOf(events)).toContain(part);
    await events.return!();
    expect(stream.gateway.openByKey.size).toBe(0);
  });

  test.each<[Partial<EventStreamRequest>, number]>([
    [{ params: {} }, 400],
    [{ params: { user_id: '9' } }, 404],
    [{ keyId: 'revoked' }, 503],
  ])('of %j is refused with %d, and leaves no connection', async (more, status) => {
    await expect(open(more)).rejects.toMatchObject({ status });
    expect(stream.gateway.openByKey.size).toBe(0);
  });

  test('is refused with 429 where its key has too many connections', async () => {
    const both = [await open(), await open()];
    await expect(open()).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '5' } });
    for (const each of both) await each.return!();
    await (
      await open()
    ).return!();
  });

  test('ends with the token that it was opened with', async () => {
    stopClock();
    const own = await startStream();
    try {
      const [ended, other] = [
        await own.gateway.open({ ...request, channel: 'search:tweets', params: { query: 'a' }, credentialEnds: 1 }),
        await own.gateway.open({ ...request, channel: 'search:tweets', params: { query: 'a' } }),
      ];
      jest.advanceTimersByTime(1_000);
      expect(Object.fromEntries(own.gateway.openByKey)).toEqual({ test0001: 2 });
      for await (const _ of ended);
      expect(Object.fromEntries(own.gateway.openByKey)).toEqual({ test0001: 1 });
      expect(await own.registry.metrics()).toMatch(/^ws_closed_total\{code="4202"\} 1$/m);
      await other.return!();
    } finally {
      await own.stop();
    }
  });

  test('asks to connect again while the server stops, and ends', async () => {
    const own = await startStream();
    // Each client gets another delay within five seconds.
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const stopped = own.stop();
    const events = await own.gateway.open(request);
    const texts: string[] = [];
    for await (const { bytes } of events) texts.push(Buffer.from(bytes).toString());
    await stopped;
    expect(texts).toEqual(['retry: 2000\n\n', expect.stringMatching(/^event: going_away\nretry: 2500\n/)]);
  });
});

test.each<[string, () => never, unknown[]]>([
  [
    'that cannot be built',
    () => {
      throw new Error('a fault');
    },
    [{ err: new Error('a fault'), seq: 1, event: 'pool.status' }, 'an event could not be built'],
  ],
  [
    'that violates the contract',
    () => ({}) as never,
    [{ detail: { seq: 1, event: 'pool.status', findings: expect.anything() } }, 'an event violates the contract'],
  ],
])('an event %s is logged, and a failed question too', async (_what, status, expected) => {
  const logged: unknown[][] = [];
  const error = (...entry: unknown[]): void => void logged.push(entry);
  const fault = new Error('no answer');
  const own = await startStream({
    logger: { error, warn: error, info: error } as never,
    assistant: { status, explain: () => Promise.reject(fault) },
  });
  try {
    const each = await listener(own.url);
    await each.ask({ type: 'ask', id: 'a', params: { tweet_id: '1' } });
    expect(logged).toEqual([[{ err: fault }, 'a question failed']]);
    // Its current state is an event, too.
    each.send({ type: 'subscribe', id: 'b', channel: 'assistant:pool', params: {} });
    await until(() => logged.length === 2);
    await own.log.append([{ event: 'pool.status' }]);
    await until(() => logged.length === 3);
    expect(logged[2]).toEqual(expected);
    each.socket.terminate();
  } finally {
    await own.stop();
  }
});
