/**
 * The server killed by kill -9 in each of its write paths, again and again: at an operation on its files that a seeded generator chooses,
 * or at a moment of chance. After each kill it is started again and must know all that was acknowledged.
 */
import { expect } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { connectControl, type Control } from '../../server/admin/control-client.ts';
import { readSample } from '../../server/demo/seed-sample.ts';
import { dyingAt, moments, mortal } from '../support/crash-injection.ts';
import { random } from '../support/random.ts';
import { run, startServer, type RunningServer } from '../support/server.ts';
import { listener, type Listener } from '../support/stream.ts';

const key = 'a-key-for-crash-tests';
const env = { API_KEYS: key, RATE_LIMIT: 'off', WS_CONNECTIONS: '1000', ASSISTANT_QUOTA: '5000' };

/** What the rounds have come to. */
export interface Tally {
  /** Kills, by what was going on. */
  readonly kills: Record<'load' | 'start' | 'seed' | 'import', number>;
  /** Acknowledgements that were looked for after a kill. */
  acknowledged: number;
  events: number;
}

/** How a server or a command is to die: at one of its first operations on its files. */
const dying = (draw: (below: number) => number, most: number): Record<string, string> =>
  dyingAt(1 + draw(most), moments[draw(3)]!);

/** One data folder through any number of kills under load. */
class Chain {
  readonly #dataDir: string;
  readonly #draw: (below: number) => number;
  readonly #tally: Tally;
  readonly #dieFile: string;
  #server: RunningServer | undefined;
  #control: Control | undefined;
  #listener: Listener | undefined;
  #round = 0;
  /** Tweets that were acknowledged, and those that may be there. */
  readonly #tweets = new Set<string>();
  readonly #attempted = new Set<string>();
  /** Of each tweet that was to be unliked, whether that was acknowledged. */
  readonly #unlikes = new Map<string, boolean>();
  readonly #progress = new Map<string, number>();
  readonly #keys = new Map<string, { key: string; revoked: boolean | 'maybe' }>();
  readonly #accounts = new Map<string, boolean | 'maybe'>();
  readonly #conversations: string[] = [];
  #answered = 0;
  #asked = 0;
  #cursor: string | undefined;
  #delivered: string[] = [];
  #seqs: number[] = [];

  constructor(dataDir: string, draw: (below: number) => number, tally: Tally) {
    this.#dataDir = dataDir;
    this.#dieFile = `${dataDir}.die`;
    this.#draw = draw;
    this.#tally = tally;
  }

