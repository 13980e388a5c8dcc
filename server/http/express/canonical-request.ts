/** Brings equivalent requests to one form, so that everything behind sees fewer of them. */
import type { RequestHandler } from 'express';
import './locals.ts';

/** Where a request goes. */
export interface Target {
  url?: string | undefined;
  originalUrl?: string;
}

/**
 * An absolute request target loses its origin (RFC 9112 §3.2.2), whatever its scheme; before Express, which would answer one that it
 * cannot read by a page of its own.
 */
export function dropOrigin(request: Target): void {
  const { url = '' } = request;
  if (url.startsWith('/')) return;
  const target = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/is.exec(url)?.[1];
  if (target !== undefined) setTarget(request, target.startsWith('/') ? target : `/${target}`);
}

/**
 * HEAD becomes GET (Node itself drops the body), and GET loses its Content-Type, which means nothing there and which
 * express-openapi-validator would keep a compiled validator for.
 */
export const canonicalise: RequestHandler = (request, response, next) => {
  response.locals.method = request.method;
  if (request.method === 'HEAD') request.method = 'GET';
  if (request.method === 'GET') delete request.headers['content-type'];
  next();
};

/** Replaces the target everywhere that Express and the validator read it. */
export function setTarget(request: Target, target: string): void {
  request.url = target;
  request.originalUrl = target;
}
