/** The archive benchmark: import rate, disk, start, memory, searches over HTTP, and durable writes. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { authorsOf, idOf, writeTweets } from '../sample/many-tweets.ts';
import { createQueries } from '../sample/mixed-queries.ts';
import { send } from './fixed-rate.ts';
import type { Command } from './options.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { finite, ourRow, type Outcome, type Row } from './result.ts';
import { importFile, startService, type Server } from './service.ts';
import { describeGrowth, type Growth } from './growth.ts';
import { createPlace } from './stored-archive.ts';
import { median, percentile } from './table.ts';

/** The searches of each kind, and those of them that are a warm-up: so many that one pause of the machine is not the p99. */
const [searchesOfEachKind, warmUpSearches] = [100, 20];
/** Every thousandth tweet has a like. */
const likedEvery = 1_000;
const maxUnlikes = 100;
const [maxPages, warmUpPages] = [300, 50];

/** The figures of one round, with their units, by their names in tables. */
type Figures = Record<string, { readonly unit: string; readonly value: number; readonly better?: Row['better'] }>;

/** Imports a file. The peak of the memory is read every tenth of a second. */
async function measureImport(file: string, variables: Readonly<Record<string, string>>) {
  let [peak, timer] = [Number.NaN, undefined as NodeJS.Timeout | undefined];
  const { seconds } = await importFile(file, variables, (pid) => {
    timer = setInterval(() => void memory(pid).then((used) => (peak = used.peak || peak)), 100);
  });
  clearInterval(timer);
  return { seconds, peak };
}

/** The milliseconds of mixed searches, each with a new query. */
async function timeSearches(agent: Agent, url: string, tweets: number): Promise<number[]> {
  const times: number[] = [];
  const seen = new Set<string>();
  const queries = createQueries(tweets, searchesOfEachKind).map(({ text }, index) => ({
    text,
    isWarmUp: index % searchesOfEachKind < warmUpSearches,
  }));
  for (const { text, isWarmUp } of queries.toSorted((a, b) => Number(b.isWarmUp) - Number(a.isWarmUp))) {
    if (seen.has(text)) continue;
    seen.add(text);
    const startedAt = performance.now();
    await send(agent, url, { path: `/social/tweet/advanced_search?query=${encodeURIComponent(text)}` });
    if (!isWarmUp) times.push(performance.now() - startedAt);
  }
  return times;
}

/** The milliseconds of pages, each of another author, without the first ones. */
async function timePages(agent: Agent, url: string, tweets: number): Promise<number[]> {
  const times: number[] = [];
  for (let page = 0; page < Math.min(authorsOf(tweets), maxPages); page++) {
    // All over the archive.
    const author = Math.floor((page * authorsOf(tweets)) / maxPages);
    const startedAt = performance.now();
    await send(agent, url, { path: `/social/user/last_tweets?username=user_${author}` });
    times.push(performance.now() - startedAt);
  }
  return times.slice(warmUpPages);
}

/** The milliseconds of unlikes, without the first one, which compiles the validators of the operation. */
async function timeUnlikes(agent: Agent, url: string, tweets: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < Math.min(tweets, maxUnlikes * likedEvery); index += likedEvery) {
    const startedAt = performance.now();
    await send(agent, url, { path: '/social/tweet/unlike', body: { tweet_id: idOf(index) } });
    times.push(performance.now() - startedAt);
  }
  return times.slice(1);
}

async function measureService(server: Server, tweets: number): Promise<Figures> {
  const [cpu, { resident }] = [await cpuSeconds(server.pid), await memory(server.pid)];
  const agent = new Agent({ keepAlive: true });
  const searches = await timeSearches(agent, server.url, tweets);
  const pages = await timePages(agent, server.url, tweets);
  const after = await memory(server.pid);
  const unlikes = await timeUnlikes(agent, server.url, tweets);
  agent.destroy();
  return {
    start: { unit: 's', value: server.seconds },
    'CPU of a start': { unit: 's', value: cpu },
    'memory after a start': { unit: 'MB', value: resident / 1e6 },
    'memory after the searches': { unit: 'MB', value: after.resident / 1e6 },
    'search, p50': { unit: 'ms', value: percentile(searches, 0.5) },
    'search, p99': { unit: 'ms', value: percentile(searches, 0.99) },
    'page of an author, p50': { unit: 'ms', value: percentile(pages, 0.5) },
    'durable write': { unit: 'ms', value: median(unlikes) },
  };
}

async function measureArchive(tweets: number, platform: string): Promise<Figures> {
  const place = await createPlace(platform);
  try {
    const file = join(place.folder, 'tweets.jsonl');
    await writeTweets(file, tweets);
    const { seconds, peak } = await measureImport(file, place.variables);
    await place.maintain();
    const disk = await place.size();
    const server = await startService(place.variables);
    try {
      return {
        import: { unit: 'tweets/s', value: tweets / seconds, better: 'higher' },
        'peak memory of the import': { unit: 'MB', value: peak / 1e6 },
        'disk for a tweet': { unit: 'bytes', value: disk / tweets },
        ...(await measureService(server, tweets)),
      };
    } finally {
      await server.stop();
    }
  } finally {
    await place.remove();
  }
}

/** Measures archives of these numbers of tweets. */
export async function benchArchive(command: Command): Promise<Outcome> {
  const { platform } = command.values;
  const rounds = command.number('rounds');
  const rows: Row[] = [];
  const growth = new Map<string, Growth & { points: { tweets: number; value: number }[] }>();
  for (const tweets of command.numbers('tweets')) {
    const measured: Figures[] = [];
    for (let round = 1; round <= rounds; round++) {
      console.error(`archive: ${tweets.toLocaleString('en')} tweets, round ${round} of ${rounds}`);
      measured.push(await measureArchive(tweets, platform));
    }
    const size = `${tweets.toLocaleString('en')} tweets${platform === 'postgres' ? ' in tables' : ''}`;
    for (const [name, { unit, better }] of Object.entries(measured[0] ?? {})) {
      const values = measured.map((figures) => figures[name]?.value ?? Number.NaN);
      rows.push(ourRow(`${size}, ${name}`, unit, values, better));
      const { points } = growth.get(name) ?? { points: [] };
      growth.set(name, { name, unit, points: [...points, { tweets, value: median(values) }] });
    }
  }
  const several = [...growth.values()].filter(({ points }) => points.length > 1);
  return { rows: finite(rows), notes: several.map(describeGrowth) };
}
