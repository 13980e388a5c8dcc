/** The pages, the documentation and the documents of the contract: public routes, which need no API key and are not part of the contract. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Router } from 'express';
import type { Origin } from '../server/client-address.ts';
import { createDocs, createWellKnown } from './docs.ts';
import { generatorDocument } from '../../contract/generator-document.ts';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import type { AgentSite } from '../mcp/agent-site.ts';
import type { Guide } from '../site.ts';
import { llmsText, type DocumentLink } from './llms.ts';
import { agentsGuide } from './pages/agents/guide.ts';
import { createAssets } from './pages/assets.ts';
import type { Places } from './pages/shell.ts';
import { revalidatedRoutes } from './revalidated-routes.ts';
import { codeOf } from '../../text/error-text.ts';

export interface PublicParts {
  readonly document: OpenApiDocument;
  /** The source of the contract in YAML; spec/openapi.yaml when undefined. */
  readonly documentText: string | undefined;
  /** Returns the origin by which the caller reaches the service. */
  readonly originOf: (request: IncomingMessage) => Origin;
  /** The navigation, the pages and the guides of the service. */
  readonly places: Places;
  readonly pages: readonly RequestHandler[];
  readonly guides: readonly Guide[];
  /** What agents learn about the service beside the tools of its contract. */
  readonly agents?: AgentSite | undefined;
}

/** Reads a file of the project; undefined if it does not exist. */
async function projectFile(name: string): Promise<string | undefined> {
  try {
    return await readFile(new URL(`../../../${name}`, import.meta.url), 'utf8');
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

const yaml =
  (text: string): RequestHandler =>
  (_request, response) =>
    void response.type('application/yaml').send(text);

const link = (path: string, about: string): DocumentLink => ({ path, title: path, about });

/** Creates the routes of the contract documents, the pages and the documentation. */
export async function createPublicRoutes(parts: PublicParts): Promise<Router> {
  const { document, documentText, originOf } = parts;
  const { places, pages } = parts;
  const guides = [...parts.guides, ...agentsGuide({ document, places, originOf }, parts.agents)];
  const { router, get } = revalidatedRoutes();
  const protocolJson = await projectFile('generated/asyncapi.json');
  const protocol = protocolJson === undefined ? undefined : (JSON.parse(protocolJson) as object);
  const documents = {
    '/openapi.json': document,
    '/openapi.generators.json': generatorDocument(document),
    ...(protocol === undefined ? {} : { '/asyncapi.json': protocol }),
  };
  for (const [path, value] of Object.entries(documents)) {
    // Serialised once, because anyone may request it at any rate.
    const body = Buffer.from(JSON.stringify(value));
    get(path, (_request, response) => void response.type('json').send(body));
  }
  const contractText = documentText ?? (await projectFile('spec/openapi.yaml'));
  if (contractText !== undefined) get('/openapi.yaml', yaml(inOneFile(contractText, document)));
  const protocolText = protocol && (await projectFile('spec/asyncapi.yaml'));
  if (protocolText !== undefined) get('/asyncapi.yaml', yaml(inOneFile(protocolText, protocol)));
  const contracts = [
    ...(contractText === undefined ? [] : [link('openapi.yaml', 'the contract of all operations, OpenAPI 3.1')]),
    link('openapi.json', 'the same as one JSON document'),
    ...(protocolText === undefined ? [] : [link('asyncapi.yaml', 'the contract of the event stream, AsyncAPI 3')]),
  ];
  const llms = llmsText(document, places.title, { guides, contracts });
  get('/llms.txt', (_request, response) => void response.type('text/plain').send(llms));
  router.use(...pages, createAssets(), createWellKnown());
  router.use(createDocs(document, originOf, places, guides));
  return router;
}
