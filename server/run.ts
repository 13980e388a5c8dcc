/** Composes the service: configuration → store → archive → platform, assistant → operations → HTTP, WebSocket. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { measureArchive } from './platforms/archive/archive-metrics.ts';
import { openArchive } from './platforms/archive/durable-archive.ts';
import { measurePool } from './assistant/pool-metrics.ts';
import { openAccounts, openAssistant } from './assistant/open-assistant.ts';
import { subjectOf } from './assistant/subject.ts';
import { measureBuild } from './observability/build-info.ts';
import { ConfigError, readConfig, type Config } from './config/config.ts';
import { startControl } from './admin/control-server.ts';
import { openReplay } from './demo/replay.ts';
import { createAddressOf, createOriginOf } from './http/server/client-address.ts';
import { createApp } from './http/express/app.ts';
import { listen, tryAddress } from './http/server/listen.ts';
import { createLoad } from './http/server/load-monitor.ts';
import { readDocument } from './contract/openapi.ts';
import { importRoutes } from './import/control-sink.ts';
import { exportRoutes } from './maintenance/export/export-routes.ts';
import { isSampleHalf, readSample, seedSample } from './demo/seed-sample.ts';
import { createAuthenticator } from './keys/authenticator.ts';
import { recordKeyUses, DocumentKeys, createFirstKey } from './keys/keys.ts';
import { LocalRateLimiter } from './keys/rate-limiter.ts';
import { keyCommands } from './keys/key-commands.ts';
import { openLog } from './observability/logger.ts';
import { createCursors } from './operations/cursor.ts';
import { createHandlers } from './operations/index.ts';
import { createRevisions } from './operations/revisions.ts';
import { archivePlatform } from './platforms/archive/archive-platform.ts';
import { readiness, readinessWarnings } from './observability/readiness.ts';
import { openEventLog } from './realtime/event-log.ts';
import { createGateway } from './realtime/gateway.ts';
import { publishPoolStatus } from './realtime/pool-events.ts';
import { formatCursor } from './realtime/event-cursor.ts';
import { readStartOptions, startUsage, type StartOptions } from './config/start-options.ts';
import { faultText } from './storage/lowdb/file-fault.ts';
import { openLowdbStore } from './storage/lowdb/lowdb-store.ts';
import { measureStore } from './storage/lowdb/storage-metrics.ts';
import { takeStopRequests, type StopReason, type StopRequests } from './process/stop-signals.ts';
import { StoreError, type Store } from './ports/storage.ts';
import { openResolver } from './onchain/open-resolver.ts';

/** Time limit for requests in flight when the server stops, in milliseconds. */
const stopDeadlineMs = 8_000;

/**
 * Ends the process during the start. The first process of a container ignores signals without a handler, so without
 * this handler it could not be stopped while it reads its archive. No acknowledged data is lost, because it is on
 * disk.
 */
const exitDuringStart = (): never => process.exit(0);

/**
 * The secrets that seal page cursors and conversation ids. They are created once and stored, so these stay valid
 * after a restart.
 */
async function openSecrets(store: Store): Promise<{ cursor: Buffer; conversation: Buffer }> {
  const secrets = await store.document('secrets', { cursor: '', conversation: '' });
  const randomSecret = (): string => randomBytes(32).toString('base64');
  if (!secrets.data.cursor || !secrets.data.conversation) {
    await secrets.update((data) => {
      data.cursor ||= randomSecret();
      data.conversation ||= randomSecret();
    });
  }
  return {
    cursor: Buffer.from(secrets.data.cursor, 'base64'),
    conversation: Buffer.from(secrets.data.conversation, 'base64'),
  };
}

