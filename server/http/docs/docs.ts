/** The documentation: the API reference, Swagger UI, and the guides of the service. */
import { Router, type RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import type { IncomingMessage } from 'node:http';
import { lazy } from '../../collections/lazy.ts';
import { ServiceError } from '../../contract/service-error.ts';
import type { Origin } from '../server/client-address.ts';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { favicon, faviconPng, touchIconPng } from './icons.ts';
import { html } from './pages/html.ts';
import { intro } from './pages/intro.ts';
import { framed, has, type Places } from './pages/shell.ts';
import { securitySchemes } from '../../contract/security-schemes.ts';
import { redirectTo } from './redirect.ts';
import type { Guide } from '../site.ts';
import { protectPages, protectSwagger } from '../express/security-headers.ts';
import { revalidate } from './revalidated-routes.ts';
import { methodNotAllowed } from '../express/not-found.ts';

/** The files of Swagger UI that its page loads. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/**
 * Removes range requests and these conditions, which this server supports nowhere: the file sender would throw an error
 * for them.
 */
const wholeFiles: RequestHandler = ({ headers }, _response, next) => {
  for (const name of ['range', 'if-range', 'if-match', 'if-unmodified-since']) delete headers[name];
  next();
};

/** RFC 9309: the longest rule that matches a path counts. */
const robots = `User-agent: *
Allow: /docs/
Disallow: /docs/try
Allow: /assets/
Allow: /favicon
Allow: /llms.txt
Allow: /openapi.
Allow: /asyncapi.
Disallow: /
`;

/**
 * What browsers and programs that read the web ask of each host: an icon, and what they may read. That is the documentation; the other
 * pages show data of the archive.
 */
export function createWellKnown(): Router {
  const router = Router(routerOptions);
  const readOnly = methodNotAllowed(['GET', 'HEAD']);
  const icon = (paths: string[], type: string, body: Buffer): void =>
    void router
      .route(paths)
      // The SVG has its colours in a style.
      .get(protectSwagger, revalidate, (_request, response) => void response.type(type).send(body))
      .all(readOnly);
  icon(['/favicon.svg'], 'image/svg+xml', Buffer.from(favicon));
  icon(['/favicon.ico'], 'image/png', faviconPng);
  icon(['/apple-touch-icon.png', '/apple-touch-icon-precomposed.png'], 'image/png', touchIconPng);
  router
    .route('/robots.txt')
    .get(revalidate, (_request, response) => void response.type('text/plain').send(robots))
    .all(readOnly);
  return router;
}

const notFound = (url: string): ServiceError => new ServiceError(404, `page '${url.split('?', 1)[0]}' not found`);

const routerOptions = { caseSensitive: true, strict: true };

type OriginOf = (request: IncomingMessage) => Origin;

/** The API reference as pages and as Markdown. It is made for the first request; its samples use the origin of the reader. */
function referenceRoutes(
  document: OpenApiDocument,
  originOf: OriginOf,
  places: Places,
): Record<'html' | 'markdown' | 'part', RequestHandler> {
  const made = lazy(async () => (await import('./pages/api/frame.ts')).createReference(document, places));
  return {
    html: async (request, response) => void response.type('html').send((await made()).html(originOf(request))),
    part: async (request, response) => {
      const text = (await made()).part(String(request.params['name']), originOf(request));
      if (text === undefined) throw notFound(request.originalUrl);
      response.type('html').send(text);
    },
    markdown: async (request, response) => {
      const text = await (await made()).markdown(originOf(request));
      response.type('text/markdown').send(text);
    },
  };
}

/** The security scheme for the API key of the tab: that of a header, or else any other that takes it; empty without one. */
function keyScheme(document: OpenApiDocument): string {
  const schemes = [...securitySchemes(document)];
  const inHeader = schemes.find(([, scheme]) => scheme.type === 'apiKey' && scheme.in === 'header');
  return (inHeader ?? schemes.find(([, { type, scheme }]) => type === 'apiKey' || scheme === 'bearer'))?.[0] ?? '';
}

/** The index of the search over all pages, made at the first request for it. */
function findIndexRoute(document: OpenApiDocument, guides: readonly Guide[]): RequestHandler {
  const made = lazy(async () =>
    Buffer.from(JSON.stringify(await (await import('./find-index.ts')).findIndex(document, guides))),
  );
  return async (_request, response) => void response.type('json').send(await made());
}

/** Swagger UI in the frame of all pages. */
function tryPage(document: OpenApiDocument, places: Places): RequestHandler {
  const page = framed(
    {
      ...{ place: 'api', root: '../', title: 'Try the API' },
      ...{ styles: ['find', 'try'], scripts: ['docs', 'try'] },
      head: html`<link rel="stylesheet" href="./swagger-ui.css">
`,
      skip: { to: 'swagger-ui', words: 'Skip to the operations' },
      layout: 'guide',
      main: html`<main class="try">
${intro(
  '../',
  'Try the API',
  html`Swagger UI sends real requests to this service${places.takesKeys ? ', with the key of this tab' : ''}. <a href="./">The reference</a> is easier to read.`,
)}
<div id="swagger-ui" tabindex="-1" data-scheme="${keyScheme(document)}"></div>
<script src="./swagger-ui-bundle.js"></script>
</main>`,
    },
    places,
  );
  return (_request, response) => void response.type('html').send(page);
}

/**
 * Creates the routes of `/docs`, and the redirect from `/` where there is no home page. `originOf` returns the origin by which the caller reaches
 * the service.
 */
export function createDocs(
  document: OpenApiDocument,
  originOf: OriginOf,
  places: Places,
  guides: readonly Guide[],
): Router {
  const readOnly = methodNotAllowed(['GET', 'HEAD']);
  const docs = Router(routerOptions);
  docs.use(...guides.map(({ routes }) => routes), protectSwagger);
  const reference = referenceRoutes(document, originOf, places);
  docs.route('/').get(protectPages, revalidate, reference.html).all(readOnly);
  // llmstxt.org names the Markdown of a folder like the second one.
  docs.route(['/index.md', '/index.html.md']).get(protectPages, revalidate, reference.markdown).all(readOnly);
  docs.route('/search-index.json').get(protectPages, revalidate, findIndexRoute(document, guides)).all(readOnly);
  docs.route(['/api', '/api/']).get(redirectTo(308, '../docs/')).all(readOnly);
  docs.route('/api/:name').get(protectPages, revalidate, reference.part).all(readOnly);
  docs.route('/try').get(revalidate, tryPage(document, places)).all(readOnly);
  docs.route('/try/').get(redirectTo(308, '../try')).all(readOnly);
  docs
    .route(files.map((file) => `/${file}`))
    .get(wholeFiles, revalidate, ...swaggerUi.serve)
    .all(readOnly);
  docs.use((request) => {
    throw notFound(request.originalUrl);
  });

  const router = Router(routerOptions);
  if (!has(places, 'home')) router.route('/').get(redirectTo(302, 'docs/')).all(readOnly);
  router.route('/docs').get(redirectTo(308, 'docs/')).all(readOnly);
  router.use('/docs', docs);
  return router;
}
