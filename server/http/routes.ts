/** The operations of the contract as routes: walks the generated table, so no route is written by hand. */
import { Router, type RequestHandler } from 'express';
import { operations } from '../../generated/operations.ts';
import { operationIds, type Handler, type Handlers, type OperationId } from '../contract.ts';
import { readBody } from './body.ts';
import { signalOf } from './conclusion.ts';
import './locals.ts';
import type { Facts, OperationFacts } from './openapi.ts';
import { checkParameters } from './parameters.ts';
import { Representation } from './representation.ts';
import { sendAnswer } from './send.ts';
import { methodNotAllowed } from './unknown.ts';
import type { createValidator } from './validation.ts';

/**
 * Names the operation, for the log and the metrics, notes the place in the event stream before anything is read, and says how
 * JSON is sent: the validator, which comes later, checks it ahead of that.
 */
function address(id: OperationId, { conditional, tellsEventCursor }: OperationFacts, eventCursor: () => string): RequestHandler {
  return (request, response, next) => {
    response.locals.operationId = id;
    if (tellsEventCursor) response.set('X-Event-Cursor', eventCursor());
    response.set('Cache-Control', conditional ? 'private, no-cache' : 'no-store');
    response.json = (answer: unknown) => {
      const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
      response.vary('Accept-Encoding');
      sendAnswer(response, [], new Representation(Buffer.from(JSON.stringify(answer))), conditional, { acceptEncoding, ifNoneMatch });
      return response;
    };
    next();
  };
}

/** Calls the handler with what was validated, and writes its answer, which the validator checks on the way out. */
function serve<Id extends OperationId>(handler: Handler<Id>): RequestHandler {
  return async (request, response) => {
    const query = request.query as Parameters<Handler<Id>>[0]['query'];
    const answer = await handler({ query, body: request.body, keyId: response.locals.keyId!, signal: signalOf(response) });
    response.json(answer);
  };
}

/** A router with every operation of the contract. */
export function createRoutes(handlers: Handlers, facts: Facts, validate: Awaited<ReturnType<typeof createValidator>>, eventCursor: () => string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, ids] of Map.groupBy(operationIds, (id) => operations[id].path)) {
    const route = router.route(path);
    for (const id of ids) {
      const { method, body } = operations[id];
      const known = facts[id];
      const steps = [address(id, known, eventCursor), checkParameters(id, known), ...(body ? [readBody] : []), ...validate(id, known)];
      route[method](steps, serve(handlers[id] as Handler<OperationId>));
    }
    const methods = ids.map((id) => operations[id].method.toUpperCase());
    route.all(methodNotAllowed(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))));
  }
  return router;
}
