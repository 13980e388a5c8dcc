/** The archive benchmark: import rate, disk, start time, memory, searches, and the duration of a durable write. */
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { cpuSeconds, memory } from './process-usage.ts';
import { finite, ourselves, type Outcome, type Row } from './report/result.ts';
import { createQueries, kinds } from './queries.ts';
import { spawnCommand, startService, type Service } from './service.ts';
import { markdownTable, percentile } from './table.ts';
import { writeTweets } from './tweets.ts';

const key = 'bench-key-0001';
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

async function importFile(dataDir: string, file: string): Promise<{ seconds: number; peak: number }> {
  const startedAt = performance.now();
  const child = spawnCommand('scripts/cli/import.ts', [file], { DATA_DIR: dataDir });
  let peak = Number.NaN;
  const sampler = setInterval(() => {
    void memory(child.pid!).then((used) => (peak = used.peak || peak));
  }, 100);
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(sampler);
  if (code !== 0) throw new Error(`the import failed with exit code ${code}`);
  return { seconds: (performance.now() - startedAt) / 1000, peak };
}

/** A search over HTTP. `cpu`: what the main thread of the server needed. Both in milliseconds. */
interface TimedSearch {
  readonly kind: string;
  readonly ms: number;
  readonly cpu: number;
}

/** The CPU time of the main thread of a process in milliseconds; Linux only, elsewhere NaN. */
async function mainThreadCpu(pid: number): Promise<number> {
  const statistics = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').catch(() => 'NaN');
  return Number(statistics.split(' ')[0]) / 1e6;
}

/** Reads a compressed page of results, and leaves it compressed: `fetch` decompresses it in another thread, which may wait for a processor. */
async function requestSearch(url: string, agent: Agent): Promise<void> {
  const request = get(url, { agent, headers: { 'x-api-key': key, 'accept-encoding': 'gzip, deflate' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`a search was answered with ${response.statusCode}`);
}

/** Mixed searches, each with a new query. The first ones are a warm-up. */
async function timeSearches({ url, pid }: Service, tweets: number): Promise<TimedSearch[]> {
  // So many that one pause of the machine is not the p99.
  const warmUp = 25;
  const each = 200;
  const seen = new Set<string>();
  const times: TimedSearch[] = [];
  const agent = new Agent({ keepAlive: true });
  for (const isTimed of [false, true])
    for (const [index, { kind, text }] of createQueries(tweets, each).entries()) {
      if (index % each < warmUp === isTimed || seen.has(text)) continue;
      seen.add(text);
      const parameters = new URLSearchParams({ query: text, query_type: 'Latest' });
      const cpuBefore = await mainThreadCpu(pid);
      const startedAt = performance.now();
      await requestSearch(`${url}/social/tweet/advanced_search?${parameters.toString()}`, agent);
      const ms = performance.now() - startedAt;
      if (isTimed) times.push({ kind, ms, cpu: (await mainThreadCpu(pid)) - cpuBefore });
    }
  agent.destroy();
  return times;
}

/** Milliseconds per call, without the first call, which compiles the validators of the operation. */
async function timeUnlikes(url: string, tweets: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < Math.min(tweets, 100_000); n += 1000) {
    const tweet_id = String(1_870_000_000_000_000_000n + BigInt(n) * 4_194_304n);
    const startedAt = performance.now();
    const response = await fetch(`${url}/social/tweet/unlike`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ tweet_id }),
    });
    const { success } = (await response.json()) as { success: boolean };
    times.push(performance.now() - startedAt);
    if (!success) throw new Error(`tweet ${tweet_id} had no like`);
  }
  return times.slice(1);
}

