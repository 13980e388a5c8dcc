/** A soak test: runs the service under load for minutes and samples its metrics every few seconds. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand, startService, type Service } from '../service.ts';
import { writeTweets } from '../tweets.ts';
import { key, runLoad, type Tally } from './load.ts';
import { SoakNetwork } from './network.ts';
import type { Point } from './trend.ts';

export interface SoakBench {
  readonly minutes: number;
  /** Requests per second. */
  readonly rate: number;
  readonly listeners: number;
  /** The imported tweets, which stay. */
  readonly tweets: number;
  /** Events per second of the followed network. */
  readonly followed: number;
  readonly progress: (text: string) => void;
}

/** One sample of the metrics of the service. */
export interface Sample {
  /** Minutes since the start of the load. */
  readonly at: number;
  /** Bytes. */
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
  readonly openFiles: number;
  /** Handles of the event loop: sockets, timers. */
  readonly handles: number;
  /** Event loop delay in ms since the last sample: p99 and maximum. */
  readonly delay: number;
  readonly maxDelay: number;
  /** Completed requests since the start. */
  readonly requests: number;
  /** Requests shed since the start. */
  readonly shed: number;
  /** Events of the followed network since the start. */
  readonly followed: number;
  /** Tweets, profiles and tombstones in the archive. */
  readonly tweets: number;
  readonly users: number;
  readonly tombstones: number;
}

export interface SoakResults {
  readonly options: Omit<SoakBench, 'progress'>;
  readonly samples: readonly Sample[];
  /** The bytes of the heap that were in use after each full garbage collection. */
  readonly collections: readonly Point[];
  readonly tally: Tally;
  /** The error log of the service. */
  readonly logged: readonly string[];
}

/**
 * V8 options that bound the heap, as in a small container. Without a bound, the heap grows with each delayed garbage
 * collection on a busy machine, which hides a leak of the service. The trace shows what is in use after a full collection.
 */
export const v8Options = ['--max-old-space-size=160', '--trace-gc'];

/** The bytes in use after a full garbage collection, by a line of V8's trace; undefined for another line. */
export function liveBytes(line: string): number | undefined {
  const live = /ms: Mark-Compact (?:\([^)]*\) )?[\d.]+ \([\d.]+\) -> ([\d.]+) \(/.exec(line)?.[1];
  return live === undefined ? undefined : Number(live) * 2 ** 20;
}

/** The number of followed posts that the retention keeps, so that it is full before the measurement starts. */
const retained = 1_000;

const everyMs = 5_000;

/** The sum of a metric over its labels. */
function sumOf(text: string, name: string): number {
  return Array.from(text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm')), ([, value]) =>
    Number(value),
  ).reduce((sum, value) => sum + value, 0);
}

