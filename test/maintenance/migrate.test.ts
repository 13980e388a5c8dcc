// Tests server/maintenance/fill-tables.ts.
/** A migration copies everything there and back; one that was interrupted begins again, and nothing else is overwritten. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { contentOf } from '../../server/archive/upkeep/contents.ts';
import { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import { sql, type RunSql } from '../../server/archive/sql.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { copyDatabase, migrateToDatabase } from '../../server/maintenance/migrate.ts';
import type { Change } from '../../server/archive/rules/change.ts';
import { Database } from '../../server/engines/postgres/store/database.ts';
import { parse } from '../../server/search/language/parse.ts';
import { history } from '../engines/postgres/changes.ts';
import { sortedContent } from '../engines/postgres/tables.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/folder.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';
import { writeReleasedData } from '../engines/upgrade/released.ts';
import { openArchiveAt, openArchiveIn } from '../support/stored-archive.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const at = '2026-01-01T00:00:00.000Z';
const tweet = (id: string, text = 'a text'): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id, author_id: '7', text, created_at: at },
});
const reached = { position: 'cursor 7', at: 1_767_225_600_000 };

async function contentIn(run: RunSql): Promise<string[]> {
  const content: object[] = [];
  for await (const page of contentOf(run)) content.push(...page);
  return sortedContent(content);
}

/** The rows of the tables that a migration copies as they are, and of those that it derives. */
async function rowsIn(run: RunSql): Promise<object> {
  const rows = async (statement: Parameters<RunSql>[0]): Promise<string[]> =>
    (await run<Record<string, string | number | boolean>>(statement)).map((row) =>
      JSON.stringify(Object.values(row).map((value) => (typeof value === 'boolean' ? Number(value) : String(value)))),
    );
  return {
    progress: await rows(sql`SELECT fingerprint, applied, CASE WHEN done THEN 1 ELSE 0 END AS done
      FROM social_data.import_progress ORDER BY fingerprint`),
    positions: await rows(sql`SELECT source, position, at FROM social_data.source_position ORDER BY source`),
    logs: await rows(sql`SELECT log, seq, record FROM social_data.change WHERE log <> 'tables' ORDER BY log, seq`),
    commit: await rows(sql`SELECT max(seq) AS seq FROM social_data.change WHERE log = 'tables'`),
    described: await rows(sql`SELECT id, username, described_at, described_by FROM social_data.person
      WHERE described_at IS NOT NULL ORDER BY id`),
    mentions: await rows(sql`SELECT tweet_id, place, username, coalesce(user_id, 0) AS user_id FROM social_data.mention
      ORDER BY tweet_id, place`),
    terms: await rows(sql`SELECT term, place_id FROM social_data.place_term ORDER BY term, place_id`),
    participants: await rows(
      sql`SELECT user_id, space_id FROM social_data.space_participant ORDER BY user_id, space_id`,
    ),
    lists: await rows(sql`SELECT list_id, user_id FROM social_data.withdrawn_list ORDER BY list_id, user_id`),
  };
}

const queries = ['coffee', '-coffee', 'from:mira', '@mira OR to:tom', 'filter:replies', 'mira'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => void (folder = await temporaryFolder()));
afterEach(() => folder.dispose());

test('a folder without a database file is refused before anything is opened', async () => {
  const url = 'postgres://127.0.0.1:1/none';
  await expect(migrateToDatabase(join(folder.path, 'none'), url)).rejects.toThrow('is not a data directory');
  await expect(migrateToDatabase(folder.path, url)).rejects.toThrow('has no archive.db: there is nothing to copy');
  expect(await readdir(folder.path)).toEqual([]);
});

