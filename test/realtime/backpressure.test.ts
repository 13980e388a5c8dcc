// Not in `npm run test:fast`: it waits for slow readers.
import { afterEach, expect, jest, test } from '@jest/globals';
import fc, { anyCharacter, anyGrapheme } from '../support/property.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { rounds } from '../support/rounds.ts';
import { key } from '../support/service.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { expectMessages, listener, startStream, type Listener, type Stream } from '../support/stream.ts';
import { nightlyTest } from '../support/nightly.ts';

let nextId = 1;
const tweet = (text: string, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(nextId++), text, created_at: '2026-01-01T00:00:00Z', author_id: '1', ...more },
});
const many = (count: number, text: string): ArchiveRecord[] => Array.from({ length: count }, () => tweet(text));
const mira: ArchiveRecord = { kind: 'user', user: { id: '1', username: 'mira' } };

async function figure(stream: Stream, name: string): Promise<number> {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await stream.registry.metrics())?.[1] ?? 0);
}

/** The window of a slow listener's connection, in bytes: far less than what is sent to it below. */
const window = 64 * 1024;
const generous = { commandsPerMinute: 1e9, firstCommandMs: 1e9, heartbeatMs: 1e9 };

afterEach(() => void jest.useRealTimers());

test('closes a connection that stops reading within the time limit, and many others get every event', async () => {
  stopClock();
  const limits = { ...generous, stalledMs: 2_000, bufferedBytes: 128 * 1024 };
  const stream = await startStream({ limits });
  const buffered = (): Promise<number> => figure(stream, 'ws_buffered_bytes');
  try {
    const big = 'x'.repeat(1000);
    const slow = await listener(stream.url, key, stream.windowed(window));
    const { cursor } = await slow.first('connected');
    await stream.take(mira, ...many(2_000, `history ${big}`));

    const count = rounds(100);
    const others = await Promise.all(Array.from({ length: count }, () => listener(stream.url)));
    for (const each of others)
      await each.ask({ type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: 'news' } });
    slow.send({ type: 'subscribe', id: '1', channel: 'user:tweets', params: { user_id: '1' }, cursor });
    slow.socket.pause();

    let most = 0;
    for (let batch = 0; batch < 20; batch++) {
      await stream.take(...many(50, `news ${big}`));
      most = Math.max(most, await buffered());
    }
    for (const each of others) await each.settled(stream.log.head);
    expect(others.map((each) => each.of('event').length)).toEqual(others.map(() => 1000));
    for (const each of others) {
      const seqs = each.of('event').map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    }
    expect(most).toBeLessThan((count + 1) * (limits.bufferedBytes + 4096));
    // What still waits, waits for the slow one.
    expect(await buffered()).toBeGreaterThan(0);
    expect(await buffered()).toBeLessThan(limits.bufferedBytes + 4096);

    // The server looks at its listeners once a second, and at first sees what the slow one took before.
    jest.advanceTimersByTime(1_000 + limits.stalledMs);
    expect(await figure(stream, 'ws_connections')).toBe(count + 1);
    jest.advanceTimersByTime(1_000);
    while ((await figure(stream, 'ws_closed_total\\{code="4108"\\}')) === 0)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await figure(stream, 'ws_connections')).toBe(count);

    // What it had read so far is enough to go on from.
    slow.socket.resume();
    await slow.closed;
    const seen = slow.of('event');
    const back = await listener(stream.url);
    await back.ask({
      type: 'subscribe',
      id: '1',
      channel: 'user:tweets',
      params: { user_id: '1' },
      cursor: seen.at(-1)?.cursor ?? cursor,
    });
    await back.first('caught_up');
    const all = [...seen, ...back.of('event')].map(({ seq }) => seq);
    expect(all).toEqual(Array.from({ length: 3_000 }, (_, place) => place + 1));
    for (const each of others) each.socket.terminate();
    back.socket.terminate();
  } finally {
    await stream.stop();
  }
});

test('sends every event in order to a slow connection, and lagging when it is behind', async () => {
  stopClock();
  const limits = { ...generous, stalledMs: 60_000, farBehind: 1_000, bufferedBytes: 32 * 1024 };
  const stream = await startStream({ limits });
  const lagging = (): Promise<number> => figure(stream, 'ws_messages_total\\{direction="out",type="lagging"\\}');
  try {
    await stream.take(mira);
    const slow = await listener(stream.url, key, stream.windowed(window));
    await slow.ask({ type: 'subscribe', id: '1', channel: 'user:tweets', params: { user_id: '1' } });
    // Reads in bursts with pauses between, all the while tweets arrive.
    for (let batch = 0; batch < 40; batch++) {
      if (batch % 2 === 0) slow.socket.pause();
      else slow.socket.resume();
      await stream.take(...many(50, 'y'.repeat(1000)));
    }
    await slow.settled(stream.log.head);
    jest.advanceTimersByTime(1_000);
    expect(await lagging()).toBe(0);
    slow.socket.pause();
    await stream.take(...many(2_000, 'y'.repeat(1000)));
    // Once a second the server writes as much as may wait for the socket; then it sees that the socket takes no more.
    for (let second = 0; second < 2; second++) {
      jest.advanceTimersByTime(1_000);
      await new Promise(setImmediate);
    }
    expect(await lagging()).toBe(1);
    slow.socket.resume();
    await slow.settled(stream.log.head);
    expect(await slow.first('lagging')).toMatchObject({
      behind: expect.any(Number),
      oldest_cursor: `${stream.log.epoch}.0`,
    });
    expect(slow.of('event').map(({ seq }) => seq)).toEqual(Array.from({ length: 4_000 }, (_, place) => place + 1));
    slow.socket.terminate();
  } finally {
    await stream.stop();
  }
});

