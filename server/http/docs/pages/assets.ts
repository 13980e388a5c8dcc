/** The scripts and styles of all pages. */
import { readdir, readFile } from 'node:fs/promises';
import { Router, type RequestHandler } from 'express';
import { ServiceError } from '../../../contract/service-error.ts';
import { methodNotAllowed } from '../../express/not-found.ts';
import { protectPages } from '../../express/security-headers.ts';

/** Adds a read-only path. */
export const get = (router: Router, path: string | RegExp, handlers: RequestHandler[]): void =>
  void router
    .route(path)
    .get(...handlers)
    .all(methodNotAllowed(['GET', 'HEAD']));

/** Sends a text from memory, which caches must revalidate. */
export function send(type: string, text: string): RequestHandler {
  const body = Buffer.from(text);
  return (_request, response) => void response.set('Cache-Control', 'no-cache').type(type).send(body);
}

export const routerOptions = { caseSensitive: true, strict: true };

const folder = new URL('../../../../generated/pages/', import.meta.url);

/** Routes of the scripts and styles: the files of `generated/pages/`, read at the first request. */
export function createAssets(): RequestHandler {
  let files: Promise<Router> | undefined;
  const read = async (): Promise<Router> => {
    const assets = Router(routerOptions);
    for (const name of await readdir(folder)) {
      const text = await readFile(new URL(name, folder), 'utf8');
      get(assets, `/assets/${name}`, [protectPages, send(name.endsWith('.css') ? 'css' : 'text/javascript', text)]);
    }
    assets.use('/assets', (request) => {
      throw new ServiceError(404, `file '${request.originalUrl.split('?', 1)[0]}' not found`);
    });
    return assets;
  };
  return (request, response, next) => {
    if (!request.path.startsWith('/assets/')) return next();
    files ??= read();
    files.then(
      (assets) => assets(request, response, next),
      (error: unknown) => {
        files = undefined;
        next(error);
      },
    );
  };
}
