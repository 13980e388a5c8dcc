/**
 * Several instances on one PostgreSQL: requests beside the embedded service, how soon a write is visible elsewhere, imports,
 * migrations and revocations. Uses DATABASE_URL, whose database it fills, or starts the PostgreSQL of the tests.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentKeys } from '../../server/keys/keys.ts';
import { openPostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import type { Child } from './cluster/child.ts';
import { benchLog, type SentRecord } from './cluster/sent-record.ts';
import type { Load, LoadResult } from './http/load.ts';
import { key, records } from './http/shapes.ts';
import { cpuSeconds, cpuSecondsOfFamily } from './process-usage.ts';
import { finite, ourselves, type Outcome, type Row as ResultRow } from './report/result.ts';
import { runCommand, startService, type Service } from './service.ts';
import { clock, startProcess, type Process } from './stream/calls.ts';
import { markdownTable, median, milliseconds, percentile, type Row } from './table.ts';
import { writeTweets } from './tweets.ts';

export interface ClusterBench {
  readonly tweets: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly revocations: number;
}

/** Where the benchmark works. */
interface Place {
  readonly directory: string;
  /** Returns a URL with an empty schema. */
  readonly schema: (name: string) => string;
  /** CPU seconds of the database so far; NaN where it is not of this machine. */
  readonly databaseCpu: () => Promise<number>;
}

/** A result: what was measured, with its unit, and the value. */
type Results = Map<string, number>;

