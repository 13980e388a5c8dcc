/** The part of an OpenAPI document that the server reads at run time. */
import { readFile } from 'node:fs/promises';
import type { DocumentWithServers } from './base-path.ts';
import type { OperationId } from './operations.ts';
import { lazy } from '../collections/lazy.ts';
import { recordMark } from './checked-contract.ts';
import type { ValueConstraints } from './requirement.ts';
import { isFrameHeader, isIgnoredHeader } from './frame-headers.ts';
import { csvType, itemColumns } from './item-columns.ts';
import { mediaKind, type MediaKind } from './media-type.ts';
import { normaliseDocument } from './plain-document.ts';
import { responseKeys } from './statuses.ts';
import { deprecationHeaders, type Deprecatable } from './deprecation.ts';
import { operationTable, resolve, type OperationEntry } from './operation-table.ts';

export { resolve } from './operation-table.ts';

export interface Schema extends ValueConstraints {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly default?: unknown;
  readonly 'x-max-bytes'?: number;
}
/** How a parameter is written (OpenAPI 3.1, "Style Values"). */
export type ParameterStyle = 'matrix' | 'label' | 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

/** A parameter, or a header of a response, with the defaults of OpenAPI. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** Whether its value may contain the reserved characters of RFC 3986 without percent-encoding. */
  readonly allowReserved?: boolean;
  /** Whether an empty value is a value. */
  readonly allowEmptyValue?: boolean;
  /** The media type in which the value is written; undefined where `style` says how. */
  readonly mediaType: string | undefined;
  readonly schema: Schema;
  readonly example?: unknown;
}
export interface Reference {
  readonly $ref: string;
}
interface DescribedParameter extends Partial<Omit<Parameter, 'schema' | 'name' | 'in'>> {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema | boolean;
  readonly content?: Content;
}
/** How the parts of a form are written. */
export interface Encoding {
  readonly contentType?: string;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly headers?: Readonly<Record<string, unknown>>;
}
interface DescribedMedia {
  readonly schema?: Schema | boolean;
  readonly encoding?: Readonly<Record<string, Encoding>>;
  readonly 'x-max-bytes'?: number;
}
interface Content {
  readonly [mediaType: string]: DescribedMedia;
}
interface Response {
  readonly headers?: Readonly<Record<string, DescribedParameter | Reference>>;
  readonly content?: Content;
}
interface Operation extends Deprecatable {
  readonly operationId: string;
  readonly parameters?: readonly (DescribedParameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content } | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}
