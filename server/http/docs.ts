/** The documentation: Swagger UI over the live contract, and the pages about search and about events. */
import { readFile } from 'node:fs/promises';
import { Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { ServiceError } from '../errors.ts';
import type { OpenApiDocument } from './openapi.ts';
import { content } from './pages/content.ts';
import { createEventsPage } from './pages/events/routes.ts';
import { createSearchPage } from './pages/search/routes.ts';
import { protectPages, protectSwagger } from './security-headers.ts';
import { methodNotAllowed } from './unknown.ts';

/**
 * The page loads `../openapi.json`; naming it keeps `?url=` from loading a document of someone else's. Both calls need the
 * same options, or the script loses what the page has.
 */
const options = {
  swaggerUrl: '../openapi.json',
  customSiteTitle: 'Social Data API',
  swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true, displayRequestDuration: true, validatorUrl: null },
};

/** All that the page loads. swagger-ui-express would serve its whole package, and the page itself under any other name. */
const files = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui-init.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

const strict = { caseSensitive: true, strict: true };

/** The styles that pages share. */
const styles = ['theme.css', 'guide.css'];

/** Routes of `/docs`. */
export async function createDocs(document: OpenApiDocument): Promise<Router> {
  const readOnly = methodNotAllowed(['GET', 'HEAD']);
  const docs = Router(strict);
  for (const name of styles) {
    const style = await readFile(new URL(`./pages/${name}`, import.meta.url), 'utf8');
    docs.route(`/${name}`).get(protectPages, content('css', style)).all(readOnly);
  }
  docs.use(await createSearchPage(document), await createEventsPage(document), protectSwagger);
  docs.route('/').get(swaggerUi.setup(undefined, options)).all(readOnly);
  docs.route(files.map((file) => `/${file}`)).get(...swaggerUi.serveFiles(undefined, options)).all(readOnly);
  docs.use((request) => {
    throw new ServiceError(404, `page '${request.originalUrl.split('?', 1)[0]}' not found`);
  });

  const router = Router(strict);
  router.route('/docs').get((_request, response) => void response.status(308).set('Location', 'docs/').end()).all(readOnly);
  router.use('/docs', docs);
  return router;
}