async function withPlace<Result>(use: (place: Place) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-cluster-'));
  const given = process.env['DATABASE_URL'];
  const engine =
    given === undefined
      ? await (await import('../../test/postgres/engine.js')).startEngine({ fsync: true })
      : undefined;
  const run = Date.now().toString(36);
  try {
    return await use({
      directory,
      schema: (name) => `${given ?? engine?.url}?schema=bench_${run}_${name}`,
      databaseCpu: () => cpuSecondsOfFamily(engine?.pid),
    });
  } finally {
    await engine?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** CPU microseconds of a server for each new page, and pages a second, while only this server is loaded. */
async function measurePages(
  server: Service,
  load: Process<Load>,
  { seconds, connections }: ClusterBench,
): Promise<{ readonly cpu: number; readonly perSecond: number }> {
  for (let attempt = 1; ; attempt++) {
    const before = await cpuSeconds(server.pid);
    const amount = { connections, seconds, minRequests: 2_000 };
    const result: LoadResult = await load.call('run', { port: server.port, shape: 'page, new', ...amount });
    const cpu = (await cpuSeconds(server.pid)) - before;
    if (result.failed === 0) return { cpu: (cpu * 1e6) / result.requests, perSecond: result.perSecond };
    // On a busy machine, the server sheds load.
    if (attempt === 10) throw new Error(`${result.failed} requests failed: use fewer --connections`);
  }
}

async function benchPages(place: Place, bench: ClusterBench, results: Results): Promise<void> {
  const [file, folder] = [join(place.directory, 'pages.jsonl'), join(place.directory, 'pages')];
  await writeFile(file, Array.from(records(), (record) => JSON.stringify(record)).join('\n'));
  await runCommand('scripts/cli/import.ts', [file], { DATA_DIR: folder });
  const database = { DATABASE_URL: place.schema('pages') };
  await runCommand('scripts/cli/migrate.ts', [], { DATA_DIR: folder, ...database });
  const load = await startProcess<Load>('../http/load.ts');
  const second = await startProcess<Load>('../http/load.ts');
  const servers = {
    embedded: await startService({ DATA_DIR: folder, API_KEYS: key }),
    a: await startService({ DATA_DIR: join(place.directory, 'a'), ...database, API_KEYS: key }),
    b: await startService({ DATA_DIR: join(place.directory, 'b'), ...database, API_KEYS: key }),
  };
  const measured = { embedded: [] as number[], a: [] as number[], b: [] as number[] };
  const perSecond = { one: [] as number[], both: [] as number[] };
  for (let round = 0; round <= bench.rounds; round++) {
    const alone = { embedded: 0, a: 0, b: 0 };
    // In turns: the first one after a pause costs more.
    const names = ['embedded', 'a', 'b'] as const;
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { cpu, perSecond: rate } = await measurePages(servers[name], load, bench);
      alone[name] = cpu;
      if (name === 'a' && round > 0) perSecond.one.push(rate);
    }
    const [atOnceA, atOnceB] = await Promise.all([
      measurePages(servers.a, load, bench),
      measurePages(servers.b, second, bench),
    ]);
    // The first round warms up.
    if (round === 0) continue;
    for (const name of names) measured[name].push(alone[name]);
    perSecond.both.push(atOnceA.perSecond + atOnceB.perSecond);
  }
  for (const server of Object.values(servers)) await server.stop();
  await load.end();
  await second.end();
  const [embedded, instance] = [median(measured.embedded), median([...measured.a, ...measured.b])];
  results.set('new page, embedded: µs CPU', embedded);
  results.set('new page, instance: µs CPU', instance);
  results.set('new page, instance / embedded', instance / embedded);
  results.set('new pages/s, two instances / one', median(perSecond.both) / median(perSecond.one));
}

/** 10 records every 10 ms: 1,000 records a second. */
async function benchVisibility(place: Place, { seconds }: ClusterBench, results: Results): Promise<void> {
  const url = place.schema('visible');
  const store = await openPostgresStore({ url });
  const journal = await store.journal(benchLog);
  await journal.replay(() => {});
  journal.follow({ apply() {} });
  const reader = await startProcess<Child>('../cluster/child.ts');
  await reader.call('read', { url });
  const appends: Promise<number>[] = [];
  const start = performance.now();
  const batches = Math.max(300, seconds * 100);
  for (let batch = 0; batch < batches; batch++) {
    const wait = start + batch * 10 - performance.now();
    if (wait > 0) await sleep(wait);
    const record: SentRecord = { sent: clock() };
    appends.push(journal.append(Array.from({ length: 10 }, (_, n) => JSON.stringify({ ...record, n }))));
  }
  await Promise.all(appends);
  const rate = (batches * 10) / ((performance.now() - start) / 1000);
  let latencies: readonly number[] = [];
  while (latencies.length < batches * 10) {
    await sleep(100);
    latencies = await reader.call('report');
  }
  await reader.call('close');
  await reader.end();
  await store.close();
  results.set('write on A visible on B: records/s', rate);
  results.set('write on A visible on B: p50 ms', percentile(latencies, 0.5));
  results.set('write on A visible on B: p99 ms', percentile(latencies, 0.99));
}

async function benchArchive(place: Place, { tweets }: ClusterBench, results: Results): Promise<void> {
  const [file, folder] = [join(place.directory, 'tweets.jsonl'), join(place.directory, 'tweets')];
  await writeTweets(file, tweets);
  const embedded = await runCommand('scripts/cli/import.ts', [file], { DATA_DIR: folder });
  results.set('import, embedded: tweets/s', tweets / embedded.seconds);
  results.set('import, embedded: µs CPU/tweet', (embedded.cpu * 1e6) / tweets);
  const before = await place.databaseCpu();
  const imported = await runCommand('scripts/cli/import.ts', [file], {
    DATA_DIR: join(place.directory, 'none'),
    DATABASE_URL: place.schema('import'),
  });
  results.set('import through the database: tweets/s', tweets / imported.seconds);
  results.set('import through the database: µs CPU/tweet', (imported.cpu * 1e6) / tweets);
  results.set(
    'import through the database: µs CPU/tweet, database',
    (((await place.databaseCpu()) - before) * 1e6) / tweets,
  );
  const database = { DATABASE_URL: place.schema('tweets') };
  const to = await runCommand('scripts/cli/migrate.ts', [], { DATA_DIR: folder, ...database });
  results.set('migration to the database: s', to.seconds);
  results.set('migration to the database: s CPU', to.cpu);
  const back = join(place.directory, 'back');
  const from = await runCommand('scripts/cli/migrate.ts', ['--from', 'env', '--to', back], database);
  results.set('migration from the database: s', from.seconds);
  results.set('migration from the database: s CPU', from.cpu);
}

async function benchRevocations(place: Place, { revocations }: ClusterBench, results: Results): Promise<void> {
  const url = place.schema('keys');
  const stores = [await openPostgresStore({ url }), await openPostgresStore({ url })];
  const [a, b] = await Promise.all(
    stores.map(async (store) => new DocumentKeys(await store.document('keys', { keys: [] }))),
  );
  if (a === undefined || b === undefined) throw new Error('the keys could not be opened');
  const times: number[] = [];
  for (let n = 0; n < revocations; n++) {
    const { id } = await a.create({ name: `key ${n}` });
    await until(b, () => b.has(id));
    const began = performance.now();
    await a.revoke(id);
    await until(b, () => !b.has(id));
    times.push(performance.now() - began);
  }
  for (const store of stores) await store.close();
  results.set('revocation, until refused elsewhere: p50 ms', percentile(times, 0.5));
  results.set('revocation, until refused elsewhere: max ms', Math.max(...times));
  results.set('revocations within 1 s', times.filter((ms) => ms <= 1_000).length);
}

async function until(keys: DocumentKeys, holds: () => boolean): Promise<void> {
  while (!holds()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const unwatch = keys.onChange(resolve);
    if (!holds()) await promise;
    unwatch();
  }
}

const shown = (name: string, value: number): string =>
  name.endsWith(' ms') ? milliseconds(value) : value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);

