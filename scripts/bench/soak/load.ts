/** The load of a soak test: valid and invalid requests, listeners, imports and erasures, each with its expected results. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createRandom } from '../../sample/random.ts';
import { spawnCommand } from '../service.ts';
import { vocabulary, wordOf } from '../tweets.ts';

export const key = 'sd_bench_soak_key_of_the_load';

/** The numbers of operations and faults so far, by kind. */
export interface Tally {
  readonly done: Record<string, number>;
  readonly faults: Record<string, number>;
}

export interface LoadOptions {
  readonly url: string;
  readonly dataDir: string;
  /** The records of the archive, one per line. */
  readonly recordsFile: string;
  readonly tweets: number;
  /** Requests per second. */
  readonly rate: number;
  readonly listeners: number;
  /** The text of a stored tweet to erase. */
  readonly wordToErase: () => string | undefined;
  readonly signal: AbortSignal;
}

interface LoadRequest {
  readonly kind: string;
  readonly target: string;
  readonly body?: object;
  readonly key?: string;
  readonly expected: readonly number[];
}

const tweetIdOf = (number: number): string => String(1_870_000_000_000_000_000n + BigInt(number) * 4_194_304n);

const documentation = ['/docs', '/openapi.json', '/live', '/docs/search'];

/** A deterministic mix of requests. */
function requestsOf(tweets: number): () => LoadRequest {
  const random = createRandom(7);
  const tweetId = (limit = tweets): string => tweetIdOf(random.integer(0, limit - 1));
  const word = (): string => wordOf(random.integer(1, vocabulary));
  const user = (max: number): string => `user_${random.integer(0, max)}`;
  let count = 0;
  const shares: readonly (readonly [share: number, create: () => Omit<LoadRequest, 'kind'>, kind: string])[] = [
    [40, () => ({ target: `/social/user/last_tweets?username=${user(20)}`, expected: [200] }), 'page, repeated'],
    // Few targets, so that the response cache holds all of them before the measurement starts.
    [15, () => ({ target: `/social/tweet/replies?tweet_id=${tweetId(1_000)}`, expected: [200] }), 'page'],
    [
      20,
      () => ({
        target: `/social/tweet/advanced_search?query=${word()}%20OR%20${word()}${count++}&limit=${random.integer(1, 100)}`,
        expected: [200],
      }),
      'search, unique',
    ],
    [5, () => ({ target: `/social/user/mentions?username=${user(200)}&limit=100`, expected: [200] }), 'large page'],
    [5, () => ({ target: '/social/tweet/unlike', body: { tweet_id: tweetId() }, expected: [200] }), 'unlike'],
    [
      2,
      () => ({ target: `/social/tweet/unlike`, body: { tweet_id: tweetId(), [`x${count++}`]: 1 }, expected: [400] }),
      'invalid body',
    ],
    [4, () => ({ target: `/social/user/last_tweets?user_nam${count++}=x`, expected: [400] }), 'invalid parameter'],
    [3, () => ({ target: `/social/nowhere/${count++}`, expected: [404] }), 'unknown path'],
    [
      2,
      () => ({ target: `/social/tweet/replies?tweet_id=${tweetId()}`, key: `wrong-${count++}`, expected: [401] }),
      'wrong key',
    ],
    [
      2,
      () => ({ target: documentation[count++ % documentation.length] ?? '/docs', expected: [200, 308] }),
      'documentation',
    ],
    [2, () => ({ target: `/social/tweet/assistant?tweet_id=${tweetId()}`, expected: [200] }), 'question'],
  ];
  const total = shares.reduce((sum, [share]) => sum + share, 0);
  return () => {
    let remaining = random.next() * total;
    for (const [share, create, kind] of shares) if ((remaining -= share) < 0) return { kind, ...create() };
    return { kind: 'page, repeated', target: `/social/user/last_tweets?username=${user(20)}`, expected: [200] };
  };
}

/** Counts operations and faults by kind. */
function count(counts: Record<string, number>, kind: string): void {
  counts[kind] = (counts[kind] ?? 0) + 1;
}

