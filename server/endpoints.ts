/** The HTTP operations and the WebSocket gateway of a service, which share keys, addresses, load and metrics. */
import type { Registry } from './observability/metrics-library.ts';
import type { Logger } from 'pino';
import type { OpenAccounts } from './assistant/open-assistant.ts';
import type { HoldingAssistant } from './assistant/assistant.ts';
import { measureCosts, measurePool, measureTokens } from './assistant/pool-metrics.ts';
import type { Config } from './config/config.ts';
import { basePaths } from './contract/base-path.ts';
import { readDocument } from './contract/openapi.ts';
import { createApp, type App, type AppParts } from './http/express/app.ts';
import { frameParts } from './frame/frame.ts';
import { realmOf } from './http/security.ts';
import { dropBasePath } from './http/pipeline/request-target.ts';
import { createLoad } from './http/server/load-monitor.ts';
import { measureBuild } from './observability/build-info.ts';
import type { OpenResolver } from './onchain/open-resolver.ts';
import { createTokens } from './keys/tokens.ts';
import { createCursors } from './contract/cursor.ts';
import { createOperations } from './operations/index.ts';
import { createRevisions } from './operations/revisions.ts';
import type { Keys } from './ports/keys.ts';
import type { Platform, StreamSource } from './ports/platform.ts';
import type { SavedSearches } from './ports/saved-searches.ts';
import type { Secrets } from './ports/secrets.ts';
import { CursorWait } from './realtime/cursor-wait.ts';
import { Deletions } from './realtime/deletions.ts';
import { cursorAt } from './realtime/event-cursor.ts';
import { Gateway } from './realtime/gateway.ts';
import type { JournalEventLog } from './archive/events/journal-event-log.ts';
import { createSite, type SiteParts } from './site.ts';
import { measureDatabase } from './storage/database-metrics.ts';
import type { Storage } from './engines/storage.ts';
import type { StoreMetrics } from './storage/storage-metrics.ts';

/** What the endpoints need of the service. */
export interface EndpointParts extends Required<Pick<AppParts, 'ready' | 'writable' | 'warnings'>>, SiteParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly storeMetrics: StoreMetrics;
  readonly keys: Keys;
  readonly log: JournalEventLog;
  /** What answers the operations. */
  readonly platform: Platform;
  /** What the event stream reads. */
  readonly stream: StreamSource;
  readonly assistant: HoldingAssistant;
  readonly accounts: OpenAccounts;
  readonly tokens: OpenResolver;
  readonly secrets: Secrets;
  readonly searches: SavedSearches;
  /** Registers the metrics of the platform. */
  readonly measure: (registry: Registry) => void;
}

export interface Endpoints extends Pick<App, 'handle' | 'warmUp'> {
  readonly gateway: Gateway;
  /** Exports what is left of the spans. */
  readonly flush: () => Promise<void>;
  readonly upgrade: (...request: Parameters<Gateway['upgrade']>) => void;
}

/** How long a subscription waits for an event that another instance has sent already, in milliseconds. */
const cursorWaitMs = 5_000;

export async function createEndpoints(parts: EndpointParts): Promise<Endpoints> {
  const { config, logger, keys, log, platform, stream, assistant, tokens, secrets } = parts;
  const { rateLimiter, instances } = parts.storage;
  const { wsConnections: connections } = config;
  const document = await readDocument();
  const keyTokens = createTokens({ secret: await secrets.secret('token'), keys, realm: realmOf(document) });
  const frame = frameParts(config, { keys, tokens: keyTokens, rateLimiter, logger });
  const { authenticate, addressOf, corsOrigins } = frame;
  const load = createLoad();
  const { ready, writable, warnings } = parts;
  const app = await createApp({
    handlers: createOperations({
      platform,
      cursors: createCursors(await secrets.secret('cursor')),
      assistant,
      resolver: tokens.resolver,
      tokens: keyTokens,
      searches: parts.searches,
      // The gateway registers its metrics with the app, so it is opened after it.
      events: { open: (request) => gateway.open(request) },
    }),
    revisionOf: createRevisions(platform),
    ...frame,
    document,
    load,
    ready,
    writable,
    warnings,
    site: createSite(parts),
    ...cursorParts(parts),
  });
  const { handle, registry, flush, warmUp } = app;
  measureService(parts, registry, document.info.version);
  const gateway: Gateway = new Gateway({
    ...{ log, deletions: deletionsFor(assistant) },
    platform: stream,
    assistant,
    keys,
    ...{ authenticate, rateLimiter, addressOf, corsOrigins, logger },
    registry,
    limits: { connections },
    cursorWaitMs: parts.storage.store.shared ? cursorWaitMs : 0,
    connectionsElsewhere: (keyId) => instances.connectionsElsewhere(keyId),
    isOverloaded: () => load.overload() !== undefined,
  });
  const bases = basePaths(document);
  return {
    handle,
    gateway,
    flush,
    warmUp,
    upgrade: (request, socket, head) => {
      dropBasePath(request, bases);
      gateway.upgrade(request, socket, head);
    },
  };
}

/** The deletions of the event log, which the assistant hears of, too. */
function deletionsFor(assistant: HoldingAssistant): Deletions {
  const deletions = new Deletions();
  deletions.add(assistant);
  return deletions;
}

/** The event cursors of requests and responses. */
function cursorParts({ log }: EndpointParts) {
  const wait = new CursorWait(log);
  return {
    eventCursor: () => cursorAt(log, log.head),
    cursorReached: (cursor: string) => wait.reached(cursor),
  };
}

/** Registers the metrics of the parts. */
function measureService(
  { config, storage, storeMetrics, accounts, tokens, measure }: EndpointParts,
  registry: Registry,
  contract: string,
): void {
  const { store, database, file } = storage;
  measureBuild(registry, contract);
  storeMetrics.measure(registry, config.dataDir, { journals: store.journals, file });
  measure(registry);
  measurePool(registry, accounts.pool);
  measureTokens(registry, accounts.provider);
  measureCosts(registry, accounts.costs);
  tokens.measure(registry);
  if (database !== undefined) measureDatabase(registry, database, store.journals);
}
