/**
 * Composes the service on tables of PostgreSQL: no instance holds an archive. What only an archive in memory supports is
 * refused with the reason.
 */
import type { Logger } from 'pino';
import { startControl } from './admin/control-server.ts';
import { secretRoutes } from './admin/secret-commands.ts';
import { openAnswers, openBase, type Base } from './compose-base.ts';
import type { Service } from './service.ts';
import {
  followEndpoints,
  measureFollow,
  openFollow,
  openHousekeeping,
  openPlatform,
  stopFollow,
  startConfig,
} from './compose-live.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/variables.ts';
import type { StartOptions } from './config/start-options.ts';
import { isSampleIncomplete, seedSample } from './demo/seed-sample.ts';
import { createEndpoints, type EndpointParts, type Registry } from './endpoints.ts';
import { stopDeadlineMs } from './frame.ts';
import { listen } from './http/server/listen.ts';
import { openMedia } from './media/open-media.ts';
import { importRoutes } from './import/control-sink.ts';
import { keyCommands } from './keys/key-commands.ts';
import { createFirstKey, createOperatorKey, recordKeyUses } from './keys/keys.ts';
import { eraseRoutes, previewRoutes } from './maintenance/erase/erase-routes.ts';
import { uploadedFiles } from './maintenance/data-directory.ts';
import { ErasedTables } from './maintenance/erase/erased-tables.ts';
import { Eraser } from './maintenance/erase/eraser.ts';
import { exportRoutes } from './maintenance/export/export-routes.ts';
import { openDatabaseExport } from './maintenance/export/tables-export.ts';
import type { OperateParts } from './operate/action.ts';
import { openOperate } from './operate/open.ts';
import { readiness, readinessWarnings } from './observability/readiness.ts';
import { measureArchive } from './platforms/archive/archive-metrics.ts';
import { Commits } from './archive/writes/commits.ts';
import { isCoverage } from './follow/coverage-positions.ts';
import { followRoutes, followStreams } from './follow/follow-routes.ts';
import type { FollowService } from './follow/follow-service.ts';
import type { OpenSource } from './follow/sources.ts';
import type { Housekeeping } from './maintenance/retention/housekeeping.ts';
import { RetainedTables } from './maintenance/retention/retained-tables.ts';
import { openTables } from './platforms/postgres/open-tables.ts';
import { SqlPlatform } from './archive/sql-platform.ts';
import { SqlSearch } from './platforms/postgres/search/sql-search.ts';
import { erasedIn } from './platforms/postgres/maintenance/erased-snapshots.ts';
import { PostgresArchiveDatabase } from './platforms/postgres/writes/postgres-archive-database.ts';
import { SqlArchive } from './archive/writes/sql-archive.ts';
import { TablesHeldRecords } from './archive/reads/tables-held-records.ts';
import { TablesSetAside } from './archive/writes/tables-set-aside.ts';
import { TablesSink } from './archive/writes/tables-sink.ts';
import { estimatedTweets, TablesStatistics } from './platforms/postgres/maintenance/tables-statistics.ts';
import { TopIndex } from './platforms/postgres/maintenance/top-index.ts';
import { TablesVacuum, type VacuumState } from './platforms/postgres/maintenance/tables-vacuum.ts';
import type { Conversations } from './ports/conversations.ts';
import { headReaches } from './realtime/cursor-wait.ts';
import { eventRecord, type JournalEventLog } from './realtime/journal-event-log.ts';
import { publishPoolStatus } from './realtime/pool-events.ts';
import type { Storage } from './storage/open-storage.ts';
import type { Database } from './storage/postgres/database.ts';

/** How long a write waits until its events are in the log of this instance, in milliseconds. */
const publishedMs = 1_000;

/** The tables, and what reads and writes them. */
interface Tables {
  readonly url: string;
  readonly database: Database;
  readonly archive: SqlArchive;
  readonly search: SqlSearch;
  readonly platform: SqlPlatform;
  readonly sink: TablesSink;
  readonly held: TablesHeldRecords;
  readonly commits: Commits;
  readonly setAside: TablesSetAside;
  readonly statistics: TablesStatistics;
}

interface Parts extends Base, Omit<EndpointParts, 'ready' | keyof Base> {
  readonly tables: Tables;
  readonly vacuum: TablesVacuum;
  readonly topIndex: TopIndex;
  readonly eraser: Eraser;
  readonly follow: FollowService;
  readonly housekeeping: Housekeeping;
}

