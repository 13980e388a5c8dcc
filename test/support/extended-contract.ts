/** A server over the contract with operations of a test beside its own. */
import { readDocument, type OpenApiDocument } from '../../server/contract/openapi.ts';
import type { Handlers } from '../../server/contract/operations.ts';
import { exampleHandlers, startService, type Service, type ServiceParts } from './service.ts';

type Json = Readonly<Record<string, unknown>>;
/** A call as a handler without types sees it. */
export interface AnyCall {
  readonly path: Json;
  readonly query: Json;
  readonly headers: Json;
  readonly cookies: Json;
  readonly body: unknown;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly signal: AbortSignal;
}
/** An operation of a test: its route, such as `GET /things/{id}`, what the contract says of it, and its handler. */
export interface TestOperation {
  readonly route: string;
  readonly described: Json;
  readonly handle: (call: AnyCall) => unknown;
}

export const json = (schema: unknown): Json => ({ 'application/json': { schema } });
/** The responses of an operation: the given ones, and an error for every 4XX and 5XX. */
export const responses = (own: Json): Json => ({
  '4XX': { description: 'Wrong.', content: json({ $ref: '#/components/schemas/Error' }) },
  '5XX': { description: 'Broken.', content: json({ $ref: '#/components/schemas/Error' }) },
  ...own,
});

/** The contract with more operations and schemas. */
export async function extendedContract(
  operations: Readonly<Record<string, TestOperation>>,
  schemas: Json = {},
): Promise<OpenApiDocument> {
  const document = structuredClone(await readDocument());
  const paths: Record<string, object> = { ...document.paths };
  for (const [operationId, { route, described }] of Object.entries(operations)) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId, ...described } };
  }
  const components = { ...document.components, schemas: { ...document.components.schemas, ...schemas } };
  return { ...document, paths, components } as unknown as OpenApiDocument;
}

/** Starts a server with the operations. */
export async function startExtended(
  operations: Readonly<Record<string, TestOperation>>,
  schemas: Json = {},
  parts: ServiceParts = {},
): Promise<Service> {
  const handlers = Object.fromEntries(Object.entries(operations).map(([id, { handle }]) => [id, handle]));
  return startService({
    document: await extendedContract(operations, schemas),
    handlers: { ...exampleHandlers(), ...handlers } as unknown as Handlers,
    ...parts,
  });
}
