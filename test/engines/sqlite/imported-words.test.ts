/** The segments into which FTS5 writes the words of an import. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FileHealth } from '../../../server/engines/sqlite/file-health.ts';
import { LocalWriter } from '../../../server/engines/sqlite/local-writer.ts';
import { setMergesOften } from '../../../server/engines/sqlite/purge.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { createTables } from '../../../server/engines/sqlite/sqlite-search-rows.ts';
import { SqliteSearch } from '../../../server/engines/sqlite/sqlite-search.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
let reader: SqliteDatabase;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'archive.db');
  reader = new SqliteDatabase(path);
  createTables(reader);
});
afterEach(async () => {
  reader.close();
  await folder.dispose();
});

const writerOf = (isAlone: boolean): LocalWriter =>
  new LocalWriter(new SqliteDatabase(path), { now: () => 0, health: new FileHealth(), isAlone });
/** Two tweets have each second. */
const tweet = (n: number): ArchiveRecord => ({
  kind: 'tweet',
  tweet: {
    ...{ id: String(n), author_id: '1', text: `tea word${n}` },
    created_at: new Date(Date.UTC(2026, 0, 1) + Math.floor(n / 2) * 1000).toISOString(),
  },
});
const segments = (): number | undefined =>
  reader.first<{ n: number }>('SELECT count(DISTINCT segid) AS n FROM word_idx')?.n;
const merges = (): number | undefined =>
  reader.first<{ v: number }>("SELECT v FROM word_config WHERE k = 'automerge'")?.v;
const progress = { fingerprint: 'a', progress: { values: 0, done: false } };

test('the words of an import with the newest tweets first are one segment', async () => {
  const writer = writerOf(false);
  await writer.apply(
    Array.from({ length: 300 }, (_, n) => tweet(300 - n)),
    progress,
  );
  await writer.close();
  expect(segments()).toBe(1);
  const page = { after: undefined, limit: 300 };
  const { items } = await new SqliteSearch(reader).latest(parse('tea'), page, 0);
  expect(items).toEqual(Array.from({ length: 300 }, (_, n) => String(300 - n)));
});

test('segments are merged in an import only where there are many of them, and after it as before', async () => {
  const writer = writerOf(true);
  for (let part = 0; part < 10; part++)
    await writer.apply(
      Array.from({ length: 101 }, (_, n) => tweet(part * 101 + n + 1)),
      progress,
    );
  expect(segments()).toBe(10);
  expect(merges()).toBe(0);
  await writer.close();
  expect(merges()).toBe(4);
});

test('a service merges segments after an import that was killed', async () => {
  setMergesOften(reader, false);
  const writer = writerOf(false);
  writer.startUpkeep({ withinMs: Number.POSITIVE_INFINITY, buildsTop: false }, (error) => {
    throw error;
  });
  await until(() => merges() === 4);
  await writer.close();
});
