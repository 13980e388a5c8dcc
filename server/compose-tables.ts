/**
 * Composes the service on tables of PostgreSQL: no instance holds an archive. What only an archive in memory supports is
 * refused with the reason.
 */
import type { Logger } from 'pino';
import { startControl } from './admin/control-server.ts';
import { secretRoutes } from './admin/secret-commands.ts';
import { archiveReader } from './assistant/archive-reader.ts';
import { openAccounts, openAssistant } from './assistant/open-assistant.ts';
import { subjectOf } from './assistant/subject.ts';
import type { Service } from './compose.ts';
import { ConfigError, type Config } from './config/config.ts';
import type { StartOptions } from './config/start-options.ts';
import { isSampleIncomplete, seedSample } from './demo/seed-sample.ts';
import { createEndpoints, stopDeadlineMs, type EndpointParts } from './endpoints.ts';
import { listen } from './http/server/listen.ts';
import { importRoutes } from './import/control-sink.ts';
import { keyCommands } from './keys/key-commands.ts';
import { createFirstKey, DocumentKeys, recordKeyUses } from './keys/keys.ts';
import { eraseRoutes, previewRoutes } from './maintenance/erase/erase-routes.ts';
import { ErasedTables } from './maintenance/erase/erased-tables.ts';
import { Eraser } from './maintenance/erase/eraser.ts';
import { exportRoutes } from './maintenance/export/export-routes.ts';
import { openDatabaseExport } from './maintenance/export/tables-export.ts';
import { readiness } from './observability/readiness.ts';
import { openResolver } from './onchain/open-resolver.ts';
import { Commits } from './platforms/postgres/commits.ts';
import { openTables } from './platforms/postgres/open-tables.ts';
import { PostgresPlatform } from './platforms/postgres/postgres-platform.ts';
import { SqlArchive } from './platforms/postgres/sql-archive.ts';
import { TablesSink } from './platforms/postgres/tables-sink.ts';
import { TablesVacuum, type VacuumState } from './platforms/postgres/tables-vacuum.ts';
import type { Conversations } from './ports/conversations.ts';
import { headReaches } from './realtime/cursor-wait.ts';
import { eventRecord, openEventLog, type JournalEventLog } from './realtime/journal-event-log.ts';
import { publishPoolStatus } from './realtime/pool-events.ts';
import { openSecrets } from './storage/document-secrets.ts';
import { openStorage, type Storage, type StorageObserver } from './storage/open-storage.ts';
import { measureStore } from './storage/storage-metrics.ts';
import type { Database } from './storage/postgres/database.ts';

/** How long a write waits until its events are in the log of this instance, in milliseconds. */
const publishedMs = 1_000;

/** The tables, and what reads and writes them. */
interface Tables {
  readonly url: string;
  readonly database: Database;
  readonly archive: SqlArchive;
  readonly platform: PostgresPlatform;
  readonly sink: TablesSink;
  readonly commits: Commits;
}

interface Parts extends Omit<EndpointParts, 'ready'> {
  readonly tables: Tables;
  readonly vacuum: TablesVacuum;
  readonly eraser: Eraser;
  readonly live: { connections: () => ReadonlyMap<string, number> };
  readonly keys: DocumentKeys;
  readonly ended: Promise<string>;
}

/** Starts the service. Throws ConfigError, StoreError, and system errors such as an address in use. */
export async function startTables(config: Config, options: StartOptions, logger: Logger): Promise<Service> {
  const { databaseUrl } = config;
  const refused = [
    ...(databaseUrl === undefined ? ['DATABASE_URL is required'] : []),
    ...(options.replay === undefined ? [] : ['--replay is not supported yet']),
    ...(options.follow.length === 0 ? [] : ['--follow is not supported yet']),
  ];
  if (databaseUrl === undefined || refused.length > 0)
    throw new ConfigError(refused.map((reason) => `PLATFORM=postgres: ${reason}`));
  return serve(await openParts(config, databaseUrl, logger));
}

async function openParts(config: Config, databaseUrl: string, logger: Logger): Promise<Parts> {
  const storeMetrics = measureStore();
  const ended = Promise.withResolvers<string>();
  const onDiverged = (reason: string): void => {
    logger.error({ reason }, 'the database has lost events that this instance has read: it starts again');
    void log.renewEpoch().finally(() => ended.resolve(reason));
  };
  const { storage, live } = await joinStorage(config, { metrics: storeMetrics, logger, onDiverged });
  const { store } = storage;
  const keys = new DocumentKeys(await store.document('keys', { keys: [] }), config.apiKeys);
  const log = await openEventLog(store, config.eventRetention);
  log.onNewEpoch(() => ended.resolve('another instance has begun a new event log'));
  const tables = await openPlatform(databaseUrl, storage, log, logger).catch(async (error: unknown) => {
    await storage.leave();
    await store.close();
    throw error;
  });
  if (config.demo) await seedDemo(tables);
  const { archive, platform } = tables;
  const secrets = await openSecrets(store);
  const accounts = await openAccounts(store, config, logger);
  if (accounts.registry.list().every(({ pool }) => pool === undefined))
    logger.warn('the assistant has no accounts: npm run accounts -- add');
  const tokens = openResolver(config);
  const { assistant, conversations } = await openAssistant({
    ...{ store, config, accounts, logger },
    secret: await secrets.secret('conversation'),
    subjectOf: (tweetId, call) => subjectOf(platform, tweetId, call),
    archiveFor: (call) => archiveReader(platform, call),
    resolver: tokens.resolver,
  });
  return {
    ...{
      config,
      logger,
      storage,
      storeMetrics,
      live,
      keys,
      log,
      tables,
      platform,
      secrets,
      accounts,
      tokens,
      assistant,
    },
    ...(await openErasure(config, storage, { tables, conversations, logger })),
    ended: ended.promise,
    stream: platform,
    published: () => published(log, archive),
    measure: () => {},
  };
}

