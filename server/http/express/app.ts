/** Builds the HTTP side of the service: load shedding, the fast path, and the Express app with its middleware. */
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
  /** A handler for each operation, or a responder that writes the responses itself. */
  readonly handlers: Handlers | Responder;
  /** Authenticates the API keys of a request. */
  readonly authenticate: Authenticate;
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Returns the origin by which the caller reaches the service. By default it uses Host alone. */
  readonly originOf?: (request: IncomingMessage) => Origin;
  /** The default rate limit of an API key. */
  readonly rateLimit: RateLimit | 'off';
  readonly corsOrigins: CorsOrigins;
  readonly logger: Logger;
  /** Whether the server can accept requests: true, or the reason why not; /readyz reports it. */
  readonly ready: () => true | string;
  /** Warnings for the operator while the server accepts requests; by default none. */
  readonly warnings?: () => readonly string[];
  /** Whether there is an event stream at `/ws`; true by default. */
  readonly events?: boolean;
  /** The cursor of the last event whose change every response reflects. */
  readonly eventCursor: () => string;
  /**
   * `once`: frozen objects are validated only once, and requests with only one interpretation take the fast path.
   * `always`: all requests go through express-openapi-validator. The responses are the same. Default: `once`.
   */
  readonly validate?: 'once' | 'always';
  /**
   * The revision of the data that a response depends on. Responses without a revision are not cached; by default none
   * has one.
   */
  readonly revisionOf?: RevisionOf;
  /** The contract; by default the generated one. */
  readonly document?: OpenApiDocument;
  /** The source of the contract in YAML; by default spec/openapi.yaml. */
  readonly documentText?: string;
  /** Decides whether the server can accept a request; by default with the default limits. */
  readonly load?: Load;
  /** The metrics that count the requests; by default new ones. */
  readonly metrics?: Metrics;
}

export interface App {
  readonly handle: RequestListener;
  /** Where other parts of the server register their metrics. */
  readonly registry: Registry;
}

/**
 * Returns the responder that ends the middleware of each operation. Throws when the contract lacks an operation that
 * has a handler.
 */
function responderFor(handlers: Handlers | Responder, metadata: OperationMetadataMap): Responder {
  if (typeof handlers === 'function') return handlers;
  const unknownId = Object.keys(handlers).find((id) => !Object.hasOwn(metadata, id));
  if (unknownId !== undefined) throw new Error(`the contract has no operation ${unknownId}: run \`npm run generate\``);
  return respondWith(handlers);
}

/** Builds the HTTP side of the service. Rejects when the contract is invalid. */
export async function createApp(parts: AppParts): Promise<App> {
  const {
    handlers,
    authenticate,
    addressOf,
    eventCursor,
    logger,
    load = createLoad(),
    revisionOf = () => undefined,
  } = parts;
  const document = parts.document ?? (await readDocument());
  // The validator comes first, because its errors describe an invalid document best.
  const validate = await createValidator(document);
  const metadata = operationMetadata(document);
  const responder = responderFor(handlers, metadata);
  const { registry, measure, shed, measureLoad } = parts.metrics ?? createMetrics();
  measureLoad(load);
  const log = logTo(logger);
  const summarise = (summary: RequestSummary): void => {
    measure(summary);
    log(summary);
  };
  const consumeRateLimit = createRateLimiter(parts.rateLimit);
  const respondWithError = createErrorResponder(document, metadata);
  const protect = [protectData, ...allowOrigins(parts.corsOrigins, metadata)];

  const app = express().disable('x-powered-by').enable('strict routing').enable('case sensitive routing');
  // No limit on the number of parameters: with Node's limit of 1,000, the checks would not see the rest.
  app.set('query parser', (query: string) => parse(query, '&', '=', { maxKeys: 0 }));
  app.use(identify, canonicalise, extractCredentials, summariseRequests(summarise));
  app.use(...protect, compression());
  const { originOf = createOriginOf('off'), documentText, ready, warnings } = parts;
  app.use(await createPublicRoutes({ document, originOf, documentText, registry, ready, warnings }));
  if (parts.events !== false)
    app
      .route(path)
      .get(upgradeRequired)
      .all(methodNotAllowed(['GET']));
  app.use(requireKey(authenticate, addressOf), limitRate(consumeRateLimit));
  app.use(createRoutes(responder, metadata, validate, eventCursor));
  app.use(pathNotFound(metadata), errorMiddleware(respondWithError));

  const headersFor = createPrecomputedHeaders(protect, parts.corsOrigins);
  const isShed = createShedding({ load, headersFor, count: shed, logger });
  /** Passes a request on unless load shedding rejects it. */
  const withLoadShedding =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      if (isShed(request, response)) return;
      dropOrigin(request);
      listener(request, response);
    };
  if (parts.validate === 'always' || typeof handlers === 'function') return { handle: withLoadShedding(app), registry };
  const fastPath = createFastPath({
    document,
    metadata,
    handlers,
    authenticate,
    addressOf,
    consumeRateLimit,
    headersFor,
    eventCursor,
    revisionOf,
    respondWithError,
    summarise,
  });
  return {
    handle: withLoadShedding((request, response) => void (fastPath(request, response) || app(request, response))),
    registry,
  };
}
