/** Builds the HTTP side of the service: load shedding, the pipeline, and the Express app with its middleware. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import compression from 'compression';
import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Registry } from '../../observability/metrics-library.ts';
import type { CorsOrigins } from '../../config/cors-origins.ts';
import { basePaths } from '../../contract/base-path.ts';
import { isChecked } from '../../contract/checked-contract.ts';
import { refuseUnsupported } from '../unsupported-parts.ts';
import {
  operationMetadata,
  readDocument,
  type OperationMetadataMap,
  type OpenApiDocument,
} from '../../contract/openapi.ts';
import type { Handlers } from '../../contract/operations.ts';
import { normaliseDocument } from '../../contract/plain-document.ts';
import type { Authenticate } from '../../keys/authenticator.ts';
import { createMissingPage } from '../docs/pages/missing-page.ts';
import { createProbeRoutes } from '../docs/probe-routes.ts';
import type { SpanExport } from '../../observability/span-export.ts';
import { readTraceContext } from '../../observability/trace-context.ts';
import { Admission } from '../pipeline/admission.ts';
import { createPathNames } from '../pipeline/logged-path.ts';
import { isProbe } from '../pipeline/probes.ts';
import { createErrorResponder, type ErrorResponder } from '../pipeline/error-responder.ts';
import { prepareOperations, type PreparedOperations, type RevisionOf } from '../pipeline/operation.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import { createPrecomputedHeaders, type HeadersForOrigin } from '../pipeline/precomputed-headers.ts';
import { logTo, requestId } from '../pipeline/request-log.ts';
import { Metrics } from '../pipeline/request-metrics.ts';
import {
  initialFacts,
  observeAll,
  whenFinished,
  type BeginTrace,
  type OnFinished,
} from '../pipeline/request-summary.ts';
import { dropBasePath, dropOrigin, pathOf } from '../pipeline/request-target.ts';
import { ResponseCache } from '../pipeline/response-cache.ts';
import { createOriginOf, type Origin } from '../server/client-address.ts';
import { createLoad, type Load, type Overload } from '../server/load-monitor.ts';
import { createShedding, type Shed } from '../server/load-shedding.ts';
import { allowOrigins } from './cors.ts';
import { authenticators as registered } from '../../authenticators.ts';
import type { Site } from '../site.ts';
import { bearerPlace, contractSecurity, type ContractSecurity } from '../security.ts';
import type { Authenticator } from '../../ports/authenticator.ts';
import type { RateLimit, RateLimiter } from '../../ports/rate-limiter.ts';
import { createExtractor } from '../pipeline/credentials.ts';
import { mcpPath } from '../mcp/path.ts';
import { createMcpRoute } from '../mcp/route.ts';
import { admit, errorMiddleware, openExchange } from './middleware.ts';
import { pathNotFound } from './not-found.ts';
import { deferRoutes } from './deferred-routes.ts';
import { DeferredValidator } from './deferred-validator.ts';
import type { Validator } from './openapi-validator.ts';
import { RequestReaders } from './request-readers.ts';
import { createRoutes, createSecurityFinder, type Responder } from './routes.ts';
import { protectData } from './security-headers.ts';

export interface AppParts {
  /** A handler for each operation, or a responder that writes the responses itself. */
  readonly handlers: Handlers | Responder;
  /** Authenticates the API keys of a request. */
  readonly authenticate: Authenticate;
  /** What authenticates the callers of other security schemes; by default the registered authenticators. */
  readonly authenticators?: readonly Authenticator[];
  /** Invalid credentials of other security schemes that one network may send; by default any number. */
  readonly failures?: RateLimit | 'off';
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Returns the origin by which the caller reaches the service. By default it uses Host alone. */
  readonly originOf?: (request: IncomingMessage) => Origin;
  /** The rate limiter of the API keys. */
  readonly rateLimiter: RateLimiter;
  readonly corsOrigins: CorsOrigins;
  readonly logger: Logger;
  /** Whether the server can accept requests: true, or the reason why not; /readyz reports it. */
  readonly ready: () => true | string;
  /** Whether the server accepts changes: true, or the reason why not; /readyz?write reports it. */
  readonly writable?: (() => true | string) | undefined;
  /** Warnings for the operator while the server accepts requests; by default none. */
  readonly warnings?: () => readonly string[];
  /** The pages and routes beside the contract. */
  readonly site: Site;
  /** The cursor of the last event whose change every response reflects. A change ends when its events are in the log. */
  readonly eventCursor: () => string;
  /** Waits for the position that the request header `X-Event-Cursor` names; by default no request waits. */
  readonly cursorReached?: (cursor: string) => Promise<void> | undefined;
  /**
   * `once`: frozen objects are validated only once, and requests with only one interpretation skip Express. `always`:
   * all requests and responses go through express-openapi-validator. The responses are the same. Default: `once`.
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
  /** Where spans are exported to; by default nowhere. */
  readonly otlpEndpoint?: string | undefined;
  /** Decides whether the server can accept a request; by default with the default limits. */
  readonly load?: Load;
  /** The metrics that count the requests; by default new ones. */
  readonly metrics?: Metrics;
}

