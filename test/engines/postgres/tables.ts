/** The tables of a platform in PostgreSQL, in a separate schema, and what they hold. */
import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { ArchivedUser } from '../../../server/domain/records.ts';
import type { Tombstone } from '../../../server/domain/tombstone.ts';
import type { SnapshotChange } from '../../../server/archive/rules/change.ts';
import { deleteChange } from '../../../server/archive/rules/snapshot.ts';
import {
  relationChanges,
  relationTables,
  type RelationTable,
  type RelationValues,
} from '../../../server/archive/content/content.ts';
import { fromDatabaseId, toDatabaseId } from '../../../server/archive/content/database-id.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../../../server/archive/content/tweet-record.ts';
import { sql } from '../../../server/archive/sql.ts';
import { openTables } from '../../../server/engines/postgres/open-tables.ts';
import type { Database } from '../../../server/engines/postgres/store/database.ts';
import { guideSample } from '../../support/operations-guide.ts';
import { postgresStorage, type PostgresStorage } from '../../ports/postgres.ts';

const definition = readFileSync(new URL('../../../server/engines/postgres/tables.sql', import.meta.url), 'utf8');
const names = Array.from(definition.matchAll(/CREATE TABLE (social_data\.\w+)/g), ([, name]) => name).filter(
  // One row, which triggers change.
  (name) => name !== 'social_data.lookup_version',
);

const isoTime = (at: string | number): string => new Date(Number(at)).toISOString();
const optionalNumber = (value: string | null): number | null => (value === null ? null : Number(value));

/** The JSON of a value with its members in alphabetical order. */
const canonical = (value: object): string =>
  JSON.stringify(value, (name, each: unknown) =>
    name === 'list_ids' && Array.isArray(each)
      ? each.toSorted()
      : typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : each,
  );
/** Values in a form that does not depend on their order. */
export const sortedContent = (values: Iterable<object>): string[] => Array.from(values, canonical).toSorted();

export class PostgresTables {
  readonly #storage: PostgresStorage;

  private constructor(storage: PostgresStorage) {
    this.#storage = storage;
  }

  /** With `TEST_CITUS=1`, `TEST_DATABASE_URL` is the coordinator of Citus, and a worker has the tables. */
  static async create(): Promise<PostgresTables> {
    const storage = await postgresStorage();
    const store = await storage.open();
    await store.close();
    await (await openTables(`${storage.url}?schema=${storage.schema}`)).close();
    if (process.env['TEST_CITUS'] === '1') await storage.admin.script(await guideSample('tables-citus'));
    return new PostgresTables(storage);
  }

  get database(): Database {
    return this.#storage.admin;
  }

  dispose(): Promise<void> {
    return this.#storage.dispose();
  }

  async clear(): Promise<void> {
    await this.database.script(`TRUNCATE social_data.change, ${names.join(', ')}`);
  }

  async eventCount(): Promise<number> {
    const rows = await this.#rows<{ count: string }>(`SELECT count(*) FROM social_data.change WHERE log = 'events'`);
    return Number(rows[0]?.count);
  }

  /** The events behind a number of the log. */
  async events(after: number): Promise<object[]> {
    const rows = await this.database.run<{ record: string }>({
      text: `SELECT record FROM social_data.change WHERE log = 'events' AND seq > $1 ORDER BY seq`,
      params: [after],
    });
    return rows.map(({ record }) => {
      const { change, ...event } = JSON.parse(record) as { change: number };
      expect(change).toBeGreaterThan(0);
      return event;
    });
  }

  /** The whole content as changes. */
  async content(): Promise<SnapshotChange[]> {
    const documents = async <Value>(table: string, where = 'true'): Promise<Value[]> => {
      const rows = await this.#rows<{ document: string }>(`SELECT document FROM social_data.${table} WHERE ${where}`);
      return rows.map(({ document }) => JSON.parse(document) as Value);
    };
    const tweets = await this.database.run<TweetRow>(sql`SELECT ${tweetColumns} FROM ${tweetTables}`);
    const content: SnapshotChange[] = tweets.map((row) => ({ kind: 'tweet', tweet: tweetOf(row) }));
    for (const user of await documents<ArchivedUser>('person', 'described_at IS NULL'))
      content.push({ kind: 'user', user });
    for (const kind of ['community', 'space', 'place', 'list'])
      for (const each of await documents(kind)) content.push({ kind, [kind]: each } as unknown as SnapshotChange);
    for (const tombstone of await documents<Tombstone>('tombstone')) content.push(deleteChange(tombstone));
    content.push(...(await documents<SnapshotChange>('geo_scrub')));
    return [...content, ...(await this.#withdrawals()), ...(await this.#likes()), ...(await this.#relations())];
  }

  async #withdrawals(): Promise<SnapshotChange[]> {
    const rows = await this.#rows<{ user_id: string; at: string; list_ids: string[] }>(
      `SELECT user_id, at, ARRAY(SELECT l.list_id FROM social_data.withdrawn_list l WHERE l.user_id = w.user_id
        ORDER BY l.list_id) AS list_ids FROM social_data.withdrawn w`,
    );
    return rows.map(({ user_id, at, list_ids }) => ({
      kind: 'withdraw',
      user_id: fromDatabaseId(user_id),
      ...(Number(at) === 0 ? {} : { at: isoTime(at) }),
      ...(list_ids.length === 0 ? {} : { list_ids }),
    }));
  }

