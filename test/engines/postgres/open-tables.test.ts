// Tests server/engines/postgres/writes/terms-upgrade.ts.
/** Tables of versions before become those of this version. */
import { PostgresArchiveDatabase } from '../../../server/engines/postgres/writes/postgres-archive-database.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { openTables } from '../../../server/engines/postgres/open-tables.ts';
import { SqlArchive } from '../../../server/archive/writes/sql-archive.ts';
import { SqlSearch } from '../../../server/engines/postgres/search/sql-search.ts';
import { checkTables } from '../../../server/engines/postgres/maintenance/content-check.ts';
import { parse } from '../../../server/search/language/parse.ts';
import type { Database } from '../../../server/engines/postgres/store/database.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../ports/postgres.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
/** The indexes of lists as up to version 7. */
const version7 = `
DROP INDEX social_data.tweet_quotes_newest, social_data.follow_followers;
CREATE INDEX follow_by_following ON social_data.follow (following_id);
UPDATE social_data.tables_version SET version = 7;`;

/** Arrays in the place of three tables, as up to version 6. */
const version6 = `${version7}
ALTER TABLE social_data.place ADD terms text[] NOT NULL DEFAULT '{}';
UPDATE social_data.place p SET terms = ARRAY(SELECT term FROM social_data.place_term WHERE place_id = p.id);
ALTER TABLE social_data.space ADD participants bigint[] NOT NULL DEFAULT '{}';
UPDATE social_data.space s SET participants = ARRAY(SELECT user_id FROM social_data.space_participant WHERE space_id = s.id);
ALTER TABLE social_data.withdrawn ADD list_ids text[] NOT NULL DEFAULT '{}';
UPDATE social_data.withdrawn w SET list_ids = ARRAY(SELECT list_id FROM social_data.withdrawn_list WHERE user_id = w.user_id);
DROP TABLE social_data.place_term, social_data.space_participant, social_data.withdrawn_list;
UPDATE social_data.tables_version SET version = 6;`;

/** Tables without lexemes of the engagement, as version 3 had them. */
const version3 = `${version6}
UPDATE social_data.tweet SET words = ts_delete(words, ARRAY['E6', 'L64', 'E8', 'L288', 'E24']);
ALTER TABLE social_data.tweet RENAME arrived_in TO arrived_at;
ALTER TABLE social_data.tweet_count ADD changed_at bigint NOT NULL DEFAULT 0;
UPDATE social_data.tables_version SET version = 3;
DROP TABLE social_data.geo_scrub;`;

/** The lexemes that version 4 had for the pairs of "the long phrase". */
const version4 = `${version6}
UPDATE social_data.tweet SET words = words || array_to_tsvector(ARRAY['Aá', 'Bé']);
UPDATE social_data.tables_version SET version = 4;
DROP TABLE social_data.geo_scrub;`;

