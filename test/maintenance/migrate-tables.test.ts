/** A migration into tables that was interrupted begins again, and nothing else is overwritten. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { migrateToTables } from '../../server/maintenance/migrate-tables.ts';
import { writeTablesAsJournal } from '../../server/maintenance/tables-copy.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { openArchiveAt } from '../support/stored-archive.ts';
import { openEventLog } from '../../server/realtime/journal-event-log.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/folder.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const tweet = (id: string): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id, author_id: '7', text: 'a text', created_at: '2026-01-01T00:00:00.000Z' },
});

const reached = { position: 'cursor 7', at: 1_767_225_600_000 };

describeDatabase('a migration into tables', () => {
  let storage: PostgresStorage;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let url: string;
  beforeAll(async () => {
    storage = await postgresStorage();
    url = `${storage.url}?schema=${storage.schema}`;
    folder = await temporaryFolder();
    const store = await openLowdbStore(folder.path);
    const archive = await openArchive(store, await openEventLog(store, { ageMs: 1e12, events: 1e6 }));
    await archive.apply('file', { values: 2, done: true }, [tweet('1'), tweet('2')]);
    await archive.follow('bluesky', reached, []);
    await archive.published();
    await store.close();
  });
  afterAll(async () => {
    await folder.dispose();
    await storage.dispose();
  });
  const ids = async (): Promise<number> => (await storage.admin.run({ text: 'SELECT FROM social_data.tweet' })).length;

  const indexOfWords = (): Promise<readonly object[]> =>
    storage.admin.run({
      text: `SELECT indexdef FROM pg_indexes WHERE schemaname = $1 AND indexname = 'tweet_words'`,
      params: [storage.schema],
    });

  test('that was interrupted begins again, and keeps the progress of imports and of live sources, there and back', async () => {
    const interrupted = migrateToTables(folder.path, url, () => {
      throw new Error('the end of the process');
    });
    await expect(interrupted).rejects.toThrow('the end of the process');
    expect(await ids()).toBe(0);
    await expect(openArchiveAt(url)).rejects.toThrow('a migration into the tables is not complete');
    expect(await indexOfWords()).toEqual([]);
    expect(await migrateToTables(folder.path, url)).toMatchObject({ archive: 2, events: 2 });
    expect(await ids()).toBe(2);
    const [index] = await indexOfWords();
    expect(index).toMatchObject({ indexdef: expect.stringContaining("gin (words) WITH (fastupdate='on'") });
    const progress = await storage.admin.run({ text: 'SELECT fingerprint, done FROM social_data.import_progress' });
    expect(progress).toEqual([{ fingerprint: 'file', done: true }]);
    const { sink, close } = await openArchiveAt(url);
    expect(await sink.position('bluesky')).toEqual(reached);
    await close();
    const lines = await storage.admin.transaction(async (run) => {
      const path = join(folder.path, 'copy');
      await writeTablesAsJournal(run, path, () => {});
      return readdir(path).then((names) => Promise.all(names.map((name) => readFile(join(path, name), 'utf8'))));
    });
    expect(lines.join('')).toContain('"kind":"position","source":"bluesky","position":"cursor 7"');
  }, 60_000);

  test('refuses a database that an import has filled', async () => {
    const other = await postgresStorage();
    const target = `${other.url}?schema=${other.schema}`;
    const { sink, close } = await openArchiveAt(target);
    await sink.apply('file', { values: 1, done: true }, [tweet('3')]);
    await close();
    await expect(migrateToTables(folder.path, target)).rejects.toThrow('use an empty one');
    await other.dispose();
  }, 60_000);
});
