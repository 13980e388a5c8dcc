/** Searches by SQL give the same results as the evaluator, which defines the meaning of queries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ArchivedList, ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { fromDatabaseId, toDatabaseId } from '../../../server/platforms/postgres/database-id.ts';
import { resolveCondition } from '../../../server/platforms/postgres/resolved-condition.ts';
import {
  insertRows,
  personRow,
  placeRow,
  tweetRows,
  type Row,
} from '../../../server/platforms/postgres/search-rows.ts';
import { searchSql, type Parameter } from '../../../server/platforms/postgres/search-sql.ts';
import { SqlSearch } from '../../../server/platforms/postgres/sql-search.ts';
import { SqlSearchContext } from '../../../server/platforms/postgres/sql-search-context.ts';
import { contextFrom, documentOf } from '../../../server/search/document.ts';
import type { Condition } from '../../../server/search/language/condition.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import { parse } from '../../../server/search/language/parse.ts';
import type { Run, Statement } from '../../../server/storage/postgres/database.ts';
import { createQueries } from '../../../scripts/bench/queries.ts';
import { writeTweets } from '../../../scripts/bench/tweets.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../ports/postgres.ts';
import fc from '../../support/property.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { rounds } from '../../support/rounds.ts';
import { condition, searchableWorld } from './arbitrary.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const tables = readFileSync(new URL('../../../server/platforms/postgres/tables.sql', import.meta.url), 'utf8');
const now = Date.UTC(2026, 5, 1);

const listRow = ({ id, owner_id, slug }: ArchivedList): Row => ({
  id,
  owner_id: toDatabaseId(owner_id),
  slug: slug?.toLowerCase() ?? null,
});
const memberRow = (listId: string, userId: string): Row => ({ list_id: listId, user_id: toDatabaseId(userId) });

/** An archive whose tables PostgreSQL has too. */
class World {
  readonly archive = new Archive();
  readonly #storage: PostgresStorage;

  private constructor(storage: PostgresStorage) {
    this.#storage = storage;
  }

  static async create(storage: PostgresStorage, records: readonly ArchiveRecord[]): Promise<World> {
    const world = new World(storage);
    for (const record of records) world.archive.apply(record);
    await storage.admin.script(
      'TRUNCATE social_data.tweet, social_data.long_tweet, social_data.tweet_count, social_data.person, social_data.place, social_data.list, social_data.list_member',
    );
    await world.#insert(records);
    return world;
  }

  get #tweets(): ArchivedTweet[] {
    return Array.from({ length: this.archive.ordinalCount }, (_, ordinal) => this.archive.tweet(ordinal));
  }

  async #insert(records: readonly ArchiveRecord[]): Promise<void> {
    const context = contextFrom(this.archive);
    const rows = this.#tweets.map((tweet) => tweetRows(tweet, context));
    const insert = async (table: string, all: readonly Row[]): Promise<void> => {
      for (let from = 0; from < all.length; from += 1000)
        await this.#storage.admin.run(insertRows(table, all.slice(from, from + 1000)));
    };
    await insert(
      'tweet',
      rows.map(({ tweet }) => tweet),
    );
    await insert(
      'tweet_count',
      rows.map((each) => each.counts),
    );
    await insert(
      'long_tweet',
      rows.flatMap(({ longTweet }) => (longTweet === undefined ? [] : [longTweet])),
    );
    const ids = new Set(records.flatMap((record) => (record.kind === 'user' ? [record.user.id] : [])));
    await insert(
      'person',
      Array.from(ids, (id) => personRow(this.archive.user(id)!)),
    );
    await insert('place', Array.from(this.archive.places.values(), placeRow));
    await insert('list', Array.from(this.archive.lists.values(), listRow));
    const members = records.flatMap((each) => (each.kind === 'list_member' ? [`${each.list_id} ${each.user_id}`] : []));
    await insert(
      'list_member',
      [...new Set(members)].map((each) => memberRow(...(each.split(' ') as [string, string]))),
    );
  }

  /** The ids that the evaluator finds. */
  expected(wanted: Condition): string[] {
    const context = contextFrom(this.archive);
    return this.#tweets
      .filter((tweet) => matches(wanted, documentOf(tweet, context), now))
      .map(({ id }) => id)
      .toSorted();
  }

  /** The ids that PostgreSQL finds. */
  async found(wanted: Condition): Promise<string[]> {
    const { admin } = this.#storage;
    const resolved = await resolveCondition(wanted, new SqlSearchContext(admin.run), now);
    const params: Parameter[] = [];
    const { where, usesCounts } = searchSql(resolved, params);
    const from = `social_data.tweet t${usesCounts ? ' JOIN social_data.tweet_count c ON c.id = t.id' : ''}`;
    const rows = await admin.run<{ id: string }>({ text: `SELECT t.id FROM ${from} WHERE ${where}`, params });
    return rows.map(({ id }) => fromDatabaseId(id)).toSorted();
  }
}

