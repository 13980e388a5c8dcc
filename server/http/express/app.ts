/** The way of a request through the server, from top to bottom. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { parse } from 'node:querystring';
import compression from 'compression';
import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Handlers } from '../../contract/operations.ts';
import { createRateLimiter } from '../../keys/rate-limiter.ts';
import type { Authenticate } from '../../keys/authenticator.ts';
import type { RateLimit } from '../../keys/rate.ts';
import { path } from '../../realtime/path.ts';
import { canonicalise, dropOrigin } from './canonical-request.ts';
import { summariseRequests, type RequestSummary } from '../pipeline/request-summary.ts';
import { createPrecomputedHeaders } from '../pipeline/precomputed-headers.ts';
import { allowOrigins, type CorsOrigins } from './cors.ts';
import { requireKey, extractCredentials } from '../pipeline/credentials.ts';
import { createFastPath, type RevisionOf } from '../pipeline/fast-path.ts';
import { createLoad, type Load } from '../server/load-monitor.ts';
import { identify, logTo } from '../pipeline/request-log.ts';
import { createMetrics, type Metrics } from '../pipeline/request-metrics.ts';
import {
  operationMetadata,
  readDocument,
  type OperationMetadataMap,
  type OpenApiDocument,
} from '../../contract/openapi.ts';
import { createPublicRoutes } from '../docs/public-routes.ts';
import { limitRate } from './rate-limit.ts';
import { createOriginOf, type Origin } from '../server/client-address.ts';
import { errorMiddleware, createErrorResponder } from '../pipeline/error-responder.ts';
import { respondWith, createRoutes, type Responder } from './routes.ts';
import { protectData } from './security-headers.ts';
import { createShedding } from '../server/load-shedding.ts';
import { methodNotAllowed, pathNotFound, upgradeRequired } from './not-found.ts';
import { createValidator } from './openapi-validator.ts';

export interface AppParts {
  /** What answers the operations: a handler for each, or what writes the answers itself. */
  readonly handlers: Handlers | Responder;
  /** Judges the keys. */
  readonly authenticate: Authenticate;
  /** Tells where a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Tells where the caller of a request reaches the service; by Host alone when left out. */
  readonly originOf?: (request: IncomingMessage) => Origin;
  /** The limit of each key that has none of its own. */
  readonly rateLimit: RateLimit | 'off';
  readonly corsOrigins: CorsOrigins;
  readonly logger: Logger;
  /** Whether the server can take requests now: true, or why not; told by /readyz. */
  readonly ready: () => true | string;
  /** What the operator should know although the server takes requests; nothing when left out. */
  readonly warnings?: () => readonly string[];
  /** Whether there is an event stream, at `/ws`; true when left out. */
  readonly events?: boolean;
  /** The last place of the event stream whose changes every answer has. */
  readonly eventCursor: () => string;
  /**
   * `once`: what was validated is not validated again, and requests that are plainly right go the short way. `always`: all go the long way,
   * through express-openapi-validator. Both answer the same. `once` when left out.
   */
  readonly validate?: 'once' | 'always';
  /** The number of the state that an answer is a function of; answers that have none are made anew each time, as all are when left out. */
  readonly revisionOf?: RevisionOf;
  /** The contract; the generated one when left out. */
  readonly document?: OpenApiDocument;
  /** The contract as it was written, in YAML; spec/openapi.yaml when left out. */
  readonly documentText?: string;
  /** Tells whether there is room for a request; one with the usual limits when left out. */
  readonly load?: Load;
  /** Where the requests are counted; new ones when left out. */
  readonly metrics?: Metrics;
}

export interface App {
  readonly handle: RequestListener;
  /** Where other parts of the server register their metrics. */
  readonly registry: Registry;
}

/** The end of each operation's way. Throws when the contract lacks an operation that there is a handler for. */
function endingOf(handlers: Handlers | Responder, facts: OperationMetadataMap): Responder {
  if (typeof handlers === 'function') return handlers;
  const stray = Object.keys(handlers).find((id) => !Object.hasOwn(facts, id));
  if (stray !== undefined) throw new Error(`the contract has no operation ${stray}: run \`npm run generate\``);
  return respondWith(handlers);
}

/** Builds the HTTP side of the service. Rejects when the contract is broken. */
export async function createApp(parts: AppParts): Promise<App> {
  const {
    handlers,
    authenticate: enter,
    addressOf,
    eventCursor,
    logger,
    load = createLoad(),
    revisionOf = () => undefined,
  } = parts;
  const document = parts.document ?? (await readDocument());
  // First, because it says best what is wrong with a document.
  const validate = await createValidator(document);
  const facts = operationMetadata(document);
  const ending = endingOf(handlers, facts);
  const { registry, measure, shed, measureLoad } = parts.metrics ?? createMetrics();
  measureLoad(load);
  const log = logTo(logger);
  const conclude = (over: RequestSummary): void => {
    measure(over);
    log(over);
  };
  const draw = createRateLimiter(parts.rateLimit);
  const answerError = createErrorResponder(document, facts);
  const protect = [protectData, ...allowOrigins(parts.corsOrigins, facts)];

  const app = express().disable('x-powered-by').enable('strict routing').enable('case sensitive routing');
  // All of it: Node's own limit of 1,000 pairs would leave what comes after them unseen.
  app.set('query parser', (query: string) => parse(query, '&', '=', { maxKeys: 0 }));
  app.use(identify, canonicalise, extractCredentials, summariseRequests(conclude));
  app.use(...protect, compression());
  const { originOf = createOriginOf('off'), documentText, ready, warnings } = parts;
  app.use(await createPublicRoutes({ document, originOf, documentText, registry, ready, warnings }));
  if (parts.events !== false)
    app
      .route(path)
      .get(upgradeRequired)
      .all(methodNotAllowed(['GET']));
  app.use(requireKey(enter, addressOf), limitRate(draw));
  app.use(createRoutes(ending, facts, validate, eventCursor));
  app.use(pathNotFound(facts), errorMiddleware(answerError));

  const headFor = createPrecomputedHeaders(protect, parts.corsOrigins);
  const refused = createShedding({ load, headersFor: headFor, count: shed, logger });
  /** What is not refused for overload takes this way. */
  const admitTo =
    (way: RequestListener): RequestListener =>
    (request, response) => {
      if (refused(request, response)) return;
      dropOrigin(request);
      way(request, response);
    };
  if (parts.validate === 'always' || typeof handlers === 'function') return { handle: admitTo(app), registry };
  const take = createFastPath({
    document,
    metadata: facts,
    handlers,
    authenticate: enter,
    addressOf,
    consumeRateLimit: draw,
    headersFor: headFor,
    eventCursor,
    revisionOf,
    respondWithError: answerError,
    summarise: conclude,
  });
  return { handle: admitTo((request, response) => void (take(request, response) || app(request, response))), registry };
}
