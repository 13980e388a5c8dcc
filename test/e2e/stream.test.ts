/**
 * Listeners whose connections drop, and whose server is killed, while tens of thousands of events are imported: in the end each has all, in
 * order, once. STREAM_EVENTS=1000000 imports more.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { ArchivedTweet } from '../../server/domain/records.ts';
import { documentOf } from '../../server/search/document.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { parse } from '../../server/search/language/parse.ts';
import { moments, mortal } from '../support/crash-injection.ts';
import { random } from '../support/random.ts';
import { startRelay } from '../support/relay.ts';
import { rounds } from '../support/rounds.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { expectMessages, listener, type Listener, type ServerMessage } from '../support/stream.ts';

const key = 'a-stream-test-key';
// Many connections, so that the key may open them as often as they drop here.
const env = { DEMO: '0', API_KEYS: key, WS_CONNECTIONS: '1000', NODE_OPTIONS: mortal };
const total = Number(process.env.STREAM_EVENTS ?? rounds(15_000));

const draw = random(20_261_121);
const words = Array.from({ length: 40 }, (_, number) => `word${number}`);
const tweets = Array.from({ length: total }, (_, number): ArchivedTweet => ({
  id: String(1_000_000 + number),
  text: Array.from({ length: 4 }, () => words[draw(words.length)]).join(' '),
  created_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  author_id: String(1 + draw(20)),
  lang: draw(2) === 0 ? 'en' : 'ja',
}));
const queries = [
  'word1',
  'word2 OR word3',
  '"word4 word5"',
  'from:user_7',
  'word6 -word7 lang:en',
  '(word8 word9) OR from:user_3',
  'lang:ja word10',
  '"word11 * word12"',
  'from:user_1 OR from:user_2 word0',
  'word39',
];

/** The ids that each query finds, in the order of the import. */
function findAll(): Map<string, string[]> {
  const around = { user: (id: string) => ({ id, username: `user_${id}` }), authorOf: () => undefined };
  const conditions = queries.map((query) => [query, compileQuery(parse(query))] as const);
  const found = new Map<string, string[]>(queries.map((query) => [query, []]));
  for (const tweet of tweets) {
    const document = documentOf(tweet, around);
    for (const [query, condition] of conditions)
      if (matches(condition, document, Date.now())) found.get(query)!.push(tweet.id);
  }
  return found;
}

/** Stays subscribed to a query, whatever happens, by its last cursor. */
class Persistent {
  readonly ids: string[] = [];
  readonly seqs: number[] = [];
  drops = 0;
  connection: Listener | undefined;
  #cursor: string | undefined;
  #stopped = false;
  readonly query: string;
  readonly done: Promise<void>;

  constructor(url: string, query: string) {
    this.query = query;
    this.done = this.#run(url);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.connection?.socket.terminate();
    await this.done;
  }

  /** Waits until a connection has delivered all events up to this one. */
  async settled(seq: number): Promise<void> {
    for (let settled = false; !settled; await new Promise((resolve) => setTimeout(resolve, 20))) {
      const connection = this.connection!;
      if (connection.of('subscribed').length > 0)
        settled = await connection.settled(seq).then(
          () => true,
          () => false,
        );
    }
  }

