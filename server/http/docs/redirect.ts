/** Redirects short addresses to the pages. */
import type { RequestHandler } from 'express';

/**
 * Redirects to `path`, relative to the requested URL, so that it also works behind a proxy that adds a prefix. Use 302
 * where the target may change later, 308 where it may not. The query is dropped: pages read none, and the redirect must
 * not repeat an API key in it.
 */
export function redirectTo(status: 302 | 308, path: string): RequestHandler {
  const headers = { Location: path, 'Cache-Control': 'no-cache' };
  return (_request, response) => void response.status(status).set(headers).end();
}
