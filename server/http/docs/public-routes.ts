/** What anyone may read without a key; it is not part of the contract. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Router, type RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import { unavailable } from '../../contract/service-error.ts';
import type { Origin } from '../server/client-address.ts';
import { createDocs } from './docs.ts';
import { generatorDocument } from '../../contract/generator-document.ts';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { readProtocol } from './pages/events/protocol.ts';
import { createPage } from './pages/page.ts';
import { methodNotAllowed } from '../express/not-found.ts';

export interface PublicParts {
  readonly document: OpenApiDocument;
  /** The contract as it was written; spec/openapi.yaml when undefined. */
  readonly documentText: string | undefined;
  readonly registry: Registry;
  /** Where the caller of a request reaches the service. */
  readonly originOf: (request: IncomingMessage) => Origin;
  /** Whether the server can take requests now: true, or why not. */
  readonly ready: () => true | string;
  /** What the operator should know although the server takes requests; /readyz lists it. */
  readonly warnings?: (() => readonly string[]) | undefined;
}

/** A file of the spec folder, or undefined where there is none. */
async function specFile(name: string): Promise<string | undefined> {
  try {
    return await readFile(new URL(`../../../spec/${name}`, import.meta.url), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const revalidate: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-cache');
  next();
};

const yaml =
  (text: string): RequestHandler =>
  (_request, response) =>
    void response.type('application/yaml').send(text);

/** Routes of the documents, the probes, the metrics and the documentation. */
export async function createPublicRoutes(parts: PublicParts): Promise<Router> {
  const { document, documentText, registry, originOf, ready, warnings = () => [] } = parts;
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
    // Made once: anyone may ask for it, as often as they like.
    const body = Buffer.from(JSON.stringify(value));
    get(path, (_request, response) => void response.type('json').send(body));
  }
  for (const name of ['openapi.yaml', 'asyncapi.yaml']) {
    const text = (name === 'openapi.yaml' ? documentText : undefined) ?? (await specFile(name));
    if (text !== undefined) get(`/${name}`, yaml(text));
  }
  router.use(createPage('live', async () => (await import('./pages/live/page.ts')).livePage));
  get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  get('/readyz', (_request, response) => {
    const answer = ready();
    if (answer !== true) throw unavailable(`the server is not ready: ${answer}`, 1);
    const known = warnings();
    response.json({ status: 'ok', ...(known.length === 0 ? {} : { warnings: known }) });
  });
  get(
    '/metrics',
    async (_request, response) => void response.type(registry.contentType).send(await registry.metrics()),
  );
  router.use(await createDocs(document, originOf));
  return router;
}
