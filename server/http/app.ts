/** The way of a request through the server, from top to bottom. */
import type { RequestListener } from 'node:http';
import compression from 'compression';
import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Handlers } from '../contract.ts';
import { canonicalise } from './canonical.ts';
import { concludeRequests, type Over } from './conclusion.ts';
import { createConstantHead } from './constant-head.ts';
import { allowOrigins, type CorsOrigins } from './cors.ts';
import { requireKey, takeCredentials, type KeyCheck } from './credentials.ts';
import { createFastPath, type RevisionOf } from './fast-path.ts';
import { identify, logTo } from './log.ts';
import { createMetrics } from './metrics.ts';
import { operationFacts, readDocument, type OpenApiDocument } from './openapi.ts';
import { createPublic } from './public.ts';
import { createAllowances, limitRate, type RateLimit } from './rate-limit.ts';
import { answerErrors, createErrorAnswers } from './reply.ts';
import { createRoutes } from './routes.ts';
import { protectData } from './security-headers.ts';
import { pathNotFound } from './unknown.ts';
import { createValidator } from './validation.ts';

export interface AppParts {
  readonly handlers: Handlers;
  readonly keys: KeyCheck;
  readonly rateLimit: RateLimit | 'off';
  readonly corsOrigins: CorsOrigins;
  readonly logger: Logger;
  /** Whether the server can take requests now; told by /readyz. */
  readonly ready: () => boolean;
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
}

export interface App {
  readonly handle: RequestListener;
  /** Where other parts of the server register their metrics. */
  readonly registry: Registry;
}

/** Builds the HTTP side of the service. Rejects when the contract is broken. */
export async function createApp(parts: AppParts): Promise<App> {
  const { handlers, keys, eventCursor, revisionOf = () => undefined } = parts;
  const document = parts.document ?? (await readDocument());
  const facts = operationFacts(document);
  const validate = await createValidator(document);
  const { registry, measure } = createMetrics();
  const log = logTo(parts.logger);
  const conclude = (over: Over): void => {
    measure(over);
    log(over);
  };
  const draw = createAllowances(parts.rateLimit);
  const answerError = createErrorAnswers(document, facts);
  const protect = [protectData, ...allowOrigins(parts.corsOrigins)];

  const app = express().disable('x-powered-by').enable('strict routing').enable('case sensitive routing');
  app.use(identify, canonicalise, takeCredentials, concludeRequests(conclude));
  app.use(...protect, compression());
  app.use(await createPublic({ document, registry, ready: parts.ready }));
  app.use(requireKey(keys), limitRate(draw));
  app.use(createRoutes(handlers, facts, validate, eventCursor));
  app.use(pathNotFound, answerErrors(answerError));
  if (parts.validate === 'always') return { handle: app, registry };

  const headFor = createConstantHead(protect, parts.corsOrigins);
  const take = createFastPath({ document, facts, handlers, keys, draw, headFor, eventCursor, revisionOf, answerError, conclude });
  return { handle: (request, response) => take(request, response) || app(request, response), registry };
}