test('a fast replay does not starve other connections', async () => {
  const stream = await startStream();
  try {
    await stream.take(mira, ...many(5_000, 'w'.repeat(1000)));
    const fast = await listener(stream.url);
    const delivered = (): Promise<number> => figure(stream, 'ws_messages_total\\{direction="out",type="event"\\}');
    fast.send({
      type: 'subscribe',
      id: '1',
      channel: 'user:tweets',
      params: { user_id: '1' },
      cursor: `${stream.log.epoch}.0`,
    });
    let [before, most] = [0, 0];
    while (before < 5_000) {
      await new Promise(setImmediate);
      const now = await delivered();
      [before, most] = [now, Math.max(most, now - before)];
    }
    expect(most).toBeLessThan(1_000);
    fast.socket.terminate();
  } finally {
    await stream.stop();
  }
});

test('state channels send only the latest value', async () => {
  const stream = await startStream({ limits: { ...generous, bufferedBytes: 16 * 1024, stalledMs: 1e9 } });
  const likes = 500;
  try {
    await stream.take(mira, tweet('counted', { like_count: 0 }));
    const id = String(nextId - 1);
    const slow = await listener(stream.url, key, stream.windowed(window));
    await slow.ask({ type: 'subscribe', id: '1', channel: 'tweet:engagement', params: { tweet_id: id } });
    await slow.ask({ type: 'subscribe', id: '2', channel: 'user:tweets', params: { user_id: '1' } });
    slow.socket.pause();
    // Enough to fill the window, and then what may wait for the socket.
    for (let batch = 0; batch < 50; batch++) await stream.take(...many(20, 'z'.repeat(1000)));
    for (let count = 1; count <= likes; count++) {
      const counted = { id, text: 'counted', created_at: '2026-01-01T00:00:00Z', author_id: '1', like_count: count };
      await stream.take({ kind: 'tweet', tweet: counted });
    }
    slow.socket.resume();
    await slow.first('event', ({ data }) => 'like_count' in data && data.like_count === likes);
    await slow.settled(stream.log.head);
    const counts = slow.of('event').filter(({ channel }) => channel === 'tweet:engagement');
    expect(counts.length).toBeLessThan(likes / 2);
    expect(counts.at(-1)).toMatchObject({ data: { like_count: likes } });
    expect(slow.of('event').filter(({ channel }) => channel === 'user:tweets')).toHaveLength(1_000);
    slow.socket.terminate();
  } finally {
    await stream.stop();
  }
});

nightlyTest('random frames of a client do not affect other connections', async () => {
  const stream = await startStream({
    limits: { commandsPerMinute: 1e9, invalidMessages: Infinity, subscriptions: 10 },
  });
  const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  const odd = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.json(),
    fc.constantFrom(
      nested(10_000),
      '['.repeat(60_000),
      'null',
      '1e999',
      '""',
      '{"type":"__proto__"}',
      '{"__proto__":{"type":"ping"}}',
    ),
    fc
      .record(
        {
          type: fc.constantFrom('subscribe', 'unsubscribe', 'subscriptions', 'ask', 'cancel', 'ping', 'event'),
          id: fc.oneof(fc.string({ maxLength: 70 }), fc.integer(), fc.constant(null)),
          channel: fc.oneof(
            fc.constantFrom('search:tweets', 'user:tweets', 'assistant:pool', 'tweet:replies'),
            fc.jsonValue(),
          ),
          params: fc.oneof(
            fc.record({ query: fc.string({ unit: anyGrapheme, maxLength: 1100 }) }),
            fc.record({ user_id: fc.constantFrom('1', '2') }),
            fc.jsonValue(),
          ),
          cursor: fc.oneof(
            fc.string({ maxLength: 20 }),
            fc.nat().map((seq) => `${stream.log.epoch}.${seq}`),
          ),
          on_gap: fc.constantFrom('error', 'continue', 'x'),
          tag: fc.string({ maxLength: 300 }),
          dry_run: fc.oneof(fc.boolean(), fc.integer()),
          sub: fc.constantFrom('s1', 's2', 's99', '__proto__'),
        },
        { requiredKeys: ['type'] },
      )
      .map((message) => JSON.stringify(message)),
  );
  try {
    await stream.take(mira);
    const steady = await listener(stream.url);
    await steady.ask({ type: 'subscribe', id: '1', channel: 'user:tweets', params: { user_id: '1' } });
    const hostile: Listener[] = [];
    const connections = rounds(200);
    for (const frames of fc.sample(fc.array(odd, { minLength: 50, maxLength: 150 }), {
      numRuns: connections,
      seed: 7,
    })) {
      const each = await listener(stream.url);
      hostile.push(each);
      for (const frame of frames) each.send(frame);
      await stream.take(tweet('steady'));
    }
    await steady.settled(stream.log.head);
    expect(steady.of('event')).toHaveLength(connections);
    for (const each of hostile) {
      expect(each.of('error').filter(({ code }) => code === 'internal')).toEqual([]);
      await expectMessages(each.messages.slice(0, 60));
      each.socket.terminate();
    }
    expect(hostile.reduce((sum, each) => sum + each.of('error').length, 0)).toBeGreaterThan(20 * connections);
    steady.socket.terminate();
  } finally {
    await stream.stop();
  }
});
