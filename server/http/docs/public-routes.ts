/** Public routes, which need no API key and are not part of the contract. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Router, type RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import { unavailable } from '../../contract/service-error.ts';
import type { Origin } from '../server/client-address.ts';
import { createDocs, createWellKnown, placesOf } from './docs.ts';
import { overviewOf } from './overview.ts';
import { generatorDocument } from '../../contract/generator-document.ts';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { readProtocol } from './pages/events/protocol.ts';
import { createAppPages, createAssets } from './pages/app-pages.ts';
import { createPage } from './pages/page.ts';
import { methodNotAllowed } from '../express/not-found.ts';
import { codeOf } from '../../text/error-text.ts';

export interface PublicParts {
  readonly document: OpenApiDocument;
  /** The source of the contract in YAML; spec/openapi.yaml when undefined. */
  readonly documentText: string | undefined;
  readonly registry: Registry;
  /** Returns the origin by which the caller reaches the service. */
  readonly originOf: (request: IncomingMessage) => Origin;
  /** Whether the server can accept requests: true, or the reason why not. */
  readonly ready: () => true | string;
  /** Warnings for the operator while the server accepts requests; /readyz lists them. */
  readonly warnings?: (() => readonly string[]) | undefined;
  /** What the service follows on live platforms; /live shows it. */
  readonly following?: (() => readonly object[]) | undefined;
  /** The live platforms that this instance reads; undefined without other instances. /readyz shows it. */
  readonly reading?: (() => readonly string[] | undefined) | undefined;
}

/** Reads a file of the spec folder; undefined if it does not exist. */
async function specFile(name: string): Promise<string | undefined> {
  try {
    return await readFile(new URL(`../../../spec/${name}`, import.meta.url), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The text of a document; where it refers to parts in other files, which are not served, the whole document as JSON, which is YAML. */
export function inOneFile(text: string, document: object | undefined): string {
  const refersToParts = /\$ref['"]?\s*:\s*['"]?(?!(?:\.\/)?openapi\.yaml#)[^#'"\s]/.test(text);
  return refersToParts && document !== undefined ? `${JSON.stringify(document, null, 1)}\n` : text;
}

const revalidate: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-cache');
  next();
};

const yaml =
  (text: string): RequestHandler =>
  (_request, response) =>
    void response.type('application/yaml').send(text);

/** Creates the routes of the contract documents, the health checks, the metrics and the documentation. */
export async function createPublicRoutes(parts: PublicParts): Promise<Router> {
  const { document, documentText, registry, originOf, ready, warnings = () => [], following = () => [] } = parts;
  const { reading = () => undefined } = parts;
  const router = Router({ caseSensitive: true, strict: true });
  const get = (path: string, handler: RequestHandler): void => {
    router
      .route(path)
      .get(revalidate, handler)
      .all(methodNotAllowed(['GET', 'HEAD']));
  };
  const protocol = await readProtocol();
  const documents = {
    '/openapi.json': document,
    '/openapi.generators.json': generatorDocument(document),
    '/asyncapi.json': protocol,
  };
  for (const [path, value] of Object.entries(documents)) {
    // Serialised once, because anyone may request it at any rate.
    const body = Buffer.from(JSON.stringify(value));
    get(path, (_request, response) => void response.type('json').send(body));
  }
  const contractText = documentText ?? (await specFile('openapi.yaml'));
  if (contractText !== undefined) get('/openapi.yaml', yaml(inOneFile(contractText, document)));
  const protocolText = await specFile('asyncapi.yaml');
  if (protocolText !== undefined) get('/asyncapi.yaml', yaml(inOneFile(protocolText, protocol)));
  get('/live/following', (_request, response) => void response.json({ following: following() }));
  get('/live/overview', async (_request, response) => void response.json(await overviewOf(registry)));
  const places = await placesOf(document);
  if (places.has('live'))
    router.use(createPage('live', places, async () => (await import('./pages/live/page.ts')).livePage));
  router.use(createAssets(), createAppPages(places), createWellKnown());
  get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  get('/readyz', (_request, response) => {
    const readiness = ready();
    if (readiness !== true) throw unavailable(`the server is not ready: ${readiness}`, 1);
    const currentWarnings = warnings();
    const currentReading = reading();
    response.json({
      status: 'ok',
      ...(currentReading === undefined ? {} : { following: currentReading }),
      ...(currentWarnings.length === 0 ? {} : { warnings: currentWarnings }),
    });
  });
  get(
    '/metrics',
    async (_request, response) => void response.type(registry.contentType).send(await registry.metrics()),
  );
  router.use(await createDocs(document, originOf, places));
  return router;
}
