// Tests server/engines/sqlite/search-waiting.ts.
/** Words that are written after their tweets: searches do not notice, and each word is written or removed in time. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FileHealth } from '../../../server/engines/sqlite/file-health.ts';
import { LocalWriter } from '../../../server/engines/sqlite/local-writer.ts';
import { SqliteArchiveDatabase } from '../../../server/engines/sqlite/sqlite-archive-database.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { createTables, type WordTime } from '../../../server/engines/sqlite/sqlite-search-rows.ts';
import { SqliteSearch } from '../../../server/engines/sqlite/sqlite-search.ts';
import { SqliteWriter } from '../../../server/engines/sqlite/sqlite-writer.ts';
import { ThreadSearch } from '../../../server/engines/sqlite/thread-search.ts';
import { ThreadWriter } from '../../../server/engines/sqlite/thread-writer.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { archiveOn } from '../../archive/engines.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { random } from '../../support/random.ts';
import { rounds } from '../../support/rounds.ts';
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

const time = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
const tweet = (n: number, text: string, observed = 0): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(n), author_id: '1', text, created_at: time(n), observed_at: time(observed) },
});
const page = { after: undefined, limit: 100 };
const waiting = (): number => reader.first<{ n: number }>('SELECT count(*) AS n FROM word_pending')?.n ?? 0;
const fault = (error: unknown): never => {
  throw error;
};

async function isInFile(text: string): Promise<boolean> {
  const names = await readdir(folder.path);
  const contents = await Promise.all(names.map((name) => readFile(join(folder.path, name), 'latin1')));
  return contents.some((content) => content.includes(text));
}

test('a tweet of a small change is found at once, and its words are written within seconds', async () => {
  const writer = new LocalWriter(new SqliteDatabase(path), { now: () => 0, health: new FileHealth() });
  const search = new SqliteSearch(reader);
  await writer.apply([tweet(1, 'green tea')]);
  expect(waiting()).toBe(1);
  expect((await search.latest(parse('tea'), page, 0)).items).toEqual(['1']);
  await writer.apply([tweet(1, 'black coffee', 1)]);
  expect((await search.latest(parse('tea'), page, 0)).items).toEqual([]);
  expect((await search.latest(parse('"black coffee"'), page, 0)).items).toEqual(['1']);
  await until(() => waiting() === 0);
  expect((await search.latest(parse('tea'), page, 0)).items).toEqual([]);
  expect((await search.latest(parse('coffee -tea'), page, 0)).items).toEqual(['1']);
  await writer.apply(Array.from({ length: 200 }, (_, n) => tweet(10 + n, 'many at once')));
  expect(waiting()).toBe(0);
  await writer.close();
});

test('a search reads the words that wait once, and asks FTS5 once for all of them', async () => {
  const writer = new LocalWriter(new SqliteDatabase(path), { now: () => 0, health: new FileHealth() });
  const search = new SqliteSearch(reader);
  const texts: string[] = [];
  const all = reader.all.bind(reader);
  reader.all = ((text: string, ...params: never[]) => {
    texts.push(text);
    return all(text, ...params);
  }) as typeof reader.all;
  await writer.apply([tweet(1, 'green tea'), tweet(2, 'black tea')]);
  expect((await search.latest(parse('tea'), page, 0)).items).toEqual(['2', '1']);
  const { writes } = reader;
  expect((await search.latest(parse('tea'), page, 0)).items).toEqual(['2', '1']);
  expect(reader.writes).toBe(writes);
  const [statement = ''] = texts.filter((text) => text.includes('waiting_word MATCH'));
  const plan = all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, 'tea', 0, 1).map(({ detail }) => detail);
  // An equals sign in the index is a query for each position.
  expect(plan.filter((detail) => detail.includes('waiting_word'))).toEqual([
    expect.stringMatching(/^SCAN waiting_word VIRTUAL TABLE INDEX \d+:[^=]*$/),
  ]);
  await writer.close();
});

test('after a kill, a start writes the words that waited', async () => {
  const connection = new SqliteDatabase(path);
  const killed = new LocalWriter(connection, { now: () => 0, health: new FileHealth() });
  await killed.apply([tweet(1, 'tea')]);
  // Nothing of this writer runs any more.
  connection.close();
  expect(waiting()).toBe(1);
  const search = new SqliteSearch(reader);
  expect((await search.latest(parse('tea'), page, 0)).items).toEqual(['1']);
  const next = new LocalWriter(new SqliteDatabase(path), { now: () => 0, health: new FileHealth() });
  next.startUpkeep({ withinMs: 3_600_000, buildsTop: true }, fault);
  await until(() => waiting() === 0);
  expect((await search.latest(parse('tea'), page, 0)).items).toEqual(['1']);
  await next.close();
});

test('a purge removes the words of a text that was replaced while the new words wait', async () => {
  const writer = new LocalWriter(new SqliteDatabase(path), { now: () => 0, health: new FileHealth() });
  await writer.apply([tweet(1, 'zzcanaryzz'), tweet(2, 'tea')]);
  await writer.purge();
  expect([waiting(), await isInFile('zzcanaryzz')]).toEqual([0, true]);
  await writer.apply([tweet(1, 'coffee', 1)]);
  expect(waiting()).toBe(1);
  await writer.purge();
  expect(await isInFile('zzcanaryzz')).toBe(false);
  await writer.apply([tweet(3, 'zzsecondzz')]);
  await writer.apply([{ kind: 'delete', tweet_id: '3' }]);
  expect(waiting()).toBe(0);
  await writer.purge();
  expect(await isInFile('zzsecondzz')).toBe(false);
  await writer.close();
});

test('tweets that come alone write less with words that wait', async () => {
  const written = async (words: WordTime): Promise<number> => {
    const file = join(folder.path, `${words}.db`);
    const database = new SqliteDatabase(file);
    createTables(database);
    const text = 'some words that each tweet has, and more of them '.repeat(3);
    const many = Array.from({ length: 2_000 }, (_, n) => tweet(n + 1, `${text} word${n % 500}`));
    const writer = new SqliteWriter(database);
    await archiveOn({ database: new SqliteArchiveDatabase(writer) }).apply(many);
    await writer.maintain((each) => each.all('PRAGMA wal_checkpoint(TRUNCATE)'));
    const archive = archiveOn({ database: new SqliteArchiveDatabase(writer, { words }) });
    for (let n = 0; n < 20; n++) await archive.apply([tweet(5_000 + n, `${text} alone${n}`)]);
    const { size } = await stat(`${file}-wal`);
    database.close();
    return size;
  };
  const [now, later] = [await written('now'), await written('later')];
  expect(later).toBeLessThan(0.7 * now);
});

test('searches in threads are exact at each commit, with words that wait for any time', async () => {
  const writer = new ThreadWriter({ path }, new FileHealth(), fault);
  const search = new ThreadSearch(path, { threads: 2 });
  const draw = random(20_261_128);
  const words = ['tea', 'coffee', 'cocoa'];
  const texts = new Map<number, string>();
  let observed = 0;
  for (let round = 0; round < rounds(400, 60); round++) {
    const changes = Array.from({ length: 1 + draw(4) }, (): ArchiveRecord => {
      const n = 1 + draw(40);
      if (draw(4) === 0) {
        texts.delete(n);
        return { kind: 'delete', tweet_id: String(n), reason: 'erased' };
      }
      const text = `${words[draw(3)]} ${words[draw(3)]}`;
      texts.set(n, text);
      return tweet(n, text, ++observed);
    });
    // A tweet that was deleted comes back only by this.
    const restored = changes.flatMap((each): ArchiveRecord[] =>
      each.kind === 'tweet' ? [{ kind: 'restore', tweet_id: each.tweet.id }, each] : [each],
    );
    await writer.apply(restored as never);
    // Such as the two seconds that words wait, and a purge.
    if (draw(5) === 0) await writer.purge();
    for (const word of words) {
      const expected = Array.from(texts, ([n, text]) => ({ n, text })).filter(({ text }) => text.includes(word));
      const ids = expected.map(({ n }) => n).toSorted((a, b) => b - a);
      const [found, others] = await Promise.all([
        search.latest(parse(word), page, 0),
        search.top(parse(`${word} OR "never there"`), page, 0),
      ]);
      expect([round, word, found.items]).toEqual([round, word, ids.map(String)]);
      expect([round, word, others.items]).toEqual([round, word, ids.map(String)]);
    }
  }
  await search.close();
  await writer.close();
});
