/** Opens the tables of a platform in PostgreSQL, and creates them in a new database. */
import { readFile } from 'node:fs/promises';
import { StoreError } from '../../ports/storage.ts';
import { Database } from '../../storage/postgres/database.ts';
import { hasTable } from '../../storage/postgres/schema.ts';
import { lexemesOfEngagementSql, lowestLevel } from './engagement-levels.ts';

/** The version of tables.sql. Tables of other versions cannot be used. */
const version = 4;
/** The version that `openTables` turns into this one. */
const upgradable = 3;
const definition = new URL('tables.sql', import.meta.url);

/**
 * Connects to the tables, and upgrades those of the version before. `url`: the database, which a store has opened before. Rejects with StoreError, also for tables of
 * other versions, and for a database with an archive of another platform.
 */
export async function openTables(url: string): Promise<Database> {
  const database = new Database({ url });
  try {
    if ((await versionOf(database)) === undefined) {
      await requireNoArchive(database);
      await create(database);
    }
    if ((await versionOf(database)) === upgradable) await upgrade(database);
    await requireTables(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** As `openTables`, for a command that only reads: it creates nothing. */
export async function openExistingTables(url: string): Promise<Database> {
  const database = new Database({ url });
  try {
    await requireTables(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Throws StoreError for a database without tables, or with tables of another version. */
export async function requireTables(database: Database): Promise<void> {
  const found = await versionOf(database);
  if (found === undefined) throw new StoreError('the database has no tables of PLATFORM=postgres');
  if (found !== version)
    throw new StoreError(
      `the tables in the database have version ${found}, this program needs ${version}: import the data into a new schema`,
    );
}

/** Throws StoreError for a schema that has the log of an archive in memory: its events have other numbers of changes. */
async function requireNoArchive(database: Database): Promise<void> {
  const rows = await database.run({ text: `SELECT FROM social_data.change WHERE log = 'archive' LIMIT 1` });
  if (rows.length > 0)
    throw new StoreError('PLATFORM=postgres: the database has an archive of PLATFORM=archive: select another schema');
}

/**
 * Version 4 has lexemes of the engagement. Writers of version 3 would leave them out: the columns that they write no longer have these
 * names, so they fail. One message, thus one transaction: after an interruption, the tables have the version as before.
 */
async function upgrade(database: Database): Promise<void> {
  await database.maintain(`
SELECT pg_advisory_xact_lock(hashtextextended('social_data.tables', 0));
DO $step$
BEGIN
  IF (SELECT version FROM social_data.tables_version) = ${upgradable} THEN
    ALTER TABLE social_data.tweet RENAME arrived_at TO arrived_in;
    ALTER TABLE social_data.tweet_count DROP changed_at;
    UPDATE social_data.tweet t SET words = t.words || array_to_tsvector(${lexemesOfEngagementSql('c.engagement')})
      FROM social_data.tweet_count c WHERE c.id = t.id AND c.engagement >= ${lowestLevel};
    UPDATE social_data.tables_version SET version = ${version};
  END IF;
END
$step$;`);
}

/** The version of the tables; undefined without tables. */
async function versionOf(database: Database): Promise<number | undefined> {
  if (!(await hasTable(database, 'tables_version'))) return undefined;
  const [row] = await database.run<{ version: number }>({ text: 'SELECT version FROM social_data.tables_version' });
  return row?.version;
}

/** Creates the tables unless another instance is first. Several statements in one message are one transaction. */
async function create(database: Database): Promise<void> {
  const tables = await readFile(definition, 'utf8');
  await database.script(`
SELECT pg_advisory_xact_lock(hashtextextended('social_data.tables', 0));
DO $step$
BEGIN
  IF to_regclass('social_data.tables_version') IS NULL THEN
    EXECUTE $tables$${tables}$tables$;
    CREATE TABLE social_data.tables_version (version int NOT NULL);
    INSERT INTO social_data.tables_version VALUES (${version});
  END IF;
END
$step$;`);
}
