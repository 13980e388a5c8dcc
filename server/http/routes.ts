/** The operations of the contract as routes: walks the generated table, so no route is written by hand. */
import { Router, type RequestHandler, type Response } from 'express';
import { operations } from '../../generated/operations.ts';
import { operationIds, type Handler, type Handlers, type OperationId } from '../contract.ts';
import { readBody } from './body.ts';
import './locals.ts';
import type { Facts, OperationFacts } from './openapi.ts';
import { checkParameters } from './parameters.ts';
import { methodNotAllowed } from './unknown.ts';
import type { createValidator } from './validation.ts';

/** Leaves out the ETag that Express gives every body. */
function omitETag(response: Response): void {
  const { writeHead } = response;
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    response.removeHeader('ETag');
    return writeHead.apply(response, head);
  }) as typeof writeHead;
}

/**
 * Names the operation, for the log and the metrics, notes the place in the event stream before anything is read, and switches
 * conditional answers off where the contract has none.
 */
function address(id: OperationId, { statuses, tellsEventCursor }: OperationFacts, eventCursor: () => string): RequestHandler {
  const conditional = statuses.has(304);
  return (request, response, next) => {
    response.locals.operationId = id;
    if (tellsEventCursor) response.set('X-Event-Cursor', eventCursor());
    if (!conditional) {
      delete request.headers['if-none-match'];
      omitETag(response);
    }
    // `no-cache` asks caches to validate, and this is the origin: it always does (RFC 9111 §5.2.1.4). Express would refuse 304
    // instead, and fetch sends it along with every If-None-Match.
    delete request.headers['cache-control'];
    response.set('Cache-Control', conditional ? 'private, no-cache' : 'no-store');
    next();
  };
}

/** Calls the handler with what was validated, and writes its answer, which the validator checks on the way out. */
function serve<Id extends OperationId>(handler: Handler<Id>): RequestHandler {
  return async (request, response) => {
    const hangUp = new AbortController();
    response.once('close', () => hangUp.abort());
    const query = request.query as Parameters<Handler<Id>>[0]['query'];
    const answer = await handler({ query, body: request.body, keyId: response.locals.keyId!, signal: hangUp.signal });
    response.vary('Accept-Encoding');
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