async function joinStorage(
  config: Config,
  observer: StorageObserver,
): Promise<Pick<Parts, 'live'> & { readonly storage: Storage }> {
  const storage = await openStorage(config, observer);
  const live: Parts['live'] = { connections: () => new Map() };
  await storage.join(() => live.connections());
  return { storage, live };
}

async function openPlatform(url: string, { store }: Storage, log: JournalEventLog, logger: Logger): Promise<Tables> {
  const database = await openTables(url);
  const commits = await Commits.open(store, log);
  const committed = (commit: number): Promise<void> => commits.reached(commit);
  const archive = new SqlArchive(database, { eventRecord, now: store.now, committed });
  const sink = new TablesSink(database.run, archive, ({ change: { kind }, reason }) =>
    logger.error({ kind, reason }, 'a record cannot be applied: nothing of it is stored'),
  );
  return { url, database, archive, sink, commits, platform: new PostgresPlatform(database, archive, commits) };
}

/** What removes tweets and their texts. */
async function openErasure(
  { purgeWithinMs }: Config,
  { store, instances }: Storage,
  { tables, conversations, logger }: Pick<Parts, 'tables' | 'logger'> & { readonly conversations: Conversations },
): Promise<Pick<Parts, 'eraser' | 'vacuum'>> {
  const { database, archive, commits } = tables;
  const vacuum = new TablesVacuum({
    ...{ database, commits, withinMs: purgeWithinMs, now: store.now },
    state: await store.document<VacuumState>('vacuum', { commit: 0, at: 0 }),
    mayRun: () => instances.isLeader,
    onFailed: (error) => logger.error({ err: error }, 'VACUUM of the tables failed; it is tried again'),
  });
  const erased = new ErasedTables({ database, archive, vacuum: () => vacuum.run(), setAside: () => 0 });
  return { vacuum, eraser: new Eraser({ archive: erased, conversations, purgeWithinMs }) };
}

/** Fills empty tables with the bundled sample, and continues a sample that was interrupted. */
async function seedDemo({ database, sink }: Tables): Promise<void> {
  const tweets = await database.run({ text: 'SELECT FROM social_data.tweet LIMIT 1' });
  if (tweets.length > 0 && !(await isSampleIncomplete(sink))) return;
  await seedSample(sink);
  console.log('the tables were empty: filled them with the bundled sample (DEMO=0 leaves them empty)');
}

/** Resolves when this instance has read the events that it has written. The log reads them again if that takes too long. */
async function published(log: JournalEventLog, archive: SqlArchive): Promise<void> {
  const { lastEvent } = archive;
  if (log.head < lastEvent) await headReaches(log, lastEvent, publishedMs);
}

/** Listens on the sockets. The parts of the service stop in the reverse order of their start. */
async function serve(parts: Parts): Promise<Service> {
  const { config, logger, storage, live, keys, log, accounts, secrets, tables, vacuum, eraser } = parts;
  const { store, instances } = storage;
  const control = await startControl(
    config.dataDir,
    {
      ...importRoutes(tables.sink),
      ...keyCommands(keys),
      ...accounts.routes,
      ...secretRoutes(secrets),
      ...previewRoutes(eraser),
    },
    { ...eraseRoutes(eraser), ...exportRoutes((request) => openDatabaseExport(tables.url, request)) },
  );
  const keyUses = recordKeyUses(keys, (error) => logger.error(error, 'the last use of the keys could not be stored'));
  const state = { stopping: false };
  const { handle, gateway, upgrade } = await createEndpoints({
    ...parts,
    ready: () => readiness({ ...state, journals: store.journals, database: storage.database }),
  });
  live.connections = () => gateway.openByKey;
  const stopPoolEvents = publishPoolStatus(accounts.pool, log, () => instances.isLeader);
  const http = await listen(handle, { ...config, upgrade });
  // The key is shown only once, so it is created after the server has started to listen.
  const firstKey = instances.isLeader ? await createFirstKey(keys, config.apiKeys) : undefined;
  accounts.healthCheck.start(() => instances.isLeader);
  vacuum.start();
  return {
    url: http.url,
    firstKey,
    operatorKey: undefined,
    keys: { stored: (await keys.list()).length, configured: config.apiKeys.length },
    replay: undefined,
    ended: parts.ended,
    async stop() {
      state.stopping = true;
      vacuum.stop();
      await accounts.healthCheck.stop();
      stopPoolEvents();
      await gateway.stop();
      await http.stop(stopDeadlineMs);
      await control.close();
      await keyUses.stop();
      await tables.database.close();
      await storage.leave();
      await store.close();
    },
  };
}
