import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import {
  AbortError,
  ConnectionError,
  createClient,
  StreamError,
  type EventOptions,
  type SocialDataClient,
} from '../../client/src/index.ts';
import { until } from '../support/until.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { startStream, type Stream } from '../support/stream.ts';
import { key } from '../support/service.ts';
import { nightlyTest } from '../support/nightly.ts';

const tweet = (index: number, more: object = {}): never =>
  ({
    kind: 'tweet',
    tweet: {
      id: String(1000 + index),
      text: `coffee ${index}`,
      created_at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
      author_id: '7',
      ...more,
    },
  }) as never;
const ada = { kind: 'user', user: { id: '7', username: 'ada', name: 'Ada' } } as never;
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
const idsOf = (from: number, to: number): string[] => range(from, to).map((index) => String(1000 + index));

describe('against a real event stream', () => {
  let stream: Stream;
  let client: SocialDataClient;
  beforeAll(async () => {
    stream = await startStream({ relayed: true });
    client = createClient({ baseUrl: stream.url, apiKey: key });
    await stream.take(ada, tweet(0));
  });
  afterAll(() => stream?.stop());

  /** Takes so many events from a stream, and closes it. */
  async function take(
    count: number,
    options: EventOptions,
    each: (taken: number) => unknown = () => {},
  ): Promise<string[]> {
    const ids: string[] = [];
    for await (const { data } of client.events({ search: 'coffee' }, options)) {
      ids.push('id' in data ? data.id : '');
      await each(ids.length);
      if (ids.length === count) break;
    }
    return ids;
  }
  /** The cursor of the present: what happens later comes after it. */
  async function now(): Promise<string> {
    const pool = client.events({ pool: true });
    const { value } = await pool.next();
    pool.close();
    return value!.cursor;
  }
  let next = 1;
  /** Lets so many more tweets happen; answers their ids. */
  async function happen(count: number): Promise<string[]> {
    const from = next;
    next += count;
    await stream.take(...range(from, next).map((index) => tweet(index)));
    return idsOf(from, next);
  }

  test.each([
    ['the global WebSocket', undefined],
    ['ws', WebSocket as never],
  ])('events are unique and in order through %s', async (_name, Class) => {
    const cursor = await now();
    const happened = await happen(50);
    const later: string[] = [];
    const options = { cursor, WebSocket: Class };
    expect(
      await take(80, options, async (taken) => {
        if (taken === 50) later.push(...(await happen(30)));
      }),
    ).toEqual([...happened, ...later]);
  });

  test('a stream without a cursor starts with live events', async () => {
    await happen(5);
    const events = client.events({ user: 'ada' });
    const first = events.next();
    // Whether it has subscribed is not to be seen from here; so something happens until it has.
    let heard: Awaited<typeof first> | undefined;
    void first.then((found) => (heard = found));
    while (heard === undefined) {
      await happen(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(heard.value).toMatchObject({
      event: 'tweet.created',
      data: { author: { username: 'ada' }, media: [] },
      cursor: expect.stringMatching(/\.\d+$/),
    });
    expect(Number((heard.value as { data: { id: string } }).data.id)).toBeGreaterThan(1000 + 5);
    await events.return();
  });

  test('resumes after a restart of the service', async () => {
    const cursor = await now();
    const all: string[] = [...(await happen(30))];
    const lost: number[] = [];
    const ids = await take(60, { cursor, onReconnect: ({ closeCode }) => lost.push(closeCode) }, async (taken) => {
      if (taken % 30 !== 0 || taken === 60) return;
      await stream.restart();
      all.push(...(await happen(30)));
    });
    expect(ids).toEqual(all);
    expect(lost.length).toBeGreaterThanOrEqual(1);
  });

  test('a slow reader buffers a bounded number of events, and misses none', async () => {
    const cursor = await now();
    const all = await happen(500);
    const commands: string[] = [];
    class Counted extends WebSocket {
      override send(text: unknown): void {
        commands.push((JSON.parse(String(text)) as { type: string }).type);
        super.send(String(text));
      }
    }
    expect(
      await take(500, { cursor, maxBuffered: 100, WebSocket: Counted }, (taken) =>
        taken === 1 ? until(() => commands.includes('unsubscribe')) : undefined,
      ),
    ).toEqual(all);
    // It pauses its subscription, and not the connection, which other streams share.
    expect(commands.slice(0, 3)).toEqual(['subscribe', 'unsubscribe', 'subscribe']);
  });

  test('close() ends the loop, also while it waits; break closes the connection', async () => {
    const waiting = client.events({ search: 'nothing_like_this' });
    const first = waiting.next();
    setTimeout(() => waiting.close(), 100);
    expect(await first).toEqual({ done: true, value: undefined });
    const cursor = await now();
    await happen(2);
    await take(1, { cursor });
    // All connections of this key are free again.
    const held = await Promise.all(
      range(0, 5).map(async () => {
        const pool = client.events({ pool: true });
        await pool.next();
        return pool;
      }),
    );
    for (const each of held) each.close();
    // Closed though nobody reads on: so the next one finds room.
    const last = client.events({ pool: true });
    expect((await last.next()).done).toBe(false);
    last.close();
    for (const each of held) expect(await each.next()).toEqual({ done: true, value: undefined });
  });

  test('a stream about a tweet ends after its deletion; a restored tweet is new again', async () => {
    const [about] = await happen(1);
    const cursor = await now();
    const search = client.events({ search: 'coffee from:ada' }, { cursor });
    const counts = client.events({ engagement: about! });
    expect((await counts.next()).value).toMatchObject({ event: 'tweet.engagement' });
    await stream.take({ kind: 'delete', tweet_id: about! });
    expect((await counts.next()).value).toMatchObject({ event: 'tweet.deleted', data: { id: about } });
    expect(await counts.next()).toEqual({ done: true, value: undefined });
    await expect(client.events({ replies: about! }, { cursor }).next()).rejects.toMatchObject({ code: 'not_found' });
    expect((await search.next()).value).toMatchObject({ event: 'tweet.deleted', data: { id: about } });
    const again = tweet(Number(about) - 1000);
    for (let time = 0; time < 2; time++) {
      await stream.take({ kind: 'restore', tweet_id: about! }, again);
      expect((await search.next()).value).toMatchObject({ event: 'tweet.created', data: { id: about } });
      await stream.take({ kind: 'delete', tweet_id: about! });
      expect((await search.next()).value).toMatchObject({ event: 'tweet.deleted', data: { id: about } });
    }
    search.close();
  });

  test('a signal ends it with an AbortError', async () => {
    const controller = new AbortController();
    const events = client.events({ search: 'nothing_like_this' }, { signal: controller.signal });
    setTimeout(() => controller.abort('enough'), 100);
    await expect(events.next()).rejects.toBeInstanceOf(AbortError);
    await expect(client.events({ pool: true }, { signal: AbortSignal.abort() }).next()).rejects.toBeInstanceOf(
      AbortError,
    );
  });

  test.each([
    ['an unsupported query', { search: 'filter:follows' }, undefined, 'bad_query', 400],
    ['a user that is not there', { user: 'nobody_here' }, undefined, 'not_found', 404],
    ['a cursor of another log', { search: 'coffee' }, 'abcdef.1', 'epoch_changed', 410],
    ['an invalid cursor', { user: 'ada' }, 'yesterday', 'bad_params', 400],
  ] as const)('%s ends the stream at once, with the reason', async (_what, selection, cursor, code, status) => {
    const error = await client
      .events(selection, { cursor })
      .next()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StreamError);
    expect(error).toMatchObject({ name: 'StreamError', code, status, attempts: 1 });
  });

  test('an invalid key ends the stream, and is in no message', async () => {
    const error = await createClient({ baseUrl: stream.url, apiKey: 'not-a-key-of-ours' })
      .events({ pool: true })
      .next()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'StreamError', code: '4001', message: 'Invalid or missing API key' });
    expect(JSON.stringify(error) + (error as Error).stack).not.toContain('not-a-key');
  });

  test('continues after a gap only with onGap, and reports the gap', async () => {
    const gaps: object[] = [];
    const options: EventOptions = { cursor: 'abcdef.1', onGap: ({ from, hint }) => gaps.push({ from, hint }) };
    expect(await take(1, options)).toEqual(['1000']);
    expect(gaps).toEqual([{ from: 'abcdef.1', hint: '/social/tweet/advanced_search?query=coffee' }]);
  });
});

