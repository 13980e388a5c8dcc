/** What a service shows beside the operations of its contract: pages, guides, and routes of its own. `server/site.ts` has it. */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Registry } from '../observability/metrics-library.ts';
import type { OpenApiDocument } from '../contract/openapi.ts';
import { securitySchemes } from '../contract/security-schemes.ts';
import { type ContractSecurity } from './security.ts';
import type { DocumentLink } from './docs/llms.ts';
import type { Entry, Places } from './docs/pages/shell.ts';
import type { AgentSite } from './mcp/agent-site.ts';
import type { Admission } from './pipeline/admission.ts';
import type { OnFinished } from './pipeline/request-summary.ts';
import type { Origin } from './server/client-address.ts';

/** What the routes of a site may use. */
export interface SiteServices {
  readonly document: OpenApiDocument;
  readonly places: Places;
  readonly registry: Registry;
  readonly admission: Admission;
  readonly security: ContractSecurity;
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Returns the origin by which the caller reaches the service. */
  readonly originOf: (request: IncomingMessage) => Origin;
}

/** What guides may use. */
export type GuideServices = Pick<SiteServices, 'document' | 'places' | 'originOf'>;

/** A page of the documentation beside the API reference. */
export interface Guide extends DocumentLink {
  readonly routes: RequestHandler;
  /** Its text, for the search over all pages. */
  markdown(): Promise<string>;
}

export interface Site {
  /** The navigation of a service with this contract: a mock may have another one. */
  placesOf(document: OpenApiDocument): Promise<Places>;
  /** The pages, and other routes outside of the contract. */
  routes?(services: SiteServices): readonly RequestHandler[] | Promise<readonly RequestHandler[]>;
  /** The guides below `/docs`. */
  guides?(services: GuideServices): readonly Guide[];
  /** What agents learn about the service beside the tools of its contract. */
  agents?(document: OpenApiDocument): AgentSite | undefined;
  /** What `/readyz` shows beside the status. */
  facts?(): object;
  /** Called after each request. */
  readonly observe?: OnFinished | undefined;
  /** Called for each request that the server refuses because of its load. */
  readonly onShed?: (() => void) | undefined;
}

/** Whether a contract has a security scheme for API keys of the service. */
export const takesKeys = (document: OpenApiDocument): boolean =>
  [...securitySchemes(document).values()].some(
    ({ type, scheme }) => type === 'apiKey' || scheme?.toLowerCase() === 'bearer',
  );

/** The entry of the API reference, which every service has. */
export const apiEntry: Entry = ['api', 'docs/', 'API'];

/** A site without pages of its own: the API reference, under the title of the contract. */
export const plainSite: Site = {
  async placesOf(document) {
    const title = (document.info as { title?: string }).title ?? 'API';
    return { brand: title, title, entries: [apiEntry], client: './generated/index.ts', takesKeys: takesKeys(document) };
  },
};
