/** The target of a request, in one form for all later steps. */

import { withoutBasePath } from '../../contract/base-path.ts';

/** The properties of a request that hold its target; Express adds the second one. */
export interface Target {
  url?: string | undefined;
  originalUrl?: string;
}

/**
 * Removes the origin from an absolute request target (RFC 9112 §3.2.2), whatever its scheme. It runs before Express,
 * which would respond with its own HTML page to a target that it cannot parse.
 */
export function dropOrigin(request: Target): void {
  const { url = '' } = request;
  if (url.startsWith('/')) return;
  const target = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/is.exec(url)?.[1];
  if (target !== undefined) setTarget(request, target.startsWith('/') ? target : `/${target}`);
}

/** Removes the base path of the contract's servers, so that all later steps see the paths of the contract. */
export function dropBasePath(request: Target, bases: readonly string[]): void {
  const target = bases.length === 0 ? undefined : withoutBasePath(request.url ?? '', bases);
  if (target !== undefined) setTarget(request, target);
}

/** Replaces the target in every property that Express and the validator read. */
export function setTarget(request: Target, target: string): void {
  request.url = target;
  request.originalUrl = target;
}

/** The path of a target, without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}
