/**
 * Composes the service: configuration → adapters of the ports → operations → HTTP, WebSocket. The adapters are chosen
 * here and in the operator commands only; all other modules name ports.
 */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { countsOf, measureArchive } from './platforms/archive/archive-metrics.ts';
import type { DurableArchive } from './platforms/archive/durable-archive.ts';
import { openArchive } from './platforms/archive/open-archive.ts';
import type { Config } from './config/config.ts';
import { openAnswers, openBase, type Answers, type Base } from './compose-base.ts';
import {
  followEndpoints,
  measureFollow,
  openFollow,
  openHousekeeping,
  openPlatform,
  stopFollow,
  startConfig,
} from './compose-live.ts';
import { createEndpoints, type Endpoints, type Registry } from './endpoints.ts';
import { stopDeadlineMs } from './frame.ts';
import { startControl } from './admin/control-server.ts';
import { secretRoutes } from './admin/secret-commands.ts';
import type { OperateParts } from './operate/action.ts';
import { openOperate } from './operate/open.ts';
import { openReplay, type Replay } from './demo/replay.ts';
import type { Service } from './service.ts';
import { listen } from './http/server/listen.ts';
import { openMedia } from './media/open-media.ts';
import { importRoutes } from './import/control-sink.ts';
import { eraseRoutes, previewRoutes } from './maintenance/erase/erase-routes.ts';
import { ErasedDurableArchive } from './maintenance/erase/erased-archive.ts';
import { Eraser } from './maintenance/erase/eraser.ts';
import { damagedFolders, uploadedFiles } from './maintenance/data-directory.ts';
import type { FollowService } from './follow/follow-service.ts';
import { followRoutes, followStreams } from './follow/follow-routes.ts';
import { openSource, type OpenSource } from './follow/sources.ts';
import { openExport } from './maintenance/export/selection.ts';
import { exportRoutes } from './maintenance/export/export-routes.ts';
import type { Housekeeping } from './maintenance/retention/housekeeping.ts';
import { RetainedDurableArchive } from './maintenance/retention/retained-archive.ts';
import { isSampleIncomplete, readSample, seedSample } from './demo/seed-sample.ts';
import { recordKeyUses, createFirstKey, createOperatorKey } from './keys/keys.ts';
import type { Platform } from './ports/platform.ts';
import { keyCommands } from './keys/key-commands.ts';
import { ArchiveHeldRecords } from './platforms/archive/held-records.ts';
import { archivePlatform, type ArchivePlatform } from './platforms/archive/archive-platform.ts';
import { readiness, readinessWarnings } from './observability/readiness.ts';
import type { JournalEventLog } from './realtime/journal-event-log.ts';
import { publishPoolStatus } from './realtime/pool-events.ts';
import type { StartOptions } from './config/start-options.ts';
import type { Storage } from './storage/open-storage.ts';

/** The adapters of the ports and the state of the service. */
interface Parts extends Base, Omit<Answers, 'conversations'> {
  readonly store: Storage['store'];
  readonly durable: DurableArchive;
  /** What answers the operations. */
  readonly platform: Platform;
  /** What the event stream reads: events come only of what the archive has. */
  readonly archive: ArchivePlatform;
  readonly replay: Replay | undefined;
  readonly follow: FollowService;
  readonly eraser: Eraser;
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
  if (config.platform !== 'archive') {
    // A service with an archive in memory does not load the adapter.
    const { startTables } = await import('./compose-tables.ts');
    return startTables(config, options, logger, open);
  }
  return serve(await openParts(startConfig(config, options.follow), options, logger, open));
}

async function openParts(config: Config, options: StartOptions, logger: Logger, open: OpenSource): Promise<Parts> {
  const base = await openBase(config, logger);
  const { storage, log } = base;
  const durable = await openData(storage, log, config, logger);
  const followed = { config, storage, sink: durable, held: new ArchiveHeldRecords(durable.archive), logger };
  const follow = await openFollow({ ...followed, open });
  // The sample would be mixed with what is followed.
  if (config.demo && !(follow.isFollowing && durable.archive.size === 0)) await seedDemo(durable);
  const archive = archivePlatform(durable);
  const platform = await openPlatform({ ...followed, archive, follow });
  const replay =
    options.replay === undefined
      ? undefined
      : await openReplay({ sink: durable, source: archive, sample: await readSample(), perSecond: options.replay });
  const { conversations, ...answers } = await openAnswers(base, platform);
  return {
    ...{ ...base, ...answers, store: storage.store, durable, follow, replay, platform, archive },
    eraser: new Eraser({
      archive: new ErasedDurableArchive(durable, () => damagedFolders(config.dataDir)),
      ...{ conversations, purgeWithinMs: config.purgeWithinMs, uploads: () => uploadedFiles(config.dataDir) },
    }),
    housekeeping: openHousekeeping(
      { config, storage, follow, logger, conversations },
      new RetainedDurableArchive(durable),
    ),
  };
}