describeDatabase('search by SQL', () => {
  let storage: PostgresStorage;
  beforeAll(async () => {
    storage = await postgresStorage();
    const store = await storage.open();
    await store.close();
    await storage.admin.script(tables);
  });
  afterAll(() => storage.dispose());

  test('finds what the evaluator finds in random archives', async () => {
    await fc.assert(
      fc.asyncProperty(
        searchableWorld,
        fc.array(condition, { minLength: 30, maxLength: 60 }),
        async (records, wanted) => {
          const world = await World.create(storage, records);
          for (const each of wanted) expect([each, await world.found(each)]).toEqual([each, world.expected(each)]);
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
    const run: Run = async (statement) => {
      statements.push(statement.text);
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

  test('reads an index for every kind of query, and a small archive needs at most 1.3 kB for a tweet', async () => {
    const tweets = 20_000;
    const folder = await temporaryFolder();
    const file = join(folder.path, 'tweets.jsonl');
    await writeTweets(file, tweets);
    const records = readFileSync(file, 'utf8').trim().split('\n');
    await World.create(
      storage,
      records.map((line) => JSON.parse(line) as ArchiveRecord),
    );
    await folder.dispose();
    await storage.admin.run({ text: 'VACUUM ANALYZE social_data.tweet, social_data.tweet_count, social_data.person' });
    const queries = createQueries(tweets, 2).map(({ text }) => text);
    const plans: [string, string][] = [];
    for (const query of [
      ...queries,
      'filter:media',
      'since_id:5 max_id:9',
      '"of the"',
      'coffee min_faves:9 -filter:links',
    ])
      plans.push([query, await planOf(storage, query)]);
    expect(plans.filter(([, plan]) => /Seq Scan on (tweet|tweet_count) /.test(plan))).toEqual([]);
    // The commonest word: its tweets are not sorted.
    expect(await planOf(storage, 'bi', 'top')).toContain('using tweet_count_engagement');
    const [size] = await storage.admin.run<{ bytes: string }>({
      text: `SELECT pg_total_relation_size('social_data.tweet') + pg_total_relation_size('social_data.tweet_count') AS bytes`,
    });
    expect(Number(size?.bytes) / tweets).toBeLessThan(1_300);
  }, 120_000);
});

/** The plan of PostgreSQL for the first page of a query. */
async function planOf({ admin }: PostgresStorage, query: string, order: 'latest' | 'top' = 'latest'): Promise<string> {
  const plans: string[] = [];
  const explain: Run = async <Row extends object>(statement: Statement) => {
    const rows = await admin.run<Row>(statement);
    if (!statement.text.includes('ORDER BY')) return rows;
    const plan = await admin.run<{ 'QUERY PLAN': string }>({ ...statement, text: `EXPLAIN ${statement.text}` });
    plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
    return rows;
  };
  await new SqlSearch(explain)[order](parse(query), { after: undefined, limit: 20 }, now);
  expect(plans).toHaveLength(1);
  return plans.join('');
}
