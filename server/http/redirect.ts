/** Leads from an address that people type to the one where a page is. */
import type { RequestHandler } from 'express';

/**
 * Sends to `place`, relative to what was asked for, so that it also holds behind a proxy that adds a prefix; the query goes along. 302
 * where it may become another place one day, 308 where not.
 */
export function leadTo(status: 302 | 308, place: string): RequestHandler {
  return ({ originalUrl }, response) => {
    const query = originalUrl.indexOf('?');
    response.status(status).set('Location', query < 0 ? place : place + originalUrl.slice(query)).end();
  };
}
