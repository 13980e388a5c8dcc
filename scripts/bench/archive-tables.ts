/** The archive benchmark with `--platform postgres`: an archive in tables of PostgreSQL. Linux only. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../server/storage/postgres/database.ts';
import { startEngine } from '../../test/postgres/engine.js';
import { diskBytes, loadTables, measurePages, type LoadTimes, type PageTimes } from './archive/tables.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { finite, ourselves, type Outcome, type Row } from './report/result.ts';
import { startService } from './service.ts';
import { markdownTable, milliseconds } from './table.ts';

/** The settings of PostgreSQL; the others are those of a new server. */
const settings = { shared_buffers: '2GB', random_page_cost: '1.1', jit: 'off' };

interface TablesOptions {
  readonly sizes: readonly number[];
  readonly queriesOfEachKind: number;
  readonly rounds: number;
}

/** A start of an instance: seconds on the clock and of CPU time, and resident bytes. */
interface Start {
  readonly seconds: number;
  readonly cpu: number;
  readonly resident: number;
}

interface Figures {
  readonly tweets: number;
  readonly load: LoadTimes;
  readonly diskBytes: number;
  readonly start: Start;
  readonly pages: readonly PageTimes[];
}

/** The start of an instance on the tables of a database. */
export async function measureStart(url: string): Promise<Start> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-instance-'));
  try {
    const variables = { DATA_DIR: directory, DATABASE_URL: url, API_KEYS: 'bench-key-0001' };
    const server = await startService(variables);
    const [cpu, { resident }] = [await cpuSeconds(server.pid), await memory(server.pid)];
    await server.stop();
    return { seconds: server.seconds, cpu, resident };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(tweets: number, { queriesOfEachKind: each, rounds }: TablesOptions): Promise<Figures> {
  const engine = await startEngine({ settings });
  try {
    process.stderr.write(`${tweets} tweets: loading\n`);
    const load = await loadTables(engine.url, engine.pid ?? 0, tweets);
    const start = await measureStart(engine.url);
    process.stderr.write('  searches\n');
    const database = new Database({ url: engine.url });
    try {
      const pages = await measurePages(database, { tweets, each, rounds });
      return { tweets, load, diskBytes: await diskBytes(database), start, pages };
    } finally {
      await database.close();
    }
  } finally {
    await engine.stop();
  }
}

function print({ tweets, load, diskBytes: disk, start, pages }: Figures): void {
  const micros = (seconds: number): string => ((seconds / tweets) * 1e6).toFixed(0);
  console.log(`\nTables of PostgreSQL, ${tweets} tweets: ${(disk / tweets).toFixed(0)} bytes of disk for a tweet`);
  console.log(
    `load: ${micros(load.node)} µs of CPU in Node and ${micros(load.database)} in the database for a tweet (${micros(load.vacuum)} of them VACUUM and ANALYZE), ${Math.round(tweets / load.seconds)} tweets a second`,
  );
  console.log(
    `start: ${start.seconds.toFixed(1)} s, ${start.cpu.toFixed(1)} s of CPU, ${(start.resident / 1e6).toFixed(0)} MB\n`,
  );
  const times = pages.map(({ page, p50, p90, p99, kinds }) => ({
    'CPU of the database, ms': page,
    ...Object.fromEntries(Object.entries({ p50, p90, p99, ...kinds }).map(([name, ms]) => [name, milliseconds(ms)])),
  }));
  console.log(markdownTable(times));
}

function rowsOf({ tweets, load, diskBytes: disk, start, pages }: Figures): Row[] {
  const row = (what: string, unit: string, value: number): Row => ({
    ...{ metric: `${tweets.toLocaleString('en')} tweets in tables, ${what}`, subject: ourselves, unit },
    ...{ better: 'lower', values: [value] },
  });
  return finite([
    row('load, Node', 'µs CPU', (load.node / tweets) * 1e6),
    row('load, database', 'µs CPU', (load.database / tweets) * 1e6),
    row('disk for a tweet', 'bytes', disk / tweets),
    row('start', 's', start.seconds),
    row('memory of an instance', 'MB', start.resident / 1e6),
    ...pages.flatMap(({ page, p50, p99 }) => [row(`${page}, p50`, 'ms CPU', p50), row(`${page}, p99`, 'ms CPU', p99)]),
  ]);
}

/** Prints the figures of each size. */
export async function benchTables(options: TablesOptions): Promise<Outcome> {
  const all: Figures[] = [];
  for (const tweets of options.sizes) {
    const figures = await measure(tweets, options);
    print(figures);
    all.push(figures);
  }
  return { rows: all.flatMap(rowsOf), details: all };
}
