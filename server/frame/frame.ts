/** The frame of a service: what every contract has in front of its handlers. */
import type { Logger } from 'pino';
import { startControl } from '../admin/control-server.ts';
import { secretRoutes } from '../admin/secret-commands.ts';
import type { FrameConfig } from '../config/frame-config.ts';
import { readDocument } from '../contract/openapi.ts';
import type { Handlers } from '../contract/operations.ts';
import { createApp, type AppParts } from '../http/express/app.ts';
import { createAddressOf, createOriginOf } from '../http/server/client-address.ts';
import { listen } from '../http/server/listen.ts';
import { takesKeys, type Site } from '../http/site.ts';
import { createAuthenticator } from '../keys/authenticator.ts';
import { keyCommands } from '../keys/key-commands.ts';
import { createFirstKey, DocumentKeys, recordKeyUses } from '../keys/keys.ts';
import type { VerifyToken } from '../keys/tokens.ts';
import { LocalRateLimiter } from '../keys/rate-limiter.ts';
import { readiness } from './readiness.ts';
import { createCursors, type Cursors } from '../contract/cursor.ts';
import type { Keys } from '../ports/keys.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import { openSecrets } from '../storage/document-secrets.ts';
import { openDocuments } from '../storage/lowdb/documents.ts';
import { keepPrivate } from '../storage/private-folder.ts';

/** Time limit for requests in flight when the server stops, in milliseconds. */
export const stopDeadlineMs = 8_000;

/** How long after its start a service prepares what the first requests would wait for, in milliseconds: after the first probe. */
const warmUpDelayMs = 50;

/** Prepares it soon. A request that needs it before, or after it failed, does it itself. */
export function warmUpSoon(warmUp: () => Promise<void>, logger: Logger): void {
  const failed = (error: unknown): void => logger.error(error, 'what the first requests need could not be prepared');
  setTimeout(() => void warmUp().catch(failed), warmUpDelayMs).unref();
}

interface FrameServices {
  readonly keys: Keys;
  /** Verifies signed tokens; without it there are none. */
  readonly tokens?: VerifyToken;
  readonly rateLimiter: RateLimiter;
  readonly logger: Logger;
}

/** The parts of an app that follow from the configuration, the keys and the rate limiter. */
export function frameParts(config: FrameConfig, { keys, tokens, rateLimiter, logger }: FrameServices) {
  const { corsOrigins, failedKeys: failures, trustProxy, validate, otlpEndpoint } = config;
  const authenticate = createAuthenticator({
    ...{ keys, tokens, failures },
    onBlocked: (network) =>
      logger.warn({ network }, 'too many invalid keys from this address: its requests are rejected for a while'),
  });
  return {
    ...{ authenticate, rateLimiter, corsOrigins, logger, failures, validate, otlpEndpoint },
    addressOf: createAddressOf(trustProxy),
    originOf: createOriginOf(trustProxy),
  } satisfies Partial<AppParts>;
}

/** What the handlers of a service without an archive may use. */
export interface FrameTools {
  /** Page cursors. */
  readonly cursors: Cursors;
}

/** What a service has of its own. */
export interface FrameContract {
  readonly createHandlers: (tools: FrameTools) => Handlers | Promise<Handlers>;
  /** The pages and routes beside the contract. */
  readonly site: Site;
}

/** A service that consists of the frame and handlers. */
export interface FrameService {
  /** The URL of the listening socket. */
  readonly url: string;
  /** The first API key, if this start created it: where the contract takes API keys, and none is stored. */
  readonly firstKey: string | undefined;
  /** Finishes the requests in flight, stores pending data, and releases the data directory. */
  stop(): Promise<void>;
}

/** Starts a service of the frame. Throws ConfigError, StoreError, and system errors such as an address in use. */
export async function startFrame(
  config: FrameConfig,
  logger: Logger,
  { createHandlers, site }: FrameContract,
): Promise<FrameService> {
  const store = await openDocuments(config.dataDir);
  const warning = await keepPrivate(config.dataDir);
  if (warning !== undefined) logger.warn(warning);
  const keys = new DocumentKeys(await store.document('keys', { keys: [] }), config.apiKeys);
  const secrets = await openSecrets(store);
  const document = await readDocument();
  const state = { stopping: false };
  const { handle, flush, warmUp } = await createApp({
    handlers: await createHandlers({ cursors: createCursors(await secrets.secret('cursor')) }),
    ...frameParts(config, { keys, rateLimiter: new LocalRateLimiter(config.rateLimit), logger }),
    document,
    site,
    ready: () => readiness(state),
    // Without an event stream no response has a position in one.
    eventCursor: () => '',
  });
  const control = await startControl(config.dataDir, { ...keyCommands(keys), ...secretRoutes(secrets) });
  const keyUses = recordKeyUses(keys, (error) => logger.error(error, 'the last use of the keys could not be stored'));
  const http = await listen(handle, config);
  warmUpSoon(warmUp, logger);
  return {
    url: http.url,
    // The key is shown only once, so it is created after the server has started to listen.
    firstKey: takesKeys(document) ? await createFirstKey(keys, config.apiKeys) : undefined,
    async stop() {
      state.stopping = true;
      await http.stop(stopDeadlineMs);
      await flush();
      await control.close();
      await keyUses.stop();
      await store.close();
    },
  };
}
