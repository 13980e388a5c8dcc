/** Errors for a method that a path does not have, and for a path that does not exist. */
import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/service-error.ts';
import './locals.ts';
import type { OperationMetadataMap } from '../../contract/openapi.ts';
import { nearest } from '../../text/nearest-name.ts';

/**
 * Throws 405 with Allow, as the last handler of a route that has only these methods. Without it Express would respond
 * to OPTIONS itself.
 */
export function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  const allow = allowed.join(', ');
  return (_request, response) => {
    throw new ServiceError(
      405,
      `method ${response.locals.exchange.facts.method} is not allowed here; allowed: ${allow}`,
      {
        Allow: allow,
      },
    );
  };
}

/** Throws 426 for a request to the event stream without an upgrade to WebSocket (RFC 9110 §15.5.22). */
export const upgradeRequired: RequestHandler = () => {
  const fields = { Connection: 'close, Upgrade', Upgrade: 'websocket' };
  throw new ServiceError(426, 'this is the event stream: connect with a WebSocket', fields);
};

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/**
 * The path of the contract that the caller probably meant: the same path with another prefix (`/v1/…`, or a missing
 * part), or a path with the same number of segments that are all equal or similar. Undefined if there is none:
 * `detail` is not similar to `replies`.
 */
export function nearestPath(path: string, paths: readonly string[]): string | undefined {
  const segments = segmentsOf(path.toLowerCase());
  if (segments.length === 0) return undefined;
  const trimmed = `/${segments.join('/')}`;
  const suffixMatches = paths.filter((candidate) => candidate.endsWith(trimmed) || trimmed.endsWith(candidate));
  if (suffixMatches.length === 1) return suffixMatches[0];
  const similar = paths.filter((candidate) => {
    const others = segmentsOf(candidate);
    return (
      others.length === segments.length &&
      others.every((other, index) => nearest(segments[index] ?? '', [other]) !== undefined)
    );
  });
  return nearest(path, similar) ?? similar[0];
}

/** Throws 404 with the nearest path of the contract. */
export const pathNotFound = (metadata: OperationMetadataMap): RequestHandler => {
  const paths = Object.values(metadata).map(({ entry: operation }) => operation.path);
  return (request) => {
    const best = nearestPath(request.path, paths);
    const hint = best === undefined ? ': /docs lists all paths' : `: did you mean '${best}'?`;
    throw new ServiceError(404, `path '${request.path}' not found${hint}`);
  };
};
