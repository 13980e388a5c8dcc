/** A check of the tables finds each broken rule, and none in whole tables. */
import { PostgresArchiveDatabase } from '../../../server/engines/postgres/writes/postgres-archive-database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Change } from '../../../server/archive/rules/change.ts';
import { SqlArchive } from '../../../server/archive/writes/sql-archive.ts';
import { checkTables } from '../../../server/engines/postgres/maintenance/content-check.ts';
import { testDatabaseUrl } from '../../ports/postgres.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { history } from './changes.ts';
import { PostgresTables } from './tables.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const at = '2026-01-01T00:00:00.000Z';
const tweet = (id: string, text: string): Change => ({
  kind: 'tweet',
  tweet: {
    ...{ id, author_id: '7', text, created_at: at, like_count: 3 },
    entities: { mentions: [{ username: 'ada', id: '8' }], hashtags: [], cashtags: [], urls: [] },
  },
});
// More words than PostgreSQL stores the positions of.
const long = Array.from({ length: 20_000 }, (_, index) => `w${index}`).join(' ');

describeDatabase('a check of the tables', () => {
  let tables: PostgresTables;
  let sql: SqlArchive;
  beforeAll(async () => {
    tables = await PostgresTables.create();
    sql = new SqlArchive(new PostgresArchiveDatabase(tables.database), { eventRecord: (event) => event, now: () => 0 });
  });
  afterAll(() => tables.dispose());

  test('finds nothing after random changes', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        for (const changes of batches) await sql.apply(changes);
        expect(await checkTables(tables.database.run)).toEqual([]);
      }),
      { numRuns: rounds(10), endOnFailure: true },
    );
  }, 120_000);

  test.each([
    ['a tweet has counts', 'DELETE FROM social_data.tweet_count WHERE id = $1'],
    ['counts belong to a tweet', 'DELETE FROM social_data.tweet WHERE id = $1'],
    ['the engagement is that', 'UPDATE social_data.tweet_count SET engagement = 99 WHERE id = $1'],
    ['a tweet has its community and its rank', 'UPDATE social_data.tweet_count SET community_id = 5 WHERE id = $1'],
    ['the words have the level', `UPDATE social_data.tweet SET words = words || 'E6 L64' WHERE id = $1`],
    ['a mention belongs to a tweet', 'DELETE FROM social_data.tweet WHERE id = $1'],
    ['a long tweet has its words', 'DELETE FROM social_data.long_tweet WHERE id = $1'],
    ['is described by a mention', 'DELETE FROM social_data.mention WHERE tweet_id >= $1'],
    [
      'a withdrawn account has no',
      'INSERT INTO social_data.withdrawn SELECT author_id, 0 FROM social_data.tweet WHERE id = $1',
    ],
    [
      'no commit of the log is missing',
      `DELETE FROM social_data.change WHERE log = 'tables' AND seq = 2 AND $1 < 0::bigint`,
    ],
  ])('finds a broken rule: %s', async (rule, statement) => {
    await tables.clear();
    for (const change of [tweet('1', 'short'), tweet('2', rule.includes('long') ? long : 'short'), tweet('3', 'short')])
      await sql.apply([change]);
    await tables.database.run({ text: statement, params: [String(2n - 2n ** 63n)] });
    const findings = await checkTables(tables.database.run);
    expect(findings.map((each) => each.rule).join()).toContain(rule);
  });
});
