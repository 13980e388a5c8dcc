/**
 * Composes the service: configuration → adapters of the ports → operations → HTTP, WebSocket. The adapters are chosen here, in
 * open-archive.ts and in open-storage.ts only; all other modules name ports.
 */
import { setTimeout as sleep } from 'node:timers/promises';
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
import type { StartOptions } from './config/start-options.ts';
import { isSampleIncomplete, readSample, seedSample } from './demo/seed-sample.ts';
import { openReplay, type Replay } from './demo/replay.ts';
import { createEndpoints, type EndpointParts, type Registry } from './endpoints.ts';
import { stopDeadlineMs } from './frame.ts';
import { listen } from './http/server/listen.ts';
import { openArchive, type OpenArchive } from './open-archive.ts';
import { openMedia } from './media/open-media.ts';
import { importRoutes } from './import/control-sink.ts';
import { keyCommands } from './keys/key-commands.ts';
import { createFirstKey, createOperatorKey, recordKeyUses } from './keys/keys.ts';
import { eraseRoutes, previewRoutes } from './maintenance/erase/erase-routes.ts';
import { damagedFolders, uploadedFiles } from './maintenance/data-directory.ts';
import { ErasedTables } from './maintenance/erase/erased-tables.ts';
import { Eraser } from './maintenance/erase/eraser.ts';
import { openExport } from './maintenance/export/export.ts';
import { exportRoutes } from './maintenance/export/export-routes.ts';
import type { OperateParts } from './operate/action.ts';
import { openOperate } from './operate/open.ts';
import { readiness, readinessWarnings } from './observability/readiness.ts';
import { measureArchive } from './archive/upkeep/archive-metrics.ts';
import { Commits } from './archive/writes/commits.ts';
import type { Written } from './archive/writes/sql-archive.ts';
import { followRoutes, followStreams } from './follow/follow-routes.ts';
import type { FollowService } from './follow/follow-service.ts';
import { openSource, type OpenSource } from './follow/sources.ts';
import type { Housekeeping } from './maintenance/retention/housekeeping.ts';
import { RetainedTables } from './maintenance/retention/retained-tables.ts';
import { TablesRecords } from './archive/reads/tables-records.ts';
import { SqlPlatform } from './archive/sql-platform.ts';
import { sql } from './database/sql.ts';
import { StoreError } from './ports/storage.ts';
import { headReaches } from './realtime/cursor-wait.ts';
import type { JournalEventLog } from './archive/events/journal-event-log.ts';
import { publishPoolStatus } from './realtime/pool-events.ts';
import type { DatabaseFileState } from './storage/database-file.ts';
import type { Storage } from './storage/open-storage.ts';

/** How long a write waits until its events are in the log of this instance, in milliseconds. */
const publishedMs = 1_000;

/** The tables, and what reads and writes them. */
interface Tables extends OpenArchive {
  readonly platform: SqlPlatform;
  readonly commits: Commits;
}

interface Parts extends Base, Omit<EndpointParts, 'ready' | keyof Base> {
  readonly tables: Tables;
  readonly replay: Replay | undefined;
  readonly eraser: Eraser;
  readonly follow: FollowService;
  readonly housekeeping: Housekeeping;
}

/**
 * Starts the service. Throws ConfigError, StoreError, and system errors such as an address in use. `open` creates the live
 * sources.
 */
export async function startService(
  config: Config,
  options: StartOptions,
  logger: Logger,
  open: OpenSource = openSource,
): Promise<Service> {
  return serve(await openParts(startConfig(config, options.follow), options, logger, open));
}