describeDatabase('a migration', () => {
  const opened: PostgresStorage[] = [];
  afterAll(() => Promise.all(opened.map((storage) => storage.dispose())));
  async function newDatabase(): Promise<{ url: string; storage: PostgresStorage }> {
    const storage = await postgresStorage();
    opened.push(storage);
    return { storage, url: `${storage.url}?schema=${storage.schema}` };
  }

  test('into a database and back has the same content, words, events, commits and progress', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        const [from, back] = ['from', 'back'].map((name) => join(folder.path, `${name}-${round}`)) as [string, string];
        round++;
        await mkdir(from);
        const source = await openArchiveIn(from, () => {});
        for (const [index, changes] of batches.entries())
          if (index === 0)
            await source.sink.apply('a file', { values: changes.length, done: true }, changes as ArchiveRecord[]);
          else await source.archive.apply(changes as Change[]);
        await source.sink.follow('bluesky', reached, []);
        const pages = async (search: typeof source.engine.search): Promise<unknown[]> =>
          Promise.all(queries.map(async (query) => search.latest(parse(query), { after: undefined, limit: 50 }, 0)));
        const [content, rows] = [await contentIn(source.engine.run), await rowsIn(source.engine.run)];
        const found = await pages(source.engine.search);
        await source.close();
        const { url } = await newDatabase();
        expect(await migrateToDatabase(from, url)).toMatchObject({ archive: content.length });
        const tables = await openArchiveAt(url);
        expect(await contentIn(tables.engine.run)).toEqual(content);
        expect(await rowsIn(tables.engine.run)).toEqual(rows);
        expect(await pages(tables.engine.search)).toEqual(found);
        await tables.close();
        await copyDatabase(url, back, { isBackup: false });
        const copy = await openArchiveIn(back);
        expect(await contentIn(copy.engine.run)).toEqual(content);
        expect(await rowsIn(copy.engine.run)).toEqual(rows);
        expect(await pages(copy.engine.search)).toEqual(found);
        await copy.close();
      }),
      { numRuns: rounds(6), endOnFailure: true },
    );
  }, 300_000);

  describe('of a small archive', () => {
    let data: string;
    let url: string;
    let storage: PostgresStorage;
    beforeAll(async () => void ({ url, storage } = await newDatabase()));
    beforeEach(async () => {
      data = join(folder.path, 'data');
      const { sink, store, close } = await openArchiveIn(data);
      await sink.apply('file', { values: 2, done: true }, [tweet('1'), tweet('2')]);
      await sink.follow('bluesky', reached, []);
      const keys = await store.document<{ keys: string[] }>('keys', { keys: [] });
      await keys.update((value) => void value.keys.push('a key'));
      await close();
    });

    const count = async (): Promise<number> =>
      (await storage.admin.run({ text: 'SELECT FROM social_data.tweet' })).length;
    const indexOfWords = (): Promise<readonly object[]> =>
      storage.admin.run({
        text: `SELECT indexdef FROM pg_indexes WHERE schemaname = $1 AND indexname = 'tweet_words'`,
        params: [storage.schema],
      });

    const failing = {
      onProgress() {
        throw new Error('the end of the process');
      },
    };

    test('that was interrupted goes on, there and back, and refuses a database with data', async () => {
      await expect(migrateToDatabase(data, url, failing)).rejects.toThrow('the end of the process');
      await expect(openArchiveAt(url)).rejects.toThrow('a migration into the tables is not complete');
      await expect(copyDatabase(url, join(folder.path, 'early'), { isBackup: true })).rejects.toThrow('not complete');
      expect(await indexOfWords()).toEqual([]);
      expect(await migrateToDatabase(data, url)).toMatchObject({ archive: 2, events: 2 });
      expect(await count()).toBe(2);
      const [index] = await indexOfWords();
      expect(index).toMatchObject({ indexdef: expect.stringContaining("gin (words) WITH (fastupdate='on'") });
      const statistics = await storage.admin.run({
        text: `SELECT tablename FROM pg_stats WHERE schemaname = $1 AND attname = 'log'`,
        params: [storage.schema],
      });
      expect(statistics).toEqual([{ tablename: 'change' }]);
      await expect(migrateToDatabase(data, url)).rejects.toThrow('use an empty one');
      const back = join(folder.path, 'back');
      await expect(copyDatabase(url, back, { isBackup: false, ...failing })).rejects.toThrow('the end of the process');
      expect(existsSync(back)).toBe(false);
      expect(await copyDatabase(url, back, { isBackup: false })).toMatchObject({ tweets: 2, users: 0, removals: 0 });
      expect(JSON.parse(await readFile(join(back, 'keys.json'), 'utf8'))).toMatchObject({ keys: ['a key'] });
      expect((await stat(join(back, 'archive.db'))).mode & 0o777).toBe(0o600);
      expect((await readdir(back)).filter((name) => name.startsWith('archive'))).toEqual(['archive.db']);
      await expect(copyDatabase(url, back, { isBackup: false })).rejects.toThrow('is not empty');
    }, 60_000);

    test('of a backup leaves the events out: their numbers are given by the original', async () => {
      const backup = join(folder.path, 'backup');
      await copyDatabase(url, backup, { isBackup: true });
      const file = new SqliteDatabase(join(backup, 'archive.db'), { readOnly: true });
      expect(file.first('SELECT count(*) AS n FROM change WHERE log = ?', 'events')).toEqual({ n: 2 });
      file.close();
      const other = await newDatabase();
      expect(await migrateToDatabase(backup, other.url)).toEqual({
        archive: 2,
        pool: 0,
        conversations: 0,
        deliveries: 0,
      });
    }, 60_000);

    test('of a data directory of version 1.2 upgrades it first', async () => {
      const old = join(folder.path, 'old');
      await writeReleasedData(old);
      const other = await newDatabase();
      const copied = await migrateToDatabase(old, other.url);
      const file = new SqliteDatabase(join(old, 'archive.db'), { readOnly: true });
      const events = file.first<{ n: number }>('SELECT count(*) AS n FROM change WHERE log = ?', 'events')?.n ?? 0;
      expect(events).toBeGreaterThan(100);
      expect(copied).toMatchObject({ events });
      const tables = await openArchiveAt(other.url);
      expect(await contentIn(tables.engine.run)).toEqual(await contentIn(file.runSql));
      expect(await rowsIn(tables.engine.run)).toEqual(await rowsIn(file.runSql));
      await tables.close();
      file.close();
    }, 120_000);

    test('refuses a database that an import has filled', async () => {
      const other = await newDatabase();
      const { sink, close } = await openArchiveAt(other.url);
      await sink.apply('file', { values: 1, done: true }, [tweet('3')]);
      await close();
      await expect(migrateToDatabase(data, other.url)).rejects.toThrow('use an empty one');
      const database = new Database({ url: other.url });
      expect(await database.run({ text: 'SELECT FROM social_data.tweet' })).toHaveLength(1);
      await database.close();
    }, 60_000);
  });
});
