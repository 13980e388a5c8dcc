/** CORS: allows browser apps of other origins to call the API (Fetch standard). */
import cors from 'cors';
import type { RequestHandler } from 'express';
import type { CorsOrigins } from '../../config/cors-origins.ts';
import type { OperationMetadataMap } from '../../contract/openapi.ts';

/**
 * Creates the CORS middleware. It responds to preflight requests, which never carry an API key, with 204, and exposes
 * the responses and their useful headers to the allowed origins.
 */
export function allowOrigins(origins: CorsOrigins, metadata: OperationMetadataMap): RequestHandler[] {
  if (origins === 'off') return [];
  const corsHandler = cors({
    origin: origins === '*' ? '*' : [...origins],
    methods: [
      ...new Set(['HEAD', ...Object.values(metadata).map(({ entry: operation }) => operation.method.toUpperCase())]),
    ],
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'ETag', 'X-Request-Id', 'X-Event-Cursor'],
    maxAge: 600,
    preflightContinue: true,
  });
  const endPreflight: RequestHandler = (request, response, next) => {
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (isPreflight) response.status(204).end();
    else next();
  };
  return [corsHandler, endPreflight];
}
