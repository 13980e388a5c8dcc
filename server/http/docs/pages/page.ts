/** A documentation page: its HTML in the layout that all pages share, and its scripts and styles. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Router, type Request, type RequestHandler } from 'express';
import { ServiceError } from '../../../contract/service-error.ts';
import { redirectTo } from '../redirect.ts';
import { protectPages } from '../../express/security-headers.ts';
import { methodNotAllowed } from '../../express/not-found.ts';
import { html, type Html } from './html.ts';
import { modulesOf } from './modules.ts';

export interface Page {
  /** The name of its folder, and the last segment of its path; its files are below that path. */
  readonly name: 'live' | 'search' | 'events' | 'operations';
  /** The shared stylesheets that it uses, besides its own. */
  readonly styles: readonly ('theme' | 'guide' | 'manual')[];
  /** Whether it runs `browser/main.ts`. */
  readonly runs: boolean;
  /** The root of the service relative to the page, so that links also work behind a proxy that adds a prefix. */
  readonly root: './' | '../';
  readonly title: string;
  readonly lead: Html;
  /** The skip link for keyboard users: the id of its target, and its text. */
  readonly skip: { readonly to: string; readonly words: string };
  readonly main: Html;
  /** Inserts the parts that depend on the request; undefined for a static page. */
  readonly fill?: (page: string, request: Request) => string;
}

const navEntries = [
  ['docs/', 'API reference'],
  ['docs/search', 'Search'],
  ['docs/events', 'Events'],
  ['live', 'Live events'],
  ['docs/operations', 'Operations'],
  ['openapi.yaml', 'openapi.yaml'],
] as const;

const navLink = ({ root, title }: Page, [path, text]: (typeof navEntries)[number]): Html =>
  text === title
    ? html`<a href="${root}${path}" aria-current="page">${text}</a>`
    : html`<a href="${root}${path}">${text}</a>`;

/** Renders the whole page. The first module is the script of the page; the others are preloaded. */
function renderPage(page: Page, stylesheets: readonly string[], [first, ...others]: readonly string[]): string {
  const { root, title, lead, skip, main } = page;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Social Data API</title>
        <link rel="icon" type="image/png" sizes="32x32" href="${root}docs/favicon-32x32.png" />
        ${stylesheets.map((path) => html`<link rel="stylesheet" href=".${path}" /> `)}${
          first === undefined ? '' : html`<script type="module" src=".${first}"></script> `
        }${others.map((path) => html`<link rel="modulepreload" href=".${path}" /> `)}
      </head>
      <body>
        <a class="skip" href="#${skip.to}">${skip.words}</a>
        <header>
          <nav aria-label="Documentation">${navEntries.map((each) => html`${navLink(page, each)} `)}</nav>
          <h1>${title}</h1>
          <p class="lead">${lead}</p>
        </header>
        <main>${main}</main>
      </body>
    </html> `.html;
}

/** Serves a text from memory; Express responds with 304 if the caller has the same version. */
function serveText(type: string, text: string): RequestHandler {
  const body = Buffer.from(text);
  return (_request, response) => void response.set('Cache-Control', 'no-cache').type(type).send(body);
}

/** Serves a page that depends on the request; Express responds with 304 if the caller has the same version. */
const serveFilled =
  (page: string, fill: NonNullable<Page['fill']>): RequestHandler =>
  (request, response) =>
    void response.set('Cache-Control', 'no-cache').type('html').send(fill(page, request));

/**
 * Creates the routes of a page and its files. The page is created at the first request: to create all pages at the
 * start would take a tenth of the start time. If the creation fails, the request fails, and the next request tries
 * again.
 */
export function createPage(name: Page['name'], createContent: () => Promise<Page>): RequestHandler {
  const base = `/${name}`;
  let routes: Promise<Router> | undefined;
  return (request, response, next) => {
    if (request.path !== base && !request.path.startsWith(`${base}/`)) return next();
    routes ??= createContent().then(pageRoutes);
    routes.then(
      (router) => router(request, response, next),
      (error: unknown) => {
        routes = undefined;
        next(error);
      },
    );
  };
}

/** Creates the routes of a page. Rejects when its script imports a module that browsers lack. */
async function pageRoutes(page: Page): Promise<Router> {
  const base = `/${page.name}`;
  const moduleEntries = page.runs ? [...(await modulesOf(`http/docs/pages/${page.name}/browser/main.ts`))] : [];
  const modules = moduleEntries.map(([path, code]) => [`${base}/modules/${path}`, code] as const);
  const styles = await Promise.all(
    [...page.styles, `${page.name}/page`].map(
      async (file) =>
        [`${base}/${basename(file)}.css`, await readFile(new URL(`./${file}.css`, import.meta.url), 'utf8')] as const,
    ),
  );
  const pathOf = ([path]: readonly [string, string]): string => path;

  const router = Router({ caseSensitive: true, strict: true });
  const get = (path: string, handler: RequestHandler): void => {
    router
      .route(path)
      .get(protectPages, handler)
      .all(methodNotAllowed(['GET', 'HEAD']));
  };
  const pageHtml = renderPage(page, styles.map(pathOf), modules.map(pathOf));
  get(base, page.fill === undefined ? serveText('html', pageHtml) : serveFilled(pageHtml, page.fill));
  // Relative URLs of the page would not resolve below the trailing slash.
  get(`${base}/`, redirectTo(308, `../${page.name}`));
  for (const [path, text] of styles) get(path, serveText('css', text));
  for (const [path, code] of modules) get(path, serveText('text/javascript', code));
  router.use(base, (request) => {
    throw new ServiceError(404, `page '${request.originalUrl.split('?', 1)[0]}' not found`);
  });
  return router;
}
