/** The way of a request through the server, from top to bottom. */
import type { IncomingMessage, RequestListener } from 'node:http';
import compression from 'compression';
import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Handlers } from '../contract.ts';
import type { Entrance } from '../keys/entrance.ts';
import type { RateLimit } from '../keys/rate.ts';
import { canonicalise } from './canonical.ts';
import { allowOrigins, type CorsOrigins } from './cors.ts';
import { requireKey, takeCredentials } from './credentials.ts';
import { identify, logRequests } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { operationFacts, readDocument, type Facts, type OpenApiDocument } from './openapi.ts';
import { createPublic } from './public.ts';
import { limitRate } from './rate-limit.ts';
import { answerErrors } from './reply.ts';
import { answerBy, createRoutes, type Ending } from './routes.ts';
import { protectData } from './security-headers.ts';
import { pathNotFound } from './unknown.ts';
import { createValidator } from './validation.ts';

export interface AppParts {
  /** What answers the operations: a handler for each, or what writes the answers itself. */
  readonly handlers: Handlers | Ending;
  /** Judges the keys. */
  readonly enter: Entrance;
  /** Tells where a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The limit of each key that has none of its own. */
  readonly rateLimit: RateLimit | 'off';
  readonly corsOrigins: CorsOrigins;
  readonly logger: Logger;
  /** Whether the server can take requests now: true, or why not; told by /readyz. */
  readonly ready: () => true | string;
  /** The last place of the event stream whose changes every answer has. */
  readonly eventCursor: () => string;
  /** The contract; the generated one when left out. */
  readonly document?: OpenApiDocument;
  /** The contract as it was written, in YAML; spec/openapi.yaml when left out. */
  readonly documentText?: string;
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
  const document = parts.document ?? (await readDocument());
  // First, because it says best what is wrong with a document.
  const validate = await createValidator(document);
  const facts = operationFacts(document);
  const { registry, measure } = parts.metrics ?? createMetrics();

  const app = express().disable('x-powered-by').enable('strict routing').enable('case sensitive routing');
  app.use(identify, canonicalise, takeCredentials, logRequests(parts.logger), measure);
  app.use(protectData, ...allowOrigins(parts.corsOrigins, facts), compression());
  app.use(await createPublic({ document, documentText: parts.documentText, registry, ready: parts.ready }));
  app.use(requireKey(parts.enter, parts.addressOf), limitRate(parts.rateLimit));
  app.use(createRoutes(endingOf(parts.handlers, facts), facts, validate, parts.eventCursor));
  app.use(pathNotFound(facts), answerErrors(document, facts));
  return { handle: app, registry };
}
