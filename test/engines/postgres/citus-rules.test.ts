/**
 * The tables under the documented rules of Citus (docs.citusdata.com: "Schema-based sharding", "Determining the Data Model", "Creating and
 * Modifying Distributed Objects"), read from the catalogue of PostgreSQL; no Citus is needed.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../ports/postgres.ts';
import { createTables } from './search-world.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

/** The rows of a tweet are on one node, by the column with its id: colocated tables. */
const distributed: Readonly<Record<string, string>> = {
  ...{ tweet: 'id', tweet_count: 'id', long_tweet: 'id', mention: 'tweet_id', engagement_before: 'id' },
  ...{ tombstone: 'id', tweet_like: 'tweet_id', retweet: 'tweet_id' },
};
/** Each node would have a whole copy: searches and views join them. */
const reference = [
  ...['person', 'place', 'place_term', 'list', 'list_member', 'community', 'space', 'space_participant'],
  ...['follow', 'highlight', 'membership', 'withdrawn', 'withdrawn_list', 'geo_scrub', 'lookup_version'],
];

describeDatabase('the tables under the rules of Citus', () => {
  let storage: PostgresStorage;
  beforeAll(async () => {
    storage = await postgresStorage();
    await createTables(storage);
  }, 60_000);
  afterAll(() => storage.dispose());

  /** The first column of each row. */
  const names = async (text: string): Promise<readonly string[]> =>
    (await storage.admin.run<{ name: string }>({ text })).map(({ name }) => name);
  const ofSchema = "'social_data'::regnamespace";

  test('are one schema that a worker can have: no key, view, sequence or parent leaves it', async () => {
    const foreign = await names(`SELECT c.conname AS name FROM pg_constraint c JOIN pg_class f ON f.oid = c.confrelid
      WHERE c.contype = 'f' AND c.connamespace = ${ofSchema} AND f.relnamespace <> ${ofSchema}`);
    expect(foreign).toEqual([]);
    const others = await names(`SELECT relname::text AS name FROM pg_class
      WHERE relnamespace = ${ofSchema} AND (relkind NOT IN ('r', 'i', 't') OR relispartition OR relpersistence <> 'p')`);
    expect(others).toEqual([]);
    const identity = await names(`SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = ${ofSchema} AND (a.attidentity <> '' OR a.attgenerated <> '')`);
    expect(identity).toEqual([]);
  });

  test('need the setting for triggers: those that count changes of names, places and lists', async () => {
    const triggers =
      await names(`SELECT DISTINCT c.relname::text AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = ${ofSchema} AND NOT t.tgisinternal ORDER BY 1`);
    expect(triggers).toEqual(['list', 'list_member', 'person', 'place']);
  });

  test('can be distributed by the tweet as far as keys go: each unique index has the column, no foreign key crosses', async () => {
    const tables = Object.entries(distributed);
    const keys = await storage.admin.run<{ table: string; columns: readonly string[] }>({
      text: `SELECT c.relname::text AS table, array_agg(a.attname::text) AS columns FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (x.indkey)
        WHERE c.relnamespace = ${ofSchema} AND x.indisunique AND c.relname = ANY ($1) GROUP BY c.relname, x.indexrelid`,
      params: [tables.map(([table]) => table)],
    });
    expect(new Set(keys.map(({ table }) => table)).size).toBe(tables.length);
    for (const { table, columns } of keys)
      expect([table, columns]).toEqual([table, expect.arrayContaining([distributed[table]])]);
    const types =
      await names(`SELECT DISTINCT format_type(a.atttypid, a.atttypmod) AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = ${ofSchema} AND (c.relname, a.attname) IN (${tables.map(([table, column]) => `('${table}', '${column}')`).join(', ')})`);
    // Colocated tables have the same type of the column.
    expect(types).toEqual(['bigint']);
    const foreign = await names(
      `SELECT conrelid::regclass::text AS name FROM pg_constraint WHERE contype = 'f' AND connamespace = ${ofSchema}`,
    );
    expect(foreign.map((name) => name.split('.').at(-1))).toEqual(['snapshot_chunk']);
  });

  test('have a place each: with its tweet, on each node, or on the coordinator', async () => {
    const all = await names(
      `SELECT relname::text AS name FROM pg_class WHERE relnamespace = ${ofSchema} AND relkind = 'r' ORDER BY 1`,
    );
    const coordinator = all.filter((name) => !(name in distributed) && !reference.includes(name));
    // The storage of the instances, and two tables of single rows for each import and source.
    expect(coordinator).toEqual(
      [
        ...['change', 'document', 'instance', 'lease', 'rate', 'storage', 'purge', 'snapshot', 'snapshot_chunk'],
        ...['schema_version', 'import_progress', 'source_position'],
      ].toSorted(),
    );
  });
});
