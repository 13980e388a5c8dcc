/** The part of an OpenAPI document that the server reads at run time. */
import { readFile } from 'node:fs/promises';
import type { OperationId } from './operations.ts';
import { lazy } from '../collections/lazy.ts';
import type { ValueConstraints } from './requirement.ts';
import { normaliseDocument } from './plain-document.ts';
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
interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What the server must know of one operation. */
export interface OperationMetadata {
  /** Where it is. */
  readonly entry: OperationEntry;
  /** Its query parameters, by name. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** The schema of the JSON request body. */
  readonly body: Schema | undefined;
  /** The schema of the JSON that a 200 answers. */
  readonly responseSchema: Schema | undefined;
  /** The statuses that the contract declares. */
  readonly statuses: ReadonlySet<number>;
  /** Whether its answers carry an ETag, and are 304 to whoever has them. */
  readonly conditional: boolean;
  /** Whether its answers tell the place in the event stream from which on they may be out of date. */
  readonly sendsEventCursor: boolean;
}
export type OperationMetadataMap = Readonly<Record<OperationId, OperationMetadata>>;

/** The schema of a member, by the steps of its JSON pointer within a value; an empty one where the path is not described. */
export function schemaAt(document: object, schema: Schema, pointer: readonly string[]): Schema {
  let at = resolve(document, schema);
  for (const step of pointer) at = resolve(document, at.properties?.[step] ?? at.items ?? {});
  return at;
}

/** The generated contract; read once, the same object for all. */
export const readDocument: () => Promise<OpenApiDocument> = lazy(
  async () =>
    JSON.parse(await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as OpenApiDocument,
);

/** Collects the facts of every operation of the document. */
export function operationMetadata(contract: OpenApiDocument): OperationMetadataMap {
  const document = normaliseDocument(contract);
  const rows = Object.entries(operationTable(document)).map(([id, row]): [string, OperationMetadata] => {
    const operation = document.paths[row.path]![row.method]!;
    const parameters = (operation.parameters ?? []).map((reference) => {
      const parameter = resolve<Parameter>(document, reference);
      return { ...parameter, schema: resolve(document, parameter.schema) };
    });
    const ok = operation.responses['200'];
    const answer = ok && resolve<Response>(document, ok);
    return [
      id,
      {
        entry: row,
        parameters: new Map(
          parameters.filter((parameter) => parameter.in === 'query').map((parameter) => [parameter.name, parameter]),
        ),
        body: operation.requestBody && resolve(document, operation.requestBody).content['application/json']?.schema,
        responseSchema: answer?.content?.['application/json']?.schema,
        conditional: operation.responses['304'] !== undefined,
        statuses: new Set(Object.keys(operation.responses).map(Number)),
        sendsEventCursor: answer?.headers?.['X-Event-Cursor'] !== undefined,
      },
    ];
  });
  return Object.fromEntries(rows) as OperationMetadataMap;
}
