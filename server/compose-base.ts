/** Composes what a service has on each engine: storage, keys, event log, and the assistant. */
import type { Logger } from 'pino';
import { keepPrivate } from './storage/private-folder.ts';
import { archiveReader } from './assistant/archive-reader.ts';
import type { HoldingAssistant } from './assistant/assistant.ts';
import { openAccounts, openAssistant, type OpenAccounts } from './assistant/open-assistant.ts';
import { subjectOf } from './assistant/subject.ts';
import type { Config } from './config/config.ts';
import { DocumentKeys } from './keys/keys.ts';
import { openResolver, type OpenResolver } from './onchain/open-resolver.ts';
import type { Conversations } from './ports/conversations.ts';
import type { Platform } from './ports/platform.ts';
import type { Secrets } from './ports/secrets.ts';
import { openEventLog, type JournalEventLog } from './archive/events/journal-event-log.ts';
import { openSecrets } from './storage/document-secrets.ts';
import { openStorage, type Storage } from './storage/open-storage.ts';
import { measureStore, type StoreMetrics } from './storage/storage-metrics.ts';

/** What every service has, whatever its platform is. */
export interface Base {
  readonly config: Config;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly storeMetrics: StoreMetrics;
  /** What the other instances get to know. */
  readonly live: { connections: () => ReadonlyMap<string, number> };
  readonly keys: DocumentKeys;
  readonly log: JournalEventLog;
  /** Resolves with the reason when the service must start again. */
  readonly ended: Promise<string>;
}

/** What answers questions, and the secrets of cursors. */
export interface Answers {
  readonly secrets: Secrets;
  readonly accounts: OpenAccounts;
  readonly tokens: OpenResolver;
  readonly assistant: HoldingAssistant;
  readonly conversations: Conversations;
}

/** Opens the storage and joins the other instances. Throws ConfigError and StoreError. */
export async function openBase(config: Config, logger: Logger): Promise<Base> {
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
  const storage = await openStorage(config, { metrics: storeMetrics, logger, onDiverged, onEnded });
  const live: Base['live'] = { connections: () => new Map() };
  await storage.join(() => live.connections());
  const { store } = storage;
  const keys = new DocumentKeys(await store.document('keys', { keys: [] }), config.apiKeys);
  const log = await openEventLog(store, config.eventRetention);
  // After the files are read: a start that fails says only why.
  const warning = await keepPrivate(config.dataDir);
  if (warning !== undefined) logger.warn(warning);
  log.onNewEpoch(() => ended.resolve('another instance has begun a new event log'));
  return { config, logger, storage, storeMetrics, live, keys, log, ended: ended.promise };
}

/** Opens the assistant on a platform. Throws ConfigError and StoreError. */
export async function openAnswers(
  { config, logger, storage: { store, instances } }: Pick<Base, 'config' | 'logger' | 'storage'>,
  platform: Platform,
): Promise<Answers> {
  const secrets = await openSecrets(store);
  const accounts = await openAccounts(store, config, logger);
  if (accounts.registry.list().every(({ pool }) => pool === undefined))
    logger.warn('the assistant has no accounts: npm run accounts -- add');
  const tokens = openResolver(config);
  const { assistant, conversations } = await openAssistant({
    ...{ store, config, accounts, logger },
    secret: await secrets.secret('conversation'),
    purge: {
      withinMs: config.purgeWithinMs,
      mayRun: () => instances.isLeader,
      onFailed: (error) =>
        logger.error({ err: error }, 'the conversations of the assistant could not be purged; it is tried again'),
    },
    subjectOf: (tweetId, call) => subjectOf(platform, tweetId, call),
    archiveFor: (call) => archiveReader(platform, call),
    resolver: tokens.resolver,
  });
  return { secrets, accounts, tokens, assistant, conversations };
}
