/** Opens the storage that the configuration selects: the data directory of this process, or a shared database. */
import { statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { LocalRateLimiter } from '../keys/rate-limiter.ts';
import { soleInstance, type Instances } from '../ports/instances.ts';
import type { RateLimit, RateLimiter } from '../ports/rate-limiter.ts';
import type { Journal, Store, StoreError } from '../ports/storage.ts';
import { upgradeDirectory } from '../upgrade/upgrade-directory.ts';
import { databaseFile, requireNoDatabaseFile } from './database-file.ts';
import type { DatabaseState } from './database-state.ts';
import { openLowdbStore, type LowdbStore } from './lowdb/lowdb-store.ts';
import type { FileHealth } from '../database/sqlite/file-health.ts';
import type { SqliteStore } from '../database/sqlite/sqlite-store.ts';
import type { PostgresStore } from './postgres/postgres-store.ts';
import type { SnapshotWriter, SnapshotWriterOptions, SnapshotWriterParts } from './postgres/snapshot-writer.ts';
import type { StoreMetrics } from './storage-metrics.ts';

/** The log whose reader saves its state. */
const archiveLog = 'archive';

export interface StorageSettings {
  readonly dataDir: string;
  /** The URL of a shared database; undefined: the data directory. */
  readonly databaseUrl: string | undefined;
  readonly platform: 'archive' | 'postgres' | 'sqlite';
  readonly rateLimit: RateLimit | 'off';
  /** When snapshots of the tables are written. */
  readonly snapshots?: SnapshotWriterOptions;
}

/** The adapters of the ports that depend on the storage. */
export interface Storage {
  readonly store: Store & { readonly journals: ReadonlyMap<string, Journal> };
  readonly instances: Instances;
  readonly rateLimiter: RateLimiter;
  /** The state of the connection to a shared database; undefined for the data directory. */
  readonly database: DatabaseState | undefined;
  /** The state of the database file; undefined without one. */
  readonly file?: DatabaseFileState | undefined;
  /** Reports to the other instances from now on. `connections` returns the open connections by key. */
  join(connections: () => ReadonlyMap<string, number>): Promise<void>;
  /** Leaves the other instances. The store stays open. */
  leave(): Promise<void>;
}

/** The state of the database file in the data directory. */
export interface DatabaseFileState {
  /** Why it cannot be written now. */
  readonly failed: StoreError | undefined;
  /** Whether a part of it was found damaged. */
  readonly isDamaged: boolean;
  /** The bytes of the file, and of the write-ahead log beside it. */
  sizes(): { readonly file: number; readonly log: number };
}

export interface StorageObserver {
  readonly metrics: StoreMetrics;
  readonly logger: Logger;
  /** The database does not hold the history that this process has applied. */
  readonly onDiverged: (reason: string) => void;
  /** The thread that writes to the database file has ended: the service must start again. Without it, no thread writes, as in a command. */
  readonly onEnded?: (reason: string) => void;
}

/** Throws StoreError. */
export async function openStorage(settings: StorageSettings, observer: StorageObserver): Promise<Storage> {
  return settings.databaseUrl === undefined
    ? openDirectory(settings, observer)
    : openDatabase(settings, settings.databaseUrl, observer);
}

async function openDirectory(
  { dataDir, platform, rateLimit }: StorageSettings,
  observer: StorageObserver,
): Promise<Storage> {
  await (platform === 'sqlite' ? upgradeDirectory(dataDir, observer) : requireNoDatabaseFile(dataDir));
  const files = await openLowdbStore(dataDir, {
    observe: (journal) => ({
      ...reports(journal, observer.logger),
      synced: (ms) => observer.metrics.synced(journal, ms),
    }),
  });
  const opened = platform === 'sqlite' ? await openFile(dataDir, files, observer) : undefined;
  return {
    store: opened ?? files,
    file: opened && fileState(opened.health, join(dataDir, databaseFile)),
    instances: soleInstance,
    rateLimiter: new LocalRateLimiter(rateLimit),
    database: undefined,
    join: async () => {},
    leave: async () => {},
  };
}

const fileState = (health: FileHealth, path: string): DatabaseFileState => ({
  get failed() {
    return health.failed;
  },
  get isDamaged() {
    return health.isDamaged;
  },
  sizes: () => ({ file: sizeOf(path), log: sizeOf(`${path}-wal`) }),
});

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The journals in a SQLite file. Rejects with StoreError. */
async function openFile(
  dataDir: string,
  files: LowdbStore,
  { logger, metrics, onEnded }: StorageObserver,
): Promise<SqliteStore> {
  const { openSqliteStore } = await import('../database/sqlite/sqlite-store.ts');
  try {
    return await openSqliteStore(dataDir, files, {
      observer: {
        failed: ({ message }) =>
          logger.error({ reason: message }, 'the database file cannot be written: changes are rejected'),
        recovered: () => logger.warn('the database file can be written again'),
        committed: (ms) => metrics.synced('archive', ms),
        checkpointed: (ms) => metrics.checkpointed(ms),
      },
      thread: onEnded && { onEnded },
    });
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** A service without a database does not load the adapter. */
async function openDatabase(
  { dataDir, platform, rateLimit, snapshots: options }: StorageSettings,
  url: string,
  { metrics, logger, onDiverged }: StorageObserver,
): Promise<Storage> {
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  const { PostgresInstances } = await import('./postgres/postgres-instances.ts');
  const { PostgresRateLimiter } = await import('./postgres/postgres-rate-limiter.ts');
  // For the control socket of this instance.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // The copy of the log that an instance on tables had as one of version 1.2.
  if (platform === 'postgres') await rm(join(dataDir, 'copy'), { recursive: true, force: true });
  const { PostgresState } = await import('./postgres/postgres-state.ts');
  const { createLockWait } = await import('./database-metrics.ts');
  const lockWait = createLockWait();
  const store = await openPostgresStore({
    url,
    usesTables: platform === 'postgres',
    onDiverged,
    copies: { folder: join(dataDir, 'copy'), logs: [archiveLog] },
    onCopyFailed: (journal, reason) =>
      logger.warn({ journal, reason }, 'the local copy of a journal cannot be used: the next start reads the database'),
    onFetched: (_, { bytes, stored, about }) =>
      logger.info({ bytes, stored, records: about.records }, 'fetched the snapshot of the tables from the database'),
    observe: (journal) => ({
      ...reports(journal, logger),
      copyDropped: () =>
        logger.warn({ journal }, 'the local copy is not of the history in the database: it is built again'),
      committed: (ms) => metrics.synced(journal, ms),
      locked: (ms) => lockWait.observe({ journal }, ms / 1000),
    }),
  });
  const instances = new PostgresInstances(store);
  const snapshots = platform === 'archive' ? await snapshotWriter(store, instances, logger, options) : undefined;
  return {
    store,
    instances,
    rateLimiter: new PostgresRateLimiter({
      database: store.database,
      defaultLimit: rateLimit,
      others: () => instances.others,
    }),
    database: new PostgresState(store, instances, lockWait),
    async join(connections) {
      await instances.start(() => Object.fromEntries(connections()));
      snapshots?.start();
    },
    async leave() {
      await snapshots?.stop();
      await instances.stop();
    },
  };
}

/** Writes the saved tables of the leader to the database. */
async function snapshotWriter(
  store: PostgresStore,
  instances: Instances,
  logger: Logger,
  options?: SnapshotWriterOptions,
): Promise<SnapshotWriter> {
  const { SnapshotWriter: Writer } = await import('./postgres/snapshot-writer.ts');
  const parts: SnapshotWriterParts = {
    snapshot: store.snapshotOf(archiveLog),
    file: store.saved?.(archiveLog),
    mayRun: () => instances.isLeader,
    onWritten: (seconds) => logger.info({ seconds }, 'wrote a snapshot of the tables to the database'),
    onFailed: (error) =>
      logger.warn({ err: error }, 'the snapshot of the tables could not be written: it is tried again'),
  };
  return new Writer(parts, options);
}

const reports = (journal: string, logger: Logger) => ({
  failed: ({ message }: StoreError) =>
    logger.error({ journal, reason: message }, 'a journal cannot be written: changes are rejected'),
  recovered: () => logger.warn({ journal }, 'the journal can be written again'),
});
