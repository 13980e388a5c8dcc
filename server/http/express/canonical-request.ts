/** Converts equivalent requests to one canonical form, so that later middleware has fewer cases. */
import type { RequestHandler } from 'express';
import './locals.ts';

/** The target of a request. */
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

/**
 * Converts HEAD to GET (Node itself omits the body of the response), and removes Content-Type from GET: it has no
 * meaning there, and express-openapi-validator would cache a compiled validator for each value.
 */
export const canonicalise: RequestHandler = (request, response, next) => {
  response.locals.method = request.method;
  if (request.method === 'HEAD') request.method = 'GET';
  if (request.method === 'GET') delete request.headers['content-type'];
  next();
};

/** Replaces the target in every property that Express and the validator read. */
export function setTarget(request: Target, target: string): void {
  request.url = target;
  request.originalUrl = target;
}
