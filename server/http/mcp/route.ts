/** The route `/mcp`. What it needs is loaded at the first message: the SDK takes as long to load as half of the server. */
import { Router, type RequestHandler } from 'express';
import { lazy } from '../../collections/lazy.ts';
import type { CorsOrigins } from '../../config/cors-origins.ts';
import { ServiceError } from '../../contract/service-error.ts';
import { methodNotAllowed } from '../express/not-found.ts';
import type { EndpointParts } from './endpoint.ts';
import { mcpPath } from './path.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Rejects a browser of an origin that `CORS_ORIGINS` does not name, as the protocol demands ("Security Warning" of its transports):
 * `*` names none, because the page of an attacker can let its own name lead to this machine (DNS rebinding). Pages of this machine
 * may always call. Throws 403.
 */
const checkOrigin =
  (origins: CorsOrigins): RequestHandler =>
  ({ headers: { origin } }, _response, next) => {
    const named = typeof origins === 'string' ? [] : origins;
    const isKnown =
      origin === undefined || [...named].includes(origin) || loopback.has(URL.parse(origin)?.hostname ?? '');
    if (!isKnown)
      throw new ServiceError(403, 'pages of this origin may not call /mcp: name the origin in CORS_ORIGINS');
    next();
  };

/** Creates the route. */
export function createMcpRoute(parts: EndpointParts, origins: CorsOrigins): RequestHandler {
  const endpoint = lazy(async () => new (await import('./endpoint.ts')).McpEndpoint(parts));
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(mcpPath)
    .all(checkOrigin(origins))
    .post(async (request, response) => (await endpoint()).post(request, response))
    // A server without sessions has no stream to open, and no session to end.
    .all(methodNotAllowed(['POST']));
  return router;
}
