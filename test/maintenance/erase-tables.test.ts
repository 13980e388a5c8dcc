/** Erasures from the tables of PostgreSQL remove what they remove in memory, and no row keeps a text. */
import { PostgresArchiveDatabase } from '../../server/platforms/postgres/writes/postgres-archive-database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { ErasedTables } from '../../server/maintenance/erase/erased-tables.ts';
import { Eraser } from '../../server/maintenance/erase/eraser.ts';
import { countErasure, findErasure, type EraseRequest } from '../../server/maintenance/erase/erasure.ts';
import { Archive } from '../../server/platforms/archive/archive.ts';
import { UnusableRecord } from '../../server/platforms/archive/change.ts';
import { SqlArchive } from '../../server/archive/writes/sql-archive.ts';
import { erasedIn } from '../../server/platforms/postgres/maintenance/erased-snapshots.ts';
import { vacuum } from '../../server/platforms/postgres/maintenance/tables-vacuum.ts';
import { history, tweets, usernames, users } from '../platforms/postgres/changes.ts';
import { readSnapshot } from '../../server/storage/postgres/statements.ts';
import { PostgresTables, sortedContent } from '../platforms/postgres/tables.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const conversations = { countUsing: () => 0, endUsing: async () => 0, purge: async () => {} };
const pause = async (): Promise<void> => {};
const at = '2026-06-01T00:00:00.000Z';

const request: fc.Arbitrary<EraseRequest> = fc.oneof(
  fc.array(fc.constantFrom(...tweets, '777'), { maxLength: 4 }).map((ids): EraseRequest => ({ kind: 'tweets', ids })),
  fc.constantFrom(...users, ...usernames, 'nobody').map((user): EraseRequest => ({ kind: 'user', user })),
  fc.nat(10).map((step): EraseRequest => ({ kind: 'before', time: 1_770_000_000_000 + step * 60_000 })),
  fc.constantFrom('coffee', 'from:mira', '@mira', '-coffee').map((query): EraseRequest => ({ kind: 'query', query })),
);

describeDatabase('an erasure from tables', () => {
  let tables: PostgresTables;
  let sql: SqlArchive;
  let erased: ErasedTables;
  beforeAll(async () => {
    tables = await PostgresTables.create();
    const { database } = tables;
    sql = new SqlArchive(new PostgresArchiveDatabase(database), { eventRecord: (event) => event, now: () => 0 });
    erased = new ErasedTables({ ...erasedIn(database), archive: sql, setAside: () => 0 });
  });
  afterAll(() => tables.dispose());

  /** What an erasure in memory finds and counts, and the archive after it. */
  async function inMemory(archive: Archive, wanted: EraseRequest) {
    const erasure = await findErasure(archive, wanted, pause);
    const counts = await countErasure(archive, erasure, pause);
    for (const record of erasure.records)
      for (const change of archive.changesFor({ ...record, at } as ArchiveRecord)) archive.apply(change);
    return { ids: [...erasure.tweetIds].toSorted(), userId: erasure.userId, counts };
  }

  async function inTables(wanted: EraseRequest) {
    const erasure = await erased.find(wanted);
    const counts = await erased.count(erasure);
    const records = erasure.records.map((record) => ({ ...record, at }) as ArchiveRecord);
    for (const record of records) await erased.apply([record]);
    return { ids: [...erasure.tweetIds].toSorted(), userId: erasure.userId, counts };
  }

  test('finds, counts and removes what it does in memory', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(history, fc.array(request, { minLength: 1, maxLength: 3 }), async (batches, requests) => {
        await tables.clear();
        const archive = new Archive();
        for (const change of batches.flat()) applied(archive, change);
        for (const changes of batches) await sql.apply(changes);
        for (const wanted of requests) {
          const expected = await inMemory(archive, wanted).catch((error: Error) => error.message);
          expect([wanted, await inTables(wanted).catch((error: Error) => error.message)]).toEqual([wanted, expected]);
          expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
          if (typeof expected === 'object') found += expected.ids.length;
        }
      }),
      { numRuns: rounds(20), endOnFailure: true },
    );
    expect(found).toBeGreaterThan(rounds(20) / 2);
  }, 300_000);

  test('in steps: no row keeps a text, dead or alive, and the report names what PostgreSQL keeps', async () => {
    await tables.clear();
    // Random letters, so that PostgreSQL stores the document elsewhere.
    const tweet = (number: number): ArchiveRecord => ({
      kind: 'tweet',
      tweet: {
        ...{ id: String(number + 1), author_id: number % 2 === 0 ? '7' : '8', created_at: at },
        text: `secret${number} ${randomBytes(number % 100 === 0 ? 4_000 : 20).toString('hex')} @named`,
        entities: { mentions: [{ username: 'named' }], hashtags: [], cashtags: [], urls: [] },
      },
    });
    const user = (id: string): ArchiveRecord => ({
      kind: 'user',
      user: { id, username: `secretuser${id}`, name: 'secret name', description: 'secret words' },
    });
    await sql.apply([user('7'), user('8'), ...Array.from({ length: 1200 }, (_, number) => tweet(number))]);
    expect(await tables.textCount('secret')).toBeGreaterThan(1200);
    const eraser = new Eraser({ archive: erased, conversations, purgeWithinMs: 0, uploads: async () => 0 });
    const steps: number[] = [];
    const report = await eraser.erase({ kind: 'query', query: 'from:secretuser8' }, (done) => steps.push(done));
    expect(report).toMatchObject({ erased: { tweets: 600, users: 0 }, remaining: expect.any(Array) });
    expect(steps).toEqual([500, 600]);
    expect(report.remaining.join()).toMatch(/write-ahead log.*VACUUM FULL/);
    for (const name of ['7', 'secretuser8']) await eraser.erase({ kind: 'user', user: name });
    expect(await tables.textCount('secret')).toBe(0);
    expect(await tables.emptyTablesWithPages()).toEqual([]);
    await expect(eraser.preview({ kind: 'user', user: 'secretuser7' })).rejects.toThrow('no user secretuser7');
    expect(await eraser.preview({ kind: 'user', user: '7' })).toMatchObject({ tweets: 0, users: 0, relations: 0 });
  }, 120_000);

  test('rejects while an older transaction may read the removed rows, and says which one', async () => {
    const { database } = tables;
    await tables.clear();
    await sql.apply([{ kind: 'tweet', tweet: { id: '1', author_id: '7', created_at: at, text: 'secret' } }]);
    await database.transaction(async (run) => {
      await run(readSnapshot);
      const [{ pid } = { pid: 0 }] = await run<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
      await sql.apply([{ kind: 'delete', tweet_id: '1' }]);
      // With time for a short transaction of another connection to end.
      await expect(vacuum(database, 300)).rejects.toThrow(
        new RegExp(`keeps removed texts for a transaction of process ${pid} .*pg_terminate_backend\\(${pid}\\)`),
      );
      expect(await run({ text: 'SELECT FROM social_data.tweet' })).toHaveLength(1);
    });
    expect(await tables.emptyTablesWithPages()).not.toEqual([]);
    await vacuum(database);
    expect(await tables.emptyTablesWithPages()).toEqual([]);
  }, 120_000);
});

function applied(archive: Archive, change: Parameters<Archive['apply']>[0]): void {
  try {
    archive.apply(change);
  } catch (error) {
    if (!(error instanceof UnusableRecord)) throw error;
  }
}
