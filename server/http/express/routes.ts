/** Creates a route for every operation of the contract, so no route is written by hand. */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { OperationId } from '../../contract/operations.ts';
import type { ContractSecurity } from '../security.ts';
import type { FindSecurity } from './middleware.ts';
import { responseFor } from '../../contract/openapi.ts';
import { bySpecificity, expressPath } from '../../contract/path-template.ts';
import type { OperationInput, PreparedOperation, PreparedOperations } from '../pipeline/operation.ts';
import { Representation } from '../pipeline/representation.ts';
import { pathOf } from '../pipeline/request-target.ts';
import type { ResponseCache } from '../pipeline/response-cache.ts';
import './locals.ts';
import { methodNotAllowed } from './not-found.ts';
import type { Validator } from './openapi-validator.ts';
import type { RequestReaders } from './request-readers.ts';

/** The last handler of an operation where no operation handler answers: it writes a response or throws a ServiceError. */
export type Responder = (id: OperationId) => RequestHandler;

export interface RouteParts {
  readonly operations: PreparedOperations;
  readonly cache: ResponseCache;
  readonly validator: Pick<Validator, 'validate'>;
  /** Reads what the validator does not read right. */
  readonly readers: RequestReaders;
  /** Writes the responses instead of the handlers. */
  readonly responder: Responder | undefined;
  /** Whether express-openapi-validator validates the responses too. */
  readonly validatesResponses: boolean;
}

/** The first step of an operation: the scope, which is checked before anything is read. */
const authorize =
  (operation: PreparedOperation): RequestHandler =>
  (_request, response, next) => {
    operation.authorize(response.locals.exchange);
    next();
  };

/**
 * Defines how `response.json` sends: as a representation. It comes before the validator, which wraps this function to
 * validate the response first.
 */
const defineJson =
  ({ metadata: { conditional } }: PreparedOperation): RequestHandler =>
  (_request, response, next) => {
    response.json = (body: unknown) => {
      const { exchange } = response.vary('Accept-Encoding').locals;
      exchange.send(new Representation(Buffer.from(JSON.stringify(body))), conditional)?.catch(next);
      return response;
    };
    next();
  };

/** Adds the headers of the operation for a responder, which writes the response itself. */
const applyHeaders =
  (operation: PreparedOperation): RequestHandler =>
  (_request, response, next) => {
    operation.begin(response.locals.exchange);
    response.locals.exchange.applyHeaders();
    next();
  };

const none = {};

/** The input of an operation, validated. */
function inputOf(
  { originalUrl: target, params, query, body }: Request,
  { parameters, bodyType }: Response['locals'],
  cache: ResponseCache,
): OperationInput {
  return {
    target,
    path: pathOf(target),
    pathValues: parameters?.path ?? params,
    query: parameters?.query ?? query,
    headers: parameters?.headers ?? none,
    cookies: parameters?.cookies ?? none,
    body,
    contentType: bodyType,
    cached: cache.get(target),
  };
}

/** Answers by the handler. With `validatesResponses` the body goes through the validator, which wraps `response.json`. */
const respond =
  (operation: PreparedOperation, { cache, validatesResponses }: RouteParts): RequestHandler =>
  (request, response: Response) => {
    const write = validatesResponses ? (body: unknown): unknown => response.json(body) : undefined;
    response.vary('Accept-Encoding');
    operation.respond(response.locals.exchange, inputOf(request, response.locals, cache), write);
  };

/** The steps of an operation, in their order. */
function stepsOf(operation: PreparedOperation, parts: RouteParts): RequestHandler[] {
  const { id, metadata } = operation;
  const { validator, responder, validatesResponses, readers } = parts;
  return [
    authorize(operation),
    ...(responder === undefined ? [] : [applyHeaders(operation)]),
    ...(validatesResponses ? [defineJson(operation)] : []),
    ...readers.steps(metadata),
    ...validator.validate(id, metadata),
    responder === undefined ? respond(operation, parts) : responder(id),
  ];
}

/**
 * Creates a router with the paths of all operations, the more specific paths first. `stepsOf` returns the handlers of an
 * operation.
 */
export function createRouter<Of extends Pick<PreparedOperation, 'metadata'>>(
  operations: Iterable<Of>,
  stepsOf: (operation: Of) => RequestHandler[],
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(operations, ({ metadata }) => metadata.entry.path);
  for (const [path, ofPath] of [...byPath].sort(([one], [other]) => bySpecificity(one, other))) {
    const route = router.route(expressPath(path));
    for (const operation of ofPath) route[operation.metadata.entry.method](stepsOf(operation));
    const methods = ofPath.map(({ metadata }) => metadata.entry.method.toUpperCase());
    route.all(methodNotAllowed(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))));
  }
  return router;
}

/** What an operation declares for the errors of admission, as text. */
const admissionErrors = ({ metadata }: PreparedOperation): string =>
  JSON.stringify(
    [401, 429].map((status) =>
      Array.from(responseFor(metadata, status)?.content ?? [], ([type, { schema }]) => [type, schema]),
    ),
  );

/**
 * Returns the function that finds what a request needs: that of its operation, and any credential of the contract where it
 * belongs to none. Where all operations need the same and
 * declare the same errors, it does not look for the operation.
 */
export function createSecurityFinder(operations: PreparedOperations, { any }: ContractSecurity): FindSecurity {
  const isUsual = ({ security: { schemes, isOptional } }: PreparedOperation): boolean =>
    isOptional === any.isOptional && schemes.length === any.schemes.length;
  const hasOneForm = new Set(Array.from(operations.values(), admissionErrors)).size <= 1;
  if ([...operations.values()].every(isUsual) && hasOneForm) return () => any;
  const router = createRouter(operations.values(), ({ id, security }) => [
    (_request, response, next) => {
      response.locals.security = security;
      // The errors of admission have the form that the operation declares.
      if (!hasOneForm) response.locals.exchange.facts.operationId = id;
      next('router');
    },
  ]);
  return (request, response) => {
    // It ends in this turn, also with an error, which the routes report after admission.
    router(request, response, () => {});
    return response.locals.security ?? any;
  };
}

/** Creates the router with every operation of the contract. */
export const createRoutes = (parts: RouteParts): Router =>
  createRouter(parts.operations.values(), (operation) => stepsOf(operation, parts));
