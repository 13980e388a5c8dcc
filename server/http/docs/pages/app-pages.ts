/** The pages that run in the browser as apps, and the scripts and styles of all pages. */
import { readdir, readFile } from 'node:fs/promises';
import { Router, type RequestHandler } from 'express';
import { ServiceError } from '../../../contract/service-error.ts';
import { methodNotAllowed } from '../../express/not-found.ts';
import { protectApps, protectPages } from '../../express/security-headers.ts';
import { redirectTo } from '../redirect.ts';
import { html } from './html.ts';
import { framed, type Place } from './shell.ts';

interface AppPage {
  /** The folder of `pages/` with its code. */
  readonly name: string;
  /** Its path: a fixed one, or a folder whose next part is a name or an id that the script reads. */
  readonly path: '/' | `/${string}`;
  readonly title: string;
  readonly place: Place;
  /** Stylesheets that only this page uses, below `assets/`. */
  readonly styles?: readonly string[];
}

const appPages: readonly AppPage[] = [
  { name: 'home', path: '/', title: 'Home', place: 'home' },
  { name: 'explore', path: '/explore', title: 'Explore', place: 'explore' },
  { name: 'profile', path: '/u/*', title: 'Profile', place: 'explore' },
  { name: 'tweet', path: '/t/*', title: 'Tweet', place: 'explore' },
  { name: 'community', path: '/c/*', title: 'Community', place: 'explore' },
  { name: 'space', path: '/s/*', title: 'Audio room', place: 'explore' },
  { name: 'ask', path: '/ask', title: 'Ask', place: 'ask' },
  { name: 'operate', path: '/operate', title: 'Operate', place: 'operate', styles: ['operate'] },
  { name: 'import', path: '/import', title: 'Import', place: 'operate', styles: ['operate'] },
];

const page = ({ name, path, title, place, styles = [] }: AppPage, places: ReadonlySet<Place>): string => {
  const root = path.endsWith('/*') ? '../' : './';
  return framed(
    {
      ...{ place, root, title },
      styles: styles.map((style) => `${root}assets/${style}.css`),
      scripts: [`${root}assets/${name}.js`],
      preloads: [],
      skip: { to: 'app', words: 'Skip to the content' },
      layout: 'app',
      main: html`<main id="app" tabindex="-1">
<h1 class="sr">${title}</h1>
<noscript><p class="panel">This page needs JavaScript. The <a href="${root}docs/">API reference</a> does not.</p></noscript>
</main>`,
    },
    places,
  );
};

const get = (router: Router, path: string | RegExp, handlers: RequestHandler[]): void =>
  void router
    .route(path)
    .get(...handlers)
    .all(methodNotAllowed(['GET', 'HEAD']));

function send(type: string, text: string): RequestHandler {
  const body = Buffer.from(text);
  return (_request, response) => void response.set('Cache-Control', 'no-cache').type(type).send(body);
}

const router = (): Router => Router({ caseSensitive: true, strict: true });

/** Routes of the pages. `places`: the entries of the navigation that this service has. */
export function createAppPages(places: ReadonlySet<Place>): Router {
  const pages = router();
  for (const appPage of appPages.filter(({ place }) => places.has(place))) {
    const path = appPage.path.endsWith('/*') ? new RegExp(`^${appPage.path.slice(0, -1)}[^/]+$`) : appPage.path;
    get(pages, path, [protectApps, send('html', page(appPage, places))]);
    if (typeof path === 'string' && path !== '/') get(pages, `${path}/`, [redirectTo(308, `..${path}`)]);
  }
  return pages;
}

const folder = new URL('../../../../generated/pages/', import.meta.url);

/** Routes of the scripts and styles: the files of `generated/pages/`, read at the first request. */
export function createAssets(): RequestHandler {
  let files: Promise<Router> | undefined;
  const read = async (): Promise<Router> => {
    const assets = router();
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
