/** Opens the storage that the configuration selects: the data directory of this process, or a shared database. */
import { statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { openEventLog, type JournalEventLog } from '../archive/events/journal-event-log.ts';
import { LocalRateLimiter } from '../keys/rate-limiter.ts';
import type { Retention } from '../ports/event-log.ts';
import { soleInstance } from '../ports/instances.ts';
import type { RateLimit } from '../ports/rate-limiter.ts';
import type { StoreError } from '../ports/storage.ts';
import type { FileHealth } from './sqlite/file-health.ts';
import { databaseFile, type DatabaseFileState } from '../storage/database-file.ts';
import { waitForDatabase } from './database-wait.ts';
import type { Storage } from './storage.ts';
import { measureStore, type StoreMetrics } from '../storage/storage-metrics.ts';

export interface StorageSettings {
  readonly dataDir: string;
  /** The URL of a shared database; undefined: the data directory. */
  readonly databaseUrl: string | undefined;
  readonly rateLimit: RateLimit | 'off';
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

/** The storage of a service, and what it reports. */
export interface ServiceStorage {
  readonly storage: Storage;
  readonly storeMetrics: StoreMetrics;
  readonly log: JournalEventLog;
  /** What the other instances get to know. */
  readonly live: { connections: () => ReadonlyMap<string, number> };
  /** Resolves with the reason when the service must start again. */
  readonly ended: Promise<string>;
}

/** Opens the storage of a service with its event log, and joins the other instances. Rejects with StoreError. */
export async function openServiceStorage(
  config: StorageSettings & { readonly eventRetention: Retention; readonly databaseWaitMs: number },
  logger: Logger,
): Promise<ServiceStorage> {
  const storeMetrics = measureStore();
  const ended = Promise.withResolvers<string>();
  const onDiverged = (reason: string): void => {
    logger.error({ reason }, 'the database has lost changes that this instance has read: it starts again');
    void log.renewEpoch().finally(() => ended.resolve(reason));
  };
  const onEnded = (reason: string): void => {
    logger.error({ reason }, 'the storage cannot be used any more: the service starts again');
    ended.resolve(reason);
  };
  const live: ServiceStorage['live'] = { connections: () => new Map() };
  const open = async (): Promise<Storage> => {
    const opened = await openStorage(config, { metrics: storeMetrics, logger, onDiverged, onEnded });
    try {
      await opened.join(() => live.connections());
      return opened;
    } catch (error) {
      await opened.store.close();
      throw error;
    }
  };
  const storage = await waitForDatabase(open, { limitMs: config.databaseWaitMs, logger });
  const log = await openEventLog(storage.store, config.eventRetention);
  log.onNewEpoch(() => void takeEpoch(storage, log, () => ended.resolve('another instance has begun a new event log')));
  return { storage, storeMetrics, log, live, ended: ended.promise };
}

/** Takes over a new epoch where the database has all that this instance has read. Otherwise the service must start again. Never rejects. */
async function takeEpoch({ store }: Storage, log: JournalEventLog, restart: () => void): Promise<void> {
  const isKept = await store.isKept?.().catch(() => false);
  if (isKept === true) log.takeEpoch();
  else restart();
}

/** Opens the store for a command while no server of this data directory runs; servers of a shared database may run. Rejects with StoreError. */
export async function openCommandStore(settings: StorageSettings): Promise<Storage['store']> {
  const observer = { metrics: measureStore(), logger: pino({ level: 'silent' }), onDiverged: () => {} };
  return (await openStorage(settings, observer)).store;
}

async function openDirectory({ dataDir, rateLimit }: StorageSettings, observer: StorageObserver): Promise<Storage> {
  const { upgradeDirectory } = await import('./upgrade/upgrade-directory.ts');
  await upgradeDirectory(dataDir, observer);
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  const store = await openSqliteStore(dataDir, {
    observer: {
      failed: ({ message }) =>
        observer.logger.error({ reason: message }, 'the database file cannot be written: changes are rejected'),
      recovered: () => observer.logger.warn('the database file can be written again'),
      committed: (ms) => observer.metrics.synced('archive', ms),
      checkpointed: (ms) => observer.metrics.checkpointed(ms),
    },
    thread: observer.onEnded && { onEnded: observer.onEnded },
  });
  return {
    store,
    file: fileState(store.health, join(dataDir, databaseFile)),
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

/** A service without a database does not load the adapter. */
async function openDatabase(
  { dataDir, rateLimit }: StorageSettings,
  url: string,
  { metrics, logger, onDiverged }: StorageObserver,
): Promise<Storage> {
  const { openPostgresStore } = await import('./postgres/store/postgres-store.ts');
  const { PostgresInstances } = await import('./postgres/store/postgres-instances.ts');
  const { PostgresRateLimiter } = await import('./postgres/store/postgres-rate-limiter.ts');
  // For the control socket of this instance.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // The copy of the log that an instance on tables had as one of version 1.2.
  await rm(join(dataDir, 'copy'), { recursive: true, force: true });
  const { PostgresState } = await import('./postgres/store/postgres-state.ts');
  const { createLockWait } = await import('../storage/database-metrics.ts');
  const lockWait = createLockWait();
  const store = await openPostgresStore({
    url,
    onDiverged,
    observe: (journal) => ({
      ...reports(journal, logger),
      committed: (ms) => metrics.synced(journal, ms),
      locked: (ms) => lockWait.observe({ journal }, ms / 1000),
    }),
  });
  const instances = new PostgresInstances(store);
  return {
    store,
    instances,
    rateLimiter: new PostgresRateLimiter({
      database: store.database,
      defaultLimit: rateLimit,
      others: () => instances.others,
    }),
    database: new PostgresState(store, instances, lockWait),
    join: (connections) => instances.start(() => Object.fromEntries(connections())),
    leave: () => instances.stop(),
  };
}

const reports = (journal: string, logger: Logger) => ({
  failed: ({ message }: StoreError) =>
    logger.error({ journal, reason: message }, 'a journal cannot be written: changes are rejected'),
  recovered: () => logger.warn({ journal }, 'the journal can be written again'),
});
