/** A database becomes a data directory again: backup, and migration back. `TEST_PG=1 npm test -- cluster`. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { writeJournal } from '../../server/storage/lowdb/journal-writer.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { openPostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import fc from '../support/property.ts';
import { run, startServer, temporaryFolder } from '../support/server.ts';
import { listener } from '../support/stream.ts';
import { until } from '../support/until.ts';
import { openCluster, type Cluster } from './instances.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => void (folder = await temporaryFolder()));
afterEach(() => folder.dispose());

test('a journal of any numbered records is read back with its numbers, and goes on behind the last one', async () => {
  const gaps = fc.array(fc.nat(3), { maxLength: 20 });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(gaps, fc.nat(3), fc.integer({ min: 1, max: 5 }), async (steps, trailing, size) => {
      let seq = 0;
      const records = steps.map((gap) => ({ seq: (seq += gap + 1), record: `{"n":${seq},"text":"é"}` }));
      const last = seq + trailing;
      async function* pages() {
        for (let from = 0; from < records.length; from += size) yield records.slice(from, from + size);
      }
      const directory = join(folder.path, String(round++));
      expect(await writeJournal(join(directory, 'log'), pages(), () => last)).toBe(records.length);
      const store = await openLowdbStore(directory);
      const journal = await store.journal('log');
      const read: { seq: number; record: string }[] = [];
      await journal.replay((json, number) => read.push({ seq: number, record: json.toString() }));
      expect(read).toEqual(records);
      expect(await journal.append(['{}'])).toBe(last + 1);
      await store.close();
    }),
  );
});

if (testDatabaseUrl !== undefined)
  describe('a database', () => {
    let cluster: Cluster;
    beforeEach(async () => void (cluster = await openCluster()));
    afterEach(() => cluster.stop());

    const target = '/social/tweet/advanced_search?query=the';
    const env = (): Record<string, string> => ({
      DATABASE_URL: cluster.databaseUrl,
      DATA_DIR: join(folder.path, 'none'),
    });
    const at = '2026-01-01T00:00:00.000Z';
    async function apply(file: string, ...records: ArchiveRecord[]): Promise<void> {
      const store = await openPostgresStore({ url: cluster.databaseUrl });
      await (await openArchive(store)).apply(file, { values: records.length, done: true }, records);
      await store.close();
    }
    const tweet = (id: string): ArchiveRecord => ({
      kind: 'tweet',
      tweet: { id, author_id: '7', text: `the text ${id}`, created_at: at },
    });

    test('is backed up while it is used, and an embedded instance starts from the copy', async () => {
      const a = await cluster.start({ DEMO: '1', API_KEYS: '' });
      const key = a.service.firstKey ?? '';
      const body = await (await a.request(target, { key })).text();
      const copy = join(folder.path, 'copy');
      const backup = (): ReturnType<typeof run> => run('scripts/cli/backup.ts', [copy], env());
      expect(await backup()).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/MB, read back; records: archive/),
      });
      expect(await backup()).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not empty/) });
      const embedded = await startServer(copy, { DEMO: '0', API_KEYS: '' });
      const answer = await fetch(embedded.url + target, { headers: { 'x-api-key': key } });
      expect([answer.status, await answer.text()]).toEqual([200, body]);
      // A backup has no event log: the numbers would be assigned twice.
      expect(answer.headers.get('x-event-cursor')).toMatch(/\.0$/);
      await embedded.end();
    });

    test('is migrated to a data directory, where listeners go on', async () => {
      const a = await cluster.start({ DEMO: '1', API_KEYS: '', PURGE_WITHIN: '0' });
      const key = a.service.firstKey ?? '';
      const cursor = async (): Promise<string> =>
        (await a.request(target, { key })).headers.get('x-event-cursor') ?? '';
      const before = await cursor();
      // Another process makes the changes; the instance publishes their events.
      const reached = (events: number): Promise<void> =>
        until(async () => Number((await cursor()).split('.')[1]) === Number(before.split('.')[1]) + events);
      await apply('one', tweet('1'), tweet('2'));
      await reached(2);
      await apply('two', { kind: 'delete', tweet_id: '1', at });
      await apply('three', tweet('3'));
      await reached(4);
      const answer = await a.request(target, { key });
      const body = await answer.text();
      const back = join(folder.path, 'back');
      const migrate = (): ReturnType<typeof run> =>
        run('scripts/cli/migrate.ts', ['--from', 'env', '--to', back], env());
      expect(await migrate()).toMatchObject({ code: 1, stderr: expect.stringMatching(/stop them first/) });
      await a.stop();
      expect(await migrate()).toMatchObject({ code: 0, stderr: '' });
      const embedded = await startServer(back, { DEMO: '0', API_KEYS: '' });
      const after = await fetch(embedded.url + target, { headers: { 'x-api-key': key } });
      expect([await after.text(), after.headers.get('x-event-cursor')]).toEqual([
        body,
        answer.headers.get('x-event-cursor'),
      ]);
      const listening = await listener(embedded.url, key);
      await listening.ask({
        ...{ type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: 'from:nobody' } },
        cursor: before,
      });
      await listening.first('event', ({ event }) => event === 'tweet.deleted');
      listening.socket.close();
      await embedded.end();
    });
  });