export interface App {
  readonly handle: RequestListener;
  /** Where other parts of the server register their metrics. */
  readonly registry: Registry;
  /** Exports what is left of the spans. */
  readonly flush: () => Promise<void>;
  /** Prepares what the first requests would wait for. */
  readonly warmUp: () => Promise<void>;
}

/** The parts of the HTTP side that several of its layers use, built once for each app. */
interface HttpServices {
  readonly site: Site;
  readonly document: OpenApiDocument;
  readonly metadata: OperationMetadataMap;
  readonly validator: Pick<Validator, 'validate'>;
  /** Reads what the validator does not read right. */
  readonly readers: RequestReaders;
  readonly admission: Admission;
  readonly security: ContractSecurity;
  readonly cache: ResponseCache;
  readonly operations: PreparedOperations;
  /** Writes the responses instead of the handlers. */
  readonly responder: Responder | undefined;
  /** Whether express-openapi-validator decides about all requests, and validates the responses. */
  readonly validatesAll: boolean;
  readonly respondWithError: ErrorResponder;
  readonly onFinished: OnFinished;
  readonly beginTrace: BeginTrace;
  readonly spans: SpanExport | undefined;
  readonly metrics: Metrics;
  /** The middleware that sets the headers of every response. */
  readonly protect: readonly RequestHandler[];
  /** The headers that this middleware sets. */
  readonly headersFor: HeadersForOrigin;
  readonly isShed: Shed;
}

const pathsOf = (metadata: OperationMetadataMap): string[] => Object.values(metadata).map(({ entry }) => entry.path);

/** Throws when the contract lacks an operation that has a handler. */
function checkHandlers(handlers: Handlers, metadata: OperationMetadataMap): void {
  const unknownId = Object.keys(handlers).find((id) => !Object.hasOwn(metadata, id));
  if (unknownId !== undefined) throw new Error(`the contract has no operation ${unknownId}: run \`npm run generate\``);
}

/** What happens after each request: metrics, the observer of the site, the log. */
const observers = (site: Site, metrics: Metrics, logger: Logger, paths: readonly string[]): OnFinished =>
  observeAll(
    [
      (summary) => metrics.measure(summary),
      ...(site.observe === undefined ? [] : [site.observe]),
      logTo(logger, paths),
      endSpans(paths),
    ],
    (error) => logger.error(error, 'the metrics or the log of a request have failed'),
  );

/** The export of spans, whose module is loaded only where it is wanted. */
async function openSpans(
  { otlpEndpoint = '', logger }: AppParts,
  service: { readonly name: string; readonly version: string },
): Promise<SpanExport | undefined> {
  if (otlpEndpoint === '') return undefined;
  const { openSpanExport } = await import('../../observability/span-export.ts');
  const onFailure = (error: Error): void => logger.warn(error, 'the spans of requests could not be exported');
  return openSpanExport({ endpoint: otlpEndpoint, service, onFailure });
}

