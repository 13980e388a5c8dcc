/** Serves /live: the page, its styles and the modules that it runs, and nothing else. */
import { readFile } from 'node:fs/promises';
import { Router, type RequestHandler } from 'express';
import { ServiceError } from '../../../errors.ts';
import { protectPages } from '../../security-headers.ts';
import { methodNotAllowed } from '../../unknown.ts';
import { content } from '../content.ts';
import { modulesOf } from '../modules.ts';
import { livePage } from './page.ts';

/** Routes of `/live`. Rejects when the page imports what a browser does not have. */
export async function createLivePage(): Promise<Router> {
  const modules = await modulesOf('http/pages/live/browser/main.ts');
  const styles = { 'theme.css': '../theme.css', 'page.css': './page.css' };
  const paths = [...modules.keys()].map((path) => `live/modules/${path}`);

  const router = Router({ caseSensitive: true, strict: true });
  const get = (path: string, handler: RequestHandler): void => {
    router.route(path).get(protectPages, handler).all(methodNotAllowed(['GET', 'HEAD']));
  };
  get('/live', content('html', livePage({ modules: paths, stylesheets: Object.keys(styles).map((name) => `live/${name}`) })));
  for (const [name, file] of Object.entries(styles)) {
    get(`/live/${name}`, content('css', await readFile(new URL(file, import.meta.url), 'utf8')));
  }
  for (const [path, code] of modules) get(`/live/modules/${path}`, content('text/javascript', code));
  router.use('/live', (request) => {
    throw new ServiceError(404, `page '${request.originalUrl.split('?', 1)[0]}' not found`);
  });
  return router;
}
