/** The part of an OpenAPI document that the server reads at run time. */
import { readFile } from 'node:fs/promises';
import type { DocumentWithServers } from './base-path.ts';
import type { OperationId } from './operations.ts';
import { lazy } from '../collections/lazy.ts';
import type { ValueConstraints } from './requirement.ts';
import { normaliseDocument } from './plain-document.ts';
import { deprecationHeaders, type Deprecatable } from './deprecation.ts';
import { operationTable, resolve, type OperationEntry } from './operation-table.ts';

export { resolve } from './operation-table.ts';

export interface Schema extends ValueConstraints {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly default?: unknown;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  /** Whether its value may contain the reserved characters of RFC 3986 without percent-encoding. */
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
interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}
interface Operation extends Deprecatable {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}
export interface OpenApiDocument extends DocumentWithServers {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The metadata of one operation, derived from the contract. */
export interface OperationMetadata {
  /** Its method, path and query parameters, as in the operation table. */
  readonly entry: OperationEntry;
  /** Its query parameters, by name. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** Its parameters in headers, by lower-case name. */
  readonly headerParameters: ReadonlyMap<string, Parameter>;
  /** Its parameters in the path, by name. */
  readonly pathParameters: ReadonlyMap<string, Parameter>;
  /** The schema of the JSON request body. */
  readonly body: Schema | undefined;
  /** The schema of the JSON body of a 200. */
  readonly responseSchema: Schema | undefined;
  /** The statuses that the contract declares. */
  readonly statuses: ReadonlySet<number>;
  /** Whether its responses carry an ETag, and can be 304. */
  readonly conditional: boolean;
  /** The headers of every response of a deprecated operation, names and values in turn; empty where it is not deprecated. */
  readonly deprecation: readonly string[];
  /** Whether its responses carry the event cursor from which a caller can follow changes. */
  readonly sendsEventCursor: boolean;
}
export type OperationMetadataMap = Readonly<Record<OperationId, OperationMetadata>>;

/** The schema at a JSON pointer within a value; an empty schema where the contract does not describe it. */
export function schemaAt(document: object, schema: Schema, pointer: readonly string[]): Schema {
  let current = resolve(document, schema);
  for (const segment of pointer) current = resolve(document, current.properties?.[segment] ?? current.items ?? {});
  return current;
}

/** The generated contract. It is read once; all callers get the same object. */
export const readDocument: () => Promise<OpenApiDocument> = lazy(async () =>
  JSON.parse(await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8')),
);

const byName = (parameters: readonly Parameter[], place: string): Map<string, Parameter> =>
  new Map(parameters.filter((parameter) => parameter.in === place).map((parameter) => [parameter.name, parameter]));

/** Collects the metadata of every operation of the document. */
export function operationMetadata(contract: OpenApiDocument): OperationMetadataMap {
  const document = normaliseDocument(contract);
  const entries = Object.entries(operationTable(document)).map(([id, entry]): [string, OperationMetadata] => {
    const operation = document.paths[entry.path]?.[entry.method];
    if (operation === undefined) throw new Error(`the contract has no ${entry.method} ${entry.path}`);
    const parameters = (operation.parameters ?? []).map((reference) => {
      const parameter = resolve<Parameter>(document, reference);
      return { ...parameter, schema: resolve(document, parameter.schema) };
    });
    const ok = operation.responses['200'];
    const response = ok && resolve<Response>(document, ok);
    return [
      id,
      {
        entry,
        parameters: byName(parameters, 'query'),
        headerParameters: new Map(
          [...byName(parameters, 'header')].map(([name, parameter]) => [name.toLowerCase(), parameter]),
        ),
        pathParameters: byName(parameters, 'path'),
        body: operation.requestBody && resolve(document, operation.requestBody).content['application/json']?.schema,
        responseSchema: response?.content?.['application/json']?.schema,
        conditional: operation.responses['304'] !== undefined,
        deprecation: deprecationHeaders(operation),
        statuses: new Set(Object.keys(operation.responses).map(Number)),
        sendsEventCursor: response?.headers?.['X-Event-Cursor'] !== undefined,
      },
    ];
  });
  return Object.fromEntries(entries) as OperationMetadataMap;
}
