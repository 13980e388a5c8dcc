/**
 * Composes the service: configuration → storage and archive → followers and assistant → operations → HTTP, WebSocket. Each folder opens its
 * part; `engines` chooses the adapters of storage and archive, and all other modules name ports.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { startControl } from './admin/control-server.ts';
import { secretRoutes } from './admin/secret-commands.ts';
import { openAlerts, type Alerts } from './alerts/open-alerts.ts';
import { measureArchive } from './archive/upkeep/archive-metrics.ts';
import { openServiceAssistant } from './assistant/open-assistant.ts';
import type { Config } from './config/config.ts';
import { startConfig, type StartOptions } from './config/start-options.ts';
import { openDemo } from './demo/open-demo.ts';
import type { Replay } from './demo/replay.ts';
import { createEndpoints, type EndpointParts } from './endpoints.ts';
import { openServiceArchive, type ServiceArchive } from './engines/open-archive.ts';
import { openServiceStorage } from './engines/open-storage.ts';
import { followRoutes, followStreams } from './follow/follow-routes.ts';
import type { FollowService } from './follow/follow-service.ts';
import { openFollowService, openPlatform } from './follow/open-service.ts';
import { openSource, type OpenSource } from './follow/sources.ts';
import { stopDeadlineMs, warmUpSoon } from './frame/frame.ts';
import { listen } from './http/server/listen.ts';
import { importRoutes } from './import/control-sink.ts';
import { keyCommands } from './keys/key-commands.ts';
import { createFirstKey, createOperatorKey, DocumentKeys, recordKeyUses } from './keys/keys.ts';
import { createEraser } from './maintenance/erase/create-eraser.ts';
import { eraseRoutes, previewRoutes } from './maintenance/erase/erase-routes.ts';
import type { Eraser } from './maintenance/erase/eraser.ts';
import { exportRoutes } from './maintenance/export/export-routes.ts';
import { openExport } from './maintenance/export/export.ts';
import { Housekeeping } from './maintenance/retention/housekeeping.ts';
import { SqlRetainedArchive } from './maintenance/retention/sql-retained-archive.ts';
import { openMedia } from './media/open-media.ts';
import { readinessWarnings, standbyWarnings } from './frame/readiness.ts';
import { openResolver } from './onchain/open-resolver.ts';
import { openOperate } from './operate/open.ts';
import { publishPoolStatus } from './realtime/pool-events.ts';
import { openSecrets } from './storage/document-secrets.ts';
import { keepPrivate } from './storage/private-folder.ts';

/** The running service, as the process that starts it sees it. */
export interface Service {
  /** The URL of the listening socket. */
  readonly url: string;
  /** The first API key, if this start created it. It is not stored in a readable form. */
  readonly firstKey: string | undefined;
  /** The operator's key, if this start created it: with the first API key. */
  readonly operatorKey: string | undefined;
  /** The number of stored keys, and of keys in `API_KEYS`. */
  readonly keys: { readonly stored: number; readonly configured: number };
  /** The replay of the bundled sample, if the options request it. It does not play yet. */
  readonly replay: Replay | undefined;
  /** Resolves with the reason when the service must stop and start again. */
  readonly ended: Promise<string>;
  /** Reports that it is not ready, and goes on for `STOP_DELAY`: meanwhile the balancers send their requests elsewhere. */
  drain(): Promise<void>;
  /** Finishes the requests in flight, stores pending data, and releases the data directory. */
  stop(): Promise<void>;
}

type Base = Awaited<ReturnType<typeof openBase>>;

interface Parts extends Base, Omit<EndpointParts, 'ready' | 'writable' | keyof Base> {
  readonly tables: ServiceArchive;
  readonly replay: Replay | undefined;
  readonly eraser: Eraser;
  readonly follow: FollowService;
  readonly housekeeping: Housekeeping;
  readonly alerts: Alerts;
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
  return serve(await openParts(startConfig(config, options), options, logger, open));
}

/** Opens the storage and the keys, and joins the other instances. */
async function openBase(config: Config, logger: Logger) {
  const opened = await openServiceStorage(config, logger);
  const keys = new DocumentKeys(await opened.storage.store.document('keys', { keys: [] }), config.apiKeys);
  // After the files are read: a start that fails says only why.
  const warning = await keepPrivate(config.dataDir);
  if (warning !== undefined) logger.warn(warning);
  return { config, logger, keys, ...opened };
}

