/** Creates a route for every operation of the contract, so no route is written by hand. */
import { Router, type RequestHandler } from 'express';
import type { Handler, Handlers, OperationId } from '../../contract/operations.ts';
import { readBody } from './body.ts';
import { signalOf } from '../pipeline/request-summary.ts';
import { requireScope } from '../pipeline/credentials.ts';
import './locals.ts';
import type { OperationMetadataMap, OperationMetadata } from '../../contract/openapi.ts';
import { checkParameters } from './query-names.ts';
import { Representation } from '../pipeline/representation.ts';
import { sendResponse } from '../pipeline/send.ts';
import { methodNotAllowed } from './not-found.ts';
import type { createValidator } from './openapi-validator.ts';

/**
 * Creates the first middleware of an operation. It records the operation for the log and the metrics, reads the event
 * cursor before any data, and defines how JSON is sent: the validator, which comes later, wraps this function to
 * validate the response first.
 */
function prepareOperation(
  id: OperationId,
  { conditional, sendsEventCursor }: OperationMetadata,
  eventCursor: () => string,
): RequestHandler {
  return (request, response, next) => {
    response.locals.operationId = id;
    if (sendsEventCursor) response.set('X-Event-Cursor', eventCursor());
    response.set('Cache-Control', conditional ? 'private, no-cache' : 'no-store');
    response.json = (body: unknown) => {
      const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
      response.vary('Accept-Encoding');
      sendResponse(response, [], new Representation(Buffer.from(JSON.stringify(body))), conditional, {
        acceptEncoding,
        ifNoneMatch,
      });
      return response;
    };
    next();
  };
}

/** The last handler of an operation: it writes a response, which the validator checks, or throws a ServiceError. */
export type Responder = (id: OperationId) => RequestHandler;

/** Calls the handler of the operation with the validated input, and sends its result. */
export const respondWith =
  (handlers: Handlers): Responder =>
  (id) => {
    const handler = handlers[id] as Handler<OperationId>;
    return async (request, response) => {
      const query = request.query as Parameters<typeof handler>[0]['query'];
      const body = await handler({
        query,
        body: request.body,
        keyId: response.locals.keyId!,
        signal: signalOf(response),
      });
      response.json(body);
    };
  };

/** Converts a path template of the contract to the syntax of Express. */
const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Creates the router with every operation of the contract. */
export function createRoutes(
  responder: Responder,
  metadata: OperationMetadataMap,
  validate: Awaited<ReturnType<typeof createValidator>>,
  eventCursor: () => string,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const operationIds = Object.keys(metadata) as OperationId[];
  for (const [path, ids] of Map.groupBy(operationIds, (id) => metadata[id].entry.path)) {
    const route = router.route(routePath(path));
    for (const id of ids) {
      const operation = metadata[id];
      const { method, body, scope } = operation.entry;
      const middleware = [
        prepareOperation(id, operation, eventCursor),
        ...(scope === undefined ? [] : [requireScope(scope)]),
        checkParameters(operation),
        ...(body ? [readBody] : []),
        ...validate(id, operation),
      ];
      route[method](middleware, responder(id));
    }
    const methods = ids.map((id) => metadata[id].entry.method.toUpperCase());
    route.all(methodNotAllowed(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))));
  }
  return router;
}
