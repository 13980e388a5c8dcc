/** The interactive documentation: Swagger UI over the live contract, and the pages about search, events and operations. */
import { Router, type RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../contract/service-error.ts';
import type { Origin } from '../server/client-address.ts';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { operationTable } from '../../contract/operation-table.ts';
import { nameOf, readProtocol } from './pages/events/protocol.ts';
import { createPage } from './pages/page.ts';
import type { Place } from './pages/shell.ts';
import { swaggerPlugins } from './pages/swagger.ts';
import { redirectTo } from './redirect.ts';
import { protectSwagger } from '../express/security-headers.ts';
import { methodNotAllowed } from '../express/not-found.ts';

/**
 * The page loads `../openapi.json`. An explicit URL prevents `?url=` from loading a document of another origin. Both
 * calls of swagger-ui-express need the same options; otherwise the script and the page differ.
 */
const options = {
  swaggerUrl: '../openapi.json',
  customSiteTitle: 'Social Data API',
  swaggerOptions: {
    persistAuthorization: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    validatorUrl: null,
    plugins: [swaggerPlugins],
  },
};

/**
 * The files that the page loads. swagger-ui-express would serve its whole package, and the page under any other name.
 */
const files = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui-init.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

/**
 * Removes range requests and these conditions, which this server supports nowhere: the file sender would throw an error
 * for them.
 */
const wholeFiles: RequestHandler = ({ headers }, _response, next) => {
  for (const name of ['range', 'if-range', 'if-match', 'if-unmodified-since']) delete headers[name];
  next();
};

/**
 * Caches may store pages and files, but must revalidate them each time: they change with the service while their names
 * stay the same.
 */
const revalidate: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-cache');
  next();
};

const routerOptions = { caseSensitive: true, strict: true };

/**
 * The pages about search and events, as far as the contract has these (a mock may have another contract), and the page
 * about operations.
 */
async function createGuides(
  document: OpenApiDocument,
  originOf: OriginOf,
  places: ReadonlySet<Place>,
): Promise<RequestHandler[]> {
  const protocol = await readProtocol();
  return [
    ...(places.has('search')
      ? [createPage('search', places, async () => (await import('./pages/search/page.ts')).searchPage(document))]
      : []),
    ...(places.has('events')
      ? [
          createPage('events', places, async () =>
            (await import('./pages/events/page.ts')).eventsPage(protocol, document, originOf),
          ),
        ]
      : []),
    createPage('operations', places, async () => (await import('./pages/operations/page.ts')).operationsPage()),
  ];
}

type OriginOf = (request: IncomingMessage) => Origin;

/** The entries of the navigation that a service with this contract has. A mock may have another contract. */
export async function placesOf(document: OpenApiDocument): Promise<ReadonlySet<Place>> {
  const protocol = await readProtocol();
  const operations = Object.keys(operationTable(document));
  const hasEvery = (...ids: string[]): boolean => ids.every((id) => operations.includes(id));
  const messages = Object.values(protocol.components.messages);
  const hasEvents = messages.every(({ payload }) => Object.hasOwn(document.components.schemas, nameOf(payload)));
  const hasData = hasEvery('searchTweets', 'getUserLastTweets', 'getTweetReplies');
  return new Set<Place>([
    ...(hasData ? (['home'] as const) : []),
    ...(hasEvery('searchTweets') ? (['search'] as const) : []),
    ...(hasEvents ? (['live', 'events'] as const) : []),
    'api',
    'operate',
  ]);
}

/**
 * Creates the routes of `/docs`, and the redirect from `/` where there is no home page. `originOf` returns the origin by which the caller reaches
 * the service.
 */
export async function createDocs(
  document: OpenApiDocument,
  originOf: OriginOf,
  places: ReadonlySet<Place>,
): Promise<Router> {
  const readOnly = methodNotAllowed(['GET', 'HEAD']);
  const docs = Router(routerOptions);
  docs.use(...(await createGuides(document, originOf, places)), protectSwagger);
  docs.route('/').get(revalidate, swaggerUi.setup(undefined, options)).all(readOnly);
  const serveFiles = swaggerUi.serveFiles(undefined, options);
  docs
    .route(files.map((file) => `/${file}`))
    .get(wholeFiles, revalidate, ...serveFiles)
    .all(readOnly);
  docs.use((request) => {
    throw new ServiceError(404, `page '${request.originalUrl.split('?', 1)[0]}' not found`);
  });

  const router = Router(routerOptions);
  if (!places.has('home')) router.route('/').get(redirectTo(302, 'docs/')).all(readOnly);
  router.route('/docs').get(redirectTo(308, 'docs/')).all(readOnly);
  router.use('/docs', docs);
  return router;
}
