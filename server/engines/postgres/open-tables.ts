/** Opens the tables of a platform in PostgreSQL, and creates them in a new database. */
import { readFile } from 'node:fs/promises';
import { StoreError } from '../../ports/storage.ts';
import { Database, type DatabaseOptions } from './store/database.ts';
import type { Statement } from './store/statement.ts';
import { lowestLevel } from '../../archive/search/engagement-levels.ts';
import { lexemesOfEngagementSql } from './rows/engagement-lexemes.ts';
import { hasOldLog, upgradeLog } from './maintenance/log-upgrade.ts';
import { requireNoOlder, runSteps, versionsOf } from './maintenance/run-steps.ts';
import {
  firstOnline,
  lowestOf,
  newestOf,
  tablesVersion,
  tableSteps,
  type TableStep,
} from './maintenance/table-steps.ts';
import { rewriteTerms } from './writes/terms-upgrade.ts';

/** The versions that `openTables` turns into version 8 with all instances stopped. */
const upgradable = [3, 4, 5, 6, 7];
/** The last version with the terms of before `rewriteTerms`. */
const beforeTerms = 5;
/** The last version with arrays in the place of `childTables`. */
const beforeChildTables = 6;
/** The version of tables that a migration fills: no instance starts on them. */
const incomplete = 0;
const definition = new URL('tables.sql', import.meta.url);

export interface OpenTablesOptions extends Pick<DatabaseOptions, 'onStalled'> {
  /** Gets what is changed in the tables, before it is. */
  readonly onStep?: (step: string) => void;
  /** How long a start waits for the end of instances that cannot bear its change, in milliseconds: one that was killed counts for ten seconds. */
  readonly waitMs?: number;
  /** The versions of the tables, by default those of this program. */
  readonly steps?: readonly TableStep[];
}

/**
 * Connects to the tables, and upgrades those of versions before, and the log of an archive of version 1.2. `url`: the database, which a store
 * has opened before. Rejects with StoreError, also for tables that this program cannot use, and where an instance that runs could not use them after the upgrade.
 */
export const openTables = (url: string, options: OpenTablesOptions = {}): Promise<Database> =>
  opened({ url, onStalled: options.onStalled }, async (database) => {
    await prepare(database, options);
    await requireTables(database, options.steps);
  });

/** As `openTables`, for a migration: also opens tables that an interrupted migration left. */
export const openTablesToFill = (url: string): Promise<Database> =>
  opened({ url }, async (database) => {
    await prepare(database, {});
    if ((await versionsOf(database))?.lowest !== incomplete) await requireTables(database);
  });

/** Makes tables incomplete until `endFilling`. */
export const beginFilling: Statement = { text: `UPDATE social_data.tables_version SET version = ${incomplete}` };

/** Makes tables complete. */
export const endFilling: Statement = {
  text: `UPDATE social_data.tables_version SET version = ${lowestOf(tableSteps)}`,
};

/** As `openTables`, for a command that only reads: it creates nothing. */
export const openExistingTables = (url: string): Promise<Database> =>
  opened({ url }, (database) => requireTables(database));