async function openParts(config: Config, options: StartOptions, logger: Logger, open: OpenSource): Promise<Parts> {
  const base = await openBase(config, logger);
  const { storage } = base;
  const { store, instances } = storage;
  const tables = await openServiceArchive(base);
  const { archive, engine, sink, held } = tables;
  const followed = { config, storage, sink, held, logger };
  const follow = await openFollowService({ ...followed, open });
  // The sample would be mixed with what is followed.
  const seeds = config.demo && !(follow.isFollowing && (await tables.isEmpty()));
  const replay = await openDemo(tables, { seeds, perSecond: options.replay });
  const platform = await openPlatform({ ...followed, archive: tables.platform, follow });
  const secrets = await openSecrets(store);
  const { keys, log } = base;
  const alerts = await openAlerts({ store, instances, keys, log, networks: config.webhooks, logger });
  const tokens = openResolver(config);
  const { conversations, ...assistant } = await openServiceAssistant({
    ...{ config, store, platform, logger, resolver: tokens.resolver },
    secret: await secrets.secret('conversation'),
    mayPurge: () => instances.isLeader,
  });
  const { retain, retainKeep: keep, dataDir, purgeWithinMs } = config;
  return {
    ...{ ...base, ...assistant, secrets, tokens, tables, platform, stream: tables.platform, follow, replay },
    ...{ alerts, searches: alerts.searches },
    eraser: createEraser(tables, { conversations, dataDir, purgeWithinMs }),
    housekeeping: new Housekeeping({
      ...{ conversations, retain, keep, logger },
      archive: new SqlRetainedArchive({ ...engine, archive, estimate: engine.estimatedTweets }),
      unfollowed: () => follow.unfollowed(),
      mayRun: () => instances.isLeader,
    }),
    measure(registry) {
      measureArchive(registry, tables.measured);
      follow.measure(registry);
      alerts.measure(registry);
    },
    warnings: () => [
      ...readinessWarnings({
        deadLetters: { length: tables.deadLetters.count },
        isDamaged: storage.file?.isDamaged,
        backfill: engine.backfill?.(),
      }),
      ...standbyWarnings(storage.database?.standbys?.states),
      ...follow.warnings(),
    ],
    following: () => follow.following(),
    reading: () => follow.reading,
  };
}

/** Listens on the sockets. The parts of the service stop in the reverse order of their start. */
async function serve(parts: Parts): Promise<Service> {
  const { config, logger, storage, live, keys, log, accounts, tables, follow, replay, housekeeping, alerts } = parts;
  const { store, instances } = storage;
  const control = await startControl(config.dataDir, ...controlRoutes(parts));
  const keyUses = recordKeyUses(keys, (error) => logger.error(error, 'the last use of the keys could not be stored'));
  let isStopping = false;
  const operate = await openOperate(parts, () => isStopping);
  const media = openMedia(config, tables.held, logger);
  const { handle, gateway, upgrade, flush, warmUp } = await createEndpoints({
    ...{ ...parts, operate, media: media.routes, ready: operate.ready, writable: operate.writable },
  });
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
  alerts.start(gateway.stream);
  warmUpSoon(warmUp, logger);
  return {
    ...{ url: http.url, firstKey, operatorKey, replay, ended: parts.ended },
    keys: { stored: (await keys.list()).length, configured: config.apiKeys.length },
    async drain() {
      isStopping = true;
      await sleep(config.stopDelayMs);
    },
    async stop() {
      isStopping = true;
      tables.engine.stop();
      await replay?.stop();
      await operate.uploads.stop();
      // What is not durable after the time limit comes again at the next start.
      await Promise.race([follow.stop(), sleep(stopDeadlineMs, undefined, { ref: false })]);
      await Promise.all([housekeeping.stop(), media.stop()]);
      await accounts.healthCheck.stop();
      stopPoolEvents();
      await alerts.stop();
      await gateway.stop();
      await http.stop(stopDeadlineMs);
      await flush();
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

/** The commands of the operator, each for a call or for a stream. */
const controlRoutes = ({ accounts, eraser, follow, keys, secrets, tables }: Parts) =>
  [
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
  ] as const;
