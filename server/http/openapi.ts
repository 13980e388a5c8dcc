/** The part of an OpenAPI document that the server reads at run time. */
import { readFile } from 'node:fs/promises';
import { operations } from '../../generated/operations.ts';
import { operationIds, type OperationId } from '../contract.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly default?: unknown;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  /** Whether the characters that RFC 3986 reserves may stand in its value as they are. */
  readonly allowReserved?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Reference {
  readonly $ref: string;
}
interface Content {
  readonly [mediaType: string]: { readonly schema: Schema };
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Content }>>;
}
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What the server must know of one operation beyond the generated table. */
export interface OperationFacts {
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** The schema of the JSON request body. */
  readonly body: Schema | undefined;
  /** The schema of the JSON that a 200 answers. */
  readonly answer: Schema | undefined;
  /** The statuses that the contract declares. */
  readonly statuses: ReadonlySet<number>;
  /** Whether its answers carry an ETag, and are 304 to whoever has them. */
  readonly conditional: boolean;
  /** Whether its answers tell the place in the event stream from which on they may be out of date. */
  readonly tellsEventCursor: boolean;
}
export type Facts = Readonly<Record<OperationId, OperationFacts>>;

/** Reads the generated contract. */
export async function readDocument(): Promise<OpenApiDocument> {
  return JSON.parse(await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;
}

/** Follows a local reference such as `#/components/schemas/Id`; anything else is returned as it is. */
export function resolve<T>(document: OpenApiDocument, value: T | Reference): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  let at: unknown = document;
  for (const step of value.$ref.slice(2).split('/')) at = (at as Record<string, unknown>)[step];
  return resolve(document, at as T);
}

/** Collects the facts of every operation. Throws when the document lacks an operation of the generated table. */
export function operationFacts(document: OpenApiDocument): Facts {
  const rows = operationIds.map((id): [OperationId, OperationFacts] => {
    const { path, method } = operations[id];
    const operation = document.paths[path]?.[method];
    if (!operation) {
      throw new Error(`the contract has no ${method.toUpperCase()} ${path} for operation ${id}: run \`npm run generate\``);
    }
    const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
    const body = operation.requestBody?.content['application/json']?.schema;
    return [
      id,
      {
        parameters: new Map(parameters.map((parameter) => [parameter.name, parameter])),
        body,
        answer: operation.responses['200']?.content?.['application/json']?.schema,
        conditional: operation.responses['304'] !== undefined,
        statuses: new Set(Object.keys(operation.responses).map(Number)),
        tellsEventCursor: operation.responses['200']?.headers?.['X-Event-Cursor'] !== undefined,
      },
    ];
  });
  return Object.fromEntries(rows) as Record<OperationId, OperationFacts>;
}
