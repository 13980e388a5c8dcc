/** The load of a soak: everything that callers do, right and wrong, over and over, each with what may be answered. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createRandom } from '../../sample/random.ts';
import { vocabulary, wordOf } from '../tweets.ts';

export const key = 'sd_bench_soak_key_of_the_load';
const root = new URL('../../../', import.meta.url).pathname;

/** What was done so far, by kind, and what should not have happened. */
export interface Tally {
  readonly done: Record<string, number>;
  readonly faults: Record<string, number>;
}

export interface LoadParts {
  readonly url: string;
  readonly dataDir: string;
  /** The records that the archive began with, one a line. */
  readonly recordsFile: string;
  readonly tweets: number;
  /** Requests a second, all kinds together. */
  readonly rate: number;
  readonly listeners: number;
  readonly signal: AbortSignal;
}

interface Ask {
  readonly kind: string;
  readonly target: string;
  readonly body?: object;
  readonly key?: string;
  readonly expected: readonly number[];
}

const tweetIdOf = (number: number): string => String(1_870_000_000_000_000_000n + BigInt(number) * 4_194_304n);

/** Requests of all shares, in any order, the same each time. */
function requestsOf(tweets: number): () => Ask {
  const random = createRandom(7);
  const tweetId = (most = tweets): string => tweetIdOf(random.integer(0, most - 1));
  const word = (): string => wordOf(random.integer(1, vocabulary));
  const user = (most: number): string => `user_${random.integer(0, most)}`;
  let count = 0;
  const shares: readonly (readonly [share: number, make: () => Omit<Ask, 'kind'>, kind: string])[] = [
    [40, () => ({ target: `/social/user/last_tweets?username=${user(20)}`, expected: [200] }), 'page, repeated'],
    // Of so few that all of their answers are kept before the memory is looked at.
    [15, () => ({ target: `/social/tweet/replies?tweet_id=${tweetId(1_000)}`, expected: [200] }), 'page'],
    [
      20,
      () => ({
        target: `/social/tweet/advanced_search?query=${word()}%20OR%20${word()}${count++}&limit=${random.integer(1, 100)}`,
        expected: [200],
      }),
      'search, never seen before',
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
      () => ({ target: ['/docs', '/openapi.json', '/live', '/docs/search'][count++ % 4]!, expected: [200, 308] }),
      'documentation',
    ],
    [2, () => ({ target: `/social/tweet/assistant?tweet_id=${tweetId()}`, expected: [200] }), 'question'],
  ];
  const whole = shares.reduce((sum, [share]) => sum + share, 0);
  return () => {
    let place = random.next() * whole;
    const [, make, kind] = shares.find(([share]) => (place -= share) < 0) ?? shares[0]!;
    return { kind, ...make() };
  };
}

/** Starts all of it; resolves when all has ended after the signal. */
export async function runLoad(
  { url, dataDir, recordsFile, tweets, rate, listeners, signal }: LoadParts,
  tally: Tally,
): Promise<void> {
  const count = (of: Record<string, number>, what: string): void => void (of[what] = (of[what] ?? 0) + 1);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const wait = (ms: number): Promise<void> => pause(ms, undefined, { signal }).catch(() => {});

  const send = ({ kind, target, body, key: given = key, expected }: Ask): Promise<string> =>
    new Promise((resolve) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        'x-api-key': given,
        'accept-encoding': 'br',
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      const sent = request(url + target, { agent, headers, method: text === undefined ? 'GET' : 'POST' }, (answer) => {
        answer.resume().once('close', () => {
          count(tally.done, kind);
          if (!answer.complete) count(tally.faults, `${kind}: the answer was cut off`);
          else if (!expected.includes(answer.statusCode!))
            count(tally.faults, `${kind}: answered ${answer.statusCode}`);
          resolve(kind);
        });
      });
      sent.once('error', ({ message }) => {
        count(tally.faults, `${kind}: ${message}`);
        resolve(kind);
      });
      sent.end(text);
    });

  /** Begins requests at an even pace; where the server is slower, no more than so many wait. */
  async function requests(): Promise<void> {
    const next = requestsOf(tweets);
    const open = new Set<Promise<string>>();
    const began = performance.now();
    for (let begun = 0; !signal.aborted; begun++) {
      const early = began + (begun / rate) * 1000 - performance.now();
      if (early > 1) await wait(early);
      if (open.size >= 128) await Promise.race(open);
      const sent = send(next());
      open.add(sent);
      void sent.then(() => open.delete(sent));
    }
    await Promise.all(open);
  }

  /** Listens for some seconds, goes away, comes back and resumes. */
  async function listen(number: number): Promise<void> {
    const random = createRandom(100 + number);
    let cursor: string | undefined;
    while (!signal.aborted) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?api_key=${key}`);
      const closed = once(socket, 'close') as Promise<[number]>;
      socket.on('error', ({ message }) => count(tally.faults, `listener: ${message}`));
      const opened = once(socket, 'open').catch(() => {});
      socket.on('open', () => {
        const query = number % 2 === 0 ? 'lang:en' : wordOf(random.integer(1, 300));
        socket.send(
          JSON.stringify({
            type: 'subscribe',
            id: '1',
            channel: 'search:tweets',
            params: { query },
            on_gap: 'continue',
            ...(cursor === undefined ? {} : { cursor }),
          }),
        );
        socket.send(
          JSON.stringify({
            type: 'subscribe',
            id: '2',
            channel: 'tweet:engagement',
            params: { tweet_id: tweetIdOf(random.integer(0, 1_000)) },
          }),
        );
      });
      socket.on('message', (data) => {
        const message = JSON.parse(String(data)) as { type: string; cursor?: string; error?: string };
        if (message.type === 'event') cursor = message.cursor;
        if (message.type === 'error') count(tally.faults, `listener: ${message.error}`);
        count(tally.done, message.type === 'event' ? 'event told' : 'message of the stream');
      });
      await Promise.race([opened, closed]);
      await Promise.race([wait(random.integer(1_000, 10_000)), closed]);
      socket.close(1000);
      const [code] = await closed;
      count(tally.done, 'connection of a listener');
      if (code !== 1000) count(tally.faults, `listener: closed with ${code}`);
    }
  }

  /** The same tweets with other texts and counts: there is something to tell, and the archive stays as large as it is. */
  async function imports(): Promise<void> {
    const lines = (await readFile(recordsFile, 'utf8'))
      .split('\n')
      .filter((line) => !line.startsWith('{"kind":"user"'))
      .slice(0, 2_000);
    const file = `${recordsFile}.again`;
    for (let round = 1; !signal.aborted; round++) {
      await wait(10_000);
      if (signal.aborted) return;
      await writeFile(
        file,
        lines
          .map((line) =>
            line
              .replace('"text":"', `"text":"edit${round % 50} `)
              .replace(/"view_count":\d+/, `"view_count":${100_000 + round}`),
          )
          .join('\n'),
      );
      const child = spawn(process.execPath, ['scripts/cli/import.ts', file], {
        cwd: root,
        env: { ...process.env, DATA_DIR: dataDir },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let told = '';
      child.stderr.on('data', (text: Buffer) => (told += text.toString()));
      const [code] = (await once(child, 'close')) as [number];
      count(tally.done, 'import of 2,000 records');
      if (code !== 0) count(tally.faults, `import: ended with ${code}: ${told.slice(0, 200)}`);
    }
  }

  await Promise.all([requests(), imports(), ...Array.from({ length: listeners }, (_, number) => listen(number))]);
  agent.destroy();
}
