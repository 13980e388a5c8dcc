/** What the writer of a file does from time to time. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SqliteArchiveDatabase } from '../../../server/engines/sqlite/sqlite-archive-database.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { TopTweets } from '../../../server/engines/sqlite/sqlite-search-rows.ts';
import { SqliteSearch } from '../../../server/engines/sqlite/sqlite-search.ts';
import { SqliteWriter } from '../../../server/engines/sqlite/sqlite-writer.ts';
import { SqliteUpkeep } from '../../../server/engines/sqlite/upkeep.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { archiveOn } from '../../archive/engines.ts';
import { emptyArchiveFile, type EmptyArchiveFile } from '../../support/empty-archive-file.ts';

let file: EmptyArchiveFile;
let database: SqliteDatabase;
let writer: SqliteWriter;
beforeEach(async () => {
  file = await emptyArchiveFile();
  ({ database } = file);
  writer = new SqliteWriter(database);
});
afterEach(() => file.dispose());

const failures: unknown[] = [];
const upkeepOf = (withinMs: number, minTopTweets?: number): SqliteUpkeep =>
  new SqliteUpkeep({
    ...{ writer, withinMs, onFailed: (error) => failures.push(error) },
    ...(minTopTweets === undefined ? {} : { minTopTweets }),
  });

async function checked(upkeep: SqliteUpkeep): Promise<void> {
  upkeep.check();
  await upkeep.settled();
  expect(failures).toEqual([]);
}

const tweet = (n: number, text: string): ArchiveRecord => ({
  kind: 'tweet',
  tweet: {
    ...{ id: String(n), author_id: '1', text, like_count: n * 10 },
    created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  },
});

async function isInFile(text: string): Promise<boolean> {
  const names = await readdir(file.folder);
  const contents = await Promise.all(names.map((name) => readFile(join(file.folder, name), 'latin1')));
  return contents.some((content) => content.includes(text));
}

test('purges removed words when they are due, and not without a removal', async () => {
  const archive = archiveOn({ database: new SqliteArchiveDatabase(writer) });
  await archive.apply([tweet(1, 'zzcanaryzz one'), tweet(2, 'two')]);
  await archive.apply([{ kind: 'delete', tweet_id: '1' }]);
  await checked(upkeepOf(3_600_000));
  expect(await isInFile('zzcanaryzz')).toBe(true);
  await checked(upkeepOf(0));
  expect(await isInFile('zzcanaryzz')).toBe(false);
  const changes = (): unknown => database.first('SELECT total_changes() AS n');
  const before = changes();
  await checked(upkeepOf(0));
  expect(changes()).toEqual(before);
});

test('builds the table of the tweets with the most engagement, which gives the same pages', async () => {
  const archive = archiveOn({ database: new SqliteArchiveDatabase(writer) });
  await archive.apply(Array.from({ length: 60 }, (_, n) => tweet(n + 1, 'tea')));
  const search = new SqliteSearch(database);
  const page = (): Promise<unknown> => search.top(parse('tea'), { after: undefined, limit: 3 }, Date.now());
  const before = await page();
  expect(before).toMatchObject({ items: ['60', '59', '58'] });
  const filling = new TopTweets(database);
  await writer.transaction(async () => {
    filling.begin();
    database.run(
      'INSERT INTO top SELECT row_number() OVER (), pos FROM tweet WHERE pos IN (SELECT pos FROM tweet LIMIT 10)',
    );
    database.run(`INSERT INTO top_word (rowid, text) SELECT rank, 'tea' FROM top`);
  });
  // A search does not read a table that is not filled yet.
  expect(await page()).toEqual(before);
  const upkeep = upkeepOf(0, 50);
  await checked(upkeep);
  const rows = database.first<{ n: number }>('SELECT count(*) AS n FROM top')?.n ?? 0;
  expect(rows).toBeGreaterThan(3);
  expect(rows).toBeLessThan(30);
  expect(await page()).toEqual(before);
  await archive.apply([tweet(100, 'tea'), tweet(59, 'tea')]);
  expect(await page()).toMatchObject({ items: ['100', '60', '59'] });
});

test('lets calls in after each page of the table of the tweets with the most engagement', async () => {
  const archive = archiveOn({ database: new SqliteArchiveDatabase(writer) });
  await archive.apply(Array.from({ length: 1_600 }, (_, n) => tweet(n + 1, 'tea')));
  const countRows = (): Promise<number> =>
    writer.transaction(async () => database.first<{ n: number }>('SELECT count(*) AS n FROM top')?.n ?? 0);
  const upkeep = upkeepOf(0, 50);
  upkeep.check();
  const counts: number[] = [];
  const settled = upkeep.settled().then(() => true);
  while (!(await Promise.race([settled, countRows().then((count) => void counts.push(count))])));
  expect(failures).toEqual([]);
  counts.push(await countRows());
  expect(counts.at(-1)).toBeGreaterThan(150);
  expect(Math.max(...counts.map((count, index) => count - (counts[index - 1] ?? 0)))).toBeLessThanOrEqual(50);
});

test('checkpoints come between the steps of long work, which ends at the next step when it is stopped', async () => {
  const archive = archiveOn({ database: new SqliteArchiveDatabase(writer) });
  await archive.apply(Array.from({ length: 1_600 }, (_, n) => tweet(n + 1, 'tea')));
  const countRows = (): Promise<number> =>
    writer.transaction(async () => database.first<{ n: number }>('SELECT count(*) AS n FROM top')?.n ?? 0);
  const logPages = (): Promise<number> =>
    writer.maintain(() => database.first<{ log: number }>('PRAGMA wal_checkpoint(NOOP)')?.log ?? 0);
  const upkeep = new SqliteUpkeep({
    ...{ writer, withinMs: 0, onFailed: (error) => failures.push(error), minTopTweets: 50, maxLogPages: 50 },
  });
  upkeep.check();
  const logs: number[] = [];
  while ((await countRows()) < 150) {
    upkeep.check();
    logs.push(await logPages());
  }
  // The log begins anew behind a checkpoint.
  expect(logs.some((log, index) => log < (logs[index - 1] ?? 0))).toBe(true);
  upkeep.stop();
  await upkeep.settled();
  expect(failures).toEqual([]);
  const rows = await countRows();
  expect(rows).toBeLessThan(250);
  expect(database.first("SELECT 1 FROM meta WHERE name = 'top_tweets'")).toBeUndefined();
  // The next one begins it again.
  await checked(upkeepOf(0, 50));
  expect(await countRows()).toBeGreaterThan(rows);
});

test('long work waits while a reader keeps the log from beginning anew', async () => {
  const archive = archiveOn({ database: new SqliteArchiveDatabase(writer) });
  await archive.apply(Array.from({ length: 3_000 }, (_, n) => tweet(n + 1, `tea number${n} word${n % 7}`)));
  const reader = new SqliteDatabase(database.path, { readOnly: true });
  reader.script('BEGIN');
  const read = (): unknown => reader.first('SELECT count(*) FROM top');
  read();
  const upkeep = new SqliteUpkeep({
    ...{ writer, withinMs: 0, onFailed: (error) => failures.push(error), minTopTweets: 50, maxLogPages: 5 },
  });
  upkeep.check();
  const isBuilt = (): boolean => database.first("SELECT 1 FROM meta WHERE name = 'top_tweets'") !== undefined;
  await sleep(1_000);
  expect(isBuilt()).toBe(false);
  reader.script('COMMIT');
  await upkeep.settled();
  expect([failures, isBuilt()]).toEqual([[], true]);
  reader.close();
});

test('merges the words into one segment when the archive has grown', async () => {
  const archive = archiveOn({ database: new SqliteArchiveDatabase(writer) });
  for (let n = 1; n <= 10; n++) await archive.apply([tweet(n, `tea word${n}`)]);
  const segments = (): number | undefined =>
    database.first<{ n: number }>('SELECT count(DISTINCT segid) AS n FROM word_idx')?.n;
  expect(segments()).toBeGreaterThan(1);
  await checked(upkeepOf(0, 10));
  expect(segments()).toBe(1);
  const found = await new SqliteSearch(database).latest(parse('tea'), { after: undefined, limit: 20 }, Date.now());
  expect(found.items).toHaveLength(10);
});
