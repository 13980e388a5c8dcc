/** Exports from the tables of PostgreSQL: the state of one moment, in memory of bounded size. */
import type { SnapshotChange } from '../../platforms/archive/change.ts';
import { openExistingTables } from '../../platforms/postgres/open-tables.ts';
import { contentOf, type ContentFilter } from '../../archive/upkeep/contents.ts';
import type { Database, RunAny } from '../../storage/postgres/database.ts';
import { exportOf, isPartial, type Export } from './export.ts';
import type { ExportRequest } from './selection.ts';
import { selectContent } from './tables-selection.ts';

/**
 * Prepares an export, which the caller closes. Rejects with an Error for an unknown user, with ServiceError for a query that cannot be
 * parsed, and with StoreError.
 */
export async function openTablesExport(
  database: Pick<Database, 'openSnapshot'>,
  request: ExportRequest,
): Promise<Export> {
  const { run, end } = await database.openSnapshot();
  try {
    const filter = isPartial(request) ? await selectContent(run, request) : undefined;
    const total = filter === undefined ? await estimate(run) : undefined;
    return exportOf({ total, changes: changesOf(run, filter), close: end });
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * As `openTablesExport`, over a separate connection: an export can take long. `url`: a database with tables. Rejects also for
 * tables of another version.
 */
export async function openDatabaseExport(url: string, request: ExportRequest): Promise<Export> {
  const database = await openExistingTables(url);
  try {
    const opened = await openTablesExport(database, request);
    return {
      ...opened,
      async close() {
        await opened.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function* changesOf(run: RunAny, filter: ContentFilter | undefined): AsyncGenerator<SnapshotChange, void> {
  for await (const page of contentOf(run, filter)) yield* page;
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
