/** Tables in PostgreSQL, and the evaluator on what they have. */
import { readFile } from 'node:fs/promises';
import { recordKey, type ArchivedList, type ArchivedUser, type ArchiveRecord } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import { fromDatabaseId, toDatabaseId } from '../../../server/archive/content/database-id.ts';
import { vectorOf } from '../../../server/engines/postgres/rows/lexemes.ts';
import { resolveCondition } from '../../../server/archive/search/resolved-condition.ts';
import { nameColumns, tweetRows } from '../../../server/engines/postgres/rows/search-rows.ts';
import type { Row } from '../../../server/archive/sql.ts';
import { itemsOf } from '../../../server/archive/content/content.ts';
import { childRowsOf, profileRow, rowOf } from '../../../server/archive/content/content-rows.ts';
import { searchSql, type Parameter } from '../../../server/engines/postgres/search/search-sql.ts';
import { sqlSearchContext } from '../../../server/engines/postgres/search/sql-search-context.ts';
import { documentOf } from '../../../server/search/document.ts';
import type { Condition } from '../../../server/search/language/condition.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import type { PostgresStorage } from '../../ports/postgres.ts';
import { ContentContext } from '../../support/content-context.ts';

/** Creates the tables of a store and of a platform. */
export async function createTables(storage: PostgresStorage): Promise<void> {
  const store = await storage.open();
  await store.close();
  const tables = new URL('../../../server/engines/postgres/tables.sql', import.meta.url);
  await storage.admin.script(await readFile(tables, 'utf8'));
}

const listRow = ({ id, owner_id, slug }: ArchivedList): Row => ({
  id,
  owner_id: toDatabaseId(owner_id),
  slug: slug?.toLowerCase() ?? null,
});
const memberRow = (listId: string, userId: string): Row => ({ list_id: listId, user_id: toDatabaseId(userId) });

/** The row of a profile. */
export const personRow = (user: ArchivedUser): Row => ({ ...profileRow(user), ...nameColumns(user) });

export class World {
  /** Merges records of the same entity. */
  readonly #archive = new Archive();
  readonly #storage: PostgresStorage;

  private constructor(storage: PostgresStorage) {
    this.#storage = storage;
  }

  static async create(storage: PostgresStorage, records: readonly ArchiveRecord[]): Promise<World> {
    const world = new World(storage);
    await storage.admin.script(
      'TRUNCATE social_data.tweet, social_data.long_tweet, social_data.tweet_count, social_data.person, social_data.place, social_data.place_term, social_data.list, social_data.list_member',
    );
    await world.add(records);
    return world;
  }

  /** Adds records about tweets, users, places and lists that are not there yet. */
  async add(records: readonly ArchiveRecord[]): Promise<void> {
    const before = new Set(new ContentContext(this.#archive.changes()).tweets.map(({ id }) => id));
    for (const record of records) this.#archive.apply(record);
    const content = [...this.#archive.changes()];
    const context = new ContentContext(content);
    const rows = context.tweets.filter(({ id }) => !before.has(id)).map((tweet) => tweetRows(tweet, context));
    const insert = async (table: string, all: readonly Row[]): Promise<void> => {
      for (let from = 0; from < all.length; from += 1000)
        await this.#storage.admin.run({ table, rows: all.slice(from, from + 1000) });
    };
    await insert(
      'tweet',
      rows.map(({ tweet, words }) => ({ ...tweet, words: vectorOf(words) })),
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
      Array.from(ids, (id) => personRow(context.profiles.get(id)!)),
    );
    const added = new Set(records.map(recordKey));
    const lists = content.flatMap((each) => (each.kind === 'list' ? [each.list] : []));
    const items = itemsOf(content.filter((each) => each.kind === 'place' && added.has(`place ${each.place.id}`)));
    await insert(
      'place',
      Array.from(items.values(), (item) => rowOf(item)!),
    );
    await insert('place_term', [...items.values()].flatMap(childRowsOf));
    await insert('list', lists.filter(({ id }) => added.has(`list ${id}`)).map(listRow));
    const members = records.flatMap((each) => (each.kind === 'list_member' ? [`${each.list_id} ${each.user_id}`] : []));
    await insert(
      'list_member',
      [...new Set(members)].map((each) => memberRow(...(each.split(' ') as [string, string]))),
    );
  }

  /** The ids that the evaluator finds. `now` is in milliseconds since the epoch. */
  expected(wanted: Condition, now: number): string[] {
    const context = new ContentContext(this.#archive.changes());
    return context.tweets
      .filter((tweet) => matches(wanted, documentOf(tweet, context), now))
      .map(({ id }) => id)
      .toSorted();
  }

  /** The ids that PostgreSQL finds. `now` is in milliseconds since the epoch. */
  async found(wanted: Condition, now: number): Promise<string[]> {
    const { admin } = this.#storage;
    const resolved = await resolveCondition(wanted, sqlSearchContext(admin.run), now);
    const params: Parameter[] = [];
    const { where, usesCounts } = searchSql(resolved, params);
    const from = `social_data.tweet t${usesCounts ? ' JOIN social_data.tweet_count c ON c.id = t.id' : ''}`;
    const rows = await admin.run<{ id: string }>({ text: `SELECT t.id FROM ${from} WHERE ${where}`, params });
    return rows.map(({ id }) => fromDatabaseId(id)).toSorted();
  }
}
