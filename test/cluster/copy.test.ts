/** The local copy of the archive's log: `TEST_PG=1 npm test -- cluster`. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { openPostgresStore, type PostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { openCluster, type Cluster, type Instance } from './instances.ts';

const at = '2026-01-01T00:00:00.000Z';
const tweet = (id: string, text: string): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id, author_id: '7', text, created_at: at, observed_at: at },
});

/** Everything in the files of a folder, in one text. */
async function textsIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  // A file can be replaced meanwhile.
  const read = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');
  return (await Promise.all(files.map((file) => read(join(file.parentPath, file.name))))).join('\n');
}

/** The tests need a database. */
const withDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

withDatabase('the local copy of a log', () => {
  let storage: PostgresStorage;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: PostgresStore | undefined;
  beforeEach(async () => {
    storage = await postgresStorage();
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    await store?.close();
    await storage.dispose();
    await folder.dispose();
  });

  /** Opens the log as a new process does. Returns what it has read. */
  async function reopened(): Promise<{ readonly lines: string[]; append(...lines: string[]): Promise<number> }> {
    await store?.close();
    store = await storage.open({ copies: { folder: folder.path, logs: ['log'] } });
    const journal = await store.journal('log');
    const lines: string[] = [];
    await journal.replay((json, seq) => lines.push(`${seq} ${json.toString()}`));
    journal.follow({
      apply: (records, first) => records.forEach((json, index) => lines.push(`${first + index} ${json}`)),
    });
    return { lines, append: (...records) => journal.append(records) };
  }

  test('a start reads the copy, and only the tail from the database', async () => {
    const first = await reopened();
    await first.append('{"n":1}', '{"n":2}');
    await first.append('{"n":3}');
    await store?.close();
    // Other texts with the same chains show where the records come from.
    await storage.admin.run({ text: `UPDATE social_data.change SET record = '{"of":"database"}'` });
    const elsewhere = await storage.open();
    const journal = await elsewhere.journal('log');
    await journal.replay(() => {});
    await journal.append(['{"n":4}']);
    await elsewhere.close();
    const again = await reopened();
    expect(again.lines).toEqual(['1 {"n":1}', '2 {"n":2}', '3 {"n":3}', '4 {"n":4}']);
    await again.append('{"n":5}');
    expect((await reopened()).lines).toEqual([...again.lines]);
  });

  test('a copy whose history is not that of the database is built again', async () => {
    await (await reopened()).append('{"n":1}', '{"n":2}');
    await store?.close();
    await storage.admin.run({
      text: `UPDATE social_data.change SET record = '{"of":"database"}', chain = sha256('x') WHERE chain IS NOT NULL`,
    });
    expect((await reopened()).lines).toEqual(['1 {"n":1}', '2 {"of":"database"}']);
    expect((await reopened()).lines).toEqual(['1 {"n":1}', '2 {"of":"database"}']);
    // The database has lost the tail.
    await store?.close();
    await storage.admin.run({ text: 'DELETE FROM social_data.change' });
    expect((await reopened()).lines).toEqual([]);
  });

  test('a purge by another process reaches the copies of running instances, and of those that start later', async () => {
    const first = await reopened();
    await first.append('{"n":"keep"}', '{"n":"erased text"}', '{"n":"final text"}');
    await reopened();
    expect(await textsIn(folder.path)).toContain('erased text');
    const purge = async (text: string): Promise<void> => {
      const elsewhere = await storage.open();
      const journal = await elsewhere.journal('log');
      await journal.replay(() => {});
      await journal.purge((json) => !json.includes(text));
      await elsewhere.close();
    };
    await purge('erased');
    await until(async () => !(await textsIn(folder.path)).includes('erased text'));
    await store?.close();
    await purge('final');
    expect((await reopened()).lines).toEqual(['1 {"n":"keep"}']);
    expect(await textsIn(folder.path)).not.toContain('final');
  });
});

withDatabase('instances', () => {
  let cluster: Cluster;
  beforeEach(async () => void (cluster = await openCluster()));
  afterEach(() => cluster.stop());

  const found = async (instance: Instance): Promise<number> => {
    const response = await instance.request('/social/tweet/advanced_search?query=word');
    return ((await response.json()) as { tweets: unknown[] }).tweets.length;
  };

  test('keep no erased text in their data directories, also where they were away meanwhile', async () => {
    const folders = await Promise.all([temporaryFolder(), temporaryFolder()]);
    const env = { PURGE_WITHIN: '0' };
    const start = (index: number): Promise<Instance> => cluster.start({ ...env, DATA_DIR: folders[index]?.path ?? '' });
    const apply = async (file: string, ...records: ArchiveRecord[]): Promise<void> => {
      const store = await openPostgresStore({ url: cluster.databaseUrl });
      await (await openArchive(store)).apply(file, { values: records.length, done: true }, records);
      await store.close();
    };
    await apply('one', tweet('1', 'a word that stays'), tweet('2', 'a word to-be-erased'));
    const [a, b] = [await start(0), await start(1)];
    for (const each of [a, b]) await until(async () => (await found(each)) === 2);
    await b.stop();
    // The copy is some seconds behind the database.
    for (const { path } of folders) await until(async () => (await textsIn(path)).includes('to-be-erased'));
    await apply('two', { kind: 'delete', tweet_id: '2', at });
    await until(async () => (await found(a)) === 1);
    await until(async () => !(await textsIn(folders[0]?.path ?? '')).includes('to-be-erased'));
    const again = await start(1);
    expect(await found(again)).toBe(1);
    expect(await textsIn(folders[1]?.path ?? '')).not.toContain('to-be-erased');
    expect(await textsIn(folders[1]?.path ?? '')).toContain('a word that stays');
    await Promise.all([a.stop(), again.stop()]);
    await Promise.all(folders.map((folder) => folder.dispose()));
  });
});