async function openParts(config: Config, options: StartOptions, logger: Logger, open: OpenSource): Promise<Parts> {
  const base = await openBase(config, logger);
  const { storage, log } = base;
  const { store } = storage;
  const tables = await openTables(config, storage, log, logger).catch(async (error: unknown) => {
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
  const replay =
    options.replay === undefined
      ? undefined
      : await openReplay({
          ...{ sink, source: new TablesRecords(tables.engine.run) },
          ...{ sample: await readSample(), perSecond: options.replay },
        });
  const { conversations, ...answers } = await openAnswers(base, platform);
  return {
    ...{ ...base, ...answers, tables, platform, follow, replay },
    eraser: new Eraser({
      archive: new ErasedTables({ ...tables.engine.erased, archive, setAside: () => tables.setAside.count }),
      ...{ conversations, purgeWithinMs: config.purgeWithinMs },
      uploads: () => uploadedFiles(config.dataDir),
      damaged: () => damagedFolders(config.dataDir),
    }),
    housekeeping: openHousekeeping(
      { config, storage, follow, logger, conversations },
      new RetainedTables({
        ...{ run: tables.engine.run, search: tables.engine.search, archive },
        estimate: tables.engine.estimatedTweets,
      }),
    ),
    stream,
    // A change ends when its events are in the log.
    published: () => Promise.resolve(),
    measure: (registry) => measure(registry, tables, follow),
    warnings: () => warningsOf(tables, follow, storage.file),
    ...followEndpoints(follow),
  };
}

async function openTables(config: Config, storage: Storage, log: JournalEventLog, logger: Logger): Promise<Tables> {
  const { store } = storage;
  const commits = await Commits.open(store, log);
  /** This instance then has no cache of before, and its event cursor contains the change. */
  const known = async ({ commit, lastEvent }: Written): Promise<void> => {
    await commits.reached(commit);
    if (log.head < lastEvent) await headReaches(log, lastEvent, publishedMs);
  };
  const opened = await openArchive({
    ...{ config, storage, logger, commits, known },
    onUnusable: ({ change: { kind }, reason }) =>
      logger.error({ kind, reason }, 'a record cannot be applied: it is in the document set-aside'),
  });
  const { archive, engine } = opened;
  const { run, search } = engine;
  return { ...opened, commits, platform: new SqlPlatform({ run, archive, search, commits }) };
}

const warningsOf = ({ setAside }: Tables, follow: FollowService, file: DatabaseFileState | undefined): string[] => [
  ...readinessWarnings({ setAside: { length: setAside.count }, isDamaged: file?.isDamaged }),
  ...follow.warnings(),
];

/** Registers the metrics of the archive and of what is followed. */
function measure(registry: Registry, { setAside, engine, commits }: Tables, follow: FollowService): void {
  measureArchive(registry, {
    counts: () => engine.counts(),
    setAside: () => setAside.count,
    revision: () => commits.last,
  });
  measureFollow(follow, registry);
}

const isEmpty = async ({ engine }: Pick<Tables, 'engine'>): Promise<boolean> =>
  (await engine.run(sql`SELECT 1 FROM social_data.tweet LIMIT 1`)).length === 0;

/** How often tables are filled with the sample until the database permits it, and the time between two attempts, in milliseconds. */
const seedAttempts = 10;
const seedPauseMs = 500;

/** Fills empty tables with the bundled sample, and continues a sample that was interrupted. */
async function seedDemo({ sink, engine }: Tables): Promise<void> {
  for (let attempt = 1; (await isEmpty({ engine })) || (await isSampleIncomplete(sink)); attempt++) {
    try {
      await seedSample(sink);
      return console.log('the tables were empty: filled them with the bundled sample (DEMO=0 leaves them empty)');
    } catch (error) {
      // Another instance that starts at the same moment may hold the lock for longer than a transaction waits.
      if (!(error instanceof StoreError) || attempt === seedAttempts) throw error;
      await sleep(seedPauseMs);
    }
  }
}

/** The HTTP operations, the WebSocket gateway and the media files. */
async function openEndpoints(parts: Parts, operate: OperateParts) {
  const media = openMedia(parts.config, parts.tables.held, parts.logger);
  const { ready } = operate;
  return { media, ...(await createEndpoints({ ...parts, ready, operate, media: media.routes })) };
}

/** Listens on the sockets. The parts of the service stop in the reverse order of their start. */
async function serve(parts: Parts): Promise<Service> {
  const { config, logger, storage, live, keys, log, accounts, secrets, tables, eraser } = parts;
  const { follow, replay, housekeeping } = parts;
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
      ...exportRoutes((request) => openExport(tables.engine, request)),
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
  tables.engine.start();
  housekeeping.start();
  follow.start();
  return {
    url: http.url,
    firstKey,
    operatorKey,
    keys: { stored: (await keys.list()).length, configured: config.apiKeys.length },
    replay,
    ended: parts.ended,
    async stop() {
      state.stopping = true;
      tables.engine.stop();
      await replay?.stop();
      await operate.uploads.stop();
      await stopFollow(follow);
      await Promise.all([housekeeping.stop(), media.stop()]);
      await accounts.healthCheck.stop();
      stopPoolEvents();
      await gateway.stop();
      await http.stop(stopDeadlineMs);
      await control.close();
      await keyUses.stop();
      await tables.engine.close();
      // Where the disk is full, the next start has the number of a minute ago.
      await log.saveHead().catch(() => {});
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
  const { store, database, file } = storage;
  const { engine, sink } = tables;
  return openOperate(
    {
      ...{ dataDir: config.dataDir, journals: store.journals, file, pool: accounts.pool },
      ...{
        follow,
        keys,
        eraser,
        accounts: accounts.routes,
        assistantHttp: config.assistantHttp,
        isInDatabase: config.databaseUrl !== undefined,
      },
      counts: () => engine.counts(),
      ...(engine.explain === undefined ? {} : { explain: engine.explain }),
      ready: () => readiness({ ...state, journals: store.journals, database, file }),
      warnings: () => warningsOf(tables, follow, file),
    },
    { store, sink, logger },
  );
}
