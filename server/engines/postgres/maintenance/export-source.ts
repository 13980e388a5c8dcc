/** The tables of PostgreSQL as an export reads them: the state of one moment. */
import type { ExportSource } from '../../../archive/archive-engine.ts';
import type { Database, RunAny } from '../store/database.ts';
import { openExistingTables } from '../open-tables.ts';
import { SqlSearch } from '../search/sql-search.ts';

/** Opens a snapshot; its temporary tables end with it. Rejects with StoreError. */
export async function openExportSource(database: Pick<Database, 'openSnapshot'>): Promise<ExportSource> {
  const { run, end } = await database.openSnapshot();
  return { run, search: new SqlSearch(run), total: () => estimate(run), close: end };
}

/**
 * As `openExportSource`, over a separate connection: an export can take long. `url`: a database with tables. Rejects also for tables of
 * another version.
 */
export async function openSeparateSource(url: string): Promise<ExportSource> {
  const database = await openExistingTables(url);
  try {
    const source = await openExportSource(database);
    return {
      ...source,
      async close() {
        await source.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** About how many records the tables hold; undefined where PostgreSQL has counted none yet. */
async function estimate(run: RunAny): Promise<number | undefined> {
  const [row] = await run<{ n: number }>({
    text: `SELECT sum(greatest(reltuples, 0))::float8 AS n FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'social_data'::regnamespace
        AND relname = ANY ('{tweet,person,community,space,place,list,list_member,
        follow,retweet,highlight,membership,tweet_like,tombstone,withdrawn}')`,
  });
  return row === undefined || row.n === 0 ? undefined : row.n;
}
