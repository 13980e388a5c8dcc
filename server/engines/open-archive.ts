/**
 * Opens an archive in tables, for a service or for a command without one: in PostgreSQL where the configuration names a database,
 * otherwise in the SQLite file of the data directory. A process loads only the engine that it uses.
 */
import { pino, type Logger } from 'pino';
import type { ArchiveEngine, BackfillProgress } from '../archive/archive-engine.ts';
import type { JournalEventLog } from '../archive/events/journal-event-log.ts';
import type { KnownCommits } from '../archive/reads/dependent-cache.ts';
import { consistentPlatform } from '../archive/reads/consistent-platform.ts';
import { SqlHeldRecords } from '../archive/reads/sql-held-records.ts';
import { SqlPlatform } from '../archive/sql-platform.ts';
import type { MeasuredArchive } from '../archive/upkeep/archive-metrics.ts';
import { Commits } from '../archive/writes/commits.ts';
import { knownHere, type ArchiveWriter, type UnusableChange, type Written } from '../archive/writes/sql-archive.ts';
import { DeadLetters } from '../archive/writes/dead-letters.ts';
import { SqlSink } from '../archive/writes/sql-sink.ts';
import type { Config } from '../config/config.ts';
import { commitLog } from '../archive/content/commit-log.ts';
import { sql } from '../archive/sql.ts';
import { WriteFaults } from '../archive/upkeep/write-faults.ts';
import { headReaches } from '../ports/event-log.ts';
import { isCoverage } from '../ports/live-sink.ts';
import type { RecordSource } from '../ports/record-source.ts';
import { SqlRecords } from '../archive/reads/sql-records.ts';
import { openStorage } from './open-storage.ts';
import type { Storage } from './storage.ts';
import { measureStore, type StoreMetrics } from '../storage/storage-metrics.ts';

/** The tables, and what reads and writes them. */
export interface OpenArchive {
  readonly engine: ArchiveEngine;
  readonly archive: ArchiveWriter;
  readonly sink: SqlSink;
  readonly held: SqlHeldRecords;
  readonly deadLetters: DeadLetters;
}

type ArchiveConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseReadUrl' | 'purgeWithinMs' | 'rateLimit'>;

interface OpenArchiveParts {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseReadUrl' | 'purgeWithinMs'>;
  readonly storage: Pick<Storage, 'store' | 'instances' | 'database'>;
  readonly logger: Logger;
  /** The commits that this process follows; a command follows none. */
  readonly commits?: KnownCommits;
  /** A call of the archive ends when it resolves for what the call has written. */
  readonly known?: (written: Written) => Promise<void>;
  /** Observes the changes. */
  readonly writeFaults?: WriteFaults;
  /** Called with each record that cannot be applied; it is then in the document `set-aside`. */
  readonly onUnusable: (unusable: UnusableChange) => void;
}

/** Rejects with StoreError. */
export async function openArchive(parts: OpenArchiveParts): Promise<OpenArchive> {
  const { storage, logger, known, onUnusable } = parts;
  const { store } = storage;
  const engine = await openEngine(parts);
  const observed = parts.writeFaults?.observe(engine.archive) ?? engine.archive;
  const archive = known === undefined ? observed : knownHere(observed, known);
  const deadLetters = await DeadLetters.open(store);
  const sink = new SqlSink(engine.run, archive, {
    onUnusable(unusable) {
      onUnusable(unusable);
      deadLetters
        .add(unusable)
        .catch((error: unknown) => logger.error({ err: error }, 'the document cannot be written'));
    },
    isShown: isCoverage,
    batchValues: engine.batchValues,
  });
  return { engine, archive, sink, held: new SqlHeldRecords(engine.run, engine.search), deadLetters };
}

async function openEngine({ config, storage, logger, commits }: OpenArchiveParts): Promise<ArchiveEngine> {
  const { databaseUrl: url, databaseReadUrl: readUrl, dataDir, purgeWithinMs } = config;
  if (url !== undefined) {
    const { openPostgresEngine } = await import('./postgres/open-engine.ts');
    return openPostgresEngine({ url, readUrl, storage, commits, purgeWithinMs, logger });
  }
  const { openSqliteEngine, requireSqliteStore } = await import('./sqlite/open-engine.ts');
  return openSqliteEngine({ folder: dataDir, store: requireSqliteStore(storage.store), purgeWithinMs, logger });
}

