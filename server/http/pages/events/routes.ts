/** Serves /docs/events: the page and its style, and nothing else. */
import { readFile } from 'node:fs/promises';
import { Router, type RequestHandler } from 'express';
import type { OpenApiDocument } from '../../openapi.ts';
import { protectPages } from '../../security-headers.ts';
import { methodNotAllowed } from '../../unknown.ts';
import { content } from '../content.ts';
import { eventsPage } from './page.ts';
import { readProtocol } from './protocol.ts';

/** Routes below `/docs`. */
export async function createEventsPage(document: OpenApiDocument): Promise<Router> {
  const style = await readFile(new URL('./page.css', import.meta.url), 'utf8');
  const page = eventsPage(await readProtocol(), document, ['theme.css', 'guide.css', 'events.css']);

  const router = Router({ caseSensitive: true, strict: true });
  const get = (path: string, handler: RequestHandler): void => {
    router.route(path).get(protectPages, handler).all(methodNotAllowed(['GET', 'HEAD']));
  };
  get('/events', content('html', page));
  get('/events.css', content('css', style));
  return router;
}
