/** What no route answers: a method that a path does not have, or a path that does not exist. */
import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/service-error.ts';
import './locals.ts';
import type { OperationMetadataMap } from '../../contract/openapi.ts';
import { nearest } from '../../text/nearest-name.ts';

/** Throws 405 with Allow, for the end of a route that has only these methods; without it Express would answer OPTIONS itself. */
export function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  const allow = allowed.join(', ');
  return (_request, response) => {
    throw new ServiceError(405, `method ${response.locals.method} is not allowed here; allowed: ${allow}`, {
      Allow: allow,
    });
  };
}

/** Throws 426 for a request to the event stream that does not go over to WebSocket (RFC 9110 §15.5.22). */
export const upgradeRequired: RequestHandler = () => {
  const fields = { Connection: 'close, Upgrade', Upgrade: 'websocket' };
  throw new ServiceError(426, 'this is the event stream: connect to it by WebSocket', fields);
};

const stepsOf = (path: string): string[] => path.split('/').filter((step) => step !== '');

/**
 * The path of the contract that was probably meant: the same one but for what stands before it (`/v1/…`, or a part left out), or one
 * of as many steps, each of which is the same or nearly so. Undefined where there is none: `detail` is no `replies`.
 */
export function nearestPath(path: string, paths: readonly string[]): string | undefined {
  const steps = stepsOf(path.toLowerCase());
  if (steps.length === 0) return undefined;
  const trimmed = `/${steps.join('/')}`;
  const ends = paths.filter((candidate) => candidate.endsWith(trimmed) || trimmed.endsWith(candidate));
  if (ends.length === 1) return ends[0];
  const near = paths.filter((candidate) => {
    const others = stepsOf(candidate);
    return (
      others.length === steps.length && others.every((other, place) => nearest(steps[place]!, [other]) !== undefined)
    );
  });
  return nearest(path, near) ?? near[0];
}

/** Throws 404 with the nearest path of the contract. */
export const pathNotFound = (facts: OperationMetadataMap): RequestHandler => {
  const paths = Object.values(facts).map(({ entry: row }) => row.path);
  return (request) => {
    const best = nearestPath(request.path, paths);
    const advice = best === undefined ? ': /docs lists those there are' : `: did you mean '${best}'?`;
    throw new ServiceError(404, `path '${request.path}' not found${advice}`);
  };
};