async function start(config: Config, options: StartOptions, requests: StopRequests, logger: Logger): Promise<void> {
  const eventsPerSecond = options.replay;
  // Check the address before anything is created or printed: a second start is the most frequent mistake.
  await tryAddress(config);
  const storeMetrics = measureStore();
  const store = await openLowdbStore(config.dataDir, {
    observe: (journal) => ({
      synced: (ms) => storeMetrics.synced(journal, ms),
      failed: ({ message }) =>
        logger.error({ journal, reason: message }, 'changes are refused: a journal cannot be written'),
      recovered: () => logger.warn({ journal }, 'the journal can be written again'),
    }),
  });
  const keys = new DocumentKeys(await store.document('keys', { keys: [] }), config.apiKeys);
  const log = await openEventLog(store, config.eventRetention);
  const durable = await openArchive(
    store,
    log,
    ({ record: _, ...place }) =>
      logger.error(
        place,
        'a record of the archive cannot be applied: it is set aside in set-aside.json, and the rest is served',
      ),
    {
      withinMs: config.purgeWithinMs,
      onPurged: (result) => logger.info(result, 'removed records that the archive does not need from the disk'),
      onFailed: (error) =>
        logger.error({ err: error }, 'the journal of the archive could not be purged; it tries again'),
    },
  );
  if (durable.setAside.length > 0)
    logger.warn(
      { records: durable.setAside.length },
      'the archive holds records that are set aside: set-aside.json lists them',
    );
  if (durable.recovered !== undefined)
    logger.warn(durable.recovered, 'cut off a write that was not finished when the server last ended');
  if (config.demo && (durable.archive.size === 0 || (await isSampleHalf(durable)))) {
    await seedSample(durable);
    console.log(
      `the archive was empty: filled it with the bundled sample, ${durable.archive.size} tweets (DEMO=0 leaves it empty)`,
    );
  }

  const replay =
    eventsPerSecond === undefined
      ? undefined
      : await openReplay({ durable, sample: await readSample(), perSecond: eventsPerSecond });

  const secrets = await openSecrets(store);
  const accounts = await openAccounts(store, config, logger);
  if (accounts.registry.list().every(({ pool }) => pool === undefined))
    logger.warn('the assistant has no accounts: npm run accounts -- add');
  const tokens = openResolver(config);
  const assistant = await openAssistant({
    store,
    config,
    accounts,
    secret: secrets.conversation,
    subjectOf: (tweetId) => subjectOf(durable.archive, tweetId),
    resolver: tokens.resolver,
    logger,
  });

  const control = await startControl(
    config.dataDir,
    { ...importRoutes(durable), ...keyCommands(keys), ...accounts.routes },
    exportRoutes(durable.archive),
  );
  const keyUses = recordKeyUses(keys, (error) => logger.error(error, 'the last use of the keys could not be written'));
  const authenticate = createAuthenticator({
    keys,
    failures: config.failedKeys,
    onBlocked: (network) =>
      logger.warn({ network }, 'too many wrong keys came from this address: it is refused for a while'),
  });
  const addressOf = createAddressOf(config.trustProxy);
  const originOf = createOriginOf(config.trustProxy);
  const platform = archivePlatform(durable);
  const load = createLoad();
  const document = await readDocument();
  let stopping = false;
  const app = await createApp({
    handlers: createHandlers({
      platform,
      cursors: createCursors(secrets.cursor),
      assistant,
      resolver: tokens.resolver,
    }),
    revisionOf: createRevisions(platform),
    validate: config.validate,
    authenticate,
    addressOf,
    originOf,
    rateLimiter: new LocalRateLimiter(config.rateLimit),
    corsOrigins: config.corsOrigins,
    logger,
    document,
    load,
    ready: () => readiness({ stopping, journals: store.journals, archive: durable }),
    warnings: () => readinessWarnings(durable),
    eventCursor: () => formatCursor(log.epoch, log.head),
  });
  measureBuild(app.registry, document.info.version);
  storeMetrics.measure(app.registry, config.dataDir, store.journals);
  measureArchive(app.registry, durable.archive, () => durable.setAside.length);
  measurePool(app.registry, accounts.pool);
  tokens.measure(app.registry);
  const { archive } = durable;
  const { corsOrigins, wsConnections: connections } = config;
  const gateway = createGateway({
    log,
    archive,
    assistant,
    keys,
    authenticate,
    addressOf,
    corsOrigins,
    logger,
    registry: app.registry,
    limits: { connections },
    isOverloaded: () => load.overload() !== undefined,
  });
  const stopPoolEvents = publishPoolStatus(accounts.pool, log);
  const http = await listen(app.handle, { ...config, upgrade: gateway.upgrade });
  // The key is shown only once, so it is created after the server has started to listen.
  const firstKey = await createFirstKey(keys, config.apiKeys);
  if (firstKey !== undefined) console.log(`API key (shown only now, keep it): ${firstKey}`);

  const stop = async (reason: StopReason): Promise<void> => {
    stopping = true;
    logger.info({ reason }, 'stopping');
    await replay?.stop();
    await accounts.healthCheck.stop();
    stopPoolEvents();
    await gateway.stop();
    await http.stop(stopDeadlineMs);
    await control.close();
    await keyUses.stop();
    await store.close();
    process.exit(0);
  };
  requests.handle((reason) => void stop(reason));

  accounts.healthCheck.start();
  console.log(`listening on ${http.url}`);
  console.log(`docs: ${http.url}/docs`);
  console.log(
    `live events: ${http.url}/live${replay === undefined ? ' (npm start -- --replay plays the sample there)' : ''}`,
  );
  if (replay === undefined) return;
  if (replay.left > 0)
    console.log(
      `replay: ${eventsPerSecond} events a second from the bundled sample, each text marked #demo, ${replay.left} to come`,
    );
  void replay.play().then(
    (end) => console.log(`replay: ${replayEndTexts[end]}`),
    (error: unknown) => logger.error(error, 'the replay has failed'),
  );
}

/** Console texts for the end of a replay. */
const replayEndTexts = {
  over: 'the bundled sample has been played to its end into this archive; DATA_DIR set to a new folder plays it anew',
  stopped: 'stopped; it goes on at the next start with --replay',
  foreign: 'stopped, because the archive has taken in data of others: nothing invented is added between them',
} as const;

/**
 * Ends the process after an error: prints one line for an error that the operator can fix, the stack for any other
 * error.
 */
function fail(error: unknown): never {
  const expected =
    error instanceof ConfigError || error instanceof StoreError || (error as NodeJS.ErrnoException).code !== undefined;
  console.error(expected ? faultText(error) : error);
  process.exit(1);
}

try {
  const options = readStartOptions(process.argv.slice(2));
  if (options.help) console.log(startUsage);
  else {
    const config = readConfig(process.env);
    await start(config, options, takeStopRequests(exitDuringStart), openLog(config.logLevel));
  }
} catch (error) {
  fail(error);
}
