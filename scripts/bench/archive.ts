/** The archive benchmark: import rate, start time, memory, searches, and the duration of a durable write. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { cpuSeconds, memory } from './process-usage.ts';
import { finite, ourselves, type Outcome, type Row } from './report/result.ts';
import { createQueries, kinds } from './queries.ts';
import { spawnCommand, startService, type Service } from './service.ts';
import { percentile } from './table.ts';
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
  readonly startWithTables: number;
  /** The CPU time of these starts. */
  readonly startCpu: number;
  readonly startCpuWithTables: number;
  readonly searches: readonly TimedSearch[];
  /** Bytes. */
  readonly importPeak: number;
  readonly resident: number;
  readonly residentWithTables: number;
  /** Milliseconds of a durable write, here and with lowdb's own adapter. */
  readonly unlikes: readonly number[];
  readonly lowdb: number;
}

function rowsOf(figures: ArchiveFigures): Row[] {
  const { tweets, importSeconds, start, startWithTables, importPeak, resident, residentWithTables } = figures;
  const { unlikes, lowdb, startCpu, startCpuWithTables } = figures;
  const searches = figures.searches.map(({ ms }) => ms);
  const size = `${tweets.toLocaleString('en')} tweets`;
  const row = (
    what: string,
    unit: string,
    value: number,
    better: Row['better'] = 'lower',
    subject: string = ourselves,
  ): Row => ({
    ...{ metric: `${size}, ${what}`, subject, unit, better, values: [value] },
  });
  return finite([
    row('import', 'tweets/s', tweets / importSeconds, 'higher'),
    row('peak memory of the import', 'MB', importPeak / 1e6),
    row('start from the journal', 's', start),
    row('start from saved tables', 's', startWithTables),
    row('CPU of a start from the journal', 's', startCpu),
    row('CPU of a start from saved tables', 's', startCpuWithTables),
    row('search, p50', 'ms', percentile(searches, 0.5)),
    row('search, p99', 'ms', percentile(searches, 0.99)),
    row('memory for a tweet', 'bytes', resident / tweets),
    row('memory for a tweet, saved tables', 'bytes', residentWithTables / tweets),
    row('durable write', 'ms', median([...unlikes])),
    row('durable write', 'ms', lowdb, 'lower', 'lowdb JSONFile'),
  ]);
}

/** A start with the tables that a large import has saved, which it removes: seconds, seconds of CPU, bytes, and searches. */
async function startWithTables(
  dataDir: string,
  tweets: number,
): Promise<{ start: number; cpu: number; resident: number; searches: TimedSearch[] }> {
  const server = await startService({ DATA_DIR: dataDir, API_KEYS: key });
  const cpu = await cpuSeconds(server.pid);
  const { resident } = await memory(server.pid);
  const searches = await timeSearches(server, tweets);
  await server.stop();
  await rm(join(dataDir, 'tables'), { recursive: true, force: true });
  return { start: server.seconds, cpu, resident, searches };
}

/** Measures an archive. Prints each result at once: a large archive takes an hour. */
async function measureArchive(
  size: number,
  directory: string,
): Promise<ArchiveFigures & { readonly megabytes: number }> {
  const step = (text: string): void => console.log(`${size.toLocaleString('en')} tweets: ${text}`);
  const file = join(directory, 'tweets.jsonl');
  const dataDir = join(directory, 'data');
  const records = await writeTweets(file, size);
  const imported = await importFile(dataDir, file);
  step(`${records} records imported in ${imported.seconds.toFixed(1)} s`);
  const withTables = await startWithTables(dataDir, size);
  step(`start with saved tables ${withTables.start.toFixed(1)} s, ${megabytes(withTables.resident)} MB`);
  const server = await startService({ DATA_DIR: dataDir, API_KEYS: key });
  const used = await memory(server.pid);
  step(`start from the journal ${server.seconds.toFixed(1)} s, ${megabytes(used.resident)} MB`);
  const startCpu = await cpuSeconds(server.pid);
  const unlikes = await timeUnlikes(server.url, size);
  await server.stop();
  return {
    ...{ tweets: size, importSeconds: imported.seconds, importPeak: imported.peak, unlikes, startCpu },
    ...{ start: server.seconds, startWithTables: withTables.start, startCpuWithTables: withTables.cpu },
    ...{ resident: used.resident, residentWithTables: withTables.resident, searches: withTables.searches },
    lowdb: size <= 200_000 ? await timeLowdb(directory, file) : Number.NaN,
    megabytes: megabytes((await stat(file)).size),
  };
}

type Printed = Record<string, number | string>;

function tableOf(figures: ArchiveFigures & { readonly megabytes: number }): Printed {
  const { tweets, importSeconds, start, startWithTables, startCpu, startCpuWithTables, unlikes, lowdb } = figures;
  const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
  const searches = figures.searches.map(({ ms }) => ms);
  return {
    'file MB': figures.megabytes,
    'import tweets/s': Math.round(tweets / importSeconds),
    'import peak MB': megabytes(figures.importPeak),
    'start s, journal': rounded(start, 2),
    'start s, saved tables': rounded(startWithTables, 2),
    'start CPU s, journal': rounded(startCpu, 1),
    'start CPU s, saved tables': rounded(startCpuWithTables, 1),
    'search ms p50': rounded(percentile(searches, 0.5), 2),
    'search ms p99': rounded(percentile(searches, 0.99), 2),
    'resident MB': megabytes(figures.resident),
    'resident MB, saved tables': megabytes(figures.residentWithTables),
    'bytes/tweet resident': Math.round(figures.resident / tweets),
    'bytes/tweet resident, saved tables': Math.round(figures.residentWithTables / tweets),
    'unlike ms median': rounded(median([...unlikes]), 2),
    'unlike ms max': rounded(Math.max(...unlikes), 2),
    'lowdb JSONFile ms': Number.isNaN(lowdb) ? '-' : Math.round(lowdb),
    'times faster': Number.isNaN(lowdb) ? '-' : Math.round(lowdb / median([...unlikes])),
  };
}

/** The milliseconds of searches by kind of query, p50 and p99, on the clock and of CPU. */
function searchesOf({ searches }: ArchiveFigures): Printed {
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

/** Prints a column for each archive. */
function print(columns: Readonly<Record<string, Printed>>): void {
  const names = Object.keys(Object.values(columns)[0]!);
  const row = (name: string): Printed =>
    Object.fromEntries(Object.entries(columns).map(([size, values]) => [size, values[name]!]));
  console.table(Object.fromEntries(names.map((name) => [name, row(name)])));
}

/** Measures archives of these numbers of tweets and prints tables. */
export async function benchArchive(sizes: readonly number[]): Promise<Outcome> {
  const measured: (ArchiveFigures & { readonly megabytes: number })[] = [];
  for (const size of sizes) {
    const directory = await mkdtemp(join(tmpdir(), 'bench-'));
    try {
      measured.push(await measureArchive(size, directory));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  const columns = (of: (figures: (typeof measured)[number]) => Printed): Record<string, Printed> =>
    Object.fromEntries(measured.map((figures) => [`${figures.tweets} tweets`, of(figures)]));
  console.log('\nArchive (duration of an unlike: over HTTP, from the request to the durable response)');
  print(columns(tableOf));
  console.log(
    '\nSearches over HTTP by kind of query: ms, p50 / p99, on the clock and CPU of the main thread of the server',
  );
  print(columns(searchesOf));
  return { rows: measured.flatMap(rowsOf), details: measured };
}
