/** The system's clock is set back and forth by an hour under the whole server: nobody notices. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Schemas } from '../../server/contract/operations.ts';
import { serverClock, type ServerClock } from '../support/clock.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { listener, type Listener } from '../support/stream.ts';

const key = 'a-key-for-clock-tests';
const hour = 3_600_000;
/** Of limits, and of conversations, in seconds: far longer than the tests take. The time passes when a test says so. */
const period = 600;
const ttl = 1_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let clock: ServerClock;
let server: RunningServer;
const listeners: Listener[] = [];
/** Every status so far. */
const statuses: number[] = [];

const start = (): Promise<RunningServer> =>
  startServer(dataDir, {
    API_KEYS: key,
    DEMO: '0',
    RATE_LIMIT: 'off',
    CONVERSATION_TTL: String(ttl),
    FAILED_KEYS: `3/${period}s`,
    ...clock.env,
  });

beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
  clock = serverClock(folder.path);
  await importTweets(0);
  server = await start();
});
afterAll(async () => {
  listeners.forEach(({ socket }) => socket.terminate());
  await server?.end();
  await folder?.dispose();
});

const id = (n: number): string => String(1000 + n);
const perImport = 5;

/** Takes in five tweets, each of them liked. */
async function importTweets(from: number): Promise<void> {
  const file = join(folder.path, `${from}.jsonl`);
  const records = Array.from({ length: perImport }, (_, n) => [
    {
      kind: 'tweet',
      tweet: { id: id(from + n), text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1', like_count: 10 },
    },
    { kind: 'like', tweet_id: id(from + n) },
  ]).flat();
  await writeFile(
    file,
    [{ kind: 'user', user: { id: '1', username: 'ada' } }, ...records]
      .map((record) => JSON.stringify(record))
      .join('\n'),
  );
  expect(await run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
}

async function call(
  path: string,
  init: RequestInit = {},
  apiKey = key,
): Promise<{ status: number; headers: Headers; body: any }> {
  const response = await fetch(server.url + path, {
    ...init,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
  });
  statuses.push(response.status);
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const ask = (query: Record<string, string>): ReturnType<typeof call> =>
  call(`/social/tweet/assistant?${new URLSearchParams(query)}`);
const unlike = (n: number): ReturnType<typeof call> =>
  call('/social/tweet/unlike', { method: 'POST', body: JSON.stringify({ tweet_id: id(n) }) });
const capacity = async (): Promise<Schemas['PoolStatus']['capacity']> =>
  (await call('/social/assistant/status')).body.capacity;
const seqOf = ({ headers }: { headers: Headers }): number => Number(headers.get('x-event-cursor')!.split('.')[1]);

async function listening(cursor?: string): Promise<Listener> {
  const each = await listener(server.url, key);
  listeners.push(each);
  await each.ask({
    type: 'subscribe',
    id: '1',
    channel: 'search:tweets',
    params: { query: 'hello' },
    ...(cursor === undefined ? {} : { cursor }),
  });
  return each;
}
const eventIds = (each: Listener): string[] => each.of('event').map(({ data }) => (data as { id: string }).id);
const ids = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => id(from + n));

/** Sends requests until the rate limit rejects one. Returns the Retry-After in seconds. */
async function exhaust(calling: () => ReturnType<typeof call>): Promise<number> {
  for (;;) {
    const { status, headers } = await calling();
    if (status === 429) return Number(headers.get('retry-after'));
  }
}

let imported = perImport;
let live: Listener;
let first: string;

test.each([
  ['back', -hour],
  ['forth again', 0],
])('clock set %s: rate limits, conversation expiry and quota are unaffected', async (_way, skew) => {
  const created = await run(
    'scripts/cli/keys.ts',
    ['create', '--name', 'limited', '--rate', `2/${period}s`, '--expires', '3h'],
    { DATA_DIR: dataDir },
  );
  const limited = /^(\S+)$/m.exec(created.stdout)![1]!;
  const asLimited = (): ReturnType<typeof call> => call('/social/assistant/status', {}, limited);
  const asGuesser = (): ReturnType<typeof call> => call('/social/assistant/status', {}, 'a-wrong-key');
  const before = await capacity();
  const [activeChat, expiredChat] = [await ask({ tweet_id: id(0) }), await ask({ tweet_id: id(0) })];
  expect([activeChat.status, expiredChat.status]).toEqual([200, 200]);
  const used = await capacity();
  expect(used.used_24h).toBe(before.used_24h + 2);
  for (const each of [asLimited, asGuesser]) expect(await exhaust(each)).toBeLessThanOrEqual(period);

  await clock.setWrong(skew, server);
  const waits = [await exhaust(asLimited), await exhaust(asGuesser)];
  for (const seconds of waits) expect(seconds).toBeLessThanOrEqual(period);
  expect(await capacity()).toEqual(used);
  // A use keeps a conversation, another one comes to its end.
  await clock.pass(Math.max(...waits) * 1000, server);
  expect([(await asLimited()).status, (await asGuesser()).status]).toEqual([200, 401]);
  const goOn = async ({ body: { conversation_id } }: typeof activeChat): Promise<number> =>
    (await ask({ conversation_id, prompt: 'And?' })).status;
  await clock.pass(ttl * 500, server);
  expect(await goOn(activeChat)).toBe(200);
  expect((await capacity()).used_24h).toBe(used.used_24h + 1);
  await clock.pass(ttl * 900, server);
  expect([await goOn(activeChat), await goOn(expiredChat)]).toEqual([200, 409]);
  const listed = (await run('scripts/cli/keys.ts', ['list'], { DATA_DIR: dataDir })).stdout;
  expect(listed).toMatch(/limited/);
  expect(listed).not.toMatch(/expired/);
});

test('clock set back and forth: events are unique and ordered, live and in replays; a removed like stays removed', async () => {
  live = await listening();
  first = (await live.first('connected')).cursor;
  const seqs = [seqOf(await call('/social/user/last_tweets?username=ada'))];
  for (const skew of [-hour, 0, -hour]) {
    await clock.setWrong(skew, server);
    await importTweets(imported);
    imported += perImport;
    await live.first('event', ({ data }) => (data as { id: string }).id === id(imported - 1));
    seqs.push(seqOf(await call('/social/user/last_tweets?username=ada')));
  }
  expect(eventIds(live)).toEqual(ids(perImport, imported));
  expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  const cursors = live.of('event').map(({ seq }) => seq);
  expect(cursors).toEqual([...new Set(cursors)].toSorted((a, b) => a - b));
  const replayed = await listening(first);
  await replayed.first('caught_up');
  expect(eventIds(replayed)).toEqual(eventIds(live));

  expect((await unlike(imported - 1)).body).toEqual({ success: true });
  await importTweets(imported - perImport);
  expect((await unlike(imported - 1)).body).toEqual({ success: false });
});

test('restart with a clock one hour behind: nothing is lost, freed or locked', async () => {
  const used = await capacity();
  const { conversation_id } = (await ask({ tweet_id: id(0) })).body;
  await clock.setWrong(0, server);
  expect((await ask({ conversation_id, prompt: 'And?' })).status).toBe(200);
  await clock.setWrongForNextStart(-hour);
  expect(await server.end()).toBe(0);
  server = await start();
  expect((await capacity()).used_24h).toBe(used.used_24h + 2);
  expect((await ask({ conversation_id, prompt: 'And now?' })).status).toBe(200);
  await importTweets(imported);
  const replayed = await listening(first);
  await replayed.first('event', ({ data }) => (data as { id: string }).id === id(imported + perImport - 1));
  expect(eventIds(replayed)).toEqual(ids(perImport, imported + perImport));
});

test('returns no 5xx and logs no error', () => {
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(server.errors()).not.toMatch(/"level":(50|60)/);
});
