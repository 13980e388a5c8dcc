// Tests server/realtime/event-outlet.ts.
/** Server-sent events over HTTP: what a caller with sockets alone sees, and what an EventSource does by itself. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createClient } from '../../client/src/index.ts';
import { connectControl } from '../../server/admin/control-client.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { curl, eventSource, httpOrigin } from '../../server/http/docs/pages/events/samples.ts';
import { expectSchema } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { listener } from '../support/stream.ts';
import { until } from '../support/until.ts';

const key = 'a-key-for-this-test';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
const start = (): Promise<LocalServer> =>
  startLocalServer(folder.path, { API_KEYS: key, DEMO: '0', RATE_LIMIT: 'off' });
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await start();
  await take({ kind: 'user', user: { id: '7', username: 'ada', name: 'Ada' } }, tweet(1, 'tea'));
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});
let open: { stop(): void }[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const each of open.splice(0)) each.stop();
  // The server has seen the end of each.
  await new Promise((resolve) => setTimeout(resolve, 50));
});

const tweet = (id: number, text = `coffee ${id}`, more: object = {}): object => ({
  kind: 'tweet',
  tweet: { id: String(id), text, created_at: '2026-01-01T00:00:00Z', author_id: '7', ...more },
});
let takes = 0;
async function take(...records: readonly object[]): Promise<void> {
  const control = await connectControl(folder.path);
  await control!.call('import/apply', [`test ${takes++}`, { values: records.length, done: true }, records]);
  control!.close();
}

interface Sent {
  readonly id?: string;
  readonly event?: string;
  readonly retry?: string;
  readonly comment?: string;
  readonly data?: Schemas['StreamedMessage'];
}

/** An event by the rules of the HTML standard, written apart from the server. */
function parse(block: string): Sent {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    fields[colon === 0 ? 'comment' : line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, '');
  }
  const { data, ...rest } = fields;
  return { ...rest, ...(data === undefined ? {} : { data: JSON.parse(data) as Schemas['StreamedMessage'] }) };
}

