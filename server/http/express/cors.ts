/** Lets browser apps of other origins call the API (Fetch standard, CORS protocol). */
import cors from 'cors';
import type { RequestHandler } from 'express';
import './locals.ts';
import type { OperationMetadataMap } from '../../contract/openapi.ts';

/** Every origin, none, or those listed. */
export type CorsOrigins = '*' | 'off' | readonly string[];

/** Answers preflights, which never carry a key, with 204, and opens the answers and their useful headers to the origins. */
export function allowOrigins(origins: CorsOrigins, facts: OperationMetadataMap): RequestHandler[] {
  if (origins === 'off') return [];
  const share = cors({
    origin: origins === '*' ? '*' : [...origins],
    methods: [...new Set(['HEAD', ...Object.values(facts).map(({ entry: row }) => row.method.toUpperCase())])],
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'ETag', 'X-Request-Id', 'X-Event-Cursor'],
    maxAge: 600,
    preflightContinue: true,
  });
  const endPreflight: RequestHandler = (request, response, next) => {
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (isPreflight) response.status(204).end();
    else next();
  };
  return [share, endPreflight];
}
