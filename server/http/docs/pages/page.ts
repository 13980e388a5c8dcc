/** A page of our own: its HTML within the frame that all pages share, and everything that it loads. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Router, type Request, type RequestHandler } from 'express';
import { ServiceError } from '../../../contract/service-error.ts';
import { lazy } from '../../../collections/lazy.ts';
import { redirectTo } from '../redirect.ts';
import { protectPages } from '../../express/security-headers.ts';
import { methodNotAllowed } from '../../express/not-found.ts';
import { html, type Html } from './html.ts';
import { modulesOf } from './modules.ts';
import { framed, type Places } from './shell.ts';

export interface Page {
  /** Its folder here, and the last part of its path; what it loads is below that. */
  readonly name: string;
  /** The stylesheets that it shares with other pages. It also has one that no other page uses. */
  readonly styles: readonly 'docs'[];
  /** The entry of the navigation that it belongs to. */
  readonly place: string;
  /** Whether it runs `browser/main.ts`. */
  readonly runs: boolean;
  /** Where the service begins, as seen from the page: links also hold behind a proxy that adds a prefix. */
  readonly root: './' | '../';
  readonly title: string;
  readonly lead: Html;
  /** What the keyboard can skip to: the id of an element, and what is there. */
  readonly skip: { readonly to: string; readonly words: string };
  readonly main: Html;
  /** The text of the page as Markdown, for a page that is written in it. */
  readonly markdown?: string;
  /** Writes into the page, or into its Markdown, what depends on the request; left out where nothing does. */
  readonly fill?: (page: string, request: Request) => string;
}

/** The page, whole. The first module, if there is one, is run, the others are loaded ahead. */
const whole = (
  page: Page,
  places: Places,
  stylesheets: readonly string[],
  [first, ...others]: readonly string[],
): string =>
  framed(
    {
      ...{ place: page.place, root: page.root, title: page.title, skip: page.skip },
      styles: [
        ...page.styles.map((name) => `${page.root}assets/${name}.css`),
        ...stylesheets.map((path) => `.${path}`),
      ],
      scripts: first === undefined ? [`${page.root}assets/docs.js`] : [`.${first}`],
      preloads: others.map((path) => `.${path}`),
      layout: 'guide',
      ...(isDocumentation(page) ? { markdown: `./${page.name}.md` } : {}),
      main: html`<main>
<div class="intro">
<h1>${page.title}</h1>
<p class="lead">${page.lead}</p>
</div>
<div class="body">
${page.main}
</div>
</main>`,
    },
    places,
  );

/** Sent from memory; Express answers 304 while the caller has the same. */
function content(type: string, text: string): RequestHandler {
  const body = Buffer.from(text);
  return (_request, response) => void response.set('Cache-Control', 'no-cache').type(type).send(body);
}

/** The page for a request. Express answers 304 while the caller has the same. */
const filled =
  (page: string, fill: NonNullable<Page['fill']>): RequestHandler =>
  (request, response) =>
    void response.set('Cache-Control', 'no-cache').type('html').send(fill(page, request));

/** The page as Markdown, made at the first request for it. */
function markdownRoute(page: Page): RequestHandler {
  const { fill = (text: string) => text } = page;
  const made = lazy(async () => page.markdown ?? (await import('./markdown.ts')).markdownOf(page));
  return async (request, response) => {
    const text = fill(await made(), request);
    response.set('Cache-Control', 'no-cache').type('text/markdown').send(text);
  };
}

/** Whether a page has a Markdown version: those below `/docs` have. */
const isDocumentation = ({ root }: Page): boolean => root === '../';

/**
 * Routes of a page, of its Markdown and of all that it loads; nothing else is below it. The page is made for the first request of it: to make all pages
 * would take a tenth of the time that the service starts in. Where it cannot be made, the request fails, and the next one tries again.
 */
export function createPage(name: Page['name'], places: Places, make: () => Promise<Page>): RequestHandler {
  const base = `/${name}`;
  const routes = lazy(async () => pageRoutes(await make(), places));
  return (request, response, next) => {
    if (request.path !== base && request.path !== `${base}.md` && !request.path.startsWith(`${base}/`)) return next();
    routes().then((router) => router(request, response, next), next);
  };
}

/** Rejects when the page imports what a browser does not have. */
async function pageRoutes(page: Page, places: Places): Promise<Router> {
  const base = `/${page.name}`;
  const loaded = page.runs ? [...(await modulesOf(`http/docs/pages/${page.name}/browser/main.ts`))] : [];
  const modules = loaded.map(([path, code]) => [`${base}/modules/${path}`, code] as const);
  const styles = await Promise.all(
    [`${page.name}/page`].map(
      async (file) =>
        [`${base}/${basename(file)}.css`, await readFile(new URL(`./${file}.css`, import.meta.url), 'utf8')] as const,
    ),
  );
  const first = ([path]: readonly [string, string]): string => path;

  const router = Router({ caseSensitive: true, strict: true });
  const get = (path: string, handler: RequestHandler): void => {
    router
      .route(path)
      .get(protectPages, handler)
      .all(methodNotAllowed(['GET', 'HEAD']));
  };
  const text = whole(page, places, styles.map(first), modules.map(first));
  get(base, page.fill === undefined ? content('html', text) : filled(text, page.fill));
  if (isDocumentation(page)) get(`${base}.md`, markdownRoute(page));
  // Below the slash nothing that the page loads would be found.
  get(`${base}/`, redirectTo(308, `../${page.name}`));
  for (const [path, text] of styles) get(path, content('css', text));
  for (const [path, code] of modules) get(path, content('text/javascript', code));
  router.use(base, (request) => {
    throw new ServiceError(404, `page '${request.originalUrl.split('?', 1)[0]}' not found`);
  });
  return router;
}
