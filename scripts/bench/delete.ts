/** Deletions from the SQLite file: the cost of one, and the purge that removes their words from the file. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Integer } from '../../server/database/sql.ts';
import { readConfig } from '../../server/config/config.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openStoredArchive, type StoredArchive } from '../../server/engines/open-archive.ts';
import { recordsOf } from './engines/engine.ts';
import { ourselves, type Outcome, type Row } from './report/result.ts';
import { median } from './table.ts';
import { writeTweets } from './tweets.ts';

/** No purge begins by itself. */
const env = { PURGE_WITHIN: '604800' };
const batchSize = 1_000;

async function importAll({ sink }: StoredArchive, file: string): Promise<void> {
  let batch: ArchiveRecord[] = [];
  const apply = async (): Promise<void> => {
    await sink.apply('bench', { values: 0, done: false }, batch);
    batch = [];
  };
  for await (const record of recordsOf(file)) if (batch.push(record) === batchSize) await apply();
  await apply();
}

/** Every tenth tweet, in an order that is neither that of time nor that of arrival. */
async function chosenIds({ engine }: StoredArchive): Promise<string[]> {
  const rows = await engine.run<{ id: Integer }>(sql`SELECT id FROM social_data.tweet WHERE id % 10 = 3`);
  return rows.map(({ id }) => String(id)).toSorted((a, b) => Number(BigInt(a) % 9973n) - Number(BigInt(b) % 9973n));
}

/** The seconds and the CPU seconds of a work of this process. */
async function timed(work: () => Promise<unknown>): Promise<{ readonly seconds: number; readonly cpu: number }> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
}

async function bytesOf(folder: string): Promise<number> {
  const files = (await readdir(folder)).filter((name) => name.startsWith('archive.db'));
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** One archive with so many tweets, of which a tenth is deleted. */
async function measure(file: string): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-delete-'));
  const opened = await openStoredArchive(readConfig({ ...env, DATA_DIR: folder }));
  try {
    await importAll(opened, file);
    const ids = await chosenIds(opened);
    const remove = async (): Promise<void> => {
      for (let from = 0; from < ids.length; from += batchSize) {
        const removed = ids
          .slice(from, from + batchSize)
          .map((tweet_id): ArchiveRecord => ({ kind: 'delete', tweet_id }));
        await opened.sink.apply('bench', { values: 0, done: false }, removed);
      }
    };
    const [deletion, purge] = [await timed(remove), await timed(() => opened.engine.erased.purge())];
    return {
      'deletion, µs CPU': (deletion.cpu * 1e6) / ids.length,
      'purge, s': purge.seconds,
      'purge, s CPU': purge.cpu,
      'file after it, bytes': await bytesOf(folder),
    };
  } finally {
    await opened.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** `rounds`: archives of each size. */
export async function benchDelete(sizes: readonly number[], rounds: number): Promise<Outcome> {
  const rows: Row[] = [];
  for (const size of sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-'));
    try {
      const file = join(folder, 'tweets.jsonl');
      await writeTweets(file, size);
      const measured: Record<string, number>[] = [];
      for (let round = 0; round < rounds; round++) measured.push(await measure(file));
      for (const name of Object.keys(measured[0] ?? {})) {
        const [what = '', unit = ''] = name.split(', ');
        const values = measured.map((each) => each[name] ?? Number.NaN);
        rows.push({ metric: `${size} tweets, ${what}`, subject: ourselves, unit, better: 'lower', values });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  console.log('\nDeletion (of a tenth of the tweets)');
  console.table(rows.map(({ metric, unit, values }) => ({ metric, unit, median: Number(median(values).toFixed(2)) })));
  return { rows, details: rows };
}
