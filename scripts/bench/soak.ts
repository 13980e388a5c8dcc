/** The soak test: mixed load for minutes must cause no errors and no growth of memory or of the write-ahead log. Sets the exit code 1 where it does. */
import { once } from 'node:events';
import { Agent, createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { messageOf } from '../../server/text/error-text.ts';
import { idOf, vocabulary, wordOf, writeTweets } from '../sample/many-tweets.ts';
import { createRandom, type Random } from '../sample/random.ts';
import { atFixedRate, send, type Call } from './fixed-rate.ts';
import type { Command } from './options.ts';
import { finite, ourRow, type Outcome } from './result.ts';
import { importFile, key, runCommand, startService } from './service.ts';
import { judge, type Point } from './soak/verdict.ts';
import { createPlace, type Place } from './stored-archive.ts';

/** V8 options that bound the heap, as in a small container. The trace shows what is in use after a full collection. */
const v8Options = ['--max-old-space-size=160', '--trace-gc'];
/** The time between two imports, two backups and two samples, in milliseconds. */
const [importMs, backupMs, sampleMs] = [10_000, 120_000, 5_000];
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
  [41, (random) => ({ path: `/social/user/last_tweets?username=user_${random.integer(0, 20)}` })],
  [15, (random) => ({ path: `/social/tweet/replies?tweet_id=${idOf(random.integer(0, 999))}` })],
  [
    20,
    (random, _, number) => {
      const word = wordOf(random.integer(1, vocabulary));
      const limit = random.integer(1, 100);
      return { path: `/social/tweet/advanced_search?query=${word}%20OR%20new${number}&limit=${limit}` };
    },
  ],
  [2, (random) => ({ path: `/social/tweet/advanced_search?query_type=Top&query=${wordOf(random.integer(1, 300))}` })],
  [2, (random) => ({ path: `/feeds/user?username=user_${random.integer(0, 20)}` })],
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
  readonly variables: Place['variables'];
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

/** Makes backups, one after the other. */
async function backUp({ variables, file, tally, signal }: Load): Promise<void> {
  for (;;) {
    await wait(backupMs, signal);
    if (signal.aborted) return;
    const folder = `${file}.backup`;
    await runCommand(['scripts/cli/backup.ts', folder], variables).then(
      () => tally.count('backups'),
      (error: unknown) => tally.fault(messageOf(error)),
    );
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a webhook that accepts every delivery. */
async function startReceiver(tally: Tally): Promise<Server> {
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
    tally.count('deliveries to a webhook');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  return receiver;
}

/** Saves a search whose matches go to the webhook. */
async function saveSearch(url: string, receiver: Server): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  const search = { name: 'Soak', query: wordOf(100), url: `http://127.0.0.1:${port}/` };
  await send(new Agent(), url, { path: '/social/searches', body: search, expected: [201] });
}

/** What the service uses: memory and disk in bytes, the delay of its event loop in milliseconds. */
interface Sample {
  readonly at: number;
  readonly resident: number;
  readonly external: number;
  readonly disk: number;
  /** The write-ahead log; undefined where the database server manages it. */
  readonly log: number | undefined;
  readonly delay: number;
}

async function sample(url: string, place: Place, at: number): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    ...{ at, resident: of('process_resident_memory_bytes'), external: of('nodejs_array_buffers_bytes') },
    ...{ disk: await place.size(), log: await place.logSize() },
    delay: of('nodejs_eventloop_lag_p99_seconds') * 1000,
  };
}

/** The service, with the heap of its main thread after each full collection, by V8's trace, and its error log. */
async function startObserved(variables: Readonly<Record<string, string>>, tally: Tally) {
  const collections: Point[] = [];
  let main: string | undefined;
  const onOutput = (line: string): void => {
    const thread = /^\[\d+:(0x[\da-f]+)\]/.exec(line)?.[1];
    // The main thread is the first that collects.
    main ??= thread;
    const live = /ms: Mark-Compact (?:\([^)]*\) )?[\d.]+ \([\d.]+\) -> ([\d.]+) \(/.exec(line)?.[1];
    if (live !== undefined && thread === main)
      collections.push({ at: performance.now() / 60_000, value: Number(live) * 2 ** 20 });
    else if (/"level":[56]0/.test(line)) tally.fault(`logged: ${line.slice(0, 300)}`);
  };
  return { ...(await startService(variables, { flags: v8Options, onOutput })), collections };
}

/** Small limits, so that bounded collections are full before the measurement starts. */
const limits = { EVENT_LIMIT: '10000', CONVERSATION_TTL: '10', PURGE_WITHIN: '2m', ASSISTANT_QUOTA: '10000' };

/** Runs the load for so many minutes. Resolves with the samples and the collections, by minutes from the start on. */
async function measure(command: Command, place: Place, directory: string, tally: Tally) {
  const { quick: isQuick } = command.values;
  const [minutes, tweets, listeners] = [command.number('minutes'), isQuick ? 3_000 : 20_000, isQuick ? 2 : 20];
  const { variables } = place;
  const file = join(directory, 'tweets.jsonl');
  await writeTweets(file, tweets);
  await importFile(file, variables);
  const access = { FAILED_KEYS: 'off', WEBHOOKS: 'private', WS_CONNECTIONS: String(10 * listeners) };
  const service = await startObserved({ ...variables, ...limits, ...access, LOG_LEVEL: 'warn' }, tally);
  const receiver = await startReceiver(tally);
  await saveSearch(service.url, receiver);
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
    backUp(load),
    ...Array.from({ length: listeners }, (_, listener) => listen(load, listener)),
  ]);
  const samples: Sample[] = [];
  for (let at = 0; at < minutes && !service.hasEnded();) {
    await pause(Math.min(sampleMs, (minutes - at) * 60_000));
    at = performance.now() / 60_000 - began;
    samples.push(await sample(service.url, place, at));
  }
  stop.abort();
  const [times] = await running;
  tally.done.set('requests', times.length);
  const code = await service.stop();
  if (code !== 0) tally.fault(`the service ended with code ${code}`);
  receiver.close();
  receiver.closeAllConnections();
  return { samples, collections: service.collections.map(({ at, value }) => ({ at: at - began, value })) };
}

export async function benchSoak(command: Command): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-soak-'));
  const place = await createPlace(command.values.platform);
  const tally = new Tally();
  try {
    const { samples, collections } = await measure(command, place, directory, tally);
    const of = (figure: 'resident' | 'external' | 'disk' | 'log'): Point[] =>
      samples.flatMap(({ at, [figure]: value }) => (value === undefined ? [] : [{ at, value }]));
    const minutes = command.number('minutes');
    const logs = of('log');
    const courses = {
      'heap after full collections': collections,
      'buffers outside the heap': of('external'),
      'resident memory': of('resident'),
      disk: of('disk'),
      ...(logs.length > 0 && { 'write-ahead log': logs }),
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
    await place.remove();
    await rm(directory, { recursive: true, force: true });
  }
}
