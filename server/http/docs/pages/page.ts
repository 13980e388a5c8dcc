/** A page of the documentation: its HTML within the frame that all pages share, and its Markdown. */
import { Router, type Request, type RequestHandler } from 'express';
import { ServiceError } from '../../../contract/service-error.ts';
import { lazy } from '../../../collections/lazy.ts';
import { redirectTo } from '../redirect.ts';
import { protectApps, protectPages } from '../../express/security-headers.ts';
import { get, routerOptions, send } from './assets.ts';
import { html, type Html } from './html.ts';
import { intro } from './intro.ts';
import { framed, type Places } from './shell.ts';

export interface Page {
  /** The last part of its path, below `/docs`. */
  readonly name: string;
  /** Its stylesheets in `generated/pages/` beside those of all pages of the documentation. */
  readonly styles: readonly string[];
  /** The entry of the navigation that it belongs to. */
  readonly place: string;
  /** A script that it runs beside that of all pages of the documentation, and that shows tweets. */
  readonly app?: string;
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

/** A page and its Markdown. */
export interface ServedPage {
  readonly routes: RequestHandler;
  /** The text of the page as Markdown, without what depends on a request. */
  markdown(): Promise<string>;
}

/** The root of the service as the pages see it: links also hold behind a proxy that adds a prefix. */
const root = '../';

const whole = (page: Page, places: Places): string =>
  framed(
    {
      ...{ place: page.place, root, title: page.title, skip: page.skip },
      styles: ['docs', 'find', ...page.styles],
      scripts: ['docs', ...(page.app === undefined ? [] : [page.app])],
      preloads: page.app === undefined ? [] : ['kit'],
      layout: 'guide',
      markdown: `./${page.name}.md`,
      main: html`<main>
${intro(root, page.title, page.lead)}
<div class="body">
${page.main}
</div>
</main>`,
    },
    places,
  );

/** The page for a request. Express answers 304 while the caller has the same. */
const filled =
  (page: string, fill: NonNullable<Page['fill']>): RequestHandler =>
  (request, response) =>
    void response.set('Cache-Control', 'no-cache').type('html').send(fill(page, request));

/** The page as Markdown, made at the first request for it. */
function markdownRoute(page: Page, markdown: () => Promise<string>): RequestHandler {
  const { fill = (text: string) => text } = page;
  return async (request, response) => {
    const text = fill(await markdown(), request);
    response.set('Cache-Control', 'no-cache').type('text/markdown').send(text);
  };
}

/**
 * Routes of a page and of its Markdown; nothing else is below it. The page is made for the first request of it: to make all pages
 * would take a tenth of the time that the service starts in. Where it cannot be made, the request fails, and the next one tries again.
 */
export function createPage(name: Page['name'], places: Places, make: () => Promise<Page>): ServedPage {
  const base = `/${name}`;
  const page = lazy(make);
  const markdown = lazy(async () => {
    const made = await page();
    return made.markdown ?? (await import('./markdown.ts')).markdownOf(made);
  });
  const routes = lazy(async () => pageRoutes(await page(), places, markdown));
  return {
    markdown,
    routes(request, response, next) {
      if (request.path !== base && request.path !== `${base}.md` && !request.path.startsWith(`${base}/`)) return next();
      routes().then((router) => router(request, response, next), next);
    },
  };
}

function pageRoutes(page: Page, places: Places, markdown: () => Promise<string>): Router {
  const base = `/${page.name}`;
  const router = Router(routerOptions);
  const protect = page.app === undefined ? protectPages : protectApps;
  const text = whole(page, places);
  get(router, base, [protect, page.fill === undefined ? send('html', text) : filled(text, page.fill)]);
  get(router, `${base}.md`, [protectPages, markdownRoute(page, markdown)]);
  // Below the slash nothing that the page loads would be found.
  get(router, `${base}/`, [protectPages, redirectTo(308, `../${page.name}`)]);
  router.use(base, (request) => {
    throw new ServiceError(404, `page '${request.originalUrl.split('?', 1)[0]}' not found`);
  });
  return router;
}