/** Starts the service. Throws ConfigError, StoreError, and system errors such as an address in use. */
export async function startTables(
  config: Config,
  options: StartOptions,
  logger: Logger,
  open: OpenSource,
): Promise<Service> {
  const { databaseUrl } = config;
  const refused = [
    ...(databaseUrl === undefined ? ['DATABASE_URL is required'] : []),
    ...(options.replay === undefined ? [] : ['--replay is not supported yet']),
  ];
  if (databaseUrl === undefined || refused.length > 0)
    throw new ConfigError(refused.map((reason) => `PLATFORM=postgres: ${reason}`));
  return serve(await openParts(startConfig(config, options.follow), databaseUrl, logger, open));
}

async function openParts(config: Config, databaseUrl: string, logger: Logger, open: OpenSource): Promise<Parts> {
  const base = await openBase(config, logger);
  const { storage, log } = base;
  const { store } = storage;
  const tables = await openArchive(databaseUrl, storage, log, logger).catch(async (error: unknown) => {
    await storage.leave();
    await store.close();
    throw error;
  });
  const { archive, platform: stream, sink, held } = tables;
  const followed = { config, storage, sink, held, logger };
  const follow = await openFollow({ ...followed, open });
  // The sample would be mixed with what is followed.
  if (config.demo && !(follow.isFollowing && (await isEmpty(tables)))) await seedDemo(tables);
  const platform = await openPlatform({ ...followed, archive: stream, follow });
  const { conversations, ...answers } = await openAnswers(base, platform);
  return {
    ...{ ...base, ...answers, tables, platform, follow },
    ...(await openErasure(config, storage, { tables, conversations, logger })),
    topIndex: new TopIndex({
      database: tables.database,
      mayRun: () => storage.instances.isLeader,
      onBuild: (level) => logger.info({ level }, 'the index of the tweets with the highest engagement is being built'),
      onFailed: (error) =>
        logger.error({ err: error }, 'the index of the top tweets could not be built; it is tried again'),
    }),
    housekeeping: openHousekeeping(
      { config, storage, follow, logger, conversations },
      new RetainedTables({
        run: tables.database.run,
        archive,
        search: tables.search,
        estimate: () => estimatedTweets(tables.database.run),
      }),
    ),
    stream,
    // A change ends when its events are in the log.
    published: () => Promise.resolve(),
    measure: (registry) => measure(registry, tables, follow),
    warnings: () => warningsOf(tables, follow),
    ...followEndpoints(follow),
  };
}

async function openArchive(url: string, { store }: Storage, log: JournalEventLog, logger: Logger): Promise<Tables> {
  const database = await openTables(url);
  const commits = await Commits.open(store, log);
  /** This instance then has no cache of before, and its event cursor contains the change. */
  const committed = async (commit: number, lastEvent: number): Promise<void> => {
    await commits.reached(commit);
    if (log.head < lastEvent) await headReaches(log, lastEvent, publishedMs);
  };
  const archive = new SqlArchive(new PostgresArchiveDatabase(database), { eventRecord, now: store.now, committed });
  const setAside = await TablesSetAside.open(store);
  const sink = new TablesSink(database.run, archive, {
    onUnusable(unusable) {
      const { change, reason } = unusable;
      logger.error({ kind: change.kind, reason }, 'a record cannot be applied: it is in the document set-aside');
      setAside.add(unusable).catch((error: unknown) => logger.error({ err: error }, 'the document cannot be written'));
    },
    isShown: isCoverage,
  });
  const { run } = database;
  const search = new SqlSearch(run);
  const platform = new SqlPlatform({ run, archive, search, commits });
  const held = new TablesHeldRecords(run, search);
  const statistics = new TablesStatistics(database.run);
  return { url, database, archive, sink, held, commits, setAside, statistics, search, platform };
}

const warningsOf = ({ setAside }: Tables, follow: FollowService): string[] => [
  ...readinessWarnings({ setAside: { length: setAside.count } }),
  ...follow.warnings(),
];

/** Registers the metrics of the archive and of what is followed. */
function measure(registry: Registry, { setAside, statistics, commits }: Tables, follow: FollowService): void {
  measureArchive(registry, {
    counts: () => statistics.counts(),
    setAside: () => setAside.count,
    revision: () => commits.last,
  });
  measureFollow(follow, registry);
}

