/** Deletions: the cost of one in memory, the start with a tenth of the tweets deleted, and the purge. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openArchive, type DurableArchive } from '../../server/platforms/archive/durable-archive.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { recordsOf } from './engines/engine.ts';
import { benchRequests } from './delete/requests.ts';
import { median } from './table.ts';
import { writeTweets } from './tweets.ts';

interface Start {
  readonly cpu: number;
  readonly tweets: number;
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

/** The CPU seconds of a start in a new process; the smallest of several. */
async function timeStart(dataDir: string, rounds: number): Promise<Start> {
  const script = new URL('delete/child.ts', import.meta.url).pathname;
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=8192', script, dataDir]);
    starts.push(JSON.parse(stdout) as Start);
  }
  return starts.reduce((best, next) => (next.cpu < best.cpu ? next : best));
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

/** `rounds`: starts of each kind. `seconds`: the duration of the requests without a purge. */
export async function benchDelete(sizes: number[], rounds: number, seconds: number): Promise<void> {
  const columns: Record<string, Record<string, number>> = {};
  for (const size of sizes) {
    const directory = await mkdtemp(join(tmpdir(), 'bench-'));
    try {
      const [file, dataDir] = [join(directory, 'tweets.jsonl'), join(directory, 'data')];
      await writeTweets(file, size);
      await withArchive(dataDir, (durable) => importAll(durable, file));
      const whole = await timeStart(dataDir, rounds);
      const deleted = await withArchive(dataDir, deleteTenth);
      const withDeletes = await timeStart(dataDir, rounds);
      await withArchive(dataDir, (durable) => durable.purge());
      const afterPurge = await timeStart(dataDir, rounds);
      const requests = await benchRequests(
        dataDir,
        await withArchive(dataDir, async (each) => chosenIds(each)),
        seconds,
      );
      columns[`${size} tweets`] = {
        ...deleted,
        'start s CPU, none deleted': whole.cpu,
        'start s CPU, a tenth deleted': withDeletes.cpu,
        'start s CPU, after the purge': afterPurge.cpu,
        'tweets left': withDeletes.tweets,
        ...requests,
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
}