/** How long a write waits until its events are in the log of this instance, in milliseconds. */
const publishedMs = 1_000;

/** The archive of a service, whose caches follow the transactions of all instances. */
export interface ServiceArchive extends OpenArchive {
  readonly platform: SqlPlatform;
  /** What its metrics show. */
  readonly measured: MeasuredArchive;
  readonly records: RecordSource;
  /** Whether changes succeed. */
  readonly writeFaults: WriteFaults;
  isEmpty(): Promise<boolean>;
}

type ServiceArchiveParts = Pick<OpenArchiveParts, 'config' | 'logger'> & {
  readonly storage: Storage;
  readonly log: JournalEventLog;
  readonly storeMetrics: Pick<StoreMetrics, 'synced'>;
};

/** Opens the archive of a service. Rejects with StoreError; then the storage is left and its store is closed. */
export async function openServiceArchive({
  config,
  storage,
  log,
  logger,
  storeMetrics,
}: ServiceArchiveParts): Promise<ServiceArchive> {
  const { store } = storage;
  try {
    const commits = await Commits.open(store, log);
    /** This instance then has no cache of before, and its event cursor contains the change. */
    const known = async ({ commit, lastEvent }: Written): Promise<void> => {
      if (log.head < lastEvent) log.wake(lastEvent);
      opened.engine.reads?.require(commit);
      await commits.reached(commit);
      if (log.head < lastEvent) await headReaches(log, lastEvent, publishedMs);
    };
    // The thread of a database file reports its commits itself.
    const writeFaults = new WriteFaults(store.shared ? (ms) => storeMetrics.synced(commitLog, ms) : undefined);
    const opened = await openArchive({
      ...{ config, storage, logger, commits, known, writeFaults },
      onUnusable: ({ change: { kind }, reason }) =>
        logger.error({ kind, reason }, 'a record cannot be applied: it is in the document set-aside'),
    });
    const { engine, deadLetters } = opened;
    const { run } = engine;
    return {
      ...opened,
      platform: openPlatform(opened, commits),
      records: new SqlRecords(run),
      writeFaults,
      measured: {
        writeFaults,
        counts: () => engine.counts(),
        deadLetters: () => deadLetters.count,
        revision: () => commits.last,
        backfilled: () => backfilledShare(engine.backfill?.()),
      },
      isEmpty: async () => (await run(sql`SELECT 1 FROM social_data.tweet LIMIT 1`)).length === 0,
    };
  } catch (error) {
    await storage.leave();
    await store.close();
    throw error;
  }
}

/** The platform on the servers of the archive. */
function openPlatform({ engine, archive }: OpenArchive, commits: KnownCommits): SqlPlatform {
  const { run, search } = engine.reads ?? engine;
  const { hasCommunityRanks } = engine;
  const platform = new SqlPlatform({ run, archive, search, commits, hasCommunityRanks });
  return engine.reads === undefined ? platform : consistentPlatform(platform, engine.reads);
}

const backfilledShare = (progress: BackfillProgress | undefined): number =>
  progress === undefined ? 1 : Math.min(1, progress.rows / Math.max(1, progress.total ?? Number.POSITIVE_INFINITY));

/** An archive of a command, and the store of the same data. */
export interface StoredArchive extends OpenArchive {
  readonly store: Storage['store'];
  /** Resolves when everything is durable and the store is closed. */
  close(): Promise<void>;
}

/**
 * Opens the archive for a command while no server of this data directory runs; servers of a shared database may run. `onUnusable`: called
 * with each record that cannot be applied. Rejects with StoreError.
 */
export async function openStoredArchive(
  config: ArchiveConfig,
  onUnusable: (unusable: UnusableChange) => void = () => {},
): Promise<StoredArchive> {
  const logger = pino({ level: 'silent' });
  const storage = await openStorage(config, { metrics: measureStore(), logger, onDiverged: () => {} });
  const { store } = storage;
  try {
    const opened = await openArchive({ config, storage, logger, onUnusable });
    // A long import needs checkpoints of the SQLite file.
    opened.engine.start();
    return {
      ...{ ...opened, store },
      async close() {
        opened.engine.stop();
        await opened.deadLetters.settled();
        await opened.engine.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
