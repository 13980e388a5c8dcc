/** The counts of tables are exact up to a limit, estimated beyond, and read at most every ten seconds. */
import { PostgresArchiveDatabase } from '../../../server/engines/postgres/writes/postgres-archive-database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SqlArchive } from '../../../server/archive/writes/sql-archive.ts';
import { RowCounts } from '../../../server/engines/postgres/maintenance/row-counts.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import { testDatabaseUrl } from '../../ports/postgres.ts';
import { PostgresTables } from './tables.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const at = '2026-01-01T00:00:00.000Z';
const tweet = (id: number): Change => ({
  kind: 'tweet',
  tweet: {
    ...{ id: String(id), author_id: '7', text: 'a text', created_at: at },
    entities: { mentions: [{ username: 'ada', id: '8' }], hashtags: [], cashtags: [], urls: [] },
  },
});

describeDatabase('the counts of tables', () => {
  let tables: PostgresTables;
  beforeAll(async () => {
    tables = await PostgresTables.create();
    const sql = new SqlArchive(new PostgresArchiveDatabase(tables.database), {
      eventRecord: (event) => event,
      now: () => 0,
    });
    await sql.apply([
      { kind: 'user', user: { id: '7', username: 'mira' } },
      ...Array.from({ length: 300 }, (_, id) => tweet(id)),
      { kind: 'community', community: { id: '901', name: 'First' } },
      { kind: 'delete', tweet_id: '5', at },
    ]);
  });
  afterAll(() => tables.dispose());

  test('are exact up to the limit; users that only mentions name do not count', async () => {
    expect(await new RowCounts(tables.database.run).counts()).toEqual({
      ...{ tweets: 299, users: 1, communities: 1, spaces: 0, tombstones: 1, isEstimated: false },
    });
  });

  test('are estimates of PostgreSQL beyond it', async () => {
    const { run } = tables.database;
    await tables.database.maintain('VACUUM (ANALYZE) social_data.tweet');
    const statistics = new RowCounts(run, { limit: 100 });
    expect(await statistics.counts()).toMatchObject({ tweets: 299, users: 1, isEstimated: true });
  });

  test('are read again after ten seconds, and after a failure', async () => {
    let [now, reads, isDown] = [0, 0, false];
    const run: PostgresTables['database']['run'] = (statement) => {
      reads++;
      return isDown ? Promise.reject(new Error('down')) : tables.database.run(statement);
    };
    const statistics = new RowCounts(run, { now: () => now });
    await statistics.counts();
    now = 9_999;
    await statistics.counts();
    expect(reads).toBe(1);
    now = 10_000;
    isDown = true;
    await expect(statistics.counts()).rejects.toThrow('down');
    isDown = false;
    expect(await statistics.counts()).toMatchObject({ tweets: 299 });
    expect(reads).toBe(3);
  });
});
