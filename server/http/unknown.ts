/** What no route answers: a method that a path does not have, or a path that does not exist. */
import type { RequestHandler } from 'express';
import { ServiceError } from '../errors.ts';
import './locals.ts';
import type { Facts } from './openapi.ts';
import { nearest } from '../nearest.ts';

/** Throws 405 with Allow, for the end of a route that has only these methods; without it Express would answer OPTIONS itself. */
export function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  const allow = allowed.join(', ');
  return (_request, response) => {
    throw new ServiceError(405, `method ${response.locals.method} is not allowed here; allowed: ${allow}`, { Allow: allow });
  };
}

/** Throws 426 for a request to the event stream that does not go over to WebSocket (RFC 9110 §15.5.22). */
export const upgradeRequired: RequestHandler = () => {
  const fields = { Connection: 'close, Upgrade', Upgrade: 'websocket' };
  throw new ServiceError(426, 'this is the event stream: connect to it by WebSocket', fields);
};

/** Throws 404 with the nearest path of the contract. */
export const pathNotFound = (facts: Facts): RequestHandler => {
  const paths = Object.values(facts).map(({ row }) => row.path);
  return (request) => {
    const best = nearest(request.path, paths);
    const advice = best === undefined ? ': /docs lists those there are' : `: did you mean '${best}'?`;
    throw new ServiceError(404, `path '${request.path}' not found${advice}`);
  };
};
