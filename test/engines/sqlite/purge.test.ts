/** The words of removed tweets are in no file after a purge, also behind a prefix that they share with other words. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { openSqliteStore } from '../../../server/engines/sqlite/sqlite-store.ts';
import { openExportSource } from '../../../server/engines/sqlite/export-source.ts';
import { openTablesExport } from '../../../server/maintenance/export/export.ts';
import { purgeWords } from '../../../server/engines/sqlite/purge.ts';
import { SqliteWriter } from '../../../server/engines/sqlite/sqlite-writer.ts';
import { buildTop } from './search-world.ts';
import { SqliteSearchRows } from '../../../server/engines/sqlite/sqlite-search-rows.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { emptyArchiveFile, type EmptyArchiveFile } from '../../support/empty-archive-file.ts';

let file: EmptyArchiveFile;
let database: SqliteDatabase;
const context = { user: () => undefined, authorOf: () => undefined };
beforeEach(async () => {
  file = await emptyArchiveFile();
  ({ database } = file);
});
afterEach(() => file.dispose());

/** The end of a word that one tweet has. FTS5 stores of a word only what the word before does not have. */
const endOf = (n: number): string => `end${(n * 7919) % 9973}q`;
const secret = (n: number): string => `canary${n}${endOf(n)}`;

const tweet = (n: number, text: string): ArchivedTweet => ({
  ...{ id: String(n), author_id: '1', created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString() },
  ...{ text, like_count: n % 3 === 0 ? 1000 : 0 },
});

async function add(from: number, to: number): Promise<void> {
  const tweets = Array.from({ length: to - from }, (_, index) => {
    const n = from + index;
    return tweet(n, `${n % 100 === 0 ? secret(n) : `canary${n}`} ${'some words of a text '.repeat(3)} w${n % 977}`);
  });
  await database.asyncTransaction(async () => {
    const rows = new SqliteSearchRows(database, { commit: 1 });
    await rows.insert(tweets, context);
    await rows.writeCounts(
      tweets.map((after) => ({ before: undefined, after })),
      new Set(tweets.map(({ id }) => id)),
    );
  });
}

const remove = (...numbers: readonly number[]): Promise<void> =>
  database.asyncTransaction(() => new SqliteSearchRows(database, { commit: 1 }).remove(numbers.map(String)));

test('the records that a log had before it was written anew are in no file', async () => {
  const store = await openSqliteStore(join(file.folder, 'store'));
  const journal = await store.journal('conversations');
  await journal.replay(() => {});
  await journal.append(['{"text":"planted"}']);
  const files = async (): Promise<string[]> => {
    const names = await readdir(join(file.folder, 'store'));
    const contents = await Promise.all(names.map((name) => readFile(join(file.folder, 'store', name), 'latin1')));
    return names.filter((_, index) => contents[index]?.includes('planted'));
  };
  expect(await files()).not.toEqual([]);
  await journal.rewrite(() => ['{"text":"kept"}']);
  expect(await files()).toEqual([]);
  await store.close();
});

/** The numbers of the tweets of which a file has a secret. */
async function left(numbers: readonly number[]): Promise<number[]> {
  const contents = await Promise.all(
    (await readdir(file.folder)).map((name) => readFile(join(file.folder, name), 'latin1')),
  );
  return numbers.filter((n) => contents.some((content) => content.includes(endOf(n))));
}

test('removed words go with the purge, from one segment and from several', async () => {
  await add(0, 3000);
  await buildTop(database, context);
  await add(3000, 4000);
  const removed = [100, 300, 1500, 2700, 3900];
  await remove(...removed);
  database.script('PRAGMA wal_checkpoint(TRUNCATE)');
  expect(await left(removed)).toEqual(removed);
  expect(await purgeWords(new SqliteWriter(database))).toBeGreaterThan(0);
  expect(await left(removed)).toEqual([]);
  expect(await left([0, 200])).toEqual([0, 200]);

  // The words are in one segment now.
  await remove(200);
  await purgeWords(new SqliteWriter(database));
  expect(await left([200])).toEqual([]);
  expect(await left([0])).toEqual([0]);
  for (const table of ['word', 'top_word'])
    database.script(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`);
});

test('an export in progress neither blocks the thread of a purge nor delays its end for long', async () => {
  await add(0, 3000);
  const source = openExportSource(file.path, 300);
  const opened = await openTablesExport(source, { query: 'canary0' });
  const chunks = opened.chunks[Symbol.asyncIterator]();
  await chunks.next();
  await remove(100);
  let delay = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    delay = Math.max(delay, performance.now() - last);
    last = performance.now();
  }, 10);
  await purgeWords(new SqliteWriter(database));
  clearInterval(timer);
  expect(delay).toBeLessThan(2000);
  expect(await left([100])).toEqual([]);
  await opened.close();
}, 30_000);

test('a program that reads without a pause ends the wait of a purge, and the next purge completes it', async () => {
  await add(0, 200);
  await remove(100);
  const other = new SqliteDatabase(file.path, { readOnly: true });
  other.script('BEGIN');
  other.first('SELECT count(*) AS n FROM tweet');
  const writer = new SqliteWriter(database);
  await expect(purgeWords(writer, { waitMs: 100 })).rejects.toThrow(
    /another program reads the database file .* end that program/,
  );
  expect(await left([100])).toEqual([100]);
  other.close();
  await purgeWords(writer, { waitMs: 100 });
  expect(await left([100])).toEqual([]);
});