/** The load of one soak: requests, listeners and imports until the signal aborts. */
class SoakLoad {
  readonly #options: LoadOptions;
  readonly #tally: Tally;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(options: LoadOptions, tally: Tally) {
    this.#options = options;
    this.#tally = tally;
  }

  async run(): Promise<void> {
    const listeners = Array.from({ length: this.#options.listeners }, (_, index) => this.#listen(index));
    await Promise.all([this.#sendRequests(), this.#import(), this.#erase(), ...listeners]);
    this.#agent.destroy();
  }

  /** Starts requests at a constant rate, with at most 128 in flight. */
  async #sendRequests(): Promise<void> {
    const { tweets, rate, signal } = this.#options;
    const next = requestsOf(tweets);
    const pending = new Set<Promise<void>>();
    const startedAt = performance.now();
    for (let started = 0; !signal.aborted; started++) {
      const delay = startedAt + (started / rate) * 1000 - performance.now();
      if (delay > 1) await this.#wait(delay);
      if (pending.size >= 128) await Promise.race(pending);
      const request = this.#send(next());
      pending.add(request);
      void request.then(() => pending.delete(request));
    }
    await Promise.all(pending);
  }

  #send({ kind, target, body, key: requestKey = key, expected }: LoadRequest): Promise<void> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      'x-api-key': requestKey,
      'accept-encoding': 'br',
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const options = { agent: this.#agent, headers, method: text === undefined ? 'GET' : 'POST' };
    return new Promise((resolve) => {
      const sent = request(this.#options.url + target, options, (response) => {
        response.resume().once('close', () => {
          const { statusCode = 0, complete } = response;
          count(this.#tally.done, kind);
          if (!complete) count(this.#tally.faults, `${kind}: incomplete response`);
          else if (!expected.includes(statusCode)) count(this.#tally.faults, `${kind}: status ${statusCode}`);
          resolve();
        });
      });
      sent.once('error', ({ message }) => {
        count(this.#tally.faults, `${kind}: ${message}`);
        resolve();
      });
      sent.end(text);
    });
  }

  /** Connects for a few seconds, disconnects, reconnects and resumes. */
  async #listen(index: number): Promise<void> {
    const { url, signal } = this.#options;
    const random = createRandom(100 + index);
    let cursor: string | undefined;
    while (!signal.aborted) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?api_key=${key}`);
      const closed = once(socket, 'close') as Promise<[number]>;
      socket.on('error', ({ message }) => count(this.#tally.faults, `listener: ${message}`));
      const opened = once(socket, 'open').catch(() => {});
      socket.on('open', () => {
        const query = index % 2 === 0 ? 'lang:en' : wordOf(random.integer(1, 300));
        for (const command of subscribeCommands(query, random.integer(0, 1_000), cursor))
          socket.send(JSON.stringify(command));
      });
      socket.on('message', (data) => {
        const message = JSON.parse(String(data)) as { type: string; cursor?: string; error?: string };
        if (message.type === 'event') cursor = message.cursor;
        if (message.type === 'error') count(this.#tally.faults, `listener: ${message.error}`);
        count(this.#tally.done, message.type === 'event' ? 'event' : 'other message of the stream');
      });
      await Promise.race([opened, closed]);
      await Promise.race([this.#wait(random.integer(1_000, 10_000)), closed]);
      socket.close(1000);
      const [code] = await closed;
      count(this.#tally.done, 'connection of a listener');
      if (code !== 1000) count(this.#tally.faults, `listener: closed with ${code}`);
    }
  }

  /** Imports the same tweets with other texts and counts: this creates events, and the archive does not grow. */
  async #import(): Promise<void> {
    const { recordsFile, signal } = this.#options;
    const lines = (await readFile(recordsFile, 'utf8'))
      .split('\n')
      .filter((line) => !line.startsWith('{"kind":"user"'))
      .slice(0, 2_000);
    const file = `${recordsFile}.again`;
    for (let round = 1; !signal.aborted; round++) {
      await this.#wait(10_000);
      if (signal.aborted) return;
      const edited = lines.map((line) =>
        line
          .replace('"text":"', `"text":"edit${round % 50} `)
          .replace(/"view_count":\d+/, `"view_count":${100_000 + round}`),
      );
      await writeFile(file, edited.join('\n'));
      await this.#command('import of 2,000 records', ['scripts/cli/import.ts', file]);
    }
  }

  /** Erases a tweet of the followed network every 30 seconds. */
  async #erase(): Promise<void> {
    while (!this.#options.signal.aborted) {
      await this.#wait(30_000);
      const word = this.#options.wordToErase();
      if (this.#options.signal.aborted || word === undefined) continue;
      await this.#command('erasure of a tweet', ['scripts/cli/erase.ts', '--query', word, '--yes']);
    }
  }

  async #command(kind: string, [script = '', ...options]: readonly string[]): Promise<void> {
    const child = spawnCommand(script, options, { DATA_DIR: this.#options.dataDir }, { stderr: 'pipe' });
    let stderr = '';
    child.stderr?.on('data', (text: Buffer) => (stderr += text.toString()));
    const [code] = (await once(child, 'close')) as [number];
    count(this.#tally.done, kind);
    if (code !== 0) count(this.#tally.faults, `${kind}: exit code ${code}: ${stderr.slice(0, 200)}`);
  }

  #wait(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.#options.signal }).catch(() => {});
  }
}

/** The subscriptions of a listener: a query, and the counts of one tweet. */
const subscribeCommands = (query: string, tweet: number, cursor: string | undefined): object[] => [
  {
    type: 'subscribe',
    id: '1',
    channel: 'search:tweets',
    params: { query },
    on_gap: 'continue',
    ...(cursor === undefined ? {} : { cursor }),
  },
  { type: 'subscribe', id: '2', channel: 'tweet:engagement', params: { tweet_id: tweetIdOf(tweet) } },
];

/** Runs the load until the signal aborts; counts operations and faults in `tally`. */
export const runLoad = (options: LoadOptions, tally: Tally): Promise<void> => new SoakLoad(options, tally).run();