/** The duration of the same change with lowdb's own file adapter, which writes the whole archive; the median of three. */
async function timeLowdb(directory: string, file: string): Promise<number> {
  const tweets = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  const low = new Low<{ tweets: object[]; n: number }>(new JSONFile(join(directory, 'lowdb.json')), { tweets, n: 0 });
  const times: number[] = [];
  for (let n = 0; n < 3; n++) {
    low.data.n++;
    const startedAt = performance.now();
    await low.write();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** What was measured of an archive; NaN where the system does not report it. */
interface ArchiveFigures {
  readonly tweets: number;
  /** Seconds. */
  readonly importSeconds: number;
  readonly start: number;
  /** The CPU time of the start in seconds. */
  readonly startCpu: number;
  readonly searches: readonly TimedSearch[];
  /** Bytes. */
  readonly importPeak: number;
  readonly residentAtStart: number;
  readonly resident: number;
  readonly disk: number;
  /** Milliseconds of a durable write, here and with lowdb's own adapter. */
  readonly unlikes: readonly number[];
  readonly lowdb: number;
}

function rowsOf(figures: ArchiveFigures): Row[] {
  const { tweets, importSeconds, start, startCpu, importPeak, residentAtStart, resident, disk, lowdb } = figures;
  const searches = figures.searches.map(({ ms }) => ms);
  const row = (
    what: string,
    unit: string,
    value: number,
    better: Row['better'] = 'lower',
    subject: string = ourselves,
  ): Row => ({
    ...{ metric: `${tweets.toLocaleString('en')} tweets, ${what}`, subject, unit, better, values: [value] },
  });
  return finite([
    row('import', 'tweets/s', tweets / importSeconds, 'higher'),
    row('peak memory of the import', 'MB', importPeak / 1e6),
    row('disk for a tweet', 'bytes', disk / tweets),
    row('start', 's', start),
    row('CPU of a start', 's', startCpu),
    row('memory after a start', 'MB', residentAtStart / 1e6),
    row('memory after the searches', 'MB', resident / 1e6),
    row('search, p50', 'ms', percentile(searches, 0.5)),
    row('search, p99', 'ms', percentile(searches, 0.99)),
    row('durable write', 'ms', median([...figures.unlikes])),
    row('durable write', 'ms', lowdb, 'lower', 'lowdb JSONFile'),
  ]);
}

/** The bytes of the database file, with its log. */
async function diskOf(dataDir: string): Promise<number> {
  const files = await readdir(dataDir);
  const sizes = files.filter((name) => name.startsWith('archive.db')).map((name) => stat(join(dataDir, name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

/** Measures an archive. Prints each result at once: a large archive takes an hour. */
async function measureArchive(size: number, directory: string): Promise<ArchiveFigures> {
  const step = (text: string): void => console.log(`${size.toLocaleString('en')} tweets: ${text}`);
  const file = join(directory, 'tweets.jsonl');
  const dataDir = join(directory, 'data');
  const records = await writeTweets(file, size);
  const imported = await importFile(dataDir, file);
  step(`${records} records imported in ${imported.seconds.toFixed(1)} s`);
  const disk = await diskOf(dataDir);
  const server = await startService({ DATA_DIR: dataDir, API_KEYS: key });
  const startCpu = await cpuSeconds(server.pid);
  const residentAtStart = (await memory(server.pid)).resident;
  step(`start in ${server.seconds.toFixed(1)} s, ${megabytes(residentAtStart)} MB`);
  const searches = await timeSearches(server, size);
  const { resident } = await memory(server.pid);
  step(`${searches.length} searches, ${megabytes(resident)} MB`);
  const unlikes = await timeUnlikes(server.url, size);
  await server.stop();
  return {
    ...{ tweets: size, importSeconds: imported.seconds, importPeak: imported.peak, disk },
    ...{ start: server.seconds, startCpu, residentAtStart, resident, searches, unlikes },
    lowdb: size <= 200_000 ? await timeLowdb(directory, file) : Number.NaN,
  };
}

/** The milliseconds of searches by kind of query, p50 and p99, on the clock and of CPU. */
function searchesOf({ searches }: ArchiveFigures): Record<string, string> {
  const text = (times: readonly number[]): string =>
    [0.5, 0.99].map((share) => percentile(times, share).toFixed(2)).join(' / ');
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const timed = searches.filter((each) => each.kind === kind);
      return [
        [kind, text(timed.map(({ ms }) => ms))],
        [`${kind}, CPU`, text(timed.map(({ cpu }) => cpu))],
      ];
    }),
  );
}

/** Measures archives of these numbers of tweets and prints tables. */
export async function benchArchive(sizes: readonly number[]): Promise<Outcome> {
  const measured: ArchiveFigures[] = [];
  for (const size of sizes) {
    const directory = await mkdtemp(join(tmpdir(), 'bench-'));
    try {
      measured.push(await measureArchive(size, directory));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  const rows = measured.flatMap(rowsOf);
  console.log('\nArchive (a durable write is an unlike over HTTP, from the request to the response)\n');
  console.log(
    markdownTable(
      rows.map(({ metric, subject, unit, values }) => ({
        metric,
        subject,
        value: (values[0] ?? 0).toPrecision(3),
        unit,
      })),
    ),
  );
  for (const figures of measured) {
    console.log(
      `\nSearches over HTTP in ${figures.tweets.toLocaleString('en')} tweets, by kind of query: ms, p50 / p99, on the clock and CPU of the main thread\n`,
    );
    console.table(searchesOf(figures));
  }
  return { rows, details: measured };
}