async function openData(
  { store, instances }: Storage,
  log: JournalEventLog,
  { purgeWithinMs }: Config,
  logger: Logger,
): Promise<DurableArchive> {
  const durable = await openArchive(
    store,
    log,
    {
      onSetAside: ({ record: _, ...place }) =>
        logger.error(
          place,
          'a record of the archive cannot be applied: it is in set-aside.json; all other records are served',
        ),
      onProgress: ({ records, share }) =>
        logger.info(
          { records, ...(share === undefined ? {} : { percent: Math.floor(100 * share) }) },
          'reading the journal of the archive',
        ),
    },
    {
      withinMs: purgeWithinMs,
      mayRun: () => instances.isLeader,
      onPurged: (result) => logger.info(result, 'removed records that the archive does not need from the disk'),
      onFailed: (error) =>
        logger.error({ err: error }, 'the journal of the archive could not be purged; it tries again'),
    },
    {
      onFailed: (error) => logger.warn({ err: error }, 'the tables could not be saved: the next start takes longer'),
      onIgnored: (reason) =>
        logger.info({ reason }, 'the saved tables were not used: this start has read the whole journal'),
    },
  );
  if (durable.setAside.length > 0)
    logger.warn({ records: durable.setAside.length }, 'records of the archive are set aside: see set-aside.json');
  if (durable.recovered !== undefined)
    logger.warn(durable.recovered, 'removed an incomplete write at the end of a journal');
  return durable;
}

/** Fills an empty archive with the bundled sample, and continues a sample that was interrupted. */
async function seedDemo(durable: DurableArchive): Promise<void> {
  if (durable.archive.size > 0 && !(await isSampleIncomplete(durable))) return;
  await seedSample(durable);
  console.log(
    `the archive was empty: filled it with the bundled sample, ${durable.archive.size} tweets (DEMO=0 leaves it empty)`,
  );
}

/** Listens on the sockets. The parts of the service stop in the reverse order of their start. */
async function serve(parts: Parts): Promise<Service> {
  const { config, logger, storage, live, store, keys, log, durable, follow, replay, accounts, secrets } = parts;
  const { eraser, housekeeping } = parts;
  const control = await startControl(
    config.dataDir,
    {
      ...importRoutes(durable),
      ...keyCommands(keys),
      ...accounts.routes,
      ...secretRoutes(secrets),
      ...previewRoutes(eraser),
      ...followRoutes(follow),
    },
    {
      ...exportRoutes((request) => openExport(durable.archive, request)),
      ...eraseRoutes(eraser),
      ...followStreams(follow),
    },
  );
  const keyUses = recordKeyUses(keys, (error) => logger.error(error, 'the last use of the keys could not be stored'));
  const state = { stopping: false };
  const operate = await openOperator(parts, state);
  const media = openMedia(config, new ArchiveHeldRecords(durable.archive), logger);
  const { handle, gateway, upgrade } = await openEndpoints(parts, operate, media.routes);
  const { instances } = storage;
  live.connections = () => gateway.openByKey;
  const stopPoolEvents = publishPoolStatus(accounts.pool, log, () => instances.isLeader);
  const http = await listen(handle, { ...config, upgrade });
  // The key is shown only once, so it is created after the server has started to listen.
  const firstKey = instances.isLeader ? await createFirstKey(keys, config.apiKeys) : undefined;
  const operatorKey = firstKey === undefined ? undefined : await createOperatorKey(keys);
  accounts.healthCheck.start(() => instances.isLeader);
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
      await durable.close();
      await storage.leave();
      await store.close();
    },
  };
}

/** The operator's interface. */
function openOperator(
  { config, logger, storage, store, keys, durable, follow, accounts, eraser }: Parts,
  state: { readonly stopping: boolean },
): Promise<OperateParts> {
  return openOperate(
    {
      ...{ dataDir: config.dataDir, journals: store.journals, pool: accounts.pool },
      ...{ follow, keys, eraser, accounts: accounts.routes, assistantHttp: config.assistantHttp },
      counts: async () => countsOf(durable.archive),
      isInDatabase: config.databaseUrl !== undefined,
      ready: () => readiness({ ...state, journals: store.journals, archive: durable, database: storage.database }),
      warnings: () => [...readinessWarnings(durable), ...follow.warnings()],
    },
    { store, sink: durable, logger },
  );
}

/** The HTTP operations and the WebSocket gateway. */
function openEndpoints(parts: Parts, operate: OperateParts, media: RequestHandler): Promise<Endpoints> {
  const { archive, durable, follow } = parts;
  return createEndpoints({
    ...parts,
    stream: archive,
    published: () => durable.published(),
    ...{ ready: operate.ready, warnings: operate.warnings, operate, media },
    ...followEndpoints(follow),
    measure: (registry) => measure(parts, registry),
  });
}

/** Registers the metrics of the archive and of what is followed. */
function measure({ durable, follow }: Parts, registry: Registry): void {
  const { archive } = durable;
  measureArchive(registry, {
    counts: async () => countsOf(archive),
    setAside: () => durable.setAside.length,
    revision: () => archive.revision,
  });
  measureFollow(follow, registry);
}