  /** Writes, is killed, starts again, and compares. */
  async round(): Promise<void> {
    if (this.#server === undefined) await this.#start({});
    this.#round++;
    await writeFile(this.#dieFile, `${1 + this.#draw(100)} ${moments[this.#draw(3)]}`);
    this.#server!.child.kill('SIGUSR2');
    await this.#writeAll();
    await this.#stop('SIGKILL');
    this.#tally.kills.load++;
    if (this.#draw(5) === 0) {
      const again = await this.#start(dying(this.#draw, 25)).then(
        () => true,
        () => false,
      );
      if (again) await this.#stop('SIGKILL');
      this.#tally.kills.start++;
    }
    await this.#start({});
    await this.#compare();
  }

  /** An import without a server, killed, and gone on with by the same command. */
  async importRound(folder: string): Promise<void> {
    if (this.#server !== undefined) expect(await this.#stop('SIGTERM')).toBe(0);
    const author = `u${++this.#round}`;
    const records = this.#batch(author, 0, 3000);
    const file = join(folder, `${author}.jsonl`);
    await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
    const importing = (more: Record<string, string>) =>
      run('scripts/cli/import.ts', [file], { DATA_DIR: this.#dataDir, ...more });
    if ((await importing(dying(this.#draw, 16))).code !== 0) this.#tally.kills.import++;
    expect(await importing({})).toMatchObject({ code: 0 });
    for (const record of records) if (record.kind === 'tweet') this.#tweets.add(record.tweet.id);
    await this.#start({});
    await this.#compare();
  }

  /** All tweets of all rounds, and the events of them. */
  async end(): Promise<void> {
    if (this.#server === undefined) await this.#start({});
    const metrics = await (await fetch(`${this.#server!.url}/metrics`)).text();
    await this.#listener!.settled(Number(/^event_log_head (\d+)/m.exec(metrics)![1]));
    this.#leaveOff();
    const found = new Set<string>();
    for (let cursor = ''; ;) {
      const page = await this.#get<Schemas['TweetShortPage']>('tweet/advanced_search', {
        query: 'crash',
        limit: '100',
        ...(cursor === '' ? {} : { cursor }),
      });
      for (const { id } of page.tweets) found.add(id);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect([...this.#tweets].filter((id) => !found.has(id))).toEqual([]);
    expect([...found].filter((id) => !this.#attempted.has(id))).toEqual([]);
    // Each tweet was published once, acknowledged or not, and no event is about a missing tweet.
    expect(this.#delivered.toSorted()).toEqual([...found].toSorted());
    expect(this.#seqs.every((seq, place) => place === 0 || seq > this.#seqs[place - 1]!)).toBe(true);
    this.#tally.acknowledged += this.#tweets.size;
    this.#tally.events += this.#delivered.length;
    expect(await this.#stop('SIGTERM')).toBe(0);
  }

  /** After a round that failed. */
  async dispose(): Promise<void> {
    this.#control?.close();
    this.#listener?.socket.terminate();
    await this.#server?.end('SIGKILL');
  }

  async #start(more: Record<string, string>): Promise<void> {
    const server = await startServer(this.#dataDir, {
      ...env,
      DEMO: '0',
      NODE_OPTIONS: mortal,
      DIE_FILE: this.#dieFile,
      ...more,
    });
    const control = await connectControl(this.#dataDir).catch(() => undefined);
    if (control === undefined) {
      await server.end('SIGKILL');
      throw new Error('killed while it started');
    }
    this.#server = server;
    this.#control = control;
    // The events of a disconnected client count, too.
    await this.#listen().catch((error: Error) => {
      if (!/closed with|ECONNREFUSED|ECONNRESET|hang up/.test(error.message)) throw error;
    });
  }

  async #stop(signal: NodeJS.Signals): Promise<number | null> {
    const code = await this.#server!.end(signal);
    this.#server = undefined;
    this.#control?.close();
    await this.#listener?.closed;
    this.#leaveOff();
    return code;
  }

  async #listen(): Promise<void> {
    this.#listener = await listener(this.#server!.url, key);
    this.#cursor ??= (await this.#listener.first('connected')).cursor;
    const answer = await this.#listener.ask({
      type: 'subscribe',
      id: '1',
      channel: 'search:tweets',
      params: { query: 'crash' },
      cursor: this.#cursor,
    });
    expect(answer).toMatchObject({ type: 'subscribed', recovered: true });
  }

  /** Adds the events of a client. */
  #leaveOff(): void {
    for (const { data, seq, cursor, event } of this.#listener?.of('event') ?? []) {
      expect(event).toBe('tweet.created');
      this.#delivered.push((data as { id: string }).id);
      this.#seqs.push(seq);
      this.#cursor = cursor;
    }
    this.#listener?.socket.terminate();
    this.#listener = undefined;
  }

  #request(path: string, init: RequestInit & { key?: string } = {}): Promise<Response> {
    return fetch(`${this.#server!.url}/social/${path}`, {
      ...init,
      headers: { 'x-api-key': init.key ?? key, 'content-type': 'application/json' },
    });
  }

  async #get<Answer>(path: string, query: Record<string, string>): Promise<Answer> {
    const response = await this.#request(`${path}?${new URLSearchParams(query)}`);
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as Answer;
  }

  #batch(author: string, from: number, size: number): ArchiveRecord[] {
    const user = String(1_000_000 + this.#round);
    const records: ArchiveRecord[] = [{ kind: 'user', user: { id: user, username: author } }];
    for (let n = from; n < from + size; n++) {
      const id = `${user}${String(n).padStart(5, '0')}`;
      this.#attempted.add(id);
      records.push(
        {
          kind: 'tweet',
          tweet: { id, text: `crash ${n}`, created_at: '2026-01-01T00:00:00Z', author_id: user, like_count: 10 },
        },
        { kind: 'like', tweet_id: id },
      );
    }
    return records;
  }

  /** Everything at once, until all of it is done or the server is dead. */
  async #writeAll(): Promise<void> {
    const author = `u${this.#round}`;
    const all = Promise.allSettled([
      this.#import(author),
      ...[...this.#tweets]
        .slice(-200)
        .filter((id) => !this.#unlikes.has(id))
        .slice(0, 8)
        .map((id) => this.#unlike(id)),
      this.#changeKeys(),
      this.#changeAccounts(),
      ...[1, 2, 3].map(() => this.#ask({ tweet_id: [...this.#tweets].at(-1) ?? '1' })),
      ...this.#conversations.slice(-2).map((conversation_id) => this.#ask({ conversation_id, prompt: 'And then?' })),
    ]);
    const moment = this.#draw(3) === 0 ? new Promise((resolve) => setTimeout(resolve, this.#draw(300))) : all;
    await moment;
    this.#server!.child.kill('SIGKILL');
    await all;
  }

  async #import(author: string): Promise<void> {
    for (let batch = 0; batch < 4; batch++) {
      const size = 1 + this.#draw(80);
      const records = this.#batch(author, batch * 100, size);
      await this.#control!.call('import/apply', [author, { values: batch + 1, done: batch === 3 }, records]);
      this.#progress.set(author, batch + 1);
      for (const record of records) if (record.kind === 'tweet') this.#tweets.add(record.tweet.id);
    }
  }

  async #unlike(id: string): Promise<void> {
    this.#unlikes.set(id, false);
    const response = await this.#request('tweet/unlike', { method: 'POST', body: JSON.stringify({ tweet_id: id }) });
    expect([response.status, await response.json()]).toEqual([200, { success: true }]);
    this.#unlikes.set(id, true);
  }

  async #changeKeys(): Promise<void> {
    const [first] = [...this.#keys].filter(([, { revoked }]) => revoked === false);
    const { id, key: made } = (await this.#control!.call('keys/create', `round ${this.#round}`)) as {
      id: string;
      key: string;
    };
    this.#keys.set(id, { key: made, revoked: false });
    if (first === undefined) return;
    first[1].revoked = 'maybe';
    expect(await this.#control!.call('keys/revoke', first[0])).toBe(true);
    first[1].revoked = true;
  }

  async #changeAccounts(): Promise<void> {
    const [first] = [...this.#accounts].filter(([, present]) => present === true);
    const { id } = (await this.#control!.call('accounts/add', {
      base_url: 'http://127.0.0.1:9',
      api_key: `sk-${this.#round}`,
    })) as { id: string };
    this.#accounts.set(id, true);
    if (first === undefined) return;
    this.#accounts.set(first[0], 'maybe');
    await this.#control!.call('accounts/remove', first[0]);
    this.#accounts.set(first[0], false);
  }

  async #ask(query: Record<string, string>): Promise<void> {
    this.#asked++;
    const response = await this.#request(`tweet/assistant?${new URLSearchParams(query)}`);
    if (response.status === 404 && this.#tweets.size === 0) return;
    expect(response.status).toBe(200);
    const { conversation_id } = (await response.json()) as Schemas['AssistantAnswer'];
    this.#answered++;
    if (!this.#conversations.includes(conversation_id)) this.#conversations.push(conversation_id);
  }

  /** Whether the server knows all that was acknowledged. */
  async #compare(): Promise<void> {
    await this.#compareTweets(`u${this.#round}`);
    await this.#compareTweets(`u${this.#round - 1}`);
    for (const [author, values] of [...this.#progress].slice(-2)) {
      const { values: known } = (await this.#control!.call('import/resume', author)) as { values: number };
      expect(known).toBeGreaterThanOrEqual(values);
    }
    const listed = new Set(((await this.#control!.call('keys/list', null)) as { id: string }[]).map(({ id }) => id));
    for (const [id, { key: made, revoked }] of [...this.#keys].slice(-3)) {
      if (revoked !== 'maybe') expect([id, listed.has(id)]).toEqual([id, !revoked]);
      expect((await this.#request('assistant/status', { key: made })).status).toBe(listed.has(id) ? 200 : 401);
      this.#keys.set(id, { key: made, revoked: !listed.has(id) });
      this.#tally.acknowledged++;
    }
    const accounts = new Set(
      ((await this.#control!.call('accounts/list', null)) as { id: string }[]).map(({ id }) => id),
    );
    for (const [id, present] of this.#accounts) {
      if (present !== 'maybe') expect([id, accounts.has(id)]).toEqual([id, present]);
      this.#accounts.set(id, accounts.has(id));
      this.#tally.acknowledged++;
    }
    const { capacity } = await this.#get<Schemas['PoolStatus']>('assistant/status', {});
    expect(capacity.used_24h).toBeGreaterThanOrEqual(this.#answered);
    expect(capacity.used_24h).toBeLessThanOrEqual(this.#asked);
    const conversation = this.#conversations.at(-1);
    if (conversation !== undefined) await this.#ask({ conversation_id: conversation, prompt: 'Still there?' });
    expect(this.#listener).toBeDefined();
  }

  /** The tweets of a round, with their likes. */
  async #compareTweets(author: string): Promise<void> {
    const mine = [...this.#tweets].filter((id) => id.startsWith(String(1_000_000 + Number(author.slice(1)))));
    if (mine.length === 0) return;
    const likes = new Map<string, number>();
    for (let cursor = ''; ;) {
      const page = await this.#get<Schemas['LastTweetsPage']>('user/last_tweets', {
        username: author,
        limit: '100',
        ...(cursor === '' ? {} : { cursor }),
      });
      for (const { id, like_count } of page.tweets) likes.set(id, like_count);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    for (const id of mine) {
      const unliked = this.#unlikes.get(id);
      if (unliked === undefined || unliked) expect([id, likes.get(id)]).toEqual([id, unliked ? 9 : 10]);
      else expect([9, 10]).toContain(likes.get(id));
      if (unliked) this.#tally.acknowledged++;
    }
  }
}

/** The first start, killed while it takes the sample in: the next one has the whole of it. */
async function seedRound(folder: string, number: number, draw: (below: number) => number, tally: Tally): Promise<void> {
  const dataDir = join(folder, `seed-${number}`);
  const start = (more: Record<string, string>) => startServer(dataDir, { ...env, ...more });
  const first = await start({ DEMO: '1', ...dying(draw, 60) }).catch(() => undefined);
  if (first !== undefined) await first.end('SIGKILL');
  tally.kills.seed++;
  const server = await start({ DEMO: '1' });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const sample = await readSample();
  expect(Number(/^archive_objects\{kind="tweets"\} (\d+)/m.exec(metrics)![1])).toBe(
    sample.filter(({ kind }) => kind === 'tweet').length,
  );
  expect(await server.end()).toBe(0);
  tally.acknowledged++;
}

/** So many rounds, a kill in each. Throws where anything that was acknowledged is missing after one. */
export async function crash(
  folder: string,
  rounds: number,
  seed: number,
  tally: Tally,
  onRound: (round: number) => void = () => {},
): Promise<void> {
  const draw = random(seed);
  const chain = new Chain(join(folder, 'chain'), draw, tally);
  try {
    for (let round = 0; round < rounds; round++) {
      await one(round);
      onRound(round);
    }
    await chain.end();
  } finally {
    await chain.dispose();
  }

  async function one(round: number): Promise<void> {
    try {
      if (round % 10 === 1) await seedRound(folder, Math.floor(round / 10), draw, tally);
      else if (round % 10 === 7) await chain.importRound(folder);
      else await chain.round();
    } catch (error) {
      throw new Error(`round ${round} of seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
}
