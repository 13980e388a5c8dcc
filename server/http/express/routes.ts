/** The operations of the contract as routes: walks its table, so no route is written by hand. */
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
 * Names the operation, for the log and the metrics, notes the place in the event stream before anything is read, and says how
 * JSON is sent: the validator, which comes later, checks it ahead of that.
 */
function address(
  id: OperationId,
  { conditional, sendsEventCursor: tellsEventCursor }: OperationMetadata,
  eventCursor: () => string,
): RequestHandler {
  return (request, response, next) => {
    response.locals.operationId = id;
    if (tellsEventCursor) response.set('X-Event-Cursor', eventCursor());
    response.set('Cache-Control', conditional ? 'private, no-cache' : 'no-store');
    response.json = (answer: unknown) => {
      const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
      response.vary('Accept-Encoding');
      sendResponse(response, [], new Representation(Buffer.from(JSON.stringify(answer))), conditional, {
        acceptEncoding,
        ifNoneMatch,
      });
      return response;
    };
    next();
  };
}

/** Ends the way of an operation's valid requests: writes an answer, which the validator checks, or throws a ServiceError. */
export type Responder = (id: OperationId) => RequestHandler;

/** Calls the operation's handler with what was validated, and writes its answer. */
export const respondWith =
  (handlers: Handlers): Responder =>
  (id) => {
    const handler = handlers[id] as Handler<OperationId>;
    return async (request, response) => {
      const query = request.query as Parameters<typeof handler>[0]['query'];
      const answer = await handler({
        query,
        body: request.body,
        keyId: response.locals.keyId!,
        signal: signalOf(response),
      });
      response.json(answer);
    };
  };

/** A path of the contract as Express writes it. */
const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** A router with every operation of the contract. */
export function createRoutes(
  ending: Responder,
  facts: OperationMetadataMap,
  validate: Awaited<ReturnType<typeof createValidator>>,
  eventCursor: () => string,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const operationIds = Object.keys(facts) as OperationId[];
  for (const [path, ids] of Map.groupBy(operationIds, (id) => facts[id].entry.path)) {
    const route = router.route(routePath(path));
    for (const id of ids) {
      const known = facts[id];
      const { method, body, scope } = known.entry;
      const steps = [
        address(id, known, eventCursor),
        ...(scope === undefined ? [] : [requireScope(scope)]),
        checkParameters(known),
        ...(body ? [readBody] : []),
        ...validate(id, known),
      ];
      route[method](steps, ending(id));
    }
    const methods = ids.map((id) => facts[id].entry.method.toUpperCase());
    route.all(methodNotAllowed(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))));
  }
  return router;
}
