/** The types of a document, made by openapi-typescript. */
import type { OpenAPI3 } from 'openapi-typescript';
import { normaliseDocument } from '../../server/contract/plain-document.ts';
import { banner, type Document } from './contract-document.ts';
import { hoistSchemas } from './hoist-schemas.ts';
import { SpecError } from './spec-error.ts';

/** The types of a document. Throws a SpecError for a document that openapi-typescript rejects. */
export async function types(source: OpenAPI3): Promise<string> {
  // It loads the compiler of TypeScript.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  try {
    return banner + (await hoistSchemas(astToString(await openapiTS(source, { exportType: true, silent: true }))));
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n');
    const place = / at #(\/\S+)$/.exec(message)?.[1] ?? '/paths';
    throw new SpecError(`no types can be made: ${message}`, place, 'correct the value there.');
  }
}

/**
 * A copy for openapi-typescript, which modifies its input. Without `externalValue`, which it would fetch, without the
 * version, because the types do not depend on it, and without the path components that only paths refer to: their
 * operations stand in the paths, and twice they would have the same operationIds.
 */
export function forTypes(document: Document): OpenAPI3 {
  const { components, ...rest } = normaliseDocument(document);
  const isReferred = JSON.stringify(rest).includes('"#/components/pathItems/');
  const { pathItems: _, ...others } = components as Document['components'] & { pathItems?: unknown };
  const copy = { ...rest, info: { title: '', version: '' }, components: isReferred ? components : others };
  return JSON.parse(
    JSON.stringify(copy, (key, value: unknown) =>
      key === 'externalValue' && typeof value === 'string' ? undefined : value,
    ),
  ) as OpenAPI3;
}

/** The module of the types of a contract. Throws a SpecError as `types` does. */
export const typesOf = (document: Document): Promise<string> => types(forTypes(document));
