/** Opens PostgreSQL as the engine of an archive. */
import type { Logger } from 'pino';
import type { ArchiveEngine, ServedReads } from '../../archive/archive-engine.ts';
import { SqlArchive } from '../../archive/writes/sql-archive.ts';
import { commitLog } from '../../archive/content/commit-log.ts';
import type { KnownCommits } from '../../archive/reads/dependent-cache.ts';
import { eventRecord } from '../../archive/events/event-record.ts';
import { readDatabaseUrl } from '../../config/database-url.ts';
import type { Storage } from '../storage.ts';
import { Backfill, isFilled, newBackfill, type BackfillState } from './maintenance/backfill.ts';
import { openSeparateSource } from './maintenance/export-source.ts';
import { erasedIn } from './maintenance/erased-snapshots.ts';
import { estimatedTweets, RowCounts } from './maintenance/row-counts.ts';
import { communityRanks } from './maintenance/table-steps.ts';
import { Vacuum, type VacuumState } from './maintenance/vacuum.ts';
import { TopIndex } from './maintenance/top-index.ts';
import { openTables } from './open-tables.ts';
import { ReadServer } from './reads/read-server.ts';
import { StandbyReads } from './reads/standby-reads.ts';
import { SqlSearch } from './search/sql-search.ts';
import { Database } from './store/database.ts';
import type { Position } from './store/log-reader.ts';
import { PostgresStore } from './store/postgres-store.ts';
import { PostgresArchiveDatabase } from './writes/postgres-archive-database.ts';

export interface PostgresEngineParts {
  readonly url: string;
  /** The standbys that answer reads. */
  readonly readUrl?: string | undefined;
  readonly storage: Pick<Storage, 'store' | 'instances' | 'database'>;
  /** Undefined for a command, which does not wait for the background work. */
  readonly commits: Pick<KnownCommits, 'last'> | undefined;
  /** How long removed texts can stay in the tables, in milliseconds. */
  readonly purgeWithinMs: number;
  readonly logger: Logger;
}

/** Rejects with StoreError. */
export async function openPostgresEngine(parts: PostgresEngineParts): Promise<ArchiveEngine> {
  const { url, readUrl, storage, commits, purgeWithinMs, logger } = parts;
  const { store, instances } = storage;
  const onStalled = (): void =>
    logger.warn(
      'a writer without progress held the lock of the archive: its connection was ended, its transaction rolled back',
    );
  const database = await openTables(url, { onStalled, onStep: (step) => logger.info(step) });
  const { run } = database;
  const search = new SqlSearch(run);
  const reads =
    readUrl === undefined || commits === undefined ? undefined : openStandbys(readUrl, { database, storage, commits });
  await reads?.start();
  const locked = (ms: number): void => storage.database?.lockWait.observe({ journal: commitLog }, ms / 1000);
  const statistics = new RowCounts(run);
  const mayRun = (): boolean => instances.isLeader;
  const vacuum = new Vacuum({
    ...{ database, commits: commits ?? { last: 0 }, withinMs: purgeWithinMs, now: store.now, mayRun },
    state: await store.document<VacuumState>('vacuum', { commit: 0, at: 0 }),
    onFailed: (error) =>
      logger.error({ err: error }, 'removed texts can still be in the tables; VACUUM is tried again'),
  });
  const topIndex = new TopIndex({
    ...{ database, mayRun },
    onBuild: (level) => logger.info({ level }, 'the index of the tweets with the highest engagement is being built'),
    onFailed: (error) =>
      logger.warn({ err: error }, 'the index of the tweets with the highest engagement cannot be built'),
  });
  const backfill = await openBackfill(parts, database, mayRun);
  return {
    ...{ run, search, reads: reads ?? onlyPrimary({ run, search }) },
    archive: new SqlArchive(new PostgresArchiveDatabase(database, locked), { eventRecord, now: store.now }),
    explain: (query, order) => search.explain(query, order, Date.now()),
    hasCommunityRanks: (served) => isFilled(served, communityRanks),
    erased: { ...erasedIn(database), purge: () => vacuum.run() },
    counts: () => statistics.counts(),
    estimatedTweets: () => estimatedTweets(run),
    backfill: () => backfill.progress,
    openExportSource: () => openSeparateSource(url),
    start() {
      vacuum.start();
      topIndex.start();
      backfill.start();
    },
    stop() {
      vacuum.stop();
      topIndex.stop();
      backfill.stop();
    },
    async close() {
      await reads?.close();
      await database.close();
    },
  };
}

async function openBackfill(
  { storage, logger }: PostgresEngineParts,
  database: Database,
  mayRun: () => boolean,
): Promise<Backfill> {
  return new Backfill({
    ...{ database, mayRun },
    state: await storage.store.document<BackfillState>('backfill', await newBackfill(database)),
    onProgress: (progress) => logger.info(progress, 'rows of a new version of the tables are filled'),
    onFailed: (error) =>
      logger.warn({ err: error }, 'rows of a new version of the tables cannot be filled; it is tried again'),
  });
}

/** Connects to the standbys of an address. */
function openStandbys(
  url: string,
  {
    database,
    storage,
    commits,
  }: Pick<PostgresEngineParts, 'storage'> & {
    readonly database: Database;
    readonly commits: Pick<KnownCommits, 'last'>;
  },
): StandbyReads {
  const { hosts, target, schema } = readDatabaseUrl(url);
  const { store } = storage;
  const position = (): Position | undefined =>
    store instanceof PostgresStore ? store.journals.get(commitLog)?.position : undefined;
  const standbys = hosts.map(
    (_, host) =>
      new ReadServer({
        database: new Database({ url, host, ...(schema === undefined && { schema: database.schema }), target: 'any' }),
        position,
        mustBeStandby: target === 'standby' || target === 'read-only',
      }),
  );
  const primary = new ReadServer({ database, position: () => undefined });
  const reads = new StandbyReads({ primary, standbys, known: () => commits.last });
  if (storage.database !== undefined) storage.database.standbys = reads;
  return reads;
}

/** Without standbys. Positions of pages that other instances have read from one are understood, too. */
const onlyPrimary = ({ run, search }: Pick<ArchiveEngine, 'run' | 'search'>): ServedReads => ({
  ...{ run, search, shown: undefined },
  within: (read) => read(),
  require: () => {},
});
