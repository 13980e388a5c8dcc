/** Leads from an address that people type to the one where a page is. */
import type { RequestHandler } from 'express';

/**
 * Sends to `place`, relative to what was asked for, so that it also holds behind a proxy that adds a prefix. 302 where it may become
 * another place one day, 308 where not. Without the query: pages read none, and what somebody put there, a key perhaps, is not repeated.
 */
export function redirectTo(status: 302 | 308, place: string): RequestHandler {
  const fields = { Location: place, 'Cache-Control': 'no-cache' };
  return (_request, response) => void response.status(status).set(fields).end();
}
