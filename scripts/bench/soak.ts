/** The soak test: mixed load for minutes must cause no errors and no growth of memory. Sets the exit code 1 where it does. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { messageOf } from '../../server/text/error-text.ts';
import { idOf, vocabulary, wordOf, writeTweets } from '../sample/many-tweets.ts';
import { createRandom, type Random } from '../sample/random.ts';
import { atFixedRate, type Call } from './fixed-rate.ts';
import type { Command } from './options.ts';
import { finite, ourRow, type Outcome } from './result.ts';
import { importFile, key, runCommand, startService } from './service.ts';
import { judge, type Point } from './soak/verdict.ts';

/** V8 options that bound the heap, as in a small container. The trace shows what is in use after a full collection. */
const v8Options = ['--max-old-space-size=160', '--trace-gc'];
/** The time between two imports and between two samples, in milliseconds. */
const [importMs, sampleMs] = [10_000, 5_000];
const importedAgain = 2_000;

/** The operations and faults so far, by kind. */
class Tally {
  readonly done = new Map<string, number>();
  readonly faults = new Map<string, number>();

  count(kind: string): void {
    this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
  }

  fault(reason: string): void {
    this.faults.set(reason, (this.faults.get(reason) ?? 0) + 1);
  }
}

/** The kinds of requests with their shares in a hundred. */
const mix: readonly (readonly [share: number, create: (random: Random, tweets: number, number: number) => Call])[] = [
  [45, (random) => ({ path: `/social/user/last_tweets?username=user_${random.integer(0, 20)}` })],
  [15, (random) => ({ path: `/social/tweet/replies?tweet_id=${idOf(random.integer(0, 999))}` })],
  [
    20,
    (random, _, number) => {
      const word = wordOf(random.integer(1, vocabulary));
      const limit = random.integer(1, 100);
      return { path: `/social/tweet/advanced_search?query=${word}%20OR%20new${number}&limit=${limit}` };
    },
  ],
  [
    6,
    (random, tweets) => ({
      path: '/social/tweet/unlike',
      // The last tweets are erased.
      body: { tweet_id: idOf(random.integer(0, tweets / 2)) },
    }),
  ],
  [4, (_, __, number) => ({ path: `/social/user/last_tweets?user_nam${number}=x`, expected: [400] })],
  [3, (_, __, number) => ({ path: `/social/nowhere/${number}`, expected: [404] })],
  [2, (_, __, number) => ({ path: '/social/tweet/replies?tweet_id=1', key: `wrong-${number}`, expected: [401] })],
  [3, () => ({ path: '/docs/search' })],
  [2, (random) => ({ path: `/social/tweet/assistant?tweet_id=${idOf(random.integer(0, 999))}` })],
];

function createCalls(tweets: number): (number: number) => Call {
  const random = createRandom(7);
  return (number) => {
    let remaining = random.integer(0, 99);
    const [, create] = mix.find(([share]) => (remaining -= share) < 0) ?? mix[0]!;
    return create(random, tweets, number);
  };
}

interface Load {
  readonly url: string;
  readonly variables: { readonly DATA_DIR: string };
  /** The records of the archive, one per line. */
  readonly file: string;
  readonly tally: Tally;
  readonly signal: AbortSignal;
}

const wait = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal }).catch(() => {});

/** Connects for a few seconds, disconnects, connects again and resumes. */
async function listen({ url, tally, signal }: Load, listener: number): Promise<void> {
  const random = createRandom(100 + listener);
  let cursor: string | undefined;
  while (!signal.aborted) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?api_key=${key}`);
    const closed = once(socket, 'close') as Promise<[number]>;
    socket.on('error', ({ message }) => tally.fault(`listener: ${message}`));
    socket.on('open', () => {
      const params = { query: listener % 2 === 0 ? 'lang:en' : wordOf(random.integer(1, 300)) };
      const command = { type: 'subscribe', id: '1', channel: 'search:tweets', params, on_gap: 'continue' };
      socket.send(JSON.stringify({ ...command, ...(cursor !== undefined && { cursor }) }));
    });
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; cursor?: string; error?: string };
      if (message.type === 'event') cursor = message.cursor;
      if (message.type === 'error') tally.fault(`listener: ${message.error}`);
      tally.count(message.type === 'event' ? 'events' : 'other messages of the stream');
    });
    await Promise.race([once(socket, 'open').catch(() => {}), closed]);
    await Promise.race([wait(random.integer(1_000, 10_000), signal), closed]);
    socket.close(1000);
    const [code] = await closed;
    tally.count('connections of listeners');
    if (code !== 1000) tally.fault(`listener: closed with ${code}`);
  }
}

/** Imports the same tweets with other texts and counts, and erases one: this creates events, and the archive does not grow. */
async function change({ variables, file, tally, signal }: Load): Promise<void> {
  const tweets = (await readFile(file, 'utf8')).split('\n').filter((line) => line.startsWith('{"kind":"tweet"'));
  for (let round = 1; !signal.aborted; round++) {
    await wait(importMs, signal);
    if (signal.aborted) return;
    const edited = tweets
      .slice(0, importedAgain)
      .map((line) =>
        line.replace('"text":"', `"text":"edit${round % 50} `).replace(/"view_count":\d+/, `"view_count":${round}`),
      );
    await writeFile(`${file}.again`, edited.join('\n'));
    try {
      await importFile(`${file}.again`, variables);
      tally.count(`imports of ${importedAgain} tweets`);
      // The last tweets are not imported again.
      const id = (JSON.parse(tweets.at(-round) ?? '') as { tweet: { id: string } }).tweet.id;
      await runCommand(['scripts/cli/erase.ts', '--tweet', id, '--yes'], variables);
      tally.count('erasures of a tweet');
    } catch (error) {
      tally.fault(messageOf(error));
    }
  }
}