/** What removes tweets and their texts. */
async function openErasure(
  { purgeWithinMs, dataDir }: Config,
  { store, instances }: Storage,
  { tables, conversations, logger }: Pick<Parts, 'tables' | 'logger'> & { readonly conversations: Conversations },
): Promise<Pick<Parts, 'eraser' | 'vacuum'>> {
  const { database, archive, commits, setAside } = tables;
  const vacuum = new TablesVacuum({
    ...{ database, commits, withinMs: purgeWithinMs, now: store.now },
    state: await store.document<VacuumState>('vacuum', { commit: 0, at: 0 }),
    mayRun: () => instances.isLeader,
    onFailed: (error) =>
      logger.error({ err: error }, 'removed texts can still be in the tables; VACUUM is tried again'),
  });
  const erased = new ErasedTables({
    ...erasedIn(database),
    archive,
    purge: () => vacuum.run(),
    setAside: () => setAside.count,
  });
  return {
    vacuum,
    eraser: new Eraser({ archive: erased, conversations, purgeWithinMs, uploads: () => uploadedFiles(dataDir) }),
  };
}

const isEmpty = async ({ database }: Tables): Promise<boolean> =>
  (await database.run({ text: 'SELECT FROM social_data.tweet LIMIT 1' })).length === 0;

/** Fills empty tables with the bundled sample, and continues a sample that was interrupted. */
async function seedDemo(tables: Tables): Promise<void> {
  const { sink } = tables;
  if (!(await isEmpty(tables)) && !(await isSampleIncomplete(sink))) return;
  await seedSample(sink);
  console.log('the tables were empty: filled them with the bundled sample (DEMO=0 leaves them empty)');
}

/** The HTTP operations, the WebSocket gateway and the media files. */
async function openEndpoints(parts: Parts, operate: OperateParts) {
  const media = openMedia(parts.config, parts.tables.held, parts.logger);
  const { ready } = operate;
  return { media, ...(await createEndpoints({ ...parts, ready, operate, media: media.routes })) };
}

/** Listens on the sockets. The parts of the service stop in the reverse order of their start. */
async function serve(parts: Parts): Promise<Service> {
  const { config, logger, storage, live, keys, log, accounts, secrets, tables, vacuum, topIndex, eraser } = parts;
  const { follow, housekeeping } = parts;
  const { store, instances } = storage;
  const control = await startControl(
    config.dataDir,
    {
      ...importRoutes(tables.sink),
      ...keyCommands(keys),
      ...accounts.routes,
      ...secretRoutes(secrets),
      ...previewRoutes(eraser),
      ...followRoutes(follow),
    },
    {
      ...eraseRoutes(eraser),
      ...exportRoutes((request) => openDatabaseExport(tables.url, request)),
      ...followStreams(follow),
    },
  );
  const keyUses = recordKeyUses(keys, (error) => logger.error(error, 'the last use of the keys could not be stored'));
  const state = { stopping: false };
  const operate = await openOperator(parts, state);
  const { handle, gateway, upgrade, media } = await openEndpoints(parts, operate);
  live.connections = () => gateway.openByKey;
  const stopPoolEvents = publishPoolStatus(accounts.pool, log, () => instances.isLeader);
  const http = await listen(handle, { ...config, upgrade });
  // The key is shown only once, so it is created after the server has started to listen.
  const firstKey = instances.isLeader ? await createFirstKey(keys, config.apiKeys) : undefined;
  const operatorKey = firstKey === undefined ? undefined : await createOperatorKey(keys);
  accounts.healthCheck.start(() => instances.isLeader);
  vacuum.start();
  topIndex.start();
  housekeeping.start();
  follow.start();
  return {
    url: http.url,
    firstKey,
    operatorKey,
    keys: { stored: (await keys.list()).length, configured: config.apiKeys.length },
    replay: undefined,
    ended: parts.ended,
    async stop() {
      state.stopping = true;
      vacuum.stop();
      topIndex.stop();
      await operate.uploads.stop();
      await stopFollow(follow);
      await Promise.all([housekeeping.stop(), media.stop()]);
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

/** The operator's interface. */
function openOperator(
  { config, logger, storage, keys, tables, follow, accounts, eraser }: Parts,
  state: { readonly stopping: boolean },
): Promise<OperateParts> {
  const { store, database } = storage;
  const { statistics, search, sink } = tables;
  return openOperate(
    {
      ...{ dataDir: config.dataDir, journals: store.journals, pool: accounts.pool },
      ...{ follow, keys, eraser, accounts: accounts.routes, assistantHttp: config.assistantHttp, isInDatabase: true },
      counts: () => statistics.counts(),
      explain: (query, order) => search.explain(query, order, Date.now()),
      ready: () => readiness({ ...state, journals: store.journals, database }),
      warnings: () => warningsOf(tables, follow),
    },
    { store, sink, logger },
  );
}
