// Tests server/engines/postgres/open-engine.ts.
/**
 * Kills of whole instances and of the database while changes are written and listeners hop between the instances. `CRASH_ROUNDS`
 * sets the number of kills. Needs a separate engine: `TEST_PG=1 npm test -- cluster`.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { StoredArchive } from '../../server/engines/open-archive.ts';
import { openPostgresStore } from '../../server/engines/postgres/store/postgres-store.ts';
import { startEngine, type Engine } from '../postgres/engine.js';
import { readExposition } from '../support/exposition.ts';
import { rounds } from '../support/rounds.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { openArchiveAt } from '../support/stored-archive.ts';
import { until } from '../support/until.ts';

const crashRounds = Number(process.env['CRASH_ROUNDS'] ?? rounds(5, 5));
const key = 'kill-test-key-0001';
const headers = { 'x-api-key': key };
const time = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const idOf = (n: number): string => String(100_000 + n);

/** Repeats a step until it does not reject: the database or an instance is away meanwhile. */
async function eventually<Result>(step: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (attempt > 600) throw error;
      await sleep(50);
    }
  }
}

/** Writes tweets, each with a like, as a process of another host does. */
class Writer {
  /** The number of tweets that are acknowledged. */
  written = 0;
  readonly #sink: StoredArchive['sink'];
  #isEnded = false;
  #running: Promise<void> = Promise.resolve();

  constructor(sink: StoredArchive['sink']) {
    this.#sink = sink;
  }

  start(): void {
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      const n = this.written;
      const records: ArchiveRecord[] = [
        {
          kind: 'tweet',
          tweet: { id: idOf(n), author_id: '7', text: `tweet ${n}`, created_at: time(n), observed_at: time(n) },
        },
        { kind: 'like', tweet_id: idOf(n), created_at: time(n) },
      ];
      // The same records again change nothing.
      await eventually(() => this.#sink.apply(`tweet ${n}`, { values: 1, done: true }, records));
      this.written++;
      await sleep(10);
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#running;
  }
}

/** A listener that continues at another instance whenever its connection ends. */
class HoppingListener {
  readonly events: { readonly seq: number; readonly event: string; readonly id: string }[] = [];
  readonly faults: string[] = [];
  readonly #urlOf: (connection: number) => string;
  #cursor: string;
  #socket: WebSocket | undefined;
  #isEnded = false;
  #connections = 0;

  constructor(cursor: string, urlOf: (connection: number) => string) {
    this.#cursor = cursor;
    this.#urlOf = urlOf;
    this.#connect();
  }

  #connect(): void {
    if (this.#isEnded) return;
    const socket = new WebSocket(`${this.#urlOf(this.#connections++).replace('http', 'ws')}/ws`, { headers });
    this.#socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => void setTimeout(() => this.#connect(), 20));
    socket.on('open', () => {
      const params = { query: 'from:ada' };
      const subscribe = { type: 'subscribe', id: 's', channel: 'search:tweets', params, cursor: this.#cursor };
      socket.send(JSON.stringify(subscribe));
    });
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString()) as Record<string, unknown>));
  }

  #take(message: Record<string, unknown>): void {
    const { type, event, cursor, data } = message;
    if (type === 'error' || type === 'gap') this.faults.push(JSON.stringify(message));
    if (type !== 'event') return;
    this.#cursor = String(cursor);
    const { id = '' } = data as { id?: string };
    this.events.push({ seq: Number(this.#cursor.split('.')[1]), event: String(event), id });
  }

  /** Goes on at the next instance. */
  hop(): void {
    this.#socket?.terminate();
  }

  end(): void {
    this.#isEnded = true;
    this.#socket?.terminate();
  }
}

/** A process that reserves accounts, and what it got. */
class Asker {
  readonly reserved: string[] = [];
  isReady = false;
  readonly #child: ChildProcess;

  constructor(args: readonly string[]) {
    const fixture = fileURLToPath(new URL('fixtures/asker.ts', import.meta.url));
    this.#child = spawn(process.execPath, [fixture, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let rest = '';
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      this.isReady ||= lines.includes('ready');
      this.reserved.push(...lines.filter((line) => line !== 'ready'));
    });
  }

  async kill(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }
}