/** What the service uses; memory in bytes, the delay of its event loop in milliseconds. */
interface Sample {
  readonly at: number;
  readonly resident: number;
  readonly external: number;
  readonly delay: number;
}

async function sample(url: string, at: number): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    ...{ at, resident: of('process_resident_memory_bytes'), external: of('nodejs_array_buffers_bytes') },
    delay: of('nodejs_eventloop_lag_p99_seconds') * 1000,
  };
}

/** The service, with its heap after each full collection, by V8's trace, and its error log. */
async function startObserved(variables: Readonly<Record<string, string>>, tally: Tally) {
  const collections: Point[] = [];
  const onOutput = (line: string): void => {
    const live = /ms: Mark-Compact (?:\([^)]*\) )?[\d.]+ \([\d.]+\) -> ([\d.]+) \(/.exec(line)?.[1];
    if (live !== undefined) collections.push({ at: performance.now() / 60_000, value: Number(live) * 2 ** 20 });
    else if (/"level":[56]0/.test(line)) tally.fault(`logged: ${line.slice(0, 300)}`);
  };
  return { ...(await startService(variables, { flags: v8Options, onOutput })), collections };
}

/** Runs the load for so many minutes. Resolves with the samples and the collections, by minutes from the start on. */
async function measure(command: Command, directory: string, tally: Tally) {
  const { quick: isQuick } = command.values;
  const [minutes, tweets, listeners] = [command.number('minutes'), isQuick ? 3_000 : 20_000, isQuick ? 2 : 20];
  const file = join(directory, 'tweets.jsonl');
  const variables = { DATA_DIR: join(directory, 'data') };
  await writeTweets(file, tweets);
  await importFile(file, variables);
  // Small limits, so that bounded collections are full before the measurement starts.
  const limits = { EVENT_LIMIT: '10000', CONVERSATION_TTL: '10', PURGE_WITHIN: '2m', ASSISTANT_QUOTA: '10000' };
  const all = {
    ...variables,
    ...limits,
    LOG_LEVEL: 'warn',
    FAILED_KEYS: 'off',
    WS_CONNECTIONS: String(10 * listeners),
  };
  const service = await startObserved(all, tally);
  const stop = new AbortController();
  const load: Load = { url: service.url, variables, file, tally, signal: stop.signal };
  const next = createCalls(tweets);
  const began = performance.now() / 60_000;
  const running = Promise.all([
    atFixedRate({
      ...{ url: service.url, perSecond: command.number('rate'), next, isOn: () => !stop.signal.aborted },
      onFault: ({ message }) => tally.fault(message),
    }),
    change(load),
    ...Array.from({ length: listeners }, (_, listener) => listen(load, listener)),
  ]);
  const samples: Sample[] = [];
  for (let at = 0; at < minutes && !service.hasEnded();) {
    await pause(Math.min(sampleMs, (minutes - at) * 60_000));
    at = performance.now() / 60_000 - began;
    samples.push(await sample(service.url, at));
  }
  stop.abort();
  const [times] = await running;
  tally.done.set('requests', times.length);
  const code = await service.stop();
  if (code !== 0) tally.fault(`the service ended with code ${code}`);
  return { samples, collections: service.collections.map(({ at, value }) => ({ at: at - began, value })) };
}

export async function benchSoak(command: Command): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-soak-'));
  const tally = new Tally();
  try {
    const { samples, collections } = await measure(command, directory, tally);
    const of = (figure: 'resident' | 'external'): Point[] =>
      samples.map((each) => ({ at: each.at, value: each[figure] }));
    const minutes = command.number('minutes');
    const courses = {
      'heap after full collections': collections,
      'buffers outside the heap': of('external'),
      'resident memory': of('resident'),
    };
    const judged = Object.entries(courses).map(([name, points]) => ({ name, ...judge(points, minutes) }));
    if (tally.faults.size > 0 || judged.some(({ verdict }) => verdict === 'rises')) process.exitCode = 1;
    const delays = samples.filter(({ at }) => at >= minutes / 2).map(({ delay }) => delay);
    return {
      rows: finite([
        ...judged.map(({ name, lowest }) => ourRow(name, 'bytes', lowest)),
        ourRow('delay of the event loop, p99', 'ms', delays),
      ]),
      notes: [
        ...judged.map(({ name, text }) => `${name}: ${text}.`),
        `Done: ${Array.from(tally.done, ([kind, count]) => `${count.toLocaleString('en')} ${kind}`).join(', ')}.`,
        tally.faults.size === 0
          ? 'No error.'
          : Array.from(tally.faults, ([what, count]) => `${count} × ${what}`).join('; '),
      ],
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