interface Stream {
  readonly response: Response;
  readonly events: Sent[];
  /** The first event that has come or will come and meets a condition. */
  first(is: (sent: Sent) => boolean): Promise<Sent>;
  /** Resolves when the response ends; with false when it is cut off. */
  readonly ended: Promise<boolean>;
  stop(): void;
}
async function follow(query: Record<string, string>, headers: Record<string, string> = {}): Promise<Stream> {
  const controller = new AbortController();
  const target = `${server.url}/social/events?${new URLSearchParams(query).toString()}`;
  const response = await fetch(target, { headers: { 'x-api-key': key, ...headers }, signal: controller.signal });
  const events: Sent[] = [];
  let wake = (): void => {};
  const read = async (): Promise<boolean> => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop()!;
        events.push(...blocks.map(parse));
        wake();
      }
      return true;
    } catch {
      return false;
    }
  };
  const stream: Stream = {
    ...{ response, events },
    ended: response.ok && response.body !== null ? read() : Promise.resolve(true),
    async first(is) {
      for (;;) {
        const found = events.find(is);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    stop: () => controller.abort(),
  };
  open.push(stream);
  return stream;
}
const search = { channel: 'search:tweets', query: 'coffee' };
const isTweet =
  (id: number) =>
  ({ data }: Sent): boolean =>
    data?.type === 'event' && 'id' in data.data && data.data.id === String(id);
const subscribed = (stream: Stream): Promise<Sent> => stream.first(({ event }) => event === 'subscribed');

describe('a stream', () => {
  test('has the headers of one, the events of its channel without a name, and their cursors as ids', async () => {
    const stream = await follow(search);
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.response.headers.has('content-encoding')).toBe(false);
    expect((await subscribed(stream)).id).toMatch(/^[\w-]+\.\d+$/);
    expect(stream.events[0]!.retry).toBe('2000');
    await take(tweet(10), tweet(11, 'tea'), tweet(12));
    const { id, event, data } = await stream.first(isTweet(12));
    expect(event).toBeUndefined();
    expect(data).toMatchObject({ type: 'event', cursor: id, event: 'tweet.created', channel: 'search:tweets' });
    expect(stream.events.some(isTweet(10))).toBe(true);
    expect(stream.events.some(isTweet(11))).toBe(false);
    for (const sent of stream.events) if (sent.data !== undefined) await expectSchema('StreamedMessage', sent.data);
  });

  test('goes on behind Last-Event-ID without a loss, which is stronger than the cursor of its address', async () => {
    const first = await follow(search);
    const { id: begin = '' } = await subscribed(first);
    await take(tweet(20), tweet(21));
    const { id = '' } = await first.first(isTweet(20));
    first.stop();
    await take(tweet(22));
    const second = await follow({ ...search, cursor: begin }, { 'last-event-id': id });
    await second.first(({ event }) => event === 'caught_up');
    await take(tweet(23));
    await second.first(isTweet(23));
    const ids = second.events.flatMap(({ data }) =>
      data?.type === 'event' && 'id' in data.data ? [data.data.id] : [],
    );
    expect(ids).toEqual(['21', '22', '23']);
    const third = await follow({ ...search, cursor: begin });
    await third.first(isTweet(20));
  });

  test('has the same events as /ws, at the same positions', async () => {
    const stream = await follow({ channel: 'user:tweets', username: 'ada' });
    await subscribed(stream);
    const ws = await listener(server.url, key);
    await ws.ask({ type: 'subscribe', id: 'a', channel: 'user:tweets', params: { username: 'ada' } });
    await take(tweet(30), tweet(31, 'tea \u2028 with "quotes"\nand lines'));
    const { data } = await stream.first(isTweet(31));
    const other = await ws.first('event', (message) => 'id' in message.data && message.data.id === '31');
    expect(data).toEqual(other);
    ws.socket.terminate();
  });

  test('a deleted tweet goes to every search, and ends the streams about the tweet', async () => {
    await take(tweet(40, 'tea'));
    const [about, found] = [await follow({ channel: 'tweet:replies', tweet_id: '40' }), await follow(search)];
    await Promise.all([subscribed(about), subscribed(found)]);
    await take({ kind: 'delete', tweet_id: '40' });
    expect(await about.ended).toBe(true);
    expect(about.events.at(-1)).toMatchObject({ event: 'unsubscribed', data: { reason: 'the tweet was deleted' } });
    expect((await found.first(isTweet(40))).data).toMatchObject({ event: 'tweet.deleted', data: { id: '40' } });
    expect((await follow({ channel: 'tweet:replies', tweet_id: '40' })).response.status).toBe(404);
  });

  test('a state channel begins with the state', async () => {
    const stream = await follow({ channel: 'assistant:pool' });
    const { data } = await stream.first((sent) => sent.data?.type === 'event');
    expect(data).toMatchObject({ event: 'pool.status', data: { capable: 5 } });
  });

  test('HEAD has the head alone', async () => {
    const response = await fetch(`${server.url}/social/events?channel=assistant:pool&api_key=${key}`, {
      method: 'HEAD',
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await response.text()).toBe('');
  });

  test('the client reads it as an iterable', async () => {
    const client = createClient({ baseUrl: server.url, apiKey: key });
    const seen: string[] = [];
    for await (const message of await client.streams.streamEvents({ channel: 'search:tweets', query: 'coffee' })) {
      seen.push(message.type);
      if (message.type === 'event') break;
      await take(tweet(50));
    }
    expect(seen).toEqual(['subscribed', 'event']);
  });
});

describe('a request that cannot start a stream', () => {
  const refusals: [query: Record<string, string>, status: number, error: RegExp][] = [
    [{}, 400, /'channel'/],
    [{ channel: 'search:tweet', query: 'x' }, 400, /search:tweets/],
    [{ channel: 'search:tweets' }, 400, /'query'/],
    [{ channel: 'search:tweets', query: '(' }, 400, /cannot be read/],
    [{ channel: 'search:tweets', query: 'x', tweet_id: '1' }, 400, /no parameter 'tweet_id'/],
    [{ channel: 'user:tweets', username: 'nobody' }, 404, /nobody/],
    [{ channel: 'tweet:replies', tweet_id: '999' }, 404, /999/],
    [{ ...search, cursor: 'x' }, 400, /cursor/],
    [{ ...search, cursor: 'other.1' }, 410, /on_gap.*oldest cursor is [\w-]+\.\d+/],
    [{ ...search, on_gap: 'skip' }, 400, /on_gap/],
    [{ ...search, dry_run: '1' }, 400, /dry_run/],
  ];
  test.each(refusals)('%j is answered with %i', async (query, status, error) => {
    const { response } = await follow(query);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(((await response.json()) as { error: string }).error).toMatch(error);
  });

  test('a cursor ahead of the log is 400; one of another log goes on with a gap where the caller asks for it', async () => {
    const { id = '' } = await subscribed(await follow(search));
    const [epoch] = id.split('.');
    expect((await follow(search, { 'last-event-id': `${epoch}.999999` })).response.status).toBe(400);
    const stream = await follow({ ...search, on_gap: 'continue' }, { 'last-event-id': 'other.1' });
    expect((await stream.first(({ event }) => event === 'gap')).data).toMatchObject({
      reason: 'epoch',
      from: 'other.1',
    });
  });

  test('a key without the scope is 403; a sixth connection of a key is 429, also beside sockets', async () => {
    const client = createClient({ baseUrl: server.url, apiKey: key });
    const { token } = await client.token.create({ scopes: ['read'] });
    expect((await follow(search, { 'x-api-key': token })).response.status).toBe(403);
    const ws = await listener(server.url, key);
    await ws.first('connected');
    for (let count = 0; count < 4; count++) expect((await follow(search)).response.status).toBe(200);
    const { response } = await follow(search);
    expect([response.status, response.headers.has('retry-after')]).toEqual([429, true]);
    expect((await (await listener(server.url, key)).closed).code).toBe(4003);
    ws.socket.terminate();
    open.shift()!.stop();
    await until(async () => (await follow(search)).response.status === 200);
  });
});

describe('the programs of the documentation', () => {
  test.each([
    ['curl', 'sh', (code: string): string[] => ['-c', code], curl],
    [
      'an EventSource',
      process.execPath,
      (code: string): string[] => ['--experimental-eventsource', '-e', code],
      eventSource,
    ],
  ])('%s prints the events', async (name, command, argumentsOf, program) => {
    const code = program.replace(httpOrigin, server.url).replace('KEY', key);
    const child = spawn(command, argumentsOf(code), { detached: true });
    let printed = '';
    child.stdout.on('data', (piece) => (printed += String(piece)));
    try {
      const id = name === 'curl' ? 70 : 71;
      await until(async () => (await connections()) > 0);
      await take(tweet(id));
      await until(() => printed.includes(`coffee ${id}`));
      expect(printed).toContain('tweet.created');
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
      await until(async () => (await connections()) === 0);
    }
  });
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]);
}
const connections = (): Promise<number> => metric('ws_connections');

