/** Searches by SQL give the same results as the evaluator, which defines the meaning of queries. */
import { textOf } from '../../support/statement-text.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { toDatabaseId } from '../../../server/archive/content/database-id.ts';
import type { Row } from '../../../server/archive/sql.ts';
import { insertRows } from '../../../server/engines/postgres/store/insertion.ts';
import { searchSql, type Parameter } from '../../../server/engines/postgres/search/search-sql.ts';
import { SqlSearch } from '../../../server/engines/postgres/search/sql-search.ts';
import { parse } from '../../../server/search/language/parse.ts';
import type { RunAny } from '../../../server/engines/postgres/store/database.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../ports/postgres.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { condition, searchableWorld } from './arbitrary.ts';
import { createTables, personRow, World } from './search-world.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const now = Date.UTC(2026, 5, 1);

test('a repeated alternative is in the tsquery once', () => {
  const params: Parameter[] = [];
  const [english, german] = [
    { is: 'term', term: 'lang:en' },
    { is: 'term', term: 'lang:de' },
  ] as const;
  searchSql({ is: 'any', parts: [english, german, english, german] }, params);
  expect(params).toEqual([`('lang:en' | 'lang:de')`]);
});

describeDatabase('search by SQL', () => {
  let storage: PostgresStorage;
  beforeAll(async () => {
    storage = await postgresStorage();
    await createTables(storage);
  });
  afterAll(() => storage.dispose());

  test('finds what the evaluator finds in random archives', async () => {
    await fc.assert(
      fc.asyncProperty(
        searchableWorld,
        fc.array(condition, { minLength: 30, maxLength: 60 }),
        async (records, wanted) => {
          const world = await World.create(storage, records);
          for (const each of wanted)
            expect([each, await world.found(each, now)]).toEqual([each, world.expected(each, now)]);
        },
      ),
      { numRuns: rounds(10) },
    );
  }, 600_000);

  test('looks up names once, and again after they have changed', async () => {
    const text = (id: string, author_id: string): ArchiveRecord => ({
      kind: 'tweet',
      tweet: { id, text: 'a text', created_at: new Date(now + Number(id)).toISOString(), author_id },
    });
    const user = (id: string, name: string): ArchiveRecord => ({
      kind: 'user',
      user: { id, username: `u${id}`, name },
    });
    const records = [text('11', '1'), text('12', '2'), text('13', '3')];
    const rows: Row[] = ['Mira Lang', 'Mira Code', 'Ann'].map((name, index) =>
      personRow({ id: String(index + 1), username: `u${index + 1}`, name }),
    );
    await World.create(storage, [...records, user('1', 'Mira Lang'), user('2', 'Mira Code'), user('3', 'Ann')]);
    const statements: string[] = [];
    const run: RunAny = async (statement) => {
      statements.push(textOf(statement));
      return storage.admin.run(statement);
    };
    const search = new SqlSearch(run);
    const page = (query: string, after?: readonly (string | number)[]): Promise<unknown> =>
      search.latest(parse(query), { after, limit: 1 }, now);
    const statementsOf = async (query: string): Promise<[unknown, number]> => {
      const before = statements.length;
      return [await page(query), statements.length - before];
    };
    const first = { items: ['12'], next: [now + 12, '12'] };
    await page('mira');
    expect(await statementsOf('mira')).toEqual([first, 2]);
    expect(await statementsOf('mira')).toEqual([first, 1]);
    expect(await page('mira', first.next)).toEqual({ items: ['11'], next: null });
    expect(await statementsOf('nobodyatall')).toEqual([{ items: [], next: null }, 2]);
    // Another instance renames a user: the cached look-up, the page, then both again.
    await storage.admin.run({ text: `UPDATE social_data.person SET username = username` });
    expect(await statementsOf('mira')).toEqual([first, 1]);
    await storage.admin.run({ text: 'DELETE FROM social_data.person WHERE id = $1', params: [toDatabaseId('2')] });
    const alone = { items: ['11'], next: null };
    expect(await statementsOf('mira')).toEqual([alone, 3]);
    await storage.admin.run(insertRows('person', [{ ...rows[1]!, username: 'mira' }]));
    expect(await statementsOf('mira')).toEqual([first, 3]);
    expect(await statementsOf('from:mira')).toEqual([{ items: ['12'], next: null }, 2]);
    await storage.admin.run({ text: `UPDATE social_data.person SET username = 'new' WHERE username = 'mira'` });
    expect(await statementsOf('from:mira')).toEqual([{ items: [], next: null }, 3]);
    expect(await statementsOf('from:new')).toEqual([{ items: ['12'], next: null }, 2]);
    await expect(page('mira', [1, 'x'])).rejects.toThrow("'cursor' belongs to another order");
  });
});
