/** The way of a request through the server, from top to bottom. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { parse } from 'node:querystring';
import compression from 'compression';
import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Handlers } from '../contract.ts';
import { createAllowances } from '../keys/allowance.ts';
import type { Entrance } from '../keys/entrance.ts';
import type { RateLimit } from '../keys/rate.ts';
import { path } from '../realtime/path.ts';
import { canonicalise, dropOrigin } from './canonical.ts';
import { concludeRequests, type Over } from './conclusion.ts';
import { createConstantHead } from './constant-head.ts';
import { allowOrigins, type CorsOrigins } from './cors.ts';
import { requireKey, takeCredentials } from './credentials.ts';
import { createFastPath, type RevisionOf } from './fast-path.ts';
import { createLoad, type Load } from './load.ts';
import { identify, logTo } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { operationFacts, readDocument, type Facts, type OpenApiDocument } from './openapi.ts';
import { createPublic } from './public.ts';
import { limitRate } from './rate-limit.ts';
import { createOriginOf, type Origin } from './address.ts';
import { answerErrors, createErrorAnswers } from './reply.ts';
import { answerBy, createRoutes, type Ending } from './routes.ts';
import { protectData } from './security-headers.ts';
import { createShedding } from './shedding.ts';
import { methodNotAllowed, pathNotFound, upgradeRequired } from './unknown.ts';
import { createValidator } from './validation.ts';

export interface AppParts {
  /** What answers the operations: a handler for each, or what writes the answers itself. */
  readonly handlers: Handlers | Ending;
  /** Judges the keys. */
  readonly enter: Entrance;
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
function endingOf(handlers: Handlers | Ending, facts: Facts): Ending {
  if (typeof handlers === 'function') return handlers;
  const stray = Object.keys(handlers).find((id) => !Object.hasOwn(facts, id));
  if (stray !== undefined) throw new Error(`the contract has no operation ${stray}: run \`npm run generate\``);
  return answerBy(handlers);
}

/** Builds the HTTP side of the service. Rejects when the contract is broken. */
export async function createApp(parts: AppParts): Promise<App> {
  const { handlers, enter, addressOf, eventCursor, logger, load = createLoad(), revisionOf = () => undefined } = parts;
  const document = parts.document ?? (await readDocument());
  // First, because it says best what is wrong with a document.
  const validate = await createValidator(document);
  const facts = operationFacts(document);
  const ending = endingOf(handlers, facts);
  const { registry, measure, shed, measureLoad } = parts.metrics ?? createMetrics();
  measureLoad(load);
  const log = logTo(logger);
  const conclude = (over: Over): void => {
    measure(over);
    log(over);
  };
  const draw = createAllowances(parts.rateLimit);
  const answerError = createErrorAnswers(document, facts);
  const protect = [protectData, ...allowOrigins(parts.corsOrigins, facts)];

  const app = express().disable('x-powered-by').enable('strict routing').enable('case sensitive routing');
  // All of it: Node's own limit of 1,000 pairs would leave what comes after them unseen.
  app.set('query parser', (query: string) => parse(query, '&', '=', { maxKeys: 0 }));
  app.use(identify, canonicalise, takeCredentials, concludeRequests(conclude));
  app.use(...protect, compression());
  const { originOf = createOriginOf('off'), documentText, ready, warnings } = parts;
  app.use(await createPublic({ document, originOf, documentText, registry, ready, warnings }));
  if (parts.events !== false) app.route(path).get(upgradeRequired).all(methodNotAllowed(['GET']));
  app.use(requireKey(enter, addressOf), limitRate(draw));
  app.use(createRoutes(ending, facts, validate, eventCursor));
  app.use(pathNotFound(facts), answerErrors(answerError));

  const headFor = createConstantHead(protect, parts.corsOrigins);
  const refused = createShedding({ load, headFor, count: shed, logger });
  /** What is not refused for overload takes this way. */
  const admitTo = (way: RequestListener): RequestListener => (request, response) => {
    if (refused(request, response)) return;
    dropOrigin(request);
    way(request, response);
  };
  if (parts.validate === 'always' || typeof handlers === 'function') return { handle: admitTo(app), registry };
  const take = createFastPath({ document, facts, handlers, enter, addressOf, draw, headFor, eventCursor, revisionOf, answerError, conclude });
  return { handle: admitTo((request, response) => void (take(request, response) || app(request, response))), registry };
}
