/** Brings equivalent requests to one form, so that everything behind sees fewer of them. */
import type { RequestHandler } from 'express';
import './locals.ts';

/**
 * An absolute request target loses its origin (RFC 9112 §3.2.2), HEAD becomes GET (Node itself drops the body), and GET loses
 * its Content-Type, which means nothing there and which express-openapi-validator would keep a compiled validator for.
 */
export const canonicalise: RequestHandler = (request, response, next) => {
  response.locals.method = request.method;
  const target = /^https?:\/\/[^/?#]*(.*)$/i.exec(request.url)?.[1];
  if (target !== undefined) setTarget(request, target.startsWith('/') ? target : `/${target}`);
  if (request.method === 'HEAD') request.method = 'GET';
  if (request.method === 'GET') delete request.headers['content-type'];
  next();
};

/** Replaces the target everywhere that Express and the validator read it. */
export function setTarget(request: { url?: string | undefined; originalUrl?: string }, target: string): void {
  request.url = target;
  request.originalUrl = target;
}
