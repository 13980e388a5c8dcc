/** What a person sees who opens an address that leads to no page. Programs get the JSON error instead. */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../../contract/service-error.ts';
import { protectPages } from '../../express/security-headers.ts';
import { html } from './html.ts';
import { framed, type Places } from './shell.ts';

/**
 * Whether a browser opens the address in a tab (Fetch Metadata, W3C). Scripts, images and programs send other values. Browsers send
 * none over plain HTTP, except to this machine: there a browser is who prefers HTML.
 */
const isNavigation = (request: Request): boolean =>
  request.method === 'GET' && (request.get('sec-fetch-dest') ?? documentIfPreferred(request)) === 'document';

const documentIfPreferred = (request: Request): string =>
  /^\s*text\/html\b/i.test(request.get('accept') ?? '') ? 'document' : '';

const firstSegment = (path: string): string => path.split('/', 2)[1] ?? '';

/** The root of the service as seen from a path. Relative, so that it also holds behind a proxy that adds a prefix. */
const rootFrom = (path: string): './' | `${string}../` => {
  const depth = path.split('/').length - 2;
  return depth === 0 ? './' : `${'../'.repeat(depth - 1)}../`;
};

const page = (path: string, places: Places): string =>
  framed(
    {
      ...{ place: undefined, root: rootFrom(path), title: 'Page not found' },
      ...{ styles: [], scripts: [] },
      skip: { to: 'missing', words: 'Skip to the content' },
      layout: 'app',
      main: html`<main id="missing" tabindex="-1">
<h1>Page not found</h1>
<p class="lead">There is no page at <code>${path}</code>. The menu above has all pages, and the <a href="${rootFrom(path)}docs/">API
reference</a> all operations.</p>
</main>`,
    },
    places,
  );

/**
 * Answers 404 with a page when a browser opens an unknown path, also below a page or a folder. Paths that begin like one of
 * `contractPaths` are left to the contract, whose errors are JSON for every caller. The two handlers come after all pages: one for
 * requests that nothing has answered, and one for those that a page has refused.
 */
export function createMissingPage(
  contractPaths: readonly string[],
  places: Places,
): readonly [RequestHandler, ErrorRequestHandler] {
  // A script or a style that is missing is an error of a page, also for whoever looks at its address.
  const ofContract = new Set([...contractPaths.map(firstSegment), 'assets']);
  const isForPeople = (request: Request): boolean =>
    isNavigation(request) && !ofContract.has(firstSegment(pathOf(request)));
  const answer = (request: Request, response: Response, next: (error?: unknown) => void): void => {
    protectPages(request, response, (error?: unknown) => {
      if (error !== undefined) return next(error);
      // Another caller of the same address gets JSON: no cache may store the page.
      response
        .status(404)
        .set('Cache-Control', 'no-store')
        .type('html')
        .send(page(pathOf(request), places));
    });
  };
  return [
    // Not by a router: one that passes a request on defers it, and a caller that has closed its side then gets no response.
    (request, response, next) => (isForPeople(request) ? answer(request, response, next) : next()),
    (error, request, response, next) =>
      error instanceof ServiceError && error.status === 404 && isForPeople(request)
        ? answer(request, response, next)
        : next(error),
  ];
}

/** The whole path, also where a router has taken off its beginning. */
const pathOf = (request: Request): string => request.originalUrl.split('?', 1)[0] ?? '/';