/** Begins the trace of a request: that of its caller, and a span of it where spans are exported. */
const traceBeginner =
  (spans: SpanExport | undefined): BeginTrace =>
  (traceparent, tracestate) => {
    const trace = traceparent === undefined ? undefined : readTraceContext(traceparent, tracestate());
    if (spans === undefined) return { trace };
    const span = spans.begin(trace);
    return { trace: span.context, span };
  };

/** Ends the span of each request but of health checks and metrics, with its path as the log names it. */
function endSpans(paths: readonly string[]): OnFinished {
  const nameOf = createPathNames(paths);
  return ({ path, status, completed, facts: { id, method, operationId: operation, span } }) => {
    if (span !== undefined && !isProbe(path))
      span.end({ method, route: nameOf(path), status, id, operation, completed });
  };
}

/** The validator of a contract, which `npm run generate` has checked or which is checked now. Rejects for a contract that cannot be served. */
async function openValidator(
  document: OpenApiDocument,
  authenticators: readonly Authenticator[],
): Promise<Pick<Validator, 'validate'>> {
  if (!isChecked(document)) {
    const { checkContract } = await import('./validation-check.ts');
    return checkContract(document, authenticators);
  }
  refuseUnsupported(document, authenticators);
  return new DeferredValidator(document);
}

/** Builds the services of an app. Rejects when the contract is invalid, or the validation of an operation is not reached. */
async function openServices(parts: AppParts): Promise<HttpServices> {
  const { handlers, logger, corsOrigins, load = createLoad(), metrics = new Metrics(), site } = parts;
  const document = parts.document ?? (await readDocument());
  const { authenticators = registered } = parts;
  const validator = await openValidator(document, authenticators);
  const metadata = operationMetadata(document);
  const responder = typeof handlers === 'function' ? handlers : undefined;
  const ownHandlers = typeof handlers === 'function' ? undefined : handlers;
  if (ownHandlers !== undefined) checkHandlers(ownHandlers, metadata);
  metrics.measureLoad(load);
  const validatesAll = parts.validate === 'always' || responder !== undefined;
  const security = contractSecurity(normaliseDocument(document), authenticators);
  const admission = new Admission(parts);
  const cache = new ResponseCache();
  const respondWithError = createErrorResponder(document, metadata);
  const operations = prepareOperations(document, metadata, ownHandlers, {
    admission,
    security,
    cache,
    eventCursor: parts.eventCursor,
    cursorReached: parts.cursorReached ?? (() => undefined),
    revisionOf: validatesAll ? () => undefined : (parts.revisionOf ?? (() => undefined)),
    respondWithError,
    originOf: parts.originOf ?? createOriginOf('off'),
  });
  const readers = new RequestReaders(document);
  const spans = await openSpans(parts, { name: security.any.realm, version: document.info.version });
  const protect = [protectData, ...allowOrigins(corsOrigins, metadata)];
  const headersFor = createPrecomputedHeaders(protect, corsOrigins);
  const count = (reason: Overload): void => {
    metrics.shed(reason);
    site.onShed?.();
  };
  return {
    ...{
      site,
      document,
      metadata,
      validator,
      readers,
      admission,
      security,
      cache,
      operations,
      responder,
      validatesAll,
      respondWithError,
    },
    onFinished: observers(site, metrics, logger, pathsOf(metadata)),
    ...{ spans, beginTrace: traceBeginner(spans) },
    metrics,
    ...{ protect, headersFor },
    isShed: createShedding({ load, headersFor, count, logger }),
  };
}

/** Every place of a credential: those of the contract, and that of the operator's key. */
const placesWithBearer = ({ places }: ContractSecurity): ContractSecurity['places'] =>
  places.some(({ scheme }) => scheme === 'bearer') ? places : [...places, bearerPlace];

