/** The archive benchmark on tables of PostgreSQL: a bulk load, disk, starts, memory, and the CPU time of the database for searches. Linux only. */
import { readdir, readFile } from 'node:fs/promises';
import type { DocumentContext } from '../../../server/search/document.ts';
import type { SnapshotChange } from '../../../server/archive/rules/change.ts';
import { loadSnapshot } from '../../../server/platforms/postgres/maintenance/tables-loader.ts';
import { TopIndex } from '../../../server/platforms/postgres/maintenance/top-index.ts';
import { openTables } from '../../../server/platforms/postgres/open-tables.ts';
import type { Position } from '../../../server/contract/page.ts';
import { SqlSearch } from '../../../server/platforms/postgres/search/sql-search.ts';
import { parse } from '../../../server/search/language/parse.ts';
import type { Database, Run } from '../../../server/storage/postgres/database.ts';
import { openPostgresStore } from '../../../server/storage/postgres/postgres-store.ts';
import { createQueries, kinds, type Query } from '../queries.ts';
import { median, percentile } from '../table.ts';
import { benchRecords, firstMoment, numberOf } from '../tweets.ts';

/** Seconds of CPU time. */
export interface LoadTimes {
  readonly node: number;
  readonly database: number;
  /** Of `database`: VACUUM, ANALYZE and the index of the top tweets. */
  readonly vacuum: number;
  /** On the clock. */
  readonly seconds: number;
}

/** Milliseconds of CPU time of the database for a page. */
export interface PageTimes {
  readonly page: string;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /** The median of each kind of query. */
  readonly kinds: Readonly<Record<string, number>>;
}

const limit = 20;
const deepOffset = 980;

/** The CPU time of a server with all its processes, those that ended included, in seconds. */
async function cpuOfServer(pid: number): Promise<number> {
  const ticks = async (each: string): Promise<number> => {
    const stat = await readFile(`/proc/${each}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isServer = each === String(pid);
    if (!isServer && fields[1] !== String(pid)) return 0;
    // utime and stime; of the server also those of its ended children.
    return fields.slice(11, isServer ? 15 : 13).reduce((sum, field) => sum + Number(field), 0);
  };
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(all.map(ticks))).reduce((a, b) => a + b, 0) / 100;
}

/** Loads tweets into the tables of an empty database, by a server with a process id. */
export async function loadTables(url: string, pid: number, tweets: number): Promise<LoadTimes> {
  await (await openPostgresStore({ url })).close();
  const database = await openTables(url);
  try {
    const authors = new Uint32Array(tweets);
    const [startedAt, cpu, node] = [performance.now(), await cpuOfServer(pid), process.cpuUsage()];
    await loadSnapshot(database, [{ changes: changesOf(tweets, authors), context: contextOf(authors) }]);
    const loaded = await cpuOfServer(pid);
    await database.maintain('VACUUM (ANALYZE)');
    await new TopIndex({
      database,
      mayRun: () => true,
      onBuild: () => {},
      onFailed(error) {
        throw error;
      },
    }).check();
    const [{ user, system }, end] = [process.cpuUsage(node), await cpuOfServer(pid)];
    const seconds = (performance.now() - startedAt) / 1000;
    return { node: (user + system) / 1e6, database: end - cpu, vacuum: end - loaded, seconds };
  } finally {
    await database.close();
  }
}

/** The records of the benchmark as changes; puts the author of each tweet into `authors`. */
function* changesOf(tweets: number, authors: Uint32Array): Generator<SnapshotChange, void> {
  for (const record of benchRecords(tweets) as Iterable<SnapshotChange>) {
    if (record.kind === 'tweet') authors[numberOf(record.tweet.id)] = Number(record.tweet.author_id);
    yield record;
  }
}

const contextOf = (authors: Uint32Array): DocumentContext => ({
  user: () => undefined,
  authorOf(id) {
    const author = authors[numberOf(id)];
    return author === undefined ? undefined : String(author);
  },
});

/** The bytes of the database. */
export async function diskBytes(database: Pick<Database, 'run'>): Promise<number> {
  const [row] = await database.run<{ bytes: string }>({
    text: 'SELECT pg_database_size(current_database()) AS bytes',
  });
  return Number(row?.bytes);
}

type Read = (query: Query) => Promise<unknown>;

/** Measures the pages of a number of tweets, after one round that warms up. */
export async function measurePages(
  database: Pick<Database, 'run'>,
  { tweets, each, rounds }: { readonly tweets: number; readonly each: number; readonly rounds: number },
): Promise<PageTimes[]> {
  const search = new SqlSearch(database.run);
  const queries = createQueries(tweets, each);
  // The newest tweet is that of this moment.
  const now = firstMoment + tweets * 1000;
  const deep = new Map<Query, Position>();
  for (const query of queries) {
    const { next } = await search.latest(parse(query.text), { after: undefined, limit: deepOffset }, now);
    if (next !== null) deep.set(query, next);
  }
  const latest: Read = (query) => search.latest(parse(query.text), { after: undefined, limit }, now);
  const page50: Read = (query) => search.latest(parse(query.text), { after: deep.get(query), limit }, now);
  const top: Read = (query) => search.top(parse(query.text), { after: undefined, limit }, now);
  const { run } = database;
  return [
    await timesOf('Latest', latest, { run, queries, rounds }),
    await timesOf('page 50', page50, { run, queries: [...deep.keys()], rounds }),
    await timesOf('Top', top, { run, queries, rounds }),
  ];
}

interface Measured {
  readonly run: Run;
  readonly queries: readonly Query[];
  readonly rounds: number;
}

async function timesOf(page: string, read: Read, { run, queries, rounds }: Measured): Promise<PageTimes> {
  const [row] = await run<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
  // One statement after the other uses one connection. The file has nanoseconds.
  const cpu = async (): Promise<number> =>
    Number((await readFile(`/proc/${row?.pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e6;
  const times = new Map(queries.map((query) => [query, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const query of queries) {
      const before = await cpu();
      await read(query);
      if (round > 0) times.get(query)?.push((await cpu()) - before);
    }
  const medians = Array.from(times, ([{ kind }, values]) => ({ kind, ms: median(values) }));
  const all = medians.map(({ ms }) => ms);
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(all, share)) as [number, number, number];
  const ofKind = (kind: string): number => median(medians.flatMap((each) => (each.kind === kind ? each.ms : [])));
  return { page, p50, p90, p99, kinds: Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])) };
}