(process.env['TEST_PG'] !== '1' ? describe.skip : describe)('instances on a separate database', () => {
  let engine: Engine;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let started = 0;
  const servers: RunningServer[] = [];
  const remotes: StoredArchive[] = [];
  beforeAll(async () => {
    engine = await startEngine();
    folder = await temporaryFolder();
  });
  afterAll(async () => {
    for (const server of servers) await server.end('SIGKILL');
    for (const remote of remotes) await remote.close();
    await engine?.stop();
    await folder?.dispose();
  });

  async function startInstance(env: Record<string, string> = {}, name = String(started++)): Promise<RunningServer> {
    const common = { DATABASE_URL: engine.url, API_KEYS: key, DEMO: '0', LOG_LEVEL: 'silent' };
    const server = await startServer(`${folder.path}/${name}`, { ...common, ...env });
    servers.push(server);
    return server;
  }
  async function openSink(url: string): Promise<StoredArchive['sink']> {
    const remote = await openArchiveAt(url);
    remotes.push(remote);
    return remote.sink;
  }
  const get = (server: RunningServer | undefined, target: string): Promise<Response> =>
    fetch(new URL(target, server?.url), { headers });
  const cursorOf = async (server: RunningServer | undefined): Promise<string> =>
    (await get(server, '/social/assistant/status')).headers.get('x-event-cursor') ?? '';
  const metricOf = async (server: RunningServer | undefined, name: string): Promise<number | undefined> =>
    readExposition(await (await get(server, '/metrics')).text()).series.find((series) => series.name === name)?.value;

  /** Removes a like at an instance. True where it was there. */
  async function unlike(server: RunningServer | undefined, id: string): Promise<boolean> {
    const response = await fetch(new URL('/social/tweet/unlike', server?.url), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ tweet_id: id }),
    });
    if (response.status !== 200) throw new Error(`${response.status}`);
    return ((await response.json()) as { success: boolean }).success;
  }

  /** The ids of all tweets that an instance finds, newest first. */
  async function found(server: RunningServer | undefined): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const target = `/social/tweet/advanced_search?query=from%3Aada&limit=100&cursor=${encodeURIComponent(cursor)}`;
      const page = (await (await get(server, cursor === '' ? target.replace('&cursor=', '') : target)).json()) as {
        tweets: { id: string }[];
        next_cursor: string | null;
        has_next_page: boolean;
      };
      ids.push(...page.tweets.map(({ id }) => id));
      if (!page.has_next_page || page.next_cursor === null) return ids;
      cursor = page.next_cursor;
    }
  }

  test(`${crashRounds} kills lose nothing acknowledged; hopping listeners get all events once and in order`, async () => {
    const url = `${engine.url}?schema=kills`;
    const env = { DATABASE_URL: url };
    const sink = await openSink(url);
    const ada = { id: '7', username: 'ada', created_at: time(0), observed_at: time(0) };
    await sink.apply('ada', { values: 1, done: true }, [{ kind: 'user', user: ada }]);
    const instances = [await startInstance(env, 'a'), await startInstance(env, 'b')];
    const cursor = await cursorOf(instances[0]);
    const listeners = [0, 1, 2].map(
      (offset) => new HoppingListener(cursor, (connection) => instances[(connection + offset) % 2]?.url ?? ''),
    );
    const writer = new Writer(sink);
    writer.start();
    const unliked: string[] = [];
    for (let round = 0; round < crashRounds; round++) {
      const before = writer.written;
      await until(() => writer.written >= before + 20);
      listeners[round % 3]?.hop();
      const liked = idOf(before + 1);
      const index = round % 2;
      // The other instance acknowledges a change while this one ends.
      const change = eventually(() => unlike(instances[1 - index], liked));
      if (round % 3 === 2) {
        await engine.kill();
        await sleep(20);
        await engine.start();
      } else {
        await instances[index]?.end('SIGKILL');
        servers.splice(servers.indexOf(instances[index] as RunningServer), 1);
        // It goes on in its folder.
        instances[index] = await startInstance(env, index === 0 ? 'a' : 'b');
      }
      await change;
      unliked.push(liked);
    }
    await writer.end();
    await until(async () => (await Promise.all(instances.map(found))).every((ids) => ids.length === writer.written));
    const expected = Array.from({ length: writer.written }, (_, n) => idOf(n));
    const [a, b] = await Promise.all(instances.map(found));
    expect(a?.toReversed()).toEqual(expected);
    expect(b).toEqual(a);
    for (const id of unliked)
      for (const instance of instances) expect([id, await unlike(instance, id)]).toEqual([id, false]);
    const createdIds = ({ events }: HoppingListener): string[] =>
      events.filter(({ event }) => event === 'tweet.created').map(({ id }) => id);
    await until(() => listeners.every((listener) => createdIds(listener).length >= writer.written));
    // After the last event: the leader publishes later than the archive applies.
    await until(async () => (await cursorOf(instances[0])) === (await cursorOf(instances[1])));
    const head = Number((await cursorOf(instances[0])).split('.')[1]);
    for (const listener of listeners) {
      expect(createdIds(listener)).toEqual(expected);
      const seqs = listener.events.map(({ seq }) => seq);
      expect(seqs).toEqual([...new Set(seqs)].toSorted((x, y) => x - y));
      expect(seqs.at(-1)).toBeLessThanOrEqual(head);
      expect(listener.faults).toEqual([]);
      listener.end();
    }
  }, 3_600_000);

  test('an instance that hangs loses its lease, and goes on as a follower', async () => {
    const env = { DATABASE_URL: `${engine.url}?schema=hang`, RATE_LIMIT: '60/1h' };
    const instances = [await startInstance(env), await startInstance(env)];
    const leads = async (index: number): Promise<boolean> =>
      (await metricOf(instances[index], 'instance_leader')) === 1;
    await until(async () => (await leads(0)) || (await leads(1)));
    const hanging = (await leads(0)) ? 0 : 1;
    let permitted = 0;
    const use = async (index: number): Promise<void> => {
      if ((await get(instances[index], '/social/assistant/status')).status === 200) permitted++;
    };
    // It holds a slice of the rate limit while it hangs.
    await use(hanging);
    instances[hanging]?.child.kill('SIGSTOP');
    await until(() => leads(1 - hanging));
    for (let request = 0; request < 40; request++) await use(1 - hanging);
    instances[hanging]?.child.kill('SIGCONT');
    await until(async () => !(await leads(hanging)));
    expect(await leads(1 - hanging)).toBe(true);
    for (let request = 0; request < 40; request++) await use(request % 2);
    expect(permitted).toBeLessThanOrEqual(60);
    expect(permitted).toBeGreaterThanOrEqual(54);
    const sink = await openSink(env.DATABASE_URL);
    const ada = { id: '7', username: 'ada', created_at: time(0), observed_at: time(0) };
    await sink.apply('ada', { values: 1, done: true }, [{ kind: 'user', user: ada }]);
    await until(async () => (await cursorOf(instances[0])) === (await cursorOf(instances[1])));
    for (const instance of instances) expect((await get(instance, '/readyz')).status).toBe(200);
  });

  test('the quota of an account holds over three processes that are killed again and again', async () => {
    const quota = 20;
    const accounts = ['one', 'two', 'three', 'four'];
    const url = `${engine.url}?schema=quota`;
    const start = (): Asker => new Asker([url, String(quota), ...accounts]);
    const running = [start(), start(), start()];
    const all = [...running];
    for (let round = 0; round < Math.max(3, crashRounds); round++) {
      const index = round % 3;
      await until(() => running[index]?.isReady === true);
      await running[index]?.kill();
      const next = start();
      running[index] = next;
      all.push(next);
    }
    await until(() => running.every(({ isReady }) => isReady));
    const reservations = async (): Promise<Map<string, number>> => {
      const store = await openPostgresStore({ url });
      const journal = await store.journal('pool');
      const counts = new Map<string, number>();
      await journal.replay((json) => {
        const { id, event } = JSON.parse(json.toString()) as { id: string; event?: { kind: string } };
        if (event?.kind === 'reserve') counts.set(id, (counts.get(id) ?? 0) + 1);
      });
      await store.close();
      return counts;
    };
    const total = async (): Promise<number> => [...(await reservations()).values()].reduce((a, b) => a + b, 0);
    await until(async () => (await total()) >= 0.9 * quota * accounts.length);
    await Promise.all(running.map((asker) => asker.kill()));
    const counts = await reservations();
    for (const account of accounts) expect(counts.get(account) ?? 0).toBeLessThanOrEqual(quota);
    // What the process acknowledged is durable.
    for (const account of accounts)
      expect(all.flatMap(({ reserved }) => reserved).filter((id) => id === account).length).toBeLessThanOrEqual(
        counts.get(account) ?? 0,
      );
  }, 3_600_000);
});