async function sampleMetrics(url: string, startedAt: number): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string): number => sumOf(text, name);
  const objects = (kind: string): number =>
    Number(new RegExp(`^archive_objects\\{kind="${kind}"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    at: (performance.now() - startedAt) / 60_000,
    resident: of('process_resident_memory_bytes'),
    heap: of('nodejs_heap_size_used_bytes'),
    external: of('nodejs_array_buffers_bytes'),
    openFiles: of('process_open_fds'),
    handles: of('nodejs_active_handles_total'),
    delay: of('nodejs_eventloop_lag_p99_seconds') * 1000,
    maxDelay: of('nodejs_eventloop_lag_max_seconds') * 1000,
    requests: of('http_requests_total'),
    shed: of('http_shed_total'),
    followed: of('follow_events_total'),
    tweets: objects('tweets'),
    users: objects('users'),
    tombstones: objects('tombstones'),
  };
}

/** A running service and what it has written. */
interface RunningService extends Service {
  /** The heap after full collections; the time is that of `performance.now()`, in minutes. */
  readonly collections: readonly Point[];
  readonly logged: readonly string[];
}

async function startObserved(variables: Readonly<Record<string, string>>): Promise<RunningService> {
  const logged: string[] = [];
  const collections: Point[] = [];
  const service = await startService(variables, {
    flags: v8Options,
    log: (line) => void (logged.length < 1_000 && logged.push(line)),
    onOutput: (line) => {
      const live = liveBytes(line);
      if (live !== undefined) collections.push({ at: performance.now() / 60_000, value: live });
    },
  });
  return { ...service, collections, logged };
}

const variablesOf = (dataDir: string, { listeners, tweets }: SoakBench): Readonly<Record<string, string>> => ({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  API_KEYS: key,
  FAILED_KEYS: 'off',
  // Small limits, so that bounded collections are full before the measurement starts.
  ASSISTANT_QUOTA: '10000',
  CONVERSATION_TTL: '10',
  EVENT_LIMIT: '10000',
  WS_CONNECTIONS: String(10 * listeners),
  // The retention evicts only posts of the followed network; each of them has this tag.
  RETAIN: String(tweets + retained),
  RETAIN_KEEP: '-#coffee',
  PURGE_WITHIN: '2m',
});

/** Takes samples until the end of the soak or of the service. */
async function takeSamples(
  { url, hasEnded }: RunningService,
  { minutes, progress }: SoakBench,
  tally: Tally,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < minutes * 60_000 && !hasEnded()) {
    await pause(everyMs);
    const sample = await sampleMetrics(url, startedAt);
    samples.push(sample);
    if (samples.length % 12 === 0) {
      progress(
        `${sample.at.toFixed(0)} of ${minutes} min: ${sample.requests.toLocaleString('en')} requests, ${(sample.resident / 1e6).toFixed(0)} MB resident, faults: ${JSON.stringify(tally.faults)}`,
      );
    }
  }
  return samples;
}

/** Runs a service under load and samples its metrics. Rejects when the import or the start fails. */
export async function measureSoak(bench: SoakBench): Promise<SoakResults> {
  const { progress, ...options } = bench;
  const folder = await mkdtemp(join(tmpdir(), 'bench-soak-'));
  const [dataDir, recordsFile] = [join(folder, 'data'), join(folder, 'records.jsonl')];
  const variables = variablesOf(dataDir, bench);
  const network = await SoakNetwork.start(bench.followed, retained);
  try {
    progress(`${bench.tweets.toLocaleString('en')} tweets …`);
    await writeTweets(recordsFile, bench.tweets);
    await runCommand('scripts/cli/import.ts', [recordsFile], variables);
    const service = await startObserved({ ...variables, ...network.environment });
    await network.begin();
    const stop = new AbortController();
    const tally: Tally = { done: {}, faults: {} };
    const wordToErase = (): string | undefined => network.rareWord;
    const { url } = service;
    const load = runLoad({ ...options, url, dataDir, recordsFile, wordToErase, signal: stop.signal }, tally);
    const began = performance.now() / 60_000;
    const samples = await takeSamples(service, bench, tally);
    stop.abort();
    await Promise.all([load, network.end()]);
    await checkFollowed(service, network, tally);
    const code = await service.stop();
    if (code !== 0) tally.faults[`the service ended with code ${code}`] = 1;
    const collections = service.collections.map(({ at, value }) => ({ at: at - began, value }));
    return { options, samples, collections, tally, logged: service.logged };
  } finally {
    await network.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until the service has read all events of the network. */
async function checkFollowed({ url, hasEnded }: RunningService, network: SoakNetwork, tally: Tally): Promise<void> {
  tally.done['event of the network'] = network.sent;
  let followed = 0;
  for (let attempt = 0; attempt < 50 && followed < network.sent && !hasEnded(); attempt++) {
    await pause(200);
    ({ followed } = await sampleMetrics(url, 0));
  }
  if (followed < network.sent) tally.faults['an event of the network was not read'] = network.sent - followed;
}
