/** Tables of the version before become those of this version. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { openTables } from '../../../server/platforms/postgres/open-tables.ts';
import { SqlArchive } from '../../../server/platforms/postgres/writes/sql-archive.ts';
import { checkTables } from '../../../server/platforms/postgres/maintenance/tables-check.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../ports/postgres.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
/** Tables without lexemes of the engagement, as version 3 had them. */
const version3 = `
UPDATE social_data.tweet SET words = ts_delete(words, ARRAY['E6', 'L64', 'E8', 'L288', 'E24']);
ALTER TABLE social_data.tweet RENAME arrived_in TO arrived_at;
ALTER TABLE social_data.tweet_count ADD changed_at bigint NOT NULL DEFAULT 0;
UPDATE social_data.tables_version SET version = 3;`;

describeDatabase('tables of version 3', () => {
  let storage: PostgresStorage;
  let url: string;
  beforeEach(async () => {
    storage = await postgresStorage();
    await (await storage.open()).close();
    const named = new URL(storage.url);
    named.searchParams.set('schema', storage.schema);
    url = named.href;
  });
  afterEach(() => storage.dispose());

  const readWords = (): Promise<readonly object[]> =>
    storage.admin.run({ text: 'SELECT id, words FROM social_data.tweet ORDER BY id' });

  test('get the lexemes of the engagement, once, and no writer of version 3 can write to them', async () => {
    const database = await openTables(url);
    const records = [0, 63, 64, 300, 20_000_000].map((like_count, index): ArchiveRecord => ({
      kind: 'tweet',
      tweet: {
        ...{ id: String(index + 1), author_id: '7', text: 'the text', like_count },
        created_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
      },
    }));
    await new SqlArchive(database, { eventRecord: (event) => event, now: () => 0 }).apply(records);
    const expected = await readWords();
    await storage.admin.script(version3);
    expect(await readWords()).not.toEqual(expected);
    await database.close();
    const opened = await Promise.all([openTables(url), openTables(url)]);
    expect(await readWords()).toEqual(expected);
    expect(await checkTables(storage.admin.run)).toEqual([]);
    for (const column of ['tweet (id, arrived_at)', 'tweet_count (id, changed_at)'])
      await expect(storage.admin.run({ text: `INSERT INTO social_data.${column} VALUES (1, 1)` })).rejects.toThrow(
        /column .* does not exist/,
      );
    for (const each of opened) await each.close();
  });
});