describe('against a real server that is killed', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: RunningServer;
  let relay: Relay | undefined;
  afterEach(async () => {
    await server?.end('SIGKILL');
    await relay?.stop();
    await folder?.dispose();
  });

  nightlyTest('no event is lost or duplicated while thousands are imported', async () => {
    const total = 4_000;
    folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    const env = { API_KEYS: key, DEMO: '0' };
    server = await startServer(data, env);
    const address = (relay = await startRelay());
    address.target(server.url);
    const client = createClient({ baseUrl: address.url, apiKey: key });
    const pool = client.events({ pool: true });
    const { cursor } = (await pool.next()).value!;
    pool.close();
    const imported = (async () => {
      for (const from of [0, total / 2]) {
        const file = join(folder.path, `${from}.jsonl`);
        await writeFile(
          file,
          [ada, ...range(from, from + total / 2).map((index) => tweet(index))]
            .map((record) => JSON.stringify(record))
            .join('\n'),
        );
        const { code, stderr } = await run('scripts/cli/import.ts', [file], { DATA_DIR: data });
        if (code !== 0) throw new Error(stderr);
        await server.end(from === 0 ? 'SIGKILL' : 'SIGTERM');
        server = await startServer(data, env);
        address.target(server.url);
      }
    })();
    const ids: string[] = [];
    for await (const { data: found } of client.events({ search: 'coffee' }, { cursor })) {
      ids.push(found.id);
      if (ids.length >= total) break;
    }
    await imported;
    expect(ids).toEqual(idsOf(0, total));
  });
});

describe('an unreachable or silent service', () => {
  test('ends the stream after the maximum number of consecutive failures', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' });
    const error = await client
      .events({ pool: true }, { retries: 2, cursor: 'e.5' })
      .next()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ attempts: 3, cursor: 'e.5' });
  });

  test('causes a reconnect after two missed heartbeats', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    let connections = 0;
    server.on('connection', (socket) => {
      connections++;
      // The first is silent from then on.
      const [isSilent, interval] = connections === 1 ? [true, 50] : [false, 60_000];
      socket.send(JSON.stringify({ type: 'connected', heartbeat_interval_ms: interval }));
      if (isSilent) return;
      socket.once('message', (command) => {
        const { id } = JSON.parse(String(command)) as { id: string };
        for (const message of [
          { type: 'subscribed', id, sub: 's1', cursor: 'e.0', recovered: null },
          { type: 'event', subs: ['s1'], event: 'pool.status', event_id: '1', cursor: 'e.1', data: {} },
        ])
          socket.send(JSON.stringify(message));
      });
    });
    try {
      const { port } = server.address() as { port: number };
      const events = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: null }).events({ pool: true });
      expect((await events.next()).value).toMatchObject({ event: 'pool.status' });
      expect(connections).toBe(2);
      await events.return();
    } finally {
      for (const each of server.clients) each.terminate();
      server.close();
    }
  });
});