export interface OpenApiDocument extends DocumentWithServers {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A body in one media type. */
export interface Media {
  /** The name of the contract: a media type or a range. */
  readonly mediaType: string;
  readonly kind: MediaKind;
  /** The schema of the value; undefined where the contract has none. */
  readonly schema: Schema | undefined;
  readonly encoding: Readonly<Record<string, Encoding>>;
  /** The maximum size in bytes that the contract states by `x-max-bytes`. */
  readonly maxBytes: number | undefined;
}
export interface RequestBody {
  readonly required: boolean;
  readonly content: ReadonlyMap<string, Media>;
}
/** A response as the contract declares it. */
export interface ResponseMetadata {
  /** `200`, `4XX` or `default`. */
  readonly key: string;
  /** The headers that a handler sets, by name in lower case. */
  readonly headers: ReadonlyMap<string, Parameter>;
  readonly content: ReadonlyMap<string, Media>;
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
  readonly cookieParameters: ReadonlyMap<string, Parameter>;
  readonly requestBody: RequestBody | undefined;
  /** The names of the members of the request body. */
  readonly bodyMembers: ReadonlySet<string>;
  /** The declared responses by `200`, `4XX` or `default`. */
  readonly responses: ReadonlyMap<string, ResponseMetadata>;
  /** The schema of the JSON body that the handler returns; undefined where it returns a reply. */
  readonly responseSchema: Schema | undefined;
  /** The items of a page that the server can write as CSV; undefined where the contract does not declare that. */
  readonly csvItems: { readonly items: string; readonly columns: () => readonly string[] } | undefined;
  /** The statuses that the contract declares one by one. */
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
export const readDocument: () => Promise<OpenApiDocument> = lazy(async () => {
  const read = (name: string): Promise<string> => readFile(new URL(`../../generated/${name}`, import.meta.url), 'utf8');
  const [text, mark] = await Promise.all([read('openapi.json'), read('openapi.checked').catch(() => '')]);
  const document = JSON.parse(text) as OpenApiDocument;
  recordMark(document, text, mark);
  return document;
});

/** A schema as an object: `true` allows every value, `false` none. */
function asSchema(document: object, schema: Schema | boolean | undefined): Schema {
  const resolved = schema === undefined ? true : resolve<Schema | boolean>(document, schema);
  return typeof resolved === 'object' ? resolved : resolved ? {} : ({ not: {} } as Schema);
}

const styles: Readonly<Record<string, ParameterStyle>> = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
};

/** A parameter, or a header of a response, with the defaults of OpenAPI and its schema resolved. */
export function parameterOf(document: object, described: DescribedParameter): Parameter {
  const { content, schema, ...rest } = described;
  const [mediaType, media] = Object.entries(content ?? {})[0] ?? [];
  const style = described.style ?? styles[described.in] ?? 'simple';
  return {
    ...rest,
    required: described.required === true,
    style,
    explode: described.explode ?? style === 'form',
    mediaType,
    schema: asSchema(document, mediaType === undefined ? schema : media?.schema),
  };
}

const byName = (parameters: readonly Parameter[], place: string): Map<string, Parameter> =>
  new Map(parameters.filter((parameter) => parameter.in === place).map((parameter) => [parameter.name, parameter]));

const contentOf = (document: object, content: Content | undefined): Map<string, Media> =>
  new Map(
    Object.entries(content ?? {}).map(([mediaType, { schema, encoding = {}, ...media }]) => [
      mediaType,
      {
        mediaType,
        kind: mediaKind(mediaType),
        // Not resolved: a validator of the reference is shared.
        schema: typeof schema === 'boolean' ? asSchema({}, schema) : schema,
        encoding,
        maxBytes: media['x-max-bytes'] ?? asSchema(document, schema)['x-max-bytes'],
      },
    ]),
  );

function responseOf(
  document: object,
  key: string,
  described: Response | Reference,
  conditional: boolean,
): ResponseMetadata {
  const { headers = {}, content } = resolve<Response>(document, described);
  const own = Object.entries(headers)
    .filter(([name]) => !isFrameHeader(name, conditional))
    .map(([name, header]): [string, Parameter] => [
      name.toLowerCase(),
      parameterOf(document, { ...resolve<DescribedParameter>(document, header), name, in: 'header' }),
    ]);
  return { key, headers: new Map(own), content: contentOf(document, content) };
}

/** The declared response of a status: the exact one, that of its range, or `default`. */
export const responseFor = (
  { responses }: Pick<OperationMetadata, 'responses'>,
  status: number,
): ResponseMetadata | undefined =>
  responseKeys(status)
    .map((key) => responses.get(key))
    .find((response) => response !== undefined);

function metadataOf(document: OpenApiDocument, entry: OperationEntry): OperationMetadata {
  const operation = document.paths[entry.path]?.[entry.method];
  if (operation === undefined) throw new Error(`the contract has no ${entry.method} ${entry.path}`);
  const parameters = (operation.parameters ?? []).map((reference) =>
    parameterOf(document, resolve<DescribedParameter>(document, reference)),
  );
  const { requestBody } = operation;
  const body = requestBody && resolve<Exclude<typeof requestBody, Reference>>(document, requestBody);
  const conditional = operation.responses['304'] !== undefined;
  const responses = new Map(
    Object.entries(operation.responses).map(([key, response]) => [
      key,
      responseOf(document, key, response, conditional),
    ]),
  );
  const success = entry.success === undefined ? undefined : responses.get(String(entry.success));
  const sends = Object.entries(operation.responses).some(
    ([key, response]) =>
      key.startsWith('2') && resolve<Response>(document, response).headers?.['X-Event-Cursor'] !== undefined,
  );
  return {
    entry,
    parameters: byName(parameters, 'query'),
    pathParameters: byName(parameters, 'path'),
    headerParameters: new Map(
      parameters
        .filter(({ name, in: place }) => place === 'header' && !isIgnoredHeader(name))
        .map((parameter) => [parameter.name.toLowerCase(), parameter]),
    ),
    cookieParameters: byName(parameters, 'cookie'),
    bodyMembers: new Set(
      Object.values(body?.content ?? {}).flatMap(({ schema }) =>
        Object.keys(asSchema(document, schema).properties ?? {}),
      ),
    ),
    requestBody: body && { required: body.required === true, content: contentOf(document, body.content) },
    responses,
    responseSchema: success && [...success.content.values()][0]?.schema,
    csvItems: csvItemsOf(document, operation, success),
    conditional,
    deprecation: deprecationHeaders(operation),
    statuses: new Set(Object.keys(operation.responses).map(Number).filter(Number.isInteger)),
    sendsEventCursor: sends,
  };
}

function csvItemsOf(
  document: OpenApiDocument,
  operation: object,
  success: ResponseMetadata | undefined,
): OperationMetadata['csvItems'] {
  const items: unknown = 'x-items' in operation ? operation['x-items'] : undefined;
  const page = success?.content.get('application/json')?.schema;
  if (typeof items !== 'string' || page === undefined || success?.content.has(csvType) !== true) return undefined;
  return { items, columns: lazy(() => itemColumns(document, page as Record<string, unknown>, items)) };
}

/** Collects the metadata of every operation of the document, which must not change any more. */
export function operationMetadata(contract: OpenApiDocument): OperationMetadataMap {
  const known = collected.get(contract);
  if (known !== undefined) return known;
  const document = normaliseDocument(contract);
  const entries = Object.entries(operationTable(document)).map(([id, entry]) => [id, metadataOf(document, entry)]);
  const metadata = Object.fromEntries(entries) as OperationMetadataMap;
  collected.set(contract, metadata);
  return metadata;
}

/** The metadata of each document: a start needs them several times. */
const collected = new WeakMap<OpenApiDocument, OperationMetadataMap>();

/** The last segment of a reference: the name of its target. */
export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);