/** Creates the Express app: the public routes, whose pages are made later, and the operations behind admission. */
async function createExpressApp(services: HttpServices, parts: AppParts, handle: RequestListener) {
  const { document, metadata, admission, respondWithError, metrics, protect, validatesAll } = services;
  const app = express().disable('x-powered-by').enable('strict routing').enable('case sensitive routing');
  // No limit on the number of parameters: with Node's limit of 1,000, the checks would not see the rest.
  app.set('query parser', (query: string) => parse(query, '&', '=', { maxKeys: 0 }));
  const extract = createExtractor(placesWithBearer(services.security));
  app.use(openExchange(extract, services), ...protect, compression());
  const { originOf = createOriginOf('off'), documentText, ready, writable, warnings, addressOf } = parts;
  const { site, security } = services;
  const places = await site.placesOf(document);
  const siteServices = {
    ...{ document, places, registry: metrics.registry, admission, security },
    addressOf,
    originOf,
  };
  const agents = site.agents?.(document);
  const pages = deferRoutes(async () => {
    const { createPublicRoutes } = await import('../docs/public-routes.ts');
    return createPublicRoutes({
      ...{ document, originOf, documentText, places, agents },
      pages: (await site.routes?.(siteServices)) ?? [],
      guides: site.guides?.(siteServices) ?? [],
    });
  });
  const facts = (): object => site.facts?.() ?? {};
  app.use(createProbeRoutes({ metrics, ready, writable, warnings, facts }));
  // A contract with this path keeps it.
  if (!pathsOf(metadata).includes(mcpPath))
    app.use(
      createMcpRoute(
        {
          ...{ document, metadata, admission, security, originOf, handle },
          site: agents,
          title: places.title,
        },
        parts.corsOrigins,
      ),
    );
  app.use(pages.handler);
  app.use(...createMissingPage(pathsOf(metadata), places));
  // Authentication and rate limit apply to unknown paths too, so that only callers with a key learn which paths exist.
  app.use(
    admit(admission, createSecurityFinder(services.operations, services.security)),
    createRoutes({ ...services, validatesResponses: validatesAll }),
  );
  app.use(pathNotFound(metadata), errorMiddleware(respondWithError));
  return { app, preparePages: pages.prepare };
}

/** How often, and after how long, the warm-up looks whether there are requests in flight, before it goes on all the same. */
const idleChecks = 50;
const idleMs = 20;

/** Waits for the requests in flight, but not for long ones such as event streams. */
async function idle(load: Pick<Load, 'inFlight'>): Promise<void> {
  let checks = 0;
  do await sleep(idleMs, undefined, { ref: false });
  while (load.inFlight > 0 && ++checks < idleChecks);
}

/** Ends a request whose handling failed before any step that answers errors: with 500, not with the process. */
function failRequest(
  { respondWithError, onFinished }: HttpServices,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  const facts = initialFacts(requestId(undefined), request.method ?? '');
  whenFinished(response, pathOf(request.url ?? ''), facts, onFinished);
  respondWithError(error, { response, headers: [], facts });
}

/**
 * Builds the HTTP side of the service. Rejects when the contract is invalid. Every path is served below the base paths of
 * the contract's servers, and at the root for proxies that remove the base path.
 */
export async function createApp(parts: AppParts): Promise<App> {
  const { load = createLoad() } = parts;
  const services = await openServices({ ...parts, load });
  const bases = basePaths(services.document);
  const pipeline = services.validatesAll ? undefined : new Pipeline(services);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      if (services.isShed(request, response)) return;
      dropOrigin(request);
      dropBasePath(request, bases);
      if (pipeline?.handle(request, response) !== true) app(request, response);
    } catch (error) {
      failRequest(services, request, response, error);
    }
  };
  const { app, preparePages } = await createExpressApp(services, parts, handle);
  return {
    handle,
    registry: services.metrics.registry,
    flush: async () => services.spans?.stop(),
    async warmUp() {
      const { operations, validator, readers, metrics } = services;
      await idle(load);
      await preparePages();
      await idle(load);
      metrics.measureProcess();
      await idle(load);
      [...operations.values()].find(({ readQuery }) => readQuery !== undefined)?.prepare();
      await idle(load);
      if (validator instanceof DeferredValidator) await validator.prepare();
      await idle(load);
      const { checkRejection } = await import('./validation-check.ts');
      await checkRejection(operations, validator, readers);
    },
  };
}