describeDatabase('tables of earlier versions', () => {
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

  const openArchive = async (): Promise<{
    database: Database;
    add: (...records: ArchiveRecord[]) => Promise<unknown>;
  }> => {
    const database = await openTables(url);
    const archive = new SqlArchive(new PostgresArchiveDatabase(database), {
      eventRecord: (event) => event,
      now: () => 0,
    });
    return { database, add: (...records) => archive.apply(records) };
  };

  test('of version 7 get the indexes of this version', async () => {
    const indexes = (): Promise<readonly object[]> =>
      storage.admin.run({
        text: `SELECT indexdef FROM pg_indexes WHERE schemaname = '${storage.schema}' AND tablename IN ('tweet', 'follow') ORDER BY 1`,
      });
    await (await openTables(url)).close();
    const expected = await indexes();
    await storage.admin.script(version7);
    expect(await indexes()).not.toEqual(expected);
    await Promise.all([openTables(url), openTables(url)]).then((opened) =>
      Promise.all(opened.map((each) => each.close())),
    );
    expect(await indexes()).toEqual(expected);
  });

  test('of version 6 get tables for the terms of places, the participants of spaces and the lists of withdrawn accounts', async () => {
    const before = await openArchive();
    await before.add(
      { kind: 'place', place: { id: 'p1', name: 'Oslo' } },
      {
        kind: 'tweet',
        tweet: { id: '1', author_id: '7', created_at: '2026-01-01T00:00:00.000Z', text: 'a', place_id: 'p1' },
      },
      {
        kind: 'space',
        space: {
          id: 's1',
          host_id: '7',
          speaker_ids: ['8'],
          state: 'ended',
          title: 'talk',
          created_at: '2026-01-01T00:00:00.000Z',
        },
      },
      { kind: 'list', list: { id: '801', owner_id: '9', slug: 'press' } },
      { kind: 'withdraw', user_id: '9' },
    );
    const children = async (): Promise<unknown[]> =>
      Promise.all(
        ['place_term', 'space_participant', 'withdrawn_list'].map((table) =>
          storage.admin.run({ text: `SELECT * FROM social_data.${table} ORDER BY 1, 2` }),
        ),
      );
    const expected = await children();
    expect(expected.map((rows) => (rows as unknown[]).length > 0)).toEqual([true, true, true]);
    await before.database.close();
    await storage.admin.script(version6);
    const opened = await Promise.all([openTables(url), openTables(url)]);
    expect(await children()).toEqual(expected);
    for (const each of opened) await each.close();
  });

  test('of version 4 keep their lexemes of pairs, which searches do not need', async () => {
    const tweet = (id: string, text: string): ArchiveRecord => ({
      kind: 'tweet',
      tweet: { id, author_id: '7', text, created_at: '2026-01-01T00:00:00.000Z' },
    });
    const before = await openArchive();
    await before.add(tweet('1', 'the old phrase'), tweet('2', 'phrase old the'));
    await before.database.close();
    await storage.admin.script(version4);
    const { database, add } = await openArchive();
    await add(tweet('3', 'the old phrase'));
    expect(await storage.admin.run({ text: 'SELECT version FROM social_data.tables_version' })).toEqual([
      { version: 8 },
    ]);
    const found = async (query: string): Promise<readonly string[]> =>
      (await new SqlSearch(database.run).latest(parse(query), { after: undefined, limit: 9 }, Date.UTC(2026, 5))).items;
    expect(await found('"the old"')).toEqual(['3', '1']);
    expect(await found('"old phrase"')).toEqual(['3', '1']);
    await database.close();
  });

  test('of version 5 get the terms of this version, in the rows that have others', async () => {
    const before = await openArchive();
    const at = { author_id: '7', created_at: '2026-01-01T00:00:00.000Z' };
    await before.add(
      { kind: 'user', user: { id: '7', username: 'lukasz', name: 'Łukasz' } },
      { kind: 'place', place: { id: 'p1', name: 'Tromsø' } },
      { kind: 'tweet', tweet: { ...at, id: '1', text: 'سَلَام', place_id: 'p1' } },
      { kind: 'tweet', tweet: { ...at, id: '2', text: 'satu', lang: 'in' } },
      { kind: 'tweet', tweet: { ...at, id: '3', text: 'link', expanded_urls: ['https://example.org/caf%C3%A9'] } },
      { kind: 'tweet', tweet: { ...at, id: '4', text: 'café, without other terms' } },
    );
    const expected = await readWords();
    await before.database.close();
    await storage.admin.script(`${version6}
      UPDATE social_data.tweet SET words = '' WHERE id <> (SELECT max(id) FROM social_data.tweet);
      UPDATE social_data.person SET name_words = '';
      UPDATE social_data.place SET terms = '{}';
      UPDATE social_data.tables_version SET version = 5;
      DROP TABLE social_data.geo_scrub;`);
    expect(await readWords()).not.toEqual(expected);
    const opened = await Promise.all([openTables(url), openTables(url)]);
    expect(await readWords()).toEqual(expected);
    expect(await storage.admin.run({ text: 'SELECT key, document FROM social_data.geo_scrub' })).toEqual([]);
    expect(await checkTables(storage.admin.run)).toEqual([]);
    const found = async (query: string): Promise<readonly string[]> => {
      const page = { after: undefined, limit: 9 };
      return (await new SqlSearch(opened[0]!.run).latest(parse(query), page, Date.UTC(2026, 5))).items;
    };
    expect([await found('سلام'), await found('lang:id'), await found('url:café'), await found('near:tromso')]).toEqual([
      ['1'],
      ['2'],
      ['3'],
      ['1'],
    ]);
    expect(await found('lukasz')).toEqual(['4', '3', '2', '1']);
    for (const each of opened) await each.close();
  });

  test('of version 3 get the lexemes of the engagement, once, and no writer of version 3 can write to them', async () => {
    const { database, add } = await openArchive();
    const records = [0, 63, 64, 300, 20_000_000].map((like_count, index): ArchiveRecord => ({
      kind: 'tweet',
      tweet: {
        ...{ id: String(index + 1), author_id: '7', text: 'the text', like_count },
        created_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
      },
    }));
    await add(...records);
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