  async #likes(): Promise<SnapshotChange[]> {
    const rows = await this.#rows<{ tweet_id: string; is_liked: boolean; at: string }>(
      'SELECT tweet_id, is_liked, at FROM social_data.tweet_like',
    );
    return rows.map(({ tweet_id: id, is_liked, at }) => {
      const tweet_id = fromDatabaseId(id);
      if (!is_liked) return { kind: 'unlike', tweet_id, at: Number(at) };
      return { kind: 'like', tweet_id, ...(Number(at) === 0 ? {} : { created_at: isoTime(at) }) };
    });
  }

  async #relations(): Promise<SnapshotChange[]> {
    const found: SnapshotChange[] = [];
    for (const [table, { owner, member }] of Object.entries(relationTables)) {
      const rows = await this.#rows<Record<string, string | null>>(`SELECT * FROM social_data.${table}`);
      for (const row of rows) {
        const ownerId = row[owner] ?? '';
        const pair = {
          owner: table === 'list_member' ? ownerId : fromDatabaseId(ownerId),
          member: fromDatabaseId(row[member] ?? ''),
        };
        const values: RelationValues = {
          at: optionalNumber(row['at'] ?? null),
          last: optionalNumber(row['last'] ?? null),
          removed_at: optionalNumber(row['removed_at'] ?? null),
          ...(typeof row['role'] === 'string' ? { role: row['role'] } : {}),
        };
        found.push(...relationChanges(table as RelationTable, pair, values));
      }
    }
    return found;
  }

  /** The profile of a user, or what mentions say. */
  async person(id: string): Promise<ArchivedUser | undefined> {
    const rows = await this.database.run<{ document: string }>({
      text: 'SELECT document FROM social_data.person WHERE id = $1',
      params: [toDatabaseId(id)],
    });
    return rows[0] && (JSON.parse(rows[0].document) as ArchivedUser);
  }

  /** How many rows of all tables of the schema, the logs and the stored long values included, contain a text. */
  async textCount(text: string): Promise<number> {
    let count = 0;
    for (const { name } of await this.#tableNames()) {
      const rows = await this.database.run<{ n: number }>({
        text: `SELECT count(*)::int AS n FROM ${name} AS t WHERE position($1 in t::text) > 0`,
        params: [text],
      });
      count += rows[0]?.n ?? 0;
    }
    return count;
  }

  /** The empty tables that have pages, or whose long values have. Only VACUUM gives the pages of deleted rows back. */
  async emptyTablesWithPages(): Promise<string[]> {
    const found: string[] = [];
    for (const { name, bytes } of await this.#tableNames()) {
      const rows = await this.#rows(`SELECT FROM ${name} LIMIT 1`);
      if (rows.length === 0 && Number(bytes) > 0) found.push(name);
    }
    return found;
  }

  #tableNames(): Promise<readonly { readonly name: string; readonly bytes: string }[]> {
    return this.#rows(`SELECT oid::regclass::text AS name,
        pg_relation_size(oid) + CASE reltoastrelid WHEN 0 THEN 0 ELSE pg_relation_size(reltoastrelid) END AS bytes
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'social_data'::regnamespace`);
  }

  /** The stored vectors by the ids of the tweets. */
  async words(): Promise<Map<string, string>> {
    const rows = await this.#rows<{ id: string; words: string }>('SELECT id, words FROM social_data.tweet');
    return new Map(rows.map(({ id, words }) => [fromDatabaseId(id), words]));
  }

  /** A vector as PostgreSQL writes it. */
  async vector(text: string): Promise<string | undefined> {
    const rows = await this.database.run<{ words: string }>({ text: 'SELECT $1::tsvector AS words', params: [text] });
    return rows[0]?.words;
  }

  #rows<Row extends object>(text: string): Promise<readonly Row[]> {
    return this.database.run<Row>({ text });
  }
}