/**
 * A name ends with its unit, after a colon: `migration to the database: s CPU`, `write visible: p50 ms`, `import: µs CPU/tweet, database`.
 * Without one it is a ratio or a count.
 */
function resultRow([name, value]: readonly [name: string, value: number]): ResultRow {
  const [, what = name, quantile, unit = name.includes(' / ') ? 'ratio' : 'count', where] =
    /^(.*): (?:(p\d+|max) )?(\S+(?: CPU\S*)?)(?:, (.*))?$/.exec(name) ?? [];
  const isHigher = unit.endsWith('/s') || /^(revocations within|new pages\/s)/.test(name);
  const metric = [what, quantile, unit.includes('CPU') ? 'CPU' : undefined, where].filter((part) => part !== undefined);
  return {
    metric: metric.join(', '),
    ...{ subject: ourselves, unit, better: isHigher ? 'higher' : 'lower', values: [value] },
  };
}

/** Whether a result says how the machine was loaded, and not what the service did. */
const isOfTheLoad = (name: string): boolean => name.startsWith('load average') || name.endsWith(': records/s');

/** Measures and prints a table. */
export async function benchCluster(bench: ClusterBench): Promise<Outcome> {
  const results: Results = new Map();
  await withPlace(async (place) => {
    results.set('load average at the start', loadavg()[0] ?? Number.NaN);
    await benchPages(place, bench, results);
    await benchVisibility(place, bench, results);
    await benchRevocations(place, bench, results);
    await benchArchive(place, bench, results);
    results.set('load average at the end', loadavg()[0] ?? Number.NaN);
  });
  console.log(`\nSeveral instances (${bench.tweets.toLocaleString('en')} tweets)`);
  const rows = Array.from(results, ([name, value]): Row => ({ measured: name, value: shown(name, value) }));
  console.log(markdownTable(rows));
  const resultRows = Array.from(results)
    .filter(([name]) => !isOfTheLoad(name))
    .map(resultRow);
  return { rows: finite(resultRows), details: { bench, results: Object.fromEntries(results) } };
}