describe('the end of a stream', () => {
  test('comes with the end of its token', async () => {
    const { token, expires_at: end } = await createClient({ baseUrl: server.url, apiKey: key }).token.create({
      ttl_seconds: 60,
    });
    const stream = await follow({ ...search, api_key: token }, { 'x-api-key': '' });
    expect(stream.response.status).toBe(401);
    const target = `${server.url}/social/events?channel=search:tweets&query=coffee&api_key=${token}`;
    const response = await fetch(target);
    expect(response.status).toBe(200);
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse(end));
    for await (const _ of response.body!);
    expect((await fetch(target)).status).toBe(401);
  });

  test('comes at shutdown, with the time of the next attempt; the stream goes on after the restart', async () => {
    const stream = await follow(search);
    const { id = '' } = await subscribed(stream);
    await take(tweet(60));
    await stream.first(isTweet(60));
    await server.end();
    expect(await stream.ended).toBe(true);
    expect(stream.events.at(-1)).toMatchObject({ event: 'going_away', data: { type: 'going_away' } });
    expect(Number(stream.events.at(-1)!.retry)).toBeLessThan(5000);
    server = await start();
    const again = await follow(search, { 'last-event-id': id });
    await again.first(isTweet(60));
  });

  test('comes for a caller that connects while the service stops: after an error, an EventSource would not try again', async () => {
    const stream = await follow(search);
    await subscribed(stream);
    // The service waits a second for this connection, which answers no close frame.
    const { hostname, port } = new URL(server.url);
    const silent = connect(Number(port), hostname);
    const handshake = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    silent.write(
      [`GET /ws?api_key=${key} HTTP/1.1`, ...handshake, `Sec-WebSocket-Key: ${btoa('0123456789abcdef')}`, '', ''].join(
        '\r\n',
      ),
    );
    await new Promise((resolve) => silent.once('data', resolve));
    const stopped = server.end();
    expect(await stream.ended).toBe(true);
    const late = await follow(search);
    expect(late.response.status).toBe(200);
    expect(await late.ended).toBe(true);
    expect(late.events.at(-1)).toMatchObject({ event: 'going_away', retry: expect.any(String) });
    await stopped;
    silent.destroy();
    server = await start();
  });

  test('comes for a reader that reads nothing, whose queue has a limit, and others go on', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /social/events?channel=search:tweets&query=coffee&api_key=${key} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const reading = await follow(search);
    await subscribed(reading);
    const text = `coffee ${'x'.repeat(20_000)}`;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()).once('error', () => {}));
    for (let round = 0; round < 40; round++)
      await take(...Array.from({ length: 20 }, (_, index) => tweet(10_000 + round * 20 + index, text)));
    await reading.first(isTweet(10_799));
    expect(await metric('ws_buffered_bytes')).toBeLessThan(2_000_000);
    const cuts = async (): Promise<number> => metric('ws_closed_total\\{code="4108"\\}');
    while ((await cuts()) === 0) await new Promise((resolve) => setTimeout(resolve, 500));
    socket.resume();
    await closed;
    expect(await connections()).toBe(1);
  });
});