async function opened(options: DatabaseOptions, check: (database: Database) => Promise<void>): Promise<Database> {
  const database = new Database(options);
  try {
    await check(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Creates tables in a new database, and upgrades those of versions before. */
async function prepare(database: Database, options: OpenTablesOptions): Promise<void> {
  if ((await versionsOf(database)) === undefined) await create(database);
  if (upgradable.includes((await versionsOf(database))?.lowest ?? firstOnline)) {
    await requireNoOlder(database, firstOnline + 1, options.waitMs);
    await upgrade(database);
    await upgradeTerms(database);
  }
  // Before the upgrade of a log, which writes rows of the newest version.
  await runSteps(database, options);
  if (await hasOldLog(database)) {
    await requireNoOlder(database, firstOnline + 1, options.waitMs);
    await upgradeLog(database);
  }
}

/** Version 7 has tables for the terms of places, the participants of spaces and the lists of withdrawn accounts. They were arrays before. */
const childTables = `
CREATE TABLE social_data.place_term (term text, place_id text, PRIMARY KEY (term, place_id));
INSERT INTO social_data.place_term SELECT DISTINCT unnest(terms), id FROM social_data.place;
CREATE INDEX place_term_place ON social_data.place_term (place_id);
ALTER TABLE social_data.place DROP terms;
CREATE TABLE social_data.space_participant (user_id bigint, space_id text, PRIMARY KEY (user_id, space_id));
INSERT INTO social_data.space_participant SELECT DISTINCT unnest(participants), id FROM social_data.space;
CREATE INDEX space_participant_space ON social_data.space_participant (space_id);
ALTER TABLE social_data.space DROP participants;
CREATE TABLE social_data.withdrawn_list (list_id text, user_id bigint, PRIMARY KEY (list_id, user_id));
INSERT INTO social_data.withdrawn_list SELECT DISTINCT unnest(list_ids), user_id FROM social_data.withdrawn;
CREATE INDEX withdrawn_list_user ON social_data.withdrawn_list (user_id);
ALTER TABLE social_data.withdrawn DROP list_ids`;

/** Version 8 has the followers of a user and the quotes of a tweet in the order of pages. */
const listIndexes = `
CREATE INDEX tweet_quotes_newest ON social_data.tweet (quoted_id, created_at, id)
  WHERE quoted_id IS NOT NULL AND retweeted_id IS NULL;
CREATE INDEX follow_followers ON social_data.follow (following_id, at, follower_id);
DROP INDEX social_data.follow_by_following`;

/** Version 6 has other forms of words, languages and links, and `geo_scrub`. In one transaction, as `upgrade`. */
const upgradeTerms = (database: Database): Promise<void> =>
  database.transaction(
    async (run) => {
      await run({ text: "SELECT pg_advisory_xact_lock(hashtextextended('social_data.tables', 0))" });
      const [row] = await run<{ version: number }>({ text: 'SELECT version FROM social_data.tables_version' });
      if (row === undefined || row.version < beforeTerms || row.version >= firstOnline) return;
      if (row.version <= beforeChildTables) for (const text of childTables.split(';')) await run({ text });
      for (const text of listIndexes.split(';')) await run({ text });
      if (row.version === beforeTerms) {
        await rewriteTerms(run);
        await run({ text: 'CREATE TABLE social_data.geo_scrub (key text PRIMARY KEY, document text NOT NULL)' });
      }
      await run({ text: `UPDATE social_data.tables_version SET version = ${firstOnline}` });
    },
    { isUnlimited: true },
  );

/** Throws StoreError for a database without tables, or with tables that this program cannot use. */
export async function requireTables(database: Database, steps: readonly TableStep[] = tableSteps): Promise<void> {
  const [found, known] = [await versionsOf(database), newestOf(steps)];
  if (found === undefined) throw new StoreError('the database has no tables of an archive');
  const { lowest, newest } = found;
  if (lowest === incomplete)
    throw new StoreError('a migration into the tables is not complete: run npm run migrate again');
  if (lowest > known)
    throw new StoreError(
      `the tables in the database are for programs that know version ${lowest} of them or a newer one, this program knows version ${known}: start the newer version of the service, or restore a backup of before its first start`,
    );
  if (upgradable.includes(lowest) || (lowest >= firstOnline && newest < known))
    throw new StoreError(
      `the tables in the database have version ${newest}, this program needs ${known}: start the service, which upgrades them`,
    );
  if (lowest < firstOnline)
    throw new StoreError(
      `the tables in the database have version ${lowest}, this program needs ${known}: import the data into a new schema`,
    );
  if (await hasOldLog(database))
    throw new StoreError(
      'the upgrade of the archive of version 1.2 in the database is not complete: start the service',
    );
}

/**
 * Version 4 has lexemes of the engagement. Writers of version 3 would leave them out: the columns that they write no longer have these
 * names, so they fail. Version 5 has lexemes of pairs of short words only; its searches ignore the other ones, which the rows of earlier versions
 * keep. One message, thus one transaction: after an interruption, the tables have the version as before.
 */
async function upgrade(database: Database): Promise<void> {
  await database.maintain(`
SELECT pg_advisory_xact_lock(hashtextextended('social_data.tables', 0));
DO $step$
BEGIN
  IF (SELECT version FROM social_data.tables_version) = 3 THEN
    ALTER TABLE social_data.tweet RENAME arrived_at TO arrived_in;
    ALTER TABLE social_data.tweet_count DROP changed_at;
    UPDATE social_data.tweet t SET words = t.words || array_to_tsvector(${lexemesOfEngagementSql('c.engagement')})
      FROM social_data.tweet_count c WHERE c.id = t.id AND c.engagement >= ${lowestLevel};
  END IF;
  UPDATE social_data.tables_version SET version = ${beforeTerms} WHERE version IN (3, 4);
END
$step$;`);
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
    CREATE TABLE social_data.tables_version (version int NOT NULL, newest int, filled int);
    INSERT INTO social_data.tables_version VALUES (${lowestOf(tableSteps)}, ${tablesVersion}, ${tablesVersion});
  END IF;
END
$step$;`);
}
