/**
 * Deletions: the cost of one in memory, and the start with a tenth of the tweets deleted, before and after the purge, by a replay of
 * the journal and with saved tables.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { DurableArchive } from '../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { recordsOf } from './engines/engine.ts';
import { ourselves, type Outcome, type Row } from './report/result.ts';
import { median } from './table.ts';
import { writeTweets } from './tweets.ts';

interface Start {
  readonly cpu: number;
  readonly tweets: number;
  readonly rss: number;
}

const week = { withinMs: 7 * 24 * 60 * 60 * 1000 };

async function withArchive<Result>(
  dataDir: string,
  use: (durable: DurableArchive) => Promise<Result>,
): Promise<Result> {
  const store = await openLowdbStore(dataDir);
  try {
    return await use(await openArchive(store, undefined, undefined, week));
  } finally {
    await store.close();
  }
}

const kinds = ['none deleted', 'a tenth deleted', 'after the purge'] as const;
type Kind = (typeof kinds)[number];
const sources = ['journal', 'tables'] as const;
/** A kind of directory, and from what its archive is read. */
type Case = `${Kind}, ${(typeof sources)[number]}`;
const cases = kinds.flatMap((kind) => sources.map((source) => ({ kind, source, name: `${kind}, ${source}` as const })));

/** Starts each directory in a new process, in turn, so that a change of the machine's speed changes all kinds alike. */
async function timeStarts(directories: Record<Kind, string>, rounds: number): Promise<Map<Case, Start[]>> {
  const script = new URL('delete/child.ts', import.meta.url).pathname;
  const starts = new Map<Case, Start[]>(cases.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { kind, source, name } of round % 2 === 0 ? cases : cases.toReversed()) {
      const argv = ['--max-old-space-size=8192', script, directories[kind], source];
      const { stdout } = await promisify(execFile)(process.execPath, argv);
      starts.get(name)?.push(JSON.parse(stdout) as Start);
    }
  }
  return starts;
}

async function importAll(durable: DurableArchive, file: string): Promise<void> {
  let batch: ArchiveRecord[] = [];
  const apply = async (): Promise<void> => {
    await durable.apply('bench', { values: 0, done: false }, batch);
    batch = [];
  };
  for await (const record of recordsOf(file)) if (batch.push(record) === 5000) await apply();
  await apply();
}

/** Every tenth tweet, in an order that is neither that of time nor that of arrival. */
function chosenIds(durable: DurableArchive): string[] {
  const { archive } = durable;
  const ordinals = Array.from(archive.ordinals()).filter((ordinal) => ordinal % 10 === 3);
  return ordinals
    .map((ordinal) => archive.tweet(ordinal).id)
    .toSorted((a, b) => Number(BigInt(a) % 9973n) - Number(BigInt(b) % 9973n));
}

/** Deletes the chosen tweets; returns the CPU microseconds of one deletion, the durable write and a search between included. */
async function deleteTenth(durable: DurableArchive): Promise<Record<string, number>> {
  const ids = chosenIds(durable);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let from = 0; from < ids.length; from += 1000) {
    const records = ids.slice(from, from + 1000).map((tweet_id): ArchiveRecord => ({ kind: 'delete', tweet_id }));
    const start = process.cpuUsage();
    await durable.apply('bench', { values: 0, done: false }, records);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / records.length);
  }
  const { user, system } = process.cpuUsage(before);
  return {
    'delete µs CPU mean': (user + system) / ids.length,
    'delete µs CPU median of 1000s': median(times),
    'delete µs CPU max of 1000s': Math.max(...times),
  };
}

/** Saves the tables; returns the seconds of CPU time. */
async function saveTables(durable: DurableArchive): Promise<number> {
  const before = process.cpuUsage();
  if (!(await durable.saveTables())) throw new Error('the tables were not saved');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const bytesPerTweet = (starts: readonly Start[] = []): number => median(starts.map(({ rss, tweets }) => rss / tweets));

/** The unit in the name of a figure; undefined for one that is no measurement. */
function rowOf(size: string, name: string, values: readonly number[]): Row | undefined {
  const [, unit] = /(µs CPU|s CPU|bytes|\bms\b|\bs\b)/.exec(name) ?? [];
  if (unit === undefined || values.some((value) => !Number.isFinite(value))) return undefined;
  return {
    metric: `${size}, ${name.replace(unit, '').replace(/ +/g, ' ').replace(' ,', ',').trim()}`,
    subject: ourselves,
    unit,
    better: 'lower',
    values,
  };
}

/** The rows of the results: one value of each figure, but all starts. */
function rowsOf(columns: Columns, starts: ReadonlyMap<string, ReadonlyMap<Case, Start[]>>): Row[] {
  return Object.entries(columns).flatMap(([size, column]) =>
    Object.entries(column).flatMap(([name, value]) => {
      const [, kind] = /^start s CPU, (.*)$/.exec(name) ?? [];
      const all = cases.find((each) => each.name === kind);
      const cpu =
        all &&
        starts
          .get(size)
          ?.get(all.name)
          ?.map((start) => start.cpu);
      return rowOf(size, name, cpu ?? [value]) ?? [];
    }),
  );
}

type Columns = Record<string, Record<string, number>>;

/** `rounds`: starts of each kind. */
export async function benchDelete(sizes: readonly number[], rounds: number): Promise<Outcome> {
  const columns: Columns = {};
  const allStarts = new Map<string, ReadonlyMap<Case, Start[]>>();
  for (const size of sizes) {
    const directory = await mkdtemp(join(tmpdir(), 'bench-'));
    try {
      const file = join(directory, 'tweets.jsonl');
      const none = join(directory, 'none');
      const tenth = join(directory, 'tenth');
      const purged = join(directory, 'purged');
      await writeTweets(file, size);
      await withArchive(none, (durable) => importAll(durable, file));
      await cp(none, tenth, { recursive: true });
      const deleted = await withArchive(tenth, deleteTenth);
      await cp(tenth, purged, { recursive: true });
      await withArchive(purged, (durable) => durable.purge());
      const saved: number[] = [];
      for (const each of [none, tenth, purged]) saved.push(await withArchive(each, saveTables));
      const starts = await timeStarts(
        { 'none deleted': none, 'a tenth deleted': tenth, 'after the purge': purged },
        rounds,
      );
      allStarts.set(`${size} tweets`, starts);
      columns[`${size} tweets`] = {
        ...deleted,
        ...Object.fromEntries(
          Array.from(starts, ([name, each]) => [`start s CPU, ${name}`, median(each.map(({ cpu }) => cpu))]),
        ),
        'save s CPU': median(saved),
        'bytes/tweet resident, journal': bytesPerTweet(starts.get('none deleted, journal')),
        'bytes/tweet resident, tables': bytesPerTweet(starts.get('none deleted, tables')),
        'tweets left': starts.get('a tenth deleted, journal')?.[0]?.tweets ?? 0,
      };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  console.log('\nDeletion (of a tenth of the tweets)');
  const names = Object.keys(Object.values(columns)[0] ?? {});
  console.table(
    Object.fromEntries(
      names.map((name) => [
        name,
        Object.fromEntries(Object.entries(columns).map(([size, column]) => [size, Number(column[name]?.toFixed(2))])),
      ]),
    ),
  );
  return { rows: rowsOf(columns, allStarts), details: columns };
}
