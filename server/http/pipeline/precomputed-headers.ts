/**
 * The headers that every response to the same origin has. The middleware computes them once instead of for each
 * request.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import type { CorsOrigins } from '../../config/cors-origins.ts';

/** The headers of every response to an origin, as alternating names and values. */
export type HeadersForOrigin = (origin: string | undefined) => readonly string[];

/**
 * The headers that the middleware sets on the response to a GET of the contract, as alternating names and values. Vary includes
 * Accept-Encoding.
 */
function computeHeaders(middleware: readonly RequestHandler[], origin: string | undefined): readonly string[] {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  // A target of the contract, which has CORS headers.
  request.url = '/openapi.json';
  if (origin !== undefined) request.headers = { origin };
  // Node documents this method for requests only, and so do the types, but every outgoing message has it.
  const response = new ServerResponse(request) as ServerResponse & { getRawHeaderNames(): string[] };
  for (const handler of middleware)
    handler(request as never, response as never, (error?: unknown) => {
      if (error !== undefined) throw error;
    });
  const vary = response.getHeader('vary');
  response.setHeader('Vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  return response.getRawHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}

/** Runs the middleware for a request without an origin, and for each listed origin. */
export function createPrecomputedHeaders(
  middleware: readonly RequestHandler[],
  origins: CorsOrigins,
): HeadersForOrigin {
  const defaultHeaders = computeHeaders(middleware, undefined);
  if (typeof origins === 'string') return () => defaultHeaders;
  const headersByOrigin = new Map(origins.map((origin) => [origin, computeHeaders(middleware, origin)]));
  return (origin) => (origin === undefined ? defaultHeaders : (headersByOrigin.get(origin) ?? defaultHeaders));
}
