/**
 * The types of a document, made by openapi-typescript. No other module knows the package, which gets no updates any more (decision record
 * 0031).
 */
import type { GlobalContext, OpenAPI3 } from 'openapi-typescript';
import { mediaKind } from '../../server/contract/media-type.ts';
import { withoutCsvOfLists } from '../../server/contract/item-columns.ts';
import { normaliseDocument } from '../../server/contract/plain-document.ts';
import { isObject } from '../../server/text/object.ts';
import { banner, type Document } from './contract-document.ts';
import { withoutPathLinks } from './client-parameters.ts';
import { directedTypes, withBinaryParts, withoutForeignNames } from './type-document.ts';
import { hoistSchemas, withNames } from './hoist-schemas.ts';
import { SpecError } from './spec-error.ts';

export type { OpenAPI3 };

const options = { exportType: true, silent: true } as const;

/** The types of a document, which this changes. Throws a SpecError for a document that openapi-typescript rejects. */
export async function types(source: OpenAPI3): Promise<string> {
  // It loads the compiler of TypeScript.
  const [openapi, { default: ts }] = await Promise.all([import('openapi-typescript'), import('typescript')]);
  try {
    const { nodes, names } = hoistSchemas(ts, openapi.transformSchema(source, contextOf(openapi, source, ts)));
    return banner + withTextIds(withNames(openapi.astToString(nodes), names));
  } catch (cause) {
    throw await rejection(openapi, source, cause as Error);
  }
}

/** The types with operations whose ids are numbers as texts: `keyof operations` has no numbers. */
const withTextIds = (text: string): string =>
  text.replace(/^export (?:type operations =|interface operations) \{\n.*?^\}/ms, (operations) =>
    operations.replaceAll(/^ {4}(\d+): \{$/gm, '    "$1": {'),
  );

type OpenApiTypeScript = typeof import('openapi-typescript');

/**
 * The settings of openapi-typescript. Its own call lints and bundles the document before, which takes longer than the types; the
 * lint of this project has done both.
 */
function contextOf(
  { resolveRef, scanDiscriminators }: OpenApiTypeScript,
  source: OpenAPI3,
  ts: typeof import('typescript'),
): GlobalContext {
  const context: Omit<GlobalContext, 'redoc'> = {
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    conditionalEnums: false,
    dedupeEnums: false,
    defaultNonNullable: true,
    discriminators: scanDiscriminators(source, options),
    emptyObjectsUnknown: true,
    enum: false,
    enumValues: false,
    excludeDeprecated: false,
    generatePathParams: false,
    immutable: false,
    injectFooter: [],
    makePathsEnum: false,
    pathParamsAsTypes: false,
    postTransform: undefined,
    propertiesRequiredByDefault: false,
    readWriteMarkers: false,
    rootTypes: false,
    rootTypesKeepCasing: false,
    rootTypesNoSchemaPrefix: false,
    transform: (schema) => {
      // What a handler and a program get for bytes.
      if (isBinary(schema)) return ts.factory.createTypeReferenceNode('Blob');
      return isEmptyObject(schema) ? ts.factory.createTypeReferenceNode('Record<string, never>') : undefined;
    },
    transformProperty: undefined,
    resolve: ($ref) => resolveRef(source, $ref, options),
    ...options,
  };
  // Only the lint reads `redoc`.
  return context as GlobalContext;
}

/** Whether a schema describes bytes: as OpenAPI 3.0 says it, or as 3.1 does. */
const isBinary = (schema: unknown): boolean =>
  isObject(schema) &&
  (schema.format === 'binary' ||
    (typeof schema.contentMediaType === 'string' &&
      schema.contentEncoding === undefined &&
      schema.contentSchema === undefined &&
      mediaKind(schema.contentMediaType) === 'binary'));

/** Whether a schema permits an object without members only. */
const isEmptyObject = (schema: unknown): boolean =>
  isObject(schema) &&
  schema.type === 'object' &&
  schema.additionalProperties === false &&
  Object.keys(isObject(schema.properties) ? schema.properties : {}).length === 0 &&
  !['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'].some((name) => name in schema);

/** The reason why the types cannot be made. The lint of openapi-typescript knows the place. */
async function rejection(
  { default: openapiTS }: OpenApiTypeScript,
  source: OpenAPI3,
  cause: Error,
): Promise<SpecError> {
  const { message: text } = await openapiTS(source, options).then(
    () => cause,
    (error: Error) => error,
  );
  const [message = ''] = text.split('\n');
  const place = / at #(\/\S+)$/.exec(message)?.[1] ?? '/paths';
  return new SpecError(`no types can be made: ${message}`, place, 'correct the value there.');
}

/**
 * A copy for openapi-typescript, which modifies its input. Without `externalValue`, which it would fetch, without the
 * version, because the types do not depend on it, and without the path components that only paths refer to: their
 * operations stand in the paths, and twice they would have the same operationIds.
 */
export function forTypes(document: Document): OpenAPI3 {
  const { components, ...rest } = normaliseDocument(withoutCsvOfLists(document));
  const isReferred = JSON.stringify(rest).includes('"#/components/pathItems/');
  const { pathItems: _, ...others } = (components ?? {}) as Document['components'] & { pathItems?: unknown };
  const copy = { ...rest, info: { title: '', version: '' }, components: isReferred ? components : others };
  const plain = JSON.parse(
    JSON.stringify(copy, (key, value: unknown) => {
      if (typeof value !== 'string') return value;
      return key === 'externalValue' ? undefined : key === 'description' ? withoutPathLinks(value) : value;
    }),
  ) as object;
  return directedTypes(withBinaryParts(withoutForeignNames(plain))) as OpenAPI3;
}

/** The module of the types of a contract. Throws a SpecError as `types` does. */
export const typesOf = (document: Document): Promise<string> => types(forTypes(document));