  async #run(url: string): Promise<void> {
    while (!this.#stopped) {
      try {
        this.connection = await listener(url, key);
        // What is read is noted at once: nothing else survives a drop.
        this.connection.socket.on('message', (data) => this.#note(JSON.parse(String(data)) as ServerMessage));
        this.connection.messages.forEach((message) => this.#note(message));
        const cursor = this.#cursor ?? (await this.connection.first('connected')).cursor;
        this.#cursor = cursor;
        const answer = await this.connection.ask({
          type: 'subscribe',
          id: '1',
          channel: 'search:tweets',
          params: { query: this.query },
          cursor,
        });
        expect(answer).toMatchObject({ type: 'subscribed', recovered: true });
        await this.connection.closed;
      } catch (error) {
        if (!/closed with|ECONNREFUSED|ECONNRESET|hang up|EPIPE/.test((error as Error).message)) throw error;
      }
      this.drops++;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  #note(message: ServerMessage): void {
    if (message.type !== 'event') return;
    this.#cursor = message.cursor;
    this.seqs.push(message.seq);
    this.ids.push((message.data as { id: string }).id);
  }
}

test('delivers all events to every client in order, without gaps or duplicates', async () => {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const file = join(folder.path, 'tweets.jsonl');
  const users = Array.from({ length: 20 }, (_, number) => ({
    kind: 'user',
    user: { id: String(number + 1), username: `user_${number + 1}` },
  }));
  await writeFile(
    file,
    [...users, ...tweets.map((tweet) => ({ kind: 'tweet', tweet }))].map((record) => JSON.stringify(record)).join('\n'),
  );

  const dieFile = join(folder.path, 'die');
  const start = (): Promise<RunningServer> => startServer(dataDir, { ...env, DIE_FILE: dieFile });
  let server = await start();
  const relay = await startRelay();
  const { url } = relay;
  relay.target(server.url);
  // The users first: a subscription by username matches when the tweet arrives.
  const listeners = queries.flatMap((query) => [new Persistent(url, query), new Persistent(url, query)]);
  const dropping = setInterval(() => listeners[draw(listeners.length)]!.connection?.socket.terminate(), 20);
  const drops = (): number => listeners.reduce((sum, each) => sum + each.drops, 0);
  const found = findAll();
  let kills = 0;
  const most = rounds(4, 1);
  try {
    for (let done = false; !done;) {
      // In the middle: the server dies at one of the next operations on its files, and the import is what causes them.
      if (kills < most) {
        await writeFile(dieFile, `${1 + draw(3)} ${moments[draw(moments.length)]}`);
        server.child.kill('SIGUSR2');
      }
      const { code, stderr } = await run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir });
      done = code === 0;
      if (done) continue;
      expect(stderr).toContain('the server ended before it responded');
      kills++;
      await server.end('SIGKILL');
      server = await start();
      relay.target(server.url);
    }
    // A short import drops few connections: the listeners are dropped further while they read what they have missed.
    while (drops() <= listeners.length) await new Promise((resolve) => setTimeout(resolve, 20));
    clearInterval(dropping);
    for (const each of listeners) {
      const expected = found.get(each.query)!;
      while (each.ids.length < expected.length) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // What would be one too many comes before the answer to this.
    for (const each of listeners) await each.settled(each.seqs.at(-1)!);
    for (const each of listeners) {
      expect([each.query, each.ids]).toEqual([each.query, found.get(each.query)!]);
      expect(each.seqs).toEqual(each.seqs.toSorted((a, b) => a - b));
      expect(new Set(each.seqs).size).toBe(each.seqs.length);
      await expectMessages(each.connection!.messages.slice(0, 20));
    }
    // The delivered events equal the search results, and each response has an event cursor.
    let cursor = '';
    for (const query of queries) {
      const search = new URL(`/social/tweet/advanced_search?${new URLSearchParams({ query, limit: '100' })}`, url);
      const response = await fetch(search, { headers: { 'x-api-key': key } });
      cursor = response.headers.get('x-event-cursor')!;
      const { tweets: page } = (await response.json()) as { tweets: { id: string }[] };
      expect([query, page.map(({ id }) => id)]).toEqual([query, found.get(query)!.toReversed().slice(0, page.length)]);
      expect(page.length).toBe(Math.min(100, found.get(query)!.length));
    }
    await writeFile(
      file,
      JSON.stringify({ kind: 'tweet', tweet: { ...tweets[0], id: '9000000', text: 'word1 afterwards' } }),
    );
    expect(await run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    const late = await listener(url, key);
    await late.ask({ type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: 'word1' }, cursor });
    await late.first('event');
    await late.settled();
    expect(late.of('event').map(({ data }) => (data as { id: string }).id)).toEqual(['9000000']);
    late.socket.terminate();

    expect(kills).toBeGreaterThanOrEqual(most - 1);
  } finally {
    clearInterval(dropping);
    await Promise.all(listeners.map((each) => each.stop()));
    await server.end('SIGKILL');
    await relay.stop();
    await folder.dispose();
  }
});
